"""Ours beside OpenCV's recognisers and scikit-learn's example: AT&T faces, the same splits for all.

Our recipes go through the evaluation, as they do in the program; the peers get the pixels of the
same folds.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest
from measuring import Method, Rows, draws
from numpy.typing import NDArray

from eigenfaces import EvaluationSetting, Recipe, load_sample
from eigenfaces.evaluation.compare import paired_test
from eigenfaces.evaluation.controls import pixel_distances
from eigenfaces.evaluation.protocols import FirstPhotos, LeaveOneOut, NShot, Protocol
from eigenfaces.evaluation.run import Split, fit_fold, make_split, principal_of
from eigenfaces.evaluation.searches import FoldPoints, search
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.statistics import share_intervals
from eigenfaces.space.arrays import Floats
from eigenfaces.space.principal import Principal

SEED, DRAWS = 0, len(draws(10))
"""Of the random splits, of scikit-learn's example and of the test."""

PROTOCOLS: dict[str, Protocol] = {
    "first 5 / last 5": FirstPhotos(5),
    "5 a person at random": NShot(5, DRAWS, SEED),
    **{f"{few} a person at random": NShot(few, DRAWS, SEED) for few in (3, 2, 1)},
    "leave one out": LeaveOneOut(),
}

LEAST = {
    protocol: {"texture": texture, "fisherfaces": fisherfaces}
    for protocol, texture, fisherfaces in zip(
        PROTOCOLS, (99, 99.3, 97, 93.5, 83.5), (93, 96.5, 92, 86, 66), strict=False
    )
}
"""Rank-1 in % that these reach at least."""

DEFAULT = "eigenfaces, 95 %, L2"
"""The program's: each of the others is tested against it."""

OURS: dict[str, Recipe] = {
    DEFAULT: Recipe(),
    "eigenfaces, all, L2": Recipe.of(components=1.0),
    "eigenfaces, 95 %, cosine": Recipe.of(distance="cosine"),
    "eigenfaces, all, cosine": Recipe.of(components=1.0, distance="cosine"),
    "fisherfaces": RECIPES["Fisherfaces"],
    "texture": RECIPES["Texture"],
    "network": RECIPES["Network"],
}


def by_opencv(kind: str, gallery: Floats, people: Rows, probes: Floats) -> Rows:
    """Answer as a recogniser of OpenCV does as it comes: EigenFace, FisherFace, LBPHFace."""
    cv2 = pytest.importorskip("cv2")

    def levels(pixels: Floats) -> list[NDArray[np.uint8]]:
        return list(np.rint(pixels * 255).astype(np.uint8).reshape(-1, 112, 92))

    recogniser = getattr(cv2.face, f"{kind}Recognizer_create")()
    recogniser.train(levels(gallery), people.astype(np.int32))
    return np.array([recogniser.predict(probe)[0] for probe in levels(probes)])


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
    **{f"OpenCV {kind}": partial(by_opencv, kind) for kind in ("EigenFace", "FisherFace")},
    "OpenCV LBPH": partial(by_opencv, "LBPHFace"),
    "scikit-learn": by_scikit_learn,
}

TOO_FEW = {
    "leave one out": ("OpenCV", "scikit-learn"),
    "1 a person at random": ("OpenCV FisherFace", "scikit-learn"),
    "2 a person at random": ("scikit-learn",),
    "3 a person at random": ("scikit-learn",),
}
"""Who cannot learn by a protocol, from so few photographs, or would have to learn 400 times."""


def recognisers(split: Split, name: str) -> Iterator[tuple[str, Callable[[int], Rows]]]:
    """Yield who can learn by a protocol, with the answers to the probes of a fold."""

    def in_pixels(points: FoldPoints, number: int) -> Rows:
        return search(points, split.folds[number], number, split.people).answers

    def by_us(recipe: Recipe, principal: Principal, number: int) -> Rows:
        fold = split.folds[number]
        fitted = fit_fold(principal, fold.train, split.people, recipe)
        return in_pixels(FoldPoints.of(principal, fitted, recipe), number)

    def by_a_peer(method: Method, number: int) -> Rows:
        fold, pixels = split.folds[number], split.faces.pixels[:]
        return method(pixels[fold.gallery], split.people[fold.gallery], pixels[fold.probes])

    for ours, recipe in OURS.items():
        yield ours, partial(by_us, recipe, principal_of(split.faces, recipe.features))
    table = pixel_distances(split.faces, "L1")
    places = np.arange(len(table), dtype=np.float64)
    pixels = FoldPoints(places, lambda a, b: table[np.ix_(a.astype(np.intp), b.astype(np.intp))])
    yield "pixels, L1", partial(in_pixels, pixels)
    for peer, method in PEERS.items():
        if not peer.startswith(TOO_FEW.get(name, ("none",))):
            yield peer, partial(by_a_peer, method)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_peers(name: str) -> None:
    split = make_split(load_sample(), EvaluationSetting(Recipe(), PROTOCOLS[name]))
    print(f"\nAT&T, {name}: rank-1 in %, ± sd over the splits, 95 % interval by person;")
    print(f"p: paired permutation test against “{DEFAULT}” over {split.person_count} people")
    probes = [split.people[fold.probes] for fold in split.folds]
    people = np.concatenate(probes)
    of = np.bincount(people, minlength=split.person_count)
    results: dict[str, Rows] = {}
    shares: dict[str, float] = {}
    for who, answers in recognisers(split, name):
        correct = [answers(number) == asked for number, asked in enumerate(probes)]
        right = np.bincount(people[np.concatenate(correct)], minlength=split.person_count)
        results[who], shares[who] = right, 100 * float(right.sum() / of.sum())
        low, high = share_intervals(right, of)
        p = paired_test(results[DEFAULT], right)
        spread = 100 * np.std([fold.mean() for fold in correct], ddof=1) if len(correct) > 1 else 0
        deviation = f" ± {spread:4.2f}" if 1 < len(correct) <= 10 else " " * 7
        print(
            f"  {who:27} {shares[who]:6.2f}{deviation}  ({100 * low:5.2f} to "
            f"{100 * high:5.2f})  p = {p:.4f}",
            flush=True,
        )
    for recipe, least in LEAST.get(name, {}).items():
        assert shares[recipe] >= least
