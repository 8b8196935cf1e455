"""Benchmarks print what they measure, with as many BLAS threads as the program has.

    EIGENFACES_YALE=FOLDER uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_yale.py

Those without their folder of photographs are skipped, and say which variable names it.
"""

import sys
from collections.abc import Iterator

import pytest

from eigenfaces.threads import limit_blas_threads

limit_blas_threads()  # before NumPy is loaded


@pytest.fixture(autouse=True)
def _no_processes_are_left(nothing_left_running: None) -> Iterator[None]:
    """Stop the processes that folds were shared out among."""
    yield
    if "joblib" in sys.modules:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown()
