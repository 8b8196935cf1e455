"""What a gallery's verdicts are worth by its own photographs, held out."""

from dataclasses import replace

import numpy as np
import pytest
from synthetic import people

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.errors import Cancelled
from eigenfaces.evaluation.evaluate import evaluate
from eigenfaces.evaluation.gallery_accuracy import MOST, gallery_accuracy
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.results import Setting


def gallery_of(faces: FaceSet, **recipe: object) -> Gallery:
    made = Recipe.of(**{"components": 5, **recipe})  # type: ignore[arg-type]
    return Gallery(faces, Preparation(*faces.shape, already_cropped=True), made)


def test_it_is_what_an_evaluation_measures(rng: np.random.Generator) -> None:
    gallery = gallery_of(people(rng, 6, 5, spread=0.28))
    found = gallery_accuracy(gallery)
    measured = evaluate(gallery.faces, Setting(gallery.recipe, KFold(10)))
    assert found.figure == measured.figure("rank-1")
    assert found.chance == pytest.approx(1 / 6)
    assert len(found.distances) == 30
    assert f"{100 * found.figure.value:.1f} % of this gallery’s own photos" in found.sentence()
    assert "guessing gives 16.7 %" in found.sentence()
    assert "Of strangers that says nothing." in found.sentence()


def test_a_gallery_that_tells_nobody_apart_says_so(rng: np.random.Generator) -> None:
    noise = FaceSet.from_arrays(rng.random((40, 16, 16)), [f"P{at // 5}" for at in range(40)])
    found = gallery_accuracy(gallery_of(noise))
    assert found.doubtful
    assert "no better than guessing (12.5 %), so a name here means nothing" in found.sentence()


def test_how_far_off_a_photo_is_among_those_held_out(rng: np.random.Generator) -> None:
    found = gallery_accuracy(gallery_of(people(rng, 6, 5)))
    nearest, farthest = float(found.distances[0]), float(found.distances[-1])
    assert "0 were nearer" in found.distance_sentence(nearest / 2)
    assert "15 were nearer" in found.distance_sentence(float(np.median(found.distances)))
    assert found.distance_sentence(farthest * 1.01).startswith(
        "Farther from the closest person than any of"
    )


def test_what_cannot_be_measured_is_said(rng: np.random.Generator) -> None:
    singles = FaceSet.from_arrays(rng.random((4, 16, 16)), list("ABCD"))
    found = gallery_accuracy(gallery_of(singles))
    assert found.figure is None
    assert not found.doubtful
    assert "cannot be measured" in found.sentence()
    assert found.distance_sentence(1.0) == ""
    many = FaceSet.from_arrays(
        rng.random((MOST + 1, 16, 16)), [f"P{at // 2}" for at in range(MOST + 1)]
    )
    assert "Evaluate measures it" in gallery_accuracy(gallery_of(many)).sentence()


def test_photos_that_are_nearly_the_same_make_it_too_good(rng: np.random.Generator) -> None:
    faces = people(rng, 4, 4)
    twin = FaceSet.from_arrays(0.95 * faces.image(0)[None] + 0.01, ["Person 2"])
    gallery = gallery_of(faces).enrol(twin)
    assert "nearly the same picture, so it is too good" in gallery_accuracy(gallery).sentence()


def test_excluded_and_nameless_photos_do_not_count(rng: np.random.Generator) -> None:
    gallery = gallery_of(people(rng, 4, 5))
    fewer = gallery.exclude([gallery.index.photos[0].key])
    assert len(gallery_accuracy(fewer).distances) == len(gallery_accuracy(gallery).distances) - 1


def test_it_can_be_stopped(rng: np.random.Generator) -> None:
    def tick(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        gallery_accuracy(gallery_of(people(rng, 4, 5)), tick)
    assert replace(gallery_accuracy(gallery_of(people(rng, 4, 5))), figure=None).sentence() == ""
