"""Benchmarks run with as many BLAS threads as the program does; NumPy reads this as it loads."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, (os.cpu_count() or 2) - 1)))
