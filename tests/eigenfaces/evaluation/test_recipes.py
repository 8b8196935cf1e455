"""The recipes beside each other: each as evaluated alone, and as Automatic measures them."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet, Recipe
from eigenfaces.evaluation.metrics import Metric
from eigenfaces.evaluation.protocols import KFold, NShot, Pairs, Protocol
from eigenfaces.evaluation.records import RecipeResult, RecipesCompared, Setting
from eigenfaces.evaluation.run import compare_recipes, evaluate
from eigenfaces.faces import network
from eigenfaces.recognition import automatic
from eigenfaces.recognition.recipe import RECIPES
from evaluation.drawn import faces_of, pairs_of

pytestmark = pytest.mark.usefixtures("few_draws")


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return faces_of(np.random.default_rng(4), [4, 3, 5, 4, 4, 3, 1, 5], (16, 16), spread=0.5)


def test_automatic_measures_what_ten_folds_do(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_installed", lambda: True)
    monkeypatch.setattr(automatic, "BEHIND", 0.0)  # so that all are measured
    ours = compare_recipes(faces, Setting(Recipe(), KFold()))
    theirs = automatic.choose_recipe(faces, range(len(faces)), crops=True)
    assert theirs.shares == pytest.approx(ours.shares)
    assert theirs.recipe == ours.chosen[0]


@pytest.mark.parametrize("protocol", [NShot(2, 3), None])
def test_each_is_right_as_often_as_alone(faces: FaceSet, protocol: Protocol | None) -> None:
    setting = Setting(Recipe(), protocol or pairs_of(faces), 0, curves=False, allow_leaks=True)
    for result in compare_recipes(faces, setting, ["Texture", "Eigenfaces"]).results:
        alone = evaluate(faces, replace(setting, recipe=RECIPES[result.recipe])).headline
        numbers = result.figure.value, result.figure.low, result.figure.high
        assert numbers == (alone.value, alone.low, alone.high)


def test_what_cannot_be_used_has_its_reason(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise EigenfacesError(network.HOW_TO_GET_IT)

    monkeypatch.setattr(network, "describe_many", missing)
    monkeypatch.setattr("eigenfaces.recognition.network.DESCRIPTORS", network.FaceDescriptorCache())
    few = faces.select([r for r, p in enumerate(faces.index.photos) if p.person < "Person 5"])
    compared = compare_recipes(few, Setting(Recipe(), KFold(2)))
    reasons = {result.recipe: result.reason for result in compared.results}
    assert reasons.pop("Eigenfaces") == ""
    assert reasons.pop("Network") == network.HOW_TO_GET_IT
    assert all("7 people or more, and there are 4" in reason for reason in reasons.values())
    assert compared.sentence == "Automatic would take Eigenfaces: it is right most often."
    names = [photo.path.as_posix() for photo in few.index.photos]
    first, second = ([names[row] for row in few.index.rows_of(p)] for p in few.index.people[:2])
    mated = Pairs((((first[0], first[1]),), ((second[0], second[1]),)))
    (only,) = compare_recipes(few, Setting(Recipe(), mated), ["Eigenfaces"]).results
    assert (only.figure, only.reason[:12]) == (None, "No threshold")


def test_the_sentence_says_which_and_why() -> None:
    def sentence(leaks: int = 0, crops: bool = True, **shares: float) -> str:
        results = [RecipeResult(n, Metric("rank-1", s, 0, 1, "")) for n, s in shares.items()]
        return RecipesCompared(tuple(results), leaks, crops).sentence

    near = sentence(Eigenfaces=0.95, Texture=0.97)
    assert near.startswith("Automatic would take Eigenfaces, the simplest of those within 3 points")
    assert near.endswith("Texture is 2.0 points ahead.")
    far = sentence(Eigenfaces=0.5, Network=0.97, leaks=2)
    assert far.startswith("Automatic would take Network: it is right most often.")
    assert far.endswith("all results are too good.")
    photos = sentence(crops=False, Eigenfaces=0.95, Texture=0.97, Network=0.96)
    assert "take Network, the best at telling strangers of those within 3 points" in photos
    assert sentence() == "None of them could be measured."
