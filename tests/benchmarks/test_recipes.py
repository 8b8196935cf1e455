"""Discriminant and Texture: names and time, on the AT&T faces and on Yale's.

``EIGENFACES_YALE=… uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_recipes.py``
"""

from time import perf_counter

import numpy as np
import pytest
from folders import different_photos, folder
from timing import timed

from eigenfaces import FaceSet, Preparation, Recipe, Setting, load_sample
from eigenfaces.evaluation.protocols import FirstPhotos, LeaveOneOut, NShot, Protocol
from eigenfaces.evaluation.run import make_split
from eigenfaces.evaluation.searches import InSpace, Spaces, search
from eigenfaces.faces.face_set import Crops
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.photos import FoundPhotos
from eigenfaces.recognition.features import PeopleFeatures
from eigenfaces.recognition.neighbours import Comparison
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Doubles, Numbers

SEED = 0
PROTOCOLS: dict[str, Protocol] = {
    **{f"{each} a person, random × 10": NShot(each, 10, SEED) for each in (5, 3, 2, 1)},
    "first 5 / last 5": FirstPhotos(5),
}
ALL = RECIPES | {"Eigenfaces": Recipe.of(components=1.0)}
NAMES = ("Discriminant", "Texture")
PEOPLE = np.arange(400) // 10


def features_of(name: str) -> PeopleFeatures:
    features = RECIPES[name].features
    assert isinstance(features, PeopleFeatures)
    return features


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture(scope="module")
def described(att: FaceSet) -> dict[str, Crops]:
    return {name: features_of(name).of_all(att.pixels, att.shape) for name in NAMES}


def shares(faces: FaceSet, recipe: Recipe, protocol: Protocol) -> Doubles:
    """Return the percentage of probes that get their right name, for each fold."""
    split = make_split(faces, Setting(recipe, protocol, curves=False, allow_leaks=True))
    spaces, matcher = Spaces.of(split.faces, recipe), recipe.matcher
    found = (
        search(InSpace(spaces.fit(fold.train), matcher), fold, number, split.people, matcher)
        for number, fold in enumerate(split.folds)
    )
    return np.array([100 * each.right.mean() for each in found])


def told(faces: FaceSet, name: str, protocol: Protocol) -> dict[str, float]:
    means = {}
    for recipe, each in ALL.items():
        found = shares(faces, each, protocol)
        spread = f" ± {found.std(ddof=1):.1f}" if 1 < len(found) <= 10 else ""
        print(f"  {name:28} {recipe:14} {found.mean():5.1f}{spread}")
        means[recipe] = float(found.mean())
    return means


@pytest.mark.parametrize(
    ("name", "texture", "discriminant"),
    [*zip(PROTOCOLS, (99.3, 97, 93.5, 83.5, 99), (96.5, 92, 86, 66, 93), strict=True)],
)
def test_names(att: FaceSet, name: str, texture: float, discriminant: float) -> None:
    print(f"\nAT&T: rank-1 in %, mean ± sd over the splits, seed {SEED}")
    means = told(att, name, PROTOCOLS[name])
    assert means["Texture"] >= texture
    assert means["Discriminant"] >= discriminant


def alike(name: str, features: Crops, enrolled: Numbers, probes: Numbers) -> Doubles:
    """Return the cosines (m, n) of probes and enrolled photographs in the space of these."""
    who = [str(PEOPLE[row]) for row in enrolled]
    space, _ = features_of(name).fit(features.select(enrolled), who, (112, 92))
    comparison = Comparison.of(RECIPES[name].matcher, space)
    points = [comparison.compared(space.project(features[rows])) for rows in (probes, enrolled)]
    return 1 - comparison.distances(*points)


def left_out(name: str, features: Crops, enrolled: Numbers, parts: int) -> Doubles:
    """Return how alike enrolled photographs are to each person, a part of them away at a time."""
    who = [str(PEOPLE[row]) for row in enrolled]
    products = features_of(name).products(features_of(name).grams(features[enrolled]), who)
    rows = np.arange(len(products.people))
    return products.left_out(rows.reshape(parts, -1))


@pytest.mark.parametrize("name", NAMES)
def test_leaving_out_is_fitting_anew(described: dict[str, Crops], name: str) -> None:
    """20 people × 5, each person away in turn: the largest difference, and the time of both."""
    features = described[name]
    rows = (10 * np.arange(20)[:, None] + np.arange(5)).ravel()
    start = perf_counter()
    ours = left_out(name, features, rows, 20)
    middle = perf_counter()
    theirs = np.full(ours.shape, -np.inf)
    for person in range(20):
        gone, stay = rows[PEOPLE[rows] == person], rows[PEOPLE[rows] != person]
        cosines = alike(name, features, stay, gone)
        for other in set(PEOPLE[stay]):
            best = cosines[:, PEOPLE[stay] == other].max(axis=1)
            theirs[PEOPLE[rows] == person, other] = best
    times = f"{middle - start:.2f} s and {perf_counter() - middle:.2f} s"
    finite = np.isfinite(theirs)
    apart = np.abs(ours[finite] - theirs[finite]).max()
    print(
        f"\nAT&T, 20 × 5, {name}, by the formula and fitted anew: cosines to {apart:.1e}, {times}"
    )
    assert apart < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_times(att: FaceSet, described: dict[str, Crops], name: str) -> None:
    features, crops = features_of(name), att.pixels[:128].reshape(-1, *att.shape)
    who, everybody = [str(person) for person in PEOPLE], described[name][:]
    products = features.products(features.grams(everybody), who)
    rows = np.arange(len(products.people))
    print(f"\n{name}, median of 5:")
    for what, times, run in (
        ("features of one face, ms", 1000, lambda: features.of(crops[:1], att.shape)),
        ("features of a face of 128, ms", 1000 / 128, lambda: features.of(crops, att.shape)),
        ("fit to 400 faces, s", 1, lambda: features.fit(everybody, who, att.shape)),
        ("40 people left out, s", 1, lambda: products.left_out(rows.reshape(40, -1))),
        ("400 photographs left out, s", 1, lambda: products.left_out(rows.reshape(400, -1))),
    ):
        print(f"  {what:32} {times * timed(run):.2f}")


def test_yale() -> None:
    """As the program cuts them; pictures without a face are left out."""
    photos = different_photos(folder("yale"))
    faces = load_faces(FoundPhotos(tuple(photos)), Preparation())
    print(f"\nYale, from detected faces: {len(faces)} of {len(photos)} different pictures")
    told(faces, "5 a person × 10", NShot(5, 10, SEED))
    told(faces, "leave one out", LeaveOneOut())
