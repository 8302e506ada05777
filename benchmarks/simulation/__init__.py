"""Simulated judges that play the product's own schedules: what order so many calls leave, beside the true one."""

import os

# Runs are spread over processes; arithmetic that takes further threads for itself would only wait for them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
