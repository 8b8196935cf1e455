"""Ours beside OpenCV's recognisers and scikit-learn's example: AT&T faces, the same splits for all.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_peers.py``

Our recipes go through the evaluation, as they do in the program; the peers get the pixels of the
same folds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray
from splits import Method, Rows, by_opencv

from eigenfaces import FaceSet, Recipe, Setting, load_sample
from eigenfaces.evaluation.compare import paired_test
from eigenfaces.evaluation.controls import pixel_distances
from eigenfaces.evaluation.protocols import FirstPhotos, LeaveOneOut, NShot, Protocol
from eigenfaces.evaluation.run import Split, make_split
from eigenfaces.evaluation.searches import Compared, InSpace, Precomputed, Spaces, search
from eigenfaces.recognition.calibration import share_intervals
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Floats

SEED = 0
"""Of the random splits, of scikit-learn's example and of the test."""

PROTOCOLS: dict[str, Protocol] = {
    "first 5 / last 5": FirstPhotos(5),
    "random 5/5 × 10": NShot(5, 10, SEED),
    "first 8 / last 2": FirstPhotos(8),
    **{f"{few} a person × 10": NShot(few, 10, SEED) for few in (3, 2, 1)},
    "leave one out": LeaveOneOut(),
}

OURS: dict[str, Recipe] = {
    "eigenfaces, 95 %, L2": Recipe(),
    "eigenfaces, all, L2": Recipe.of(components=1.0),
    "eigenfaces, 95 %, cosine": Recipe.of(distance="cosine"),
    "eigenfaces, all, cosine": Recipe.of(components=1.0, distance="cosine"),
    "fisherfaces": RECIPES["Fisherfaces"],
    "texture": RECIPES["Texture"],
}
PIXELS = "pixels, L1"
OURS_FIRST = "eigenfaces, 95 %, L2"
"""The program's default: each of the others is tested against it."""


def by_scikit_learn(*, as_today: bool) -> Method:
    """Return scikit-learn's “Faces recognition example using eigenfaces and SVMs”.

    As it is today, with scaled pixels and ten random draws of C and γ, or as it was in version
    0.18: pixels as they are, and a grid of 30.
    """
    from scipy.stats import loguniform
    from sklearn.decomposition import PCA
    from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    machine = SVC(kernel="rbf", class_weight="balanced")
    ranges = {"C": loguniform(1e3, 1e5), "gamma": loguniform(1e-4, 1e-1)}
    grid = {"C": [1e3, 5e3, 1e4, 5e4, 1e5], "gamma": [1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 1e-1]}

    def answer(gallery: Floats, people: Rows, probes: Floats) -> Rows:
        scaler = StandardScaler(with_mean=as_today, with_std=as_today).fit(gallery)
        pca = PCA(150, svd_solver="randomized", whiten=True, random_state=SEED)
        pca.fit(scaler.transform(gallery))
        tuned = (
            RandomizedSearchCV(machine, ranges, n_iter=10, random_state=SEED)
            if as_today
            else GridSearchCV(machine, grid)
        ).fit(pca.transform(scaler.transform(gallery)), people)
        return tuned.predict(pca.transform(scaler.transform(probes)))

    return answer


PEERS: dict[str, Method] = {
    "OpenCV EigenFace": by_opencv("EigenFace", (112, 92)),
    "OpenCV FisherFace": by_opencv("FisherFace", (112, 92)),
    "OpenCV LBPH": by_opencv("LBPHFace", (112, 92)),
    "scikit-learn, today's": by_scikit_learn(as_today=True),
    "scikit-learn, in 0.18": by_scikit_learn(as_today=False),
}


@dataclass(frozen=True, eq=False)
class Answers:
    """What somebody answered: by person how often it was right, and the share in each fold."""

    right: NDArray[np.intp]
    of: NDArray[np.intp]
    shares: NDArray[np.float64]

    @property
    def share(self) -> float:
        return 100 * float(self.right.sum() / self.of.sum())

    def words(self) -> str:
        low, high = share_intervals(self.right, self.of)
        spread = f" ± {self.shares.std(ddof=1):4.2f}" if 1 < len(self.shares) <= 10 else " " * 7
        return f"{self.share:6.2f}{spread}  ({100 * low:5.2f} to {100 * high:5.2f})"


def summed_up(split: Split, answers: Callable[[int], tuple[Rows, Rows]]) -> Answers:
    """Count what came of each fold: ``answers`` gives the people on its probes, and the answers."""
    right, of = np.zeros(split.count, np.intp), np.zeros(split.count, np.intp)
    shares = []
    for number in range(len(split.folds)):
        people, answered = answers(number)
        of += np.bincount(people, minlength=split.count)
        right += np.bincount(people[answered == people], minlength=split.count)
        shares.append(100 * float((answered == people).mean()))
    return Answers(right, of, np.array(shares))


def by_us(split: Split, recipe: Recipe, pixels: Precomputed | None = None) -> Answers:
    spaces = Spaces.of(split.faces, recipe)

    def answers(number: int) -> tuple[Rows, Rows]:
        fold = split.folds[number]
        compared: Compared = pixels or InSpace(spaces.fit(fold.train), recipe.matcher)
        found = search(compared, fold, number, split.people, recipe.matcher)
        return found.people, found.answers

    return summed_up(split, answers)


def by_a_peer(split: Split, method: Method) -> Answers:
    def answers(number: int) -> tuple[Rows, Rows]:
        fold, pixels = split.folds[number], split.faces.pixels[:]
        given = method(pixels[fold.gallery], split.people[fold.gallery], pixels[fold.probes])
        return split.people[fold.probes], given

    return summed_up(split, answers)


def peers_of(name: str) -> list[str]:
    """Return who can learn by a protocol: some need two photographs a person, some more."""
    if name == "leave one out":
        return []
    few = {"3 a person × 10": "scikit", "2 a person × 10": "scikit", "1 a person × 10": "Fisher"}
    without = {"scikit": ("scikit",), "Fisher": ("scikit", "OpenCV Fisher")}.get(
        few.get(name, ""), ()
    )
    return [peer for peer in PEERS if not peer.startswith(without)] if without else [*PEERS]


def everybody(split: Split, pixels: Precomputed, peers: list[str]) -> Iterator[tuple[str, Answers]]:
    for name, recipe in OURS.items():
        yield name, by_us(split, recipe)
    yield PIXELS, by_us(split, Recipe.of(distance="L1"), pixels)
    for name in peers:
        yield name, by_a_peer(split, PEERS[name])


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture(scope="module")
def pixels(att: FaceSet) -> Precomputed:
    return Precomputed(pixel_distances(att, "L1"))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_peers(att: FaceSet, pixels: Precomputed, name: str) -> None:
    """Leave one out is ours alone: the peers would learn 400 times."""
    split = make_split(att, Setting(Recipe(), PROTOCOLS[name]))
    print(f"\nAT&T, {name}: rank-1 in %", end="")
    print(", ± sd over the splits" if len(split.folds) == 10 else "", end="")
    print(", 95 % interval by person; p: paired permutation test")
    print(f"against “{OURS_FIRST}” over {split.count} people")
    results: dict[str, Answers] = {}
    start = perf_counter()
    for who, answers in everybody(split, pixels, peers_of(name)):
        results[who] = answers
        ours = results[OURS_FIRST]
        p = paired_test(ours.right, answers.right)
        tested = "" if who == OURS_FIRST else f"{answers.share - ours.share:+6.2f}  p = {p:.4f}"
        print(f"  {who:27} {answers.words()}  {tested:19} {perf_counter() - start:6.1f} s")
        start = perf_counter()
    assert all((each.of == results[PIXELS].of).all() for each in results.values())
    if name == "first 5 / last 5":
        assert results[PIXELS].share == 94.5
