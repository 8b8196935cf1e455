"""t-SNE of coordinates, by scikit-learn in a process of its own, which can be stopped at any time.

L. van der Maaten and G. Hinton, *Visualizing data using t-SNE* (2008). scikit-learn's reports to
nobody while it runs and cannot be asked to stop; nor can it go on from where it was, since it does
not return its momentum. It begins with the first components, and gives the same map again, to the
last bit.
"""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from io import TextIOBase
from multiprocessing.connection import Connection

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Coordinates, Doubles
from eigenfaces.threads import threads_on_free_cores

ITERATIONS = 1000
PERPLEXITIES = (5, 50)
_PATIENCE = 0.05  # seconds between two looks at whether it is to stop
_FEWEST = 4


def usual_perplexity(n: int, most: int = 30) -> int:
    """Return the perplexity for n points: a third of the others, at least 1.

    >>> usual_perplexity(24), usual_perplexity(400), usual_perplexity(400, 50)
    (7, 30, 50)
    """
    return max(1, min(most, (n - 1) // 3))


def tsne(points: Coordinates, perplexity: int, tick: Tick = no_tick) -> Doubles:
    """Return the places (n, 2) of n points (n, c) on a map.

    The perplexity is about how many neighbours each point is drawn to.

    Raises
    ------
    EigenfacesError
        Fewer than four points, one component, a perplexity that is too large, or it failed.
    """
    n = len(points)
    done = 0
    if n < _FEWEST:
        raise EigenfacesError("t-SNE needs at least four photos: add some first.")
    if points.shape[1] < 2:
        raise EigenfacesError(
            "t-SNE starts from the first two components, and there is only one: train with "
            "photos that differ in more."
        )
    if not 1 <= perplexity < n:
        raise EigenfacesError(
            "The perplexity must be less than the number of photos: "
            f"{perplexity} is too much for {n}."
        )
    from joblib.externals.loky.backend import get_context

    # Unlike “spawn”, it does not run the script that calls it again, which may have no guard.
    context = get_context("loky")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, points, perplexity), daemon=True)
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
        process.terminate()
        process.join()
        ours.close()


class _Reports(TextIOBase):
    """Sends the iterations that scikit-learn prints."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, text: str, /) -> int:
        if match := re.search(r"Iteration (\d+)", text):
            self._connection.send(int(match[1]))
        return len(text)


def _run(connection: Connection, points: Coordinates, perplexity: int) -> None:
    """Run t-SNE in this process: send iterations as whole numbers, then the places or a text."""
    from sklearn.manifold import TSNE

    estimator = TSNE(
        perplexity=perplexity, init="pca", max_iter=ITERATIONS, random_state=0, verbose=2
    )
    try:
        with redirect_stdout(_Reports(connection)), threads_on_free_cores():
            connection.send(estimator.fit_transform(np.asarray(points, np.float64)))
    except Exception as error:
        connection.send(f"{error}")
        sys.exit(1)
