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
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.statistics import share_intervals
from eigenfaces.space.arrays import Floats

SEED = 0
"""Of the random splits, of scikit-learn's example and of the test."""

LEAST = {
    "first 5 / last 5": (99, 93),
    "random 5/5 × 10": (99.3, 96.5),
    "3 a person × 10": (97, 92),
    "2 a person × 10": (93.5, 86),
    "1 a person × 10": (83.5, 66),
}
"""Rank-1 in % that Texture and Fisherfaces reach at least."""

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
    "network": RECIPES["Network"],
}
PIXELS = "pixels, L1"
OURS_FIRST = "eigenfaces, 95 %, L2"
"""The program's default: each of the others is tested against it."""


def by_scikit_learn(gallery: Floats, people: Rows, probes: Floats) -> Rows:
    """Answer as scikit-learn's “Faces recognition example using eigenfaces and SVMs” does."""
    from scipy.stats import loguniform
    from sklearn.decomposition import PCA
    from sklearn.model_selection import RandomizedSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    pca = PCA(150, svd_solver="randomized", whiten=True, random_state=SEED)
    space = make_pipeline(StandardScaler(), pca).fit(gallery)
    ranges = {"C": loguniform(1e3, 1e5), "gamma": loguniform(1e-4, 1e-1)}
    machine = SVC(kernel="rbf", class_weight="balanced")
    tuned = RandomizedSearchCV(machine, ranges, n_iter=10, random_state=SEED)
    tuned.fit(space.transform(gallery), people)
    answers: Rows = tuned.predict(space.transform(probes))
    return answers


PEERS: dict[str, Method] = {
    "OpenCV EigenFace": by_opencv("EigenFace", (112, 92)),
    "OpenCV FisherFace": by_opencv("FisherFace", (112, 92)),
    "OpenCV LBPH": by_opencv("LBPHFace", (112, 92)),
    "scikit-learn": by_scikit_learn,
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
        searches = search(compared, fold, number, split.people, recipe.matcher)
        return searches.people, searches.answers

    return summed_up(split, answers)


def by_a_peer(split: Split, method: Method) -> Answers:
    def answers(number: int) -> tuple[Rows, Rows]:
        fold, pixels = split.folds[number], split.faces.pixels[:]
        answered = method(pixels[fold.gallery], split.people[fold.gallery], pixels[fold.probes])
        return split.people[fold.probes], answered

    return summed_up(split, answers)


TOO_FEW = {
    "leave one out": ("OpenCV", "scikit-learn"),
    "1 a person × 10": ("OpenCV FisherFace", "scikit-learn"),
    "2 a person × 10": ("scikit-learn",),
    "3 a person × 10": ("scikit-learn",),
}
"""Who cannot learn by a protocol, from so few photographs, or would have to learn 400 times."""


def everybody(split: Split, pixels: Precomputed, name: str) -> Iterator[tuple[str, Answers]]:
    for ours, recipe in OURS.items():
        yield ours, by_us(split, recipe)
    yield PIXELS, by_us(split, Recipe.of(distance="L1"), pixels)
    for peer, method in PEERS.items():
        if not peer.startswith(TOO_FEW.get(name, ("none",))):
            yield peer, by_a_peer(split, method)


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture(scope="module")
def pixels(att: FaceSet) -> Precomputed:
    return Precomputed(pixel_distances(att, "L1"))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_peers(att: FaceSet, pixels: Precomputed, name: str) -> None:
    split = make_split(att, Setting(Recipe(), PROTOCOLS[name]))
    print(f"\nAT&T, {name}: rank-1 in %", end="")
    print(", ± sd over the splits" if len(split.folds) == 10 else "", end="")
    print(", 95 % interval by person; p: paired permutation test")
    print(f"against “{OURS_FIRST}” over {split.count} people")
    results: dict[str, Answers] = {}
    start = perf_counter()
    for who, answers in everybody(split, pixels, name):
        results[who] = answers
        ours = results[OURS_FIRST]
        p = paired_test(ours.right, answers.right)
        tested = "" if who == OURS_FIRST else f"{answers.share - ours.share:+6.2f}  p = {p:.4f}"
        print(f"  {who:27} {answers.words()}  {tested:19} {perf_counter() - start:6.1f} s")
        start = perf_counter()
    assert all((answers.of == results[PIXELS].of).all() for answers in results.values())
    if name in LEAST:
        assert results["texture"].share >= LEAST[name][0]
        assert results["fisherfaces"].share >= LEAST[name][1]
