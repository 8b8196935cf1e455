"""How long something takes."""

from collections.abc import Callable, Mapping
from time import perf_counter, sleep

import numpy as np

_PAUSE = 0.3  # seconds


def interleaved(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each, in seconds: one run of each after the other, some rounds.

    A busy moment of the machine is so shared by all of them. A first round does not count. The
    pause is for threads of the one before: BLAS lets them spin, each library its own.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            sleep(_PAUSE)
            start = perf_counter()
            task()
            times[name].append(perf_counter() - start)
    return {name: float(np.median(spent[1:])) for name, spent in times.items()}
