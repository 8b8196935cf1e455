"""t-SNE of coordinates, by scikit-learn in a process of its own, which can be stopped at any time.

L. van der Maaten and G. Hinton, *Visualizing data using t-SNE* (2008). scikit-learn's reports to
nobody while it runs and cannot be asked to stop; nor can it go on from where it was, since it does
not return its momentum. With the same seed it gives the same map, to the last bit.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import TextIOBase
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Coordinates, Doubles

ITERATIONS = 1000
COMPONENTS = (25, 50)
PERPLEXITIES = (5, 50)
_PATIENCE = 0.05  # seconds between two looks at whether it is to stop
_FEWEST = 4


@dataclass(frozen=True)
class TsneSettings:
    """What is decided before t-SNE starts."""

    components: int = 50  # how many components of the face space it is given
    perplexity: int = 30  # about how many neighbours each face is drawn to
    seed: int = 0  # of its random numbers
    dimensions: int = 2  # 2 or 3
    # the map that it begins with: the first components, and then the seed changes nothing, or
    # places at random
    start: Literal["pca", "random"] = "pca"

    @classmethod
    def usual(cls, n: int, k: int, dimensions: int = 2) -> TsneSettings:
        """Return the usual settings for n faces with k components.

        >>> TsneSettings.usual(24, 23)
        TsneSettings(components=23, perplexity=7, seed=0, dimensions=2, start='pca')
        """
        return cls(min(COMPONENTS[1], k), min(30, most_perplexity(n)), 0, dimensions)


def most_perplexity(n: int) -> int:
    """Return the largest perplexity for n faces: a third of the others, at least 1."""
    return max(1, min(PERPLEXITIES[1], (n - 1) // 3))


def tsne(points: Coordinates, settings: TsneSettings, tick: Tick = no_tick) -> Doubles:
    """Return the places (n, v) of n points (n, c) on a map of v dimensions.

    Raises
    ------
    EigenfacesError
        Fewer than four points, a perplexity that is too large, or it failed.
    """
    n, done = len(points), 0
    if n < _FEWEST:
        raise EigenfacesError("t-SNE needs at least four photographs: add some first.")
    if not 1 <= settings.perplexity < n:
        raise EigenfacesError(
            f"The perplexity must be less than the number of photographs: {settings.perplexity} is "
            f"too much for {n}."
        )
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, points, settings), daemon=True)
    process.start()
    theirs.close()
    try:
        while True:
            tick(done, ITERATIONS)
            if not ours.poll(_PATIENCE):
                continue
            report = ours.recv()
            if isinstance(report, str):
                raise EigenfacesError(f"t-SNE failed: {report}")
            if not isinstance(report, int):
                return np.asarray(report, np.float64)
            done = report
    except (EOFError, ConnectionError) as error:
        raise EigenfacesError(
            "t-SNE ended without a result, perhaps for want of memory. Nothing was changed."
        ) from error
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


class _Reports(TextIOBase):
    """Sends the iterations that scikit-learn prints."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, text: str, /) -> int:
        if match := re.search(r"Iteration (\d+)", text):
            self._connection.send(int(match[1]))
        return len(text)


def _run(connection: Connection, points: Coordinates, settings: TsneSettings) -> None:
    """Run t-SNE in this process: send iterations as whole numbers, then the places or a text."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    estimator = TSNE(
        settings.dimensions,
        perplexity=settings.perplexity,
        init=settings.start,
        learning_rate="auto",
        max_iter=ITERATIONS,
        random_state=settings.seed,
        verbose=2,
    )
    # One core is left to the window; how many there are does not change the map.
    threads = max(1, (os.cpu_count() or 1) - 1)
    try:
        with redirect_stdout(_Reports(connection)), threadpool_limits(threads):
            connection.send(estimator.fit_transform(np.asarray(points, np.float64)))
    except Exception as error:
        connection.send(f"{error}")
        sys.exit(1)
