"""How long something takes."""

from collections.abc import Callable
from time import perf_counter

import numpy as np


def timed(what: Callable[[], object]) -> float:
    """Return the median time of five runs, in seconds, after one that does not count."""
    what()
    times = []
    for _ in range(5):
        start = perf_counter()
        what()
        times.append(perf_counter() - start)
    return float(np.median(times))
