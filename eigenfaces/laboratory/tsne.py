"""t-SNE of coordinates with scikit-learn, in a separate process that can be stopped at any time.

Source: L. van der Maaten and G. Hinton, *Visualizing data using t-SNE* (2008). scikit-learn's t-SNE
does not report to its caller while it runs, and cannot be asked to stop. Nor can it continue from a
result, because it does not return its momentum. It starts from the first components, and always
gives the same map, to the last bit.

The intermediate positions come from scikit-learn's objective function, which receives them at each
step. That function is private. If a later version does not have it, only the final map is shown.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import TextIOBase
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.space.arrays import Coordinates, Doubles
from eigenfaces.threads import threads_on_free_cores

ITERATIONS = 1000
PERPLEXITIES = (5, 50)
_PATIENCE = 0.05  # seconds between two checks for a request to stop
_FEWEST = 4
_OBJECTIVE = "_kl_divergence_bh"  # scikit-learn's function, called with the places at each step
_EVERY = 10  # steps between two reports of the places


def usual_perplexity(n: int, most: int = 30) -> int:
    """Return the usual perplexity for n points: a third of the other points, from 1 to ``most``.

    >>> usual_perplexity(24), usual_perplexity(400), usual_perplexity(400, 50)
    (7, 30, 50)
    """
    return max(1, min(most, (n - 1) // 3))


def tsne(
    points: Coordinates,
    perplexity: int,
    tick: Tick = no_tick,
    moved: Callable[[Doubles], object] | None = None,
) -> Doubles:
    """Return the positions (n, 2) of n points (n, c) on a t-SNE map.

    The perplexity is roughly the number of neighbours that each point is drawn to. ``moved`` is
    called with the positions (n, 2) after every ten steps, if scikit-learn provides them.

    Raises
    ------
    EigenfacesError
        There are fewer than four points or two components, the perplexity is too large, or t-SNE
        failed.
    """
    n = len(points)
    done = 0
    result: Doubles | None = None
    if n < _FEWEST:
        raise EigenfacesError("t-SNE needs at least four photos: add some first.")
    if points.shape[1] < 2:
        raise EigenfacesError(
            "t-SNE starts from the first two components, but there is only one: train with "
            "photos that differ more."
        )
    if not 1 <= perplexity < n:
        raise EigenfacesError(
            "The perplexity must be less than the number of photos: "
            f"{perplexity} is too large for {n}."
        )
    from joblib.externals.loky.backend import get_context

    # Unlike “spawn”, this does not run the calling script again, which may have no guard.
    context = get_context("loky")
    ours, theirs = context.Pipe()
    process = context.Process(
        target=_run, args=(theirs, points, perplexity, moved is not None), daemon=True
    )
    process.start()
    theirs.close()
    try:
        while result is None:
            tick(done, ITERATIONS)
            if not ours.poll(_PATIENCE):
                continue
            match ours.recv():
                case ("step", int(step)):
                    done = step
                case ("places", places) if moved is not None:
                    moved(np.asarray(places, np.float64))
                case ("failed", words):
                    raise EigenfacesError(f"t-SNE failed: {words}")
                case ("result", places):
                    result = np.asarray(places, np.float64)
        return result
    except (EOFError, ConnectionError) as error:
        raise EigenfacesError(
            "t-SNE ended without a result, perhaps because memory ran out. Nothing was changed."
        ) from error
    finally:
        process.terminate()
        process.join()
        ours.close()


class _Reports(TextIOBase):
    """A text stream that forwards the iteration numbers printed by scikit-learn."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, text: str, /) -> int:
        if match := re.search(r"Iteration (\d+)", text):
            self._connection.send(("step", int(match[1])))
        return len(text)


def _run(connection: Connection, points: Coordinates, perplexity: int, watched: bool) -> None:
    """Run t-SNE in this process, and send its steps, interim positions, and result or error."""
    from sklearn.manifold import TSNE

    estimator = TSNE(
        perplexity=perplexity, init="pca", max_iter=ITERATIONS, random_state=0, verbose=2
    )
    try:
        if watched:
            _watch(connection, len(points))
        with redirect_stdout(_Reports(connection)), threads_on_free_cores():
            places = estimator.fit_transform(np.asarray(points, np.float64))
        connection.send(("result", places))
    except Exception as error:
        connection.send(("failed", f"{error}"))
        sys.exit(1)


def _watch(connection: Connection, n: int) -> None:
    """Make scikit-learn's objective function send the positions (n, 2) at every tenth step."""
    with suppress(ImportError):
        from sklearn.manifold import _t_sne

        objective = getattr(_t_sne, _OBJECTIVE, None)
        if objective is None:
            return
        steps = count()

        def watched(places: Doubles, *rest: Any, **named: Any) -> Any:
            if next(steps) % _EVERY == 0 and np.size(places) == 2 * n:
                connection.send(("places", np.reshape(places, (n, 2))))
            return objective(places, *rest, **named)

        setattr(_t_sne, _OBJECTIVE, watched)
