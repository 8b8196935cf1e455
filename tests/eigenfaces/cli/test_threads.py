"""How many threads the linear algebra has."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("stated", [None, "3"])
def test_a_core_is_left_before_numpy_is_loaded(stated: str | None) -> None:
    code = (
        "import os, sys; from eigenfaces.__main__ import limit_blas_threads; "
        "assert 'numpy' not in sys.modules; limit_blas_threads(); "
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    around = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    around |= {"OPENBLAS_NUM_THREADS": stated} if stated else {}
    printed = subprocess.check_output([sys.executable, "-c", code], env=around, text=True)
    assert int(printed) == int(stated or max(1, (os.cpu_count() or 2) - 1))
