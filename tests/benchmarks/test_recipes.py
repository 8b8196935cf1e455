"""Discriminant and Texture: names, strangers and time, on the AT&T faces and on Yale's.

``EIGENFACES_YALE=… uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_recipes.py``
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pytest
from folders import different_photos, folder
from numpy.typing import NDArray
from splits import Rows

from eigenfaces import FaceSet, FaceSpace, Preparation, Recipe, Setting, load_sample
from eigenfaces.arrays import Doubles, Floats
from eigenfaces.evaluation.evaluate import make_split
from eigenfaces.evaluation.protocols import FirstPhotos, LeaveOneOut, NShot
from eigenfaces.evaluation.published_protocols import Protocol
from eigenfaces.faces.intake import load_faces
from eigenfaces.photographs.photos import FoundPhotos
from eigenfaces.recognition.lighting import even_light
from eigenfaces.recognition.strangers import threshold
from eigenfaces.recognition.texture_blocks import BLOCKS, texture_blocks
from eigenfaces.space.discriminant import DiscriminantSpace, gram_of, scaled
from eigenfaces.space.whitened_products import Scatter, WhitenedProducts

SEED = 0
PROTOCOLS: dict[str, Protocol] = {
    **{f"{each} a person, random × 10": NShot(each, 10, SEED) for each in (5, 3, 2, 1)},
    "first 5 / last 5": FirstPhotos(5),
}


@dataclass(frozen=True, eq=False)
class Described:
    """The features of all faces, and of their mirror images where these are enrolled too."""

    views: tuple[Floats, ...]
    scatter: Scatter
    blocks: Sequence[int] = ()

    def rows(self, which: Rows) -> Floats:
        """Return the features of faces, each followed by that of its mirror image."""
        return np.stack([view[which] for view in self.views], axis=1).reshape(
            len(which) * len(self.views), -1
        )

    def gram(self, which: Rows) -> Doubles:
        return gram_of(scaled(self.rows(which), self.blocks))

    def alike(self, which: Rows, people: Rows, probes: Rows) -> Doubles:
        """Return the cosines of probes and enrolled faces: the larger one with both images."""
        many = len(self.views)
        space = DiscriminantSpace.fit(
            self.rows(which), np.repeat(people[which], many), self.scatter, self.blocks
        )
        points = [
            space.project(rows).astype(float) for rows in (self.views[0][probes], self.rows(which))
        ]
        points = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in points]
        return (points[0] @ points[1].T).reshape(len(probes), len(which), many).max(axis=2)


def pixels_of(crops: Floats) -> Floats:
    return (0.5 * crops + 0.5 * even_light(crops, "equalised")).reshape(len(crops), -1)


RECIPES: dict[str, Callable[[Floats], Described]] = {
    "Discriminant": lambda crops: Described((pixels_of(crops),), "within people"),
    "Texture": lambda crops: Described(
        (texture_blocks(crops), texture_blocks(crops[:, :, ::-1])), "total", BLOCKS
    ),
}


def eigenfaces(faces: FaceSet, train: Rows, probes: Rows) -> Doubles:
    """Return minus the squared distances in the classic face space, all components."""
    space = FaceSpace.fit(faces.pixels[train], faces.shape)
    points = [space.project(faces.pixels[rows]).astype(float) for rows in (probes, train)]
    squares = [(each**2).sum(axis=1) for each in points]
    return -(squares[0][:, None] + squares[1] - 2 * points[0] @ points[1].T)


def shares(
    faces: FaceSet, protocol: Protocol, alike: Callable[[Rows, Rows, Rows], Doubles]
) -> NDArray[np.float64]:
    """Return the percentage of probes that get their right name, for each fold."""
    split = make_split(faces, Setting(Recipe(), protocol))
    people, found = split.people, []
    for fold in split.folds:
        nearest = alike(fold.gallery, people, fold.probes).argmax(axis=1)
        found.append(100 * (people[fold.gallery][nearest] == people[fold.probes]).mean())
    return np.array(found)


def table(faces: FaceSet, protocols: dict[str, Protocol]) -> Iterator[tuple[str, str, Doubles]]:
    crops = faces.pixels[:].reshape(-1, *faces.shape)
    described = {name: make(crops) for name, make in RECIPES.items()}
    for name, protocol in protocols.items():
        yield name, "Eigenfaces", shares(faces, protocol, lambda g, _, p: eigenfaces(faces, g, p))
        for recipe, each in described.items():
            yield name, recipe, shares(faces, protocol, each.alike)


def printed(name: str, recipe: str, found: Doubles) -> None:
    spread = f" ± {found.std(ddof=1):.1f}" if 1 < len(found) <= 10 else ""
    print(f"  {name:28} {recipe:14} {found.mean():5.1f}{spread}")


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


@pytest.fixture(scope="module")
def described(att: FaceSet) -> dict[str, Described]:
    crops = att.pixels[:].reshape(-1, *att.shape)
    return {name: make(crops) for name, make in RECIPES.items()}


def test_names(att: FaceSet) -> None:
    print(f"\nAT&T: rank-1 in %, mean ± sd over the splits, seed {SEED}")
    best: dict[tuple[str, str], float] = {}
    for name, recipe, found in table(att, PROTOCOLS):
        printed(name, recipe, found)
        best[name, recipe] = float(found.mean())
    assert best["first 5 / last 5", "Texture"] >= 99
    least = ((5, 99.3, 96.5), (3, 97, 92), (2, 93.5, 86), (1, 83.5, 66))
    for each, texture, discriminant in least:
        name = f"{each} a person, random × 10"
        assert best[name, "Texture"] >= texture
        assert best[name, "Discriminant"] >= discriminant


def test_strangers(described: dict[str, Described]) -> None:
    """20 people × 5 enrolled, their other 5 and 10 of 20 strangers asked, 40 draws."""
    print("\nAT&T, threshold from the gallery alone: strangers named, members named rightly, in %")
    people = np.arange(400) // 10
    for name, each in described.items():
        views = len(each.views)
        found: dict[float, list[tuple[float, float]]] = {0.01: [], 0.05: []}
        for seed in range(40):
            rng = np.random.default_rng(seed)
            order = rng.permutation(40)
            members = np.concatenate([10 * who + rng.permutation(10) for who in order[:20]])
            enrolled, probes = members.reshape(20, 2, 5).swapaxes(0, 1).reshape(2, -1)
            strangers = np.flatnonzero(np.isin(people, order[20:]))
            shown = np.repeat(np.arange(20), 5 * views)
            products = WhitenedProducts.of(each.gram(enrolled), shown, each.scatter)
            away = products.left_out(np.arange(len(shown)).reshape(20, -1))[::views].max(axis=1)
            alike = [each.alike(enrolled, people, rows) for rows in (probes, strangers)]
            right = people[enrolled][alike[0].argmax(axis=1)] == people[probes]
            for share, reached in found.items():
                limit = threshold(away, share)
                named = [scores.max(axis=1) > limit for scores in alike]
                reached.append((100 * named[1].mean(), 100 * (named[0] & right).mean()))
        for share, reached in found.items():
            (fpir, dir_), spread = np.mean(reached, axis=0), np.std(reached, axis=0, ddof=1)
            print(
                f"  {name:14} asked {100 * share:2.0f}: {fpir:.1f} ± {spread[0]:.1f}, "
                f"rightly {dir_:.1f} ± {spread[1]:.1f}"
            )


def test_leaving_out_is_fitting_anew(described: dict[str, Described]) -> None:
    """20 people × 5, each person away in turn: the largest difference, and the time of both."""
    people = np.repeat(np.arange(20), 5)
    rows = (10 * np.arange(20)[:, None] + np.arange(5)).ravel()
    print("\nAT&T, 20 × 5, each person left out: formula beside a fit of its own")
    for name, each in described.items():
        views = len(each.views)
        start = perf_counter()
        shown = np.repeat(people, views)
        products = WhitenedProducts.of(each.gram(rows), shown, each.scatter)
        ours = products.left_out(np.arange(len(shown)).reshape(20, -1))[::views]
        middle = perf_counter()
        theirs = np.full(ours.shape, -np.inf)
        numbers = np.full(400, -1)
        numbers[rows] = people
        for person in range(20):
            gone, stay = rows[people == person], rows[people != person]
            alike = each.alike(stay, numbers, gone)
            for other in np.unique(numbers[stay]):
                theirs[people == person, other] = alike[:, numbers[stay] == other].max(axis=1)
        end = perf_counter()
        finite = np.isfinite(theirs)
        apart = np.abs(ours[finite] - theirs[finite]).max()
        times = f"{middle - start:.2f} s and {end - middle:.2f} s"
        print(f"  {name:14} scores to {apart:.1e}, {times}")
        assert apart < 5e-3


def timed(what: Callable[[], object], rounds: int = 5) -> float:
    """Return the median time of several runs, in seconds, after one that does not count."""
    what()
    times = []
    for _ in range(rounds):
        start = perf_counter()
        what()
        times.append(perf_counter() - start)
    return float(np.median(times))


def test_times(att: FaceSet, described: dict[str, Described]) -> None:
    crops = att.pixels[:100].reshape(-1, *att.shape)
    print("\nTime, median of 5:")
    for name, make in (("Discriminant", pixels_of), ("Texture", texture_blocks)):
        for count in (1, 100):
            spent = timed(lambda make=make, count=count: make(crops[:count]))  # type: ignore[misc]
            print(f"  {name}: features of {count} at once: {1000 * spent / count:.2f} ms a face")
    everybody, people = np.arange(400), np.arange(400) // 10
    for name, each in described.items():
        views = len(each.views)
        shown, rows = np.repeat(people, views), each.rows(everybody)
        fit = timed(
            lambda: DiscriminantSpace.fit(rows, shown, each.scatter, each.blocks),  # noqa: B023
            3,
        )
        products = WhitenedProducts.of(each.gram(everybody), shown, each.scatter)
        places = np.arange(len(shown))
        person, photo = (
            timed(lambda: products.left_out(places.reshape(parts, -1)), 3)  # noqa: B023
            for parts in (40, 400)
        )
        print(
            f"  {name}: fit to {len(rows)} rows {fit:.2f} s; leaving out 40 people {person:.2f} s,"
            f" 400 photos {photo:.2f} s"
        )


def test_yale() -> None:
    """As the program cuts them; pictures without a face are left out."""
    photos = different_photos(folder("yale"))
    faces = load_faces(FoundPhotos(tuple(photos)), Preparation())
    print(f"\nYale, from detected faces: {len(faces)} of {len(photos)} different pictures")
    protocols: dict[str, Protocol] = {
        "5 a person × 10": NShot(5, 10, SEED),
        "leave one out": LeaveOneOut(),
    }
    for name, recipe, found in table(faces, protocols):
        printed(name, recipe, found)
