"""The four recipes beside each other on four sets, and names on press photographs with strangers.

London: a folder a person, with a neutral photograph and a smiling one; press: a folder a person in
``people``, others in ``strangers``.
"""

from collections.abc import Callable

import numpy as np
import pytest
from measuring import draws, folder, splits, yale

from eigenfaces import (
    EvaluationSetting,
    FaceSet,
    Gallery,
    Preparation,
    Recipe,
    find_photos,
    load_sample,
)
from eigenfaces.evaluation.protocols import KFold, Lists, NShot, Protocol
from eigenfaces.evaluation.run import compare_recipes
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.find import FoundPhotos
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.statistics import Rate
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.text import with_interval

SEED, DRAWS = 0, len(draws(10))


def read(photos: FoundPhotos) -> FaceSet:
    return load_faces(photos, Preparation(), guess=True)


def press(who: str) -> FaceSet:
    return read(find_photos(folder("press") / who))


def first_then_second(faces: FaceSet) -> Protocol:
    """Enrol everybody's first photograph, by its name, and search for the second."""
    files = [str(photo.path) for photo in faces.index.photos]
    own = [sorted(files[row] for row in faces.index.rows_of(name)) for name in faces.index.people]
    return Lists(tuple(files[0] for files in own), tuple(f for files in own for f in files[1:]))


def shots(count: int) -> Callable[[FaceSet], Protocol]:
    return lambda _: NShot(count, DRAWS, SEED)


SETS: dict[str, tuple[Callable[[], FaceSet], dict[str, Callable[[FaceSet], Protocol]]]] = {
    "AT&T": (load_sample, {"5 enrolled": shots(5), "1 enrolled": shots(1)}),
    "Yale": (
        lambda: read(FoundPhotos(tuple(yale()))),
        {"5 enrolled": shots(5), "1 enrolled": shots(1)},
    ),
    "London": (
        lambda: read(find_photos(folder("london") / "photos")),
        {"neutral enrolled, smiling asked": first_then_second},
    ),
    "press": (lambda: press("people"), {"4 enrolled": shots(4), "1 enrolled": shots(1)}),
}


@pytest.mark.parametrize("name", SETS)
def test_names(name: str) -> None:
    """Rank-1 in %, with 95 % intervals by person; and which recipe Automatic takes."""
    make, protocols = SETS[name]
    faces = make()
    print(f"\n{name}: {len(faces)} faces of {len(faces.index.people)} people, seed {SEED}")
    for words, protocol in {**protocols, "ten folds": lambda _: KFold()}.items():
        setting = EvaluationSetting(Recipe(), protocol(faces), SEED, allow_leaks=True)
        compared = compare_recipes(faces, setting)
        for result in compared.results:
            assert result.figure is not None, result.reason
            low, high = result.figure.low, result.figure.high
            print(f"  {words}, {result.recipe}: {with_interval(result.figure.value, low, high)}")
    print(f"  {compared.sentence}")
    assert compared.shares["Network"] >= 0.97


@pytest.mark.parametrize("recipe", RECIPES)
def test_press_with_strangers(recipe: str) -> None:
    """Four photographs of each enrolled, at random; all others asked, and those of strangers."""
    members, strangers = press("people"), press("strangers")
    who = np.array([photo.person for photo in members.index.photos])
    numbers = np.unique(who, return_inverse=True)[1]
    people, right, wrong, named = list[int](), list[bool](), list[bool](), list[bool]()
    for enrolled, queries in splits(who, 4):
        some = members.select(np.sort(enrolled))
        gallery = Gallery(some, Preparation(), RECIPES[recipe]).train().calibrate()
        people += numbers[queries].tolist()
        for verdict, person in zip(
            identify_all(gallery, members.pixels[queries]), who[queries], strict=True
        ):
            right.append(verdict.decision.person == person)
            wrong.append(verdict.decision.person not in (None, person))
        new = identify_all(gallery, strangers.pixels[:])
        named += [verdict.decision.person is not None for verdict in new]
    print(f"\npress, {recipe}, {DRAWS} draws, 4 of each enrolled, 1 % asked; by person:")
    for words, of in (("right", right), ("wrong", wrong)):
        print(f"  members named {words}: {Rate.among(np.array(of), np.array(people)).words()}")
    alone = np.tile(np.arange(len(strangers)), DRAWS)
    print(f"  {len(strangers)} strangers named: {Rate.among(np.array(named), alone).words()}")
    if recipe == "Network":
        assert np.mean(right) >= 0.95
        assert not any(wrong)
        assert sum(named) <= DRAWS
