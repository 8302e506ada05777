"""A whole run as one zip: written so that people can read it, and read back into any data folder as the same run."""

from judge_core.interfaces.library.bundle.reading import import_bundle as import_bundle
from judge_core.interfaces.library.bundle.writing import bundle as bundle
