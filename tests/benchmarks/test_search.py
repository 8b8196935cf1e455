"""The search for the nearest people, beside comparing all, scikit-learn, and the bare floor.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_search.py``

Faces are points around their person's, with variances that fall as those of faces do (seed 0). A
probe is another face of somebody enrolled. The floor is one product of single precision, or to read
the coordinates once; *before* is how it was done: differences in double precision, all photographs
sorted, a match for every person. scikit-learn's brute search names photographs only. All are run in
turns, by one thread; the medians of the processor's time are compared, as others may be busy, too.

``-k growth`` is about a million faces and takes 1.5 GB; ``before`` is left out there from 100 000.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from eigenfaces.recognition.comparison import Comparison, Enrolled, order_of_people
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.search import Match, Search
from eigenfaces.space.arrays import Doubles, Floats, Numbers

COMPONENTS = 128
RUNS = 9
VARIANCES = 100 / (1 + np.arange(COMPONENTS))
WITHIN = 0.3
"""Share of the variance that is between photographs of one person."""


@pytest.fixture(autouse=True)
def one_thread_each() -> Iterator[None]:
    with threadpool_limits(1):
        yield


@dataclass(frozen=True)
class Axes:
    """What a comparison has to know of the coordinates."""

    variances: Doubles
    components: None = None

    @property
    def kept(self) -> Doubles:
        return np.cumsum(self.variances) / self.variances.sum()


@dataclass(frozen=True)
class Asked:
    """Probes, and what they are searched in."""

    search: Search
    probes: Floats

    @classmethod
    def made(cls, photos: int, people: int, probes: int, distance: str) -> "Asked":
        rng = np.random.default_rng(0)
        person = np.sort(np.arange(photos) % people)
        own = (
            rng.standard_normal((people, COMPONENTS)) * np.sqrt((1 - WITHIN) * VARIANCES)
        ).astype(np.float32)
        within = np.sqrt(WITHIN * VARIANCES).astype(np.float32)

        def around(whom: Numbers) -> Floats:
            points = rng.standard_normal((len(whom), COMPONENTS), np.float32)
            points *= within
            for start in range(0, len(whom), 10_000):
                points[start : start + 10_000] += own[whom[start : start + 10_000]]
            return points

        matcher = Matcher(components=COMPONENTS, distance=distance)
        comparison = Comparison.of(matcher, Axes(VARIANCES))
        names = tuple(f"Person {number}" for number in range(people))
        search = Search(matcher, comparison, around(person), person, names)
        return cls(search, around(rng.integers(0, people, probes)))

    def ours(self) -> list[str]:
        return [found[0].person for found in self.search.first(self.probes)]

    def before(self) -> list[str]:
        """Compare all of them in double precision, sort them, and make a match of everybody."""
        search, enrolled = self.search, Enrolled(self.search.people, len(self.search.names))
        to_photos = BEFORE[search.matcher.distance](
            self.probes.astype(np.float64), search.coordinates.astype(np.float64)
        )
        to_people = enrolled.distances(to_photos, "nearest")
        votes = enrolled.votes(to_photos, 1)
        order, nearest = order_of_people(to_people, *votes), enrolled.nearest_photos(to_photos)
        verdicts = [
            (
                [
                    Match(
                        search.names[i],
                        float(to_people[m, i]),
                        int(nearest[m, i]),
                        int(votes[0][m, i]),
                    )
                    for i in order[m]
                ],
                np.argsort(line, kind="stable"),
            )
            for m, line in enumerate(to_photos)
        ]
        return [ranking[0].person for ranking, _ in verdicts]

    def scikit_learn(self) -> Callable[[], list[str]]:
        metric = {"L2": "euclidean", "cosine": "cosine"}[self.search.matcher.distance]
        known = NearestNeighbors(n_neighbors=2, algorithm="brute", metric=metric)
        known.fit(self.search.coordinates)

        def answer() -> list[str]:
            rows = known.kneighbors(self.probes, return_distance=False)[:, 0]
            return [self.search.names[self.search.people[row]] for row in rows]

        return answer

    def product(self) -> Floats:
        return self.probes @ self.search.coordinates.T

    def reading(self) -> float:
        return float(self.search.coordinates.sum())


def l2(probes: Doubles, photos: Doubles) -> Doubles:
    """Return distances as they were computed, a few differences at a time."""
    out, step = np.empty((len(probes), len(photos))), 65_536 // photos.shape[1]
    for start in range(0, len(photos), step):
        for place, probe in enumerate(probes):
            difference = probe - photos[start : start + step]
            squares = np.einsum("...k,...k", difference, difference)
            out[place, start : start + step] = np.sqrt(squares)
    return out


def cosine(probes: Doubles, photos: Doubles) -> Doubles:
    a, b = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (probes, photos))
    return np.clip(1 - a @ b.T, 0, 2)


BEFORE = {"L2": l2, "cosine": cosine}


def in_turns(ways: dict[str, Callable[[], object]], runs: int = RUNS) -> dict[str, float]:
    """Return the median time of each way, in seconds, all run in turns after one of each.

    Each time in another order, so that nobody always finds the faces in the processor's cache.
    """
    rng = np.random.default_rng(0)
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(runs + 1):
        for name in rng.permutation(list(ways)).tolist():
            start = process_time()
            ways[name]()
            if turn:
                times[name].append(process_time() - start)
    return {name: float(np.median(each)) for name, each in times.items()}


def line(title: str, times: dict[str, float]) -> str:
    others = ", ".join(
        f"{name} {took / times['ours']:.3g} ×" for name, took in times.items() if name != "ours"
    )
    return f"{title}: ours {1000 * times['ours']:.3g} ms; of that: {others}"


@pytest.mark.parametrize("distance", BEFORE)
def test_500_probes_among_10_000(distance: str) -> None:
    asked = Asked.made(10_000, 1000, 500, distance)
    by_scikit_learn = asked.scikit_learn()
    assert asked.ours() == asked.before() == by_scikit_learn()
    ways = {"ours": asked.ours, "the product": asked.product, "scikit-learn": by_scikit_learn}
    times = in_turns(ways | {"before": asked.before}, 3)
    print(f"\n{line(f'500 among 10 000, {distance}', times)}")


@pytest.mark.parametrize("distance", BEFORE)
def test_one_among_12_105_faces_of_5_422_people(distance: str) -> None:
    """As many as have a place in the labelled faces in the wild."""
    asked = Asked.made(12_105, 5_422, 1, distance)
    by_scikit_learn = asked.scikit_learn()
    assert asked.ours() == asked.before() == by_scikit_learn()
    ways = {"ours": asked.ours, "the product": asked.product, "reading": asked.reading}
    times = in_turns(ways | {"scikit-learn": by_scikit_learn, "before": asked.before}, 21)
    print(f"\n{line(f'one among 12 105, {distance}', times)}")


@pytest.mark.parametrize("photos", [1_000, 10_000, 100_000, 1_000_000])
def test_growth(photos: int) -> None:
    asked = Asked.made(photos, photos // 10, 1, "L2")
    tracemalloc.start()
    asked.ours()  # which also prepares the gallery
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    by_scikit_learn = asked.scikit_learn()
    assert asked.ours() == by_scikit_learn()
    ways = {"ours": asked.ours, "the product": asked.product, "reading": asked.reading}
    ways |= {"scikit-learn": by_scikit_learn}
    if photos < 100_000:
        ways |= {"before": asked.before}
    size = asked.search.coordinates.nbytes
    print(f"\n{line(f'one among {photos:,}', in_turns(ways))}; {peak / size:.1%} more memory")
    assert peak < 0.1 * size + 1e6
