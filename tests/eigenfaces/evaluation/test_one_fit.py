"""Calibration and evaluation are training on fewer faces, and identifying the others."""

import numpy as np
import pytest

from eigenfaces import (
    EvaluationSetting,
    FaceSet,
    FirstPhotos,
    Gallery,
    Preparation,
    Recipe,
    evaluate,
    identify_all,
)
from eigenfaces.faces.network import DESCRIPTOR_SIZE, DESCRIPTORS
from eigenfaces.recognition.recipe import RECIPES, recipe_in_short
from evaluation.drawn import verdicts

VARIANTS = [
    *RECIPES.values(),
    Recipe.of(components=1.0, distance="cosine"),
    Recipe.of(distance="Mahalanobis cosine", rule="class mean"),
    Recipe.of("Fisherfaces", components=5),
]


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> FaceSet:
    """Twelve people × six photographs; what a network would say of each is drawn."""
    faces = att.select([10 * person + photo for person in range(12) for photo in range(6)])
    rng = np.random.default_rng(0)
    people = rng.standard_normal((12, DESCRIPTOR_SIZE)).repeat(6, axis=0)
    numbers = 0.05 * (people + 0.5 * rng.standard_normal((72, DESCRIPTOR_SIZE)))
    crops = [photo.crop for photo in faces.index.photos]
    DESCRIPTORS.add(dict(zip(crops, numbers.astype(np.float32), strict=True)))
    return faces


@pytest.mark.parametrize("recipe", VARIANTS, ids=recipe_in_short)
def test_evaluating_a_fold_is_training_on_it(faces: FaceSet, recipe: Recipe) -> None:
    """And identifying its probes in what is trained: distances, people, and photographs."""
    protocol = FirstPhotos(4)
    (fold,) = protocol.folds(faces)
    searches = evaluate(faces, EvaluationSetting(recipe, protocol, curves=False)).searches
    assert searches is not None
    expected = verdicts(faces, fold, recipe)
    largest = max(match.distance for verdict in expected for match in verdict.ranking)
    for number, verdict in enumerate(expected):
        there = searches.distances[number]
        assert np.isfinite(there).all()
        for match in verdict.ranking:
            ours = there[faces.index.people.index(match.person)]
            assert ours == pytest.approx(match.distance, rel=0, abs=1e-6 * largest)
        assert searches.taken[number] == fold.gallery[verdict.closest.row]


@pytest.mark.parametrize("recipe", VARIANTS, ids=recipe_in_short)
def test_leaving_a_person_out_is_training_on_the_others(faces: FaceSet, recipe: Recipe) -> None:
    """What a calibration knows of strangers is what a gallery without them says of them."""
    preparation = Preparation(*faces.shape, already_cropped=True)
    gallery = Gallery(faces, preparation, recipe).train().calibrate()
    assert gallery.calibrated is not None
    held = gallery.calibrated.held_out.stranger
    for person in gallery.people[::5]:
        rows = faces.index.rows_of(person)
        others = gallery.remove([faces.index.photos[row].id for row in rows]).train()
        for row, verdict in zip(rows, identify_all(others, faces.pixels[rows]), strict=True):
            nearest, runner_up = verdict.ranking[:2]
            largest = verdict.ranking[-1].distance
            assert gallery.people[held.person[row]] == nearest.person
            for ours, theirs in ((held.distance, nearest), (held.runner_up, runner_up)):
                assert ours[row] == pytest.approx(theirs.distance, rel=0, abs=1e-6 * largest)
