"""How long one probe takes among 10,000 faces × 500 coordinates, by every distance and rule.

The time of the processor, as others may be busy, too.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_neighbours.py``
"""

from time import process_time

import numpy as np
import pytest

from eigenfaces import DISTANCES
from eigenfaces.recognition.neighbours import Comparison, Neighbours
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.space.facespace import FaceSpace

FACES, COORDINATES, PEOPLE, RUNS = 10_000, 500, 1_000, 9


@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_one_among_10_000(distance: str, rule: str) -> None:
    rng = np.random.default_rng(0)
    photos = rng.standard_normal((FACES, COORDINATES), np.float32)
    space = FaceSpace.fit(rng.random((COORDINATES + 1, 600), np.float32), (30, 20))
    matcher = Matcher(components=COORDINATES, distance=distance, rule=rule)  # type: ignore[arg-type]
    rows, names = np.arange(FACES), tuple(map(str, range(PEOPLE)))
    comparison = Comparison.of(matcher, space)
    known = Neighbours(matcher, comparison, photos, rows, rows % PEOPLE, names)
    times = []
    for probe in photos[:RUNS, None] + np.float32(0.1):
        start = process_time()
        known.ranked(known.of(probe), 5)
        times.append(process_time() - start)
    print(f"\n{distance}, {rule}: {1000 * np.median(times):.3g} ms")
    if rule == "nearest":
        assert np.median(times) < 0.03
