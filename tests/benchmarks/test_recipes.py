"""The recipes on random splits of the AT&T faces; `test_four_recipes.py` has other sets.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_recipes.py``
"""

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe, Setting, load_sample
from eigenfaces.evaluation.protocols import FirstPhotos, NShot, Protocol
from eigenfaces.evaluation.run import make_split
from eigenfaces.evaluation.searches import InSpace, Spaces, search
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Doubles

SEED = 0
PROTOCOLS: dict[str, Protocol] = {
    **{f"{each} a person, random × 10": NShot(each, 10, SEED) for each in (5, 3, 2, 1)},
    "first 5 / last 5": FirstPhotos(5),
}
ALL = RECIPES | {"Eigenfaces": Recipe.of(components=1.0)}


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


def shares(faces: FaceSet, recipe: Recipe, protocol: Protocol) -> Doubles:
    """Return the percentage of probes that get their right name, for each fold."""
    split = make_split(faces, Setting(recipe, protocol, curves=False, allow_leaks=True))
    spaces, matcher = Spaces.of(split.faces, recipe), recipe.matcher
    found = (
        search(InSpace(spaces.fit(fold.train), matcher), fold, number, split.people, matcher)
        for number, fold in enumerate(split.folds)
    )
    return np.array([100 * each.right.mean() for each in found])


@pytest.mark.parametrize(
    ("name", "texture", "fisherfaces"),
    [*zip(PROTOCOLS, (99.3, 97, 93.5, 83.5, 99), (96.5, 92, 86, 66, 93), strict=True)],
)
def test_names(att: FaceSet, name: str, texture: float, fisherfaces: float) -> None:
    print(f"\nAT&T: rank-1 in %, mean ± sd over the splits, seed {SEED}")
    means = {}
    for recipe, each in ALL.items():
        found = shares(att, each, PROTOCOLS[name])
        spread = f" ± {found.std(ddof=1):.1f}" if len(found) > 1 else ""
        print(f"  {name:28} {recipe:14} {found.mean():5.1f}{spread}")
        means[recipe] = float(found.mean())
    assert means["Texture"] >= texture
    assert means["Fisherfaces"] >= fisherfaces
