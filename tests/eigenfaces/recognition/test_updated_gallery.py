"""A gallery whose face space is updated, against the same gallery trained anew."""

from dataclasses import replace

import numpy as np
import pytest
from synthetic import people

from eigenfaces import Gallery, Preparation, Recipe
from eigenfaces.arrays import Floats
from eigenfaces.errors import Cancelled, EigenfacesError, NotTrainedError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.refitting import would_refit_pay
from eigenfaces.recognition.training import Projected
from eigenfaces.recognition.updating import only_by_training, update, updated_words

PREPARATION = Preparation(16, 16, already_cropped=True)


@pytest.fixture
def faces(rng: np.random.Generator) -> FaceSet:
    """Ten people × six photographs, in an arbitrary order."""
    return people(rng, 10, 6).select(rng.permutation(60).tolist())


def grown(
    faces: FaceSet, recipe: Recipe | None = None, *, first: int = 40, k: int | None = None
) -> Gallery:
    """Return a gallery trained on the first, perhaps with k components, and all enrolled."""
    some = Gallery(faces.select(range(first)), PREPARATION, recipe or Recipe()).train()
    if k is not None:
        training = some.trained
        cut = Projected(training.space.first(k), training.coordinates[:, :k])
        some = replace(some, training=replace(training, shown=cut))
    return some.enrol(faces.select(range(first, len(faces))))


def projected(gallery: Gallery) -> Floats:
    return gallery.trained.project(gallery.faces.pixels[:])


def test_with_all_components_it_is_the_trained_gallery(faces: FaceSet) -> None:
    gallery = update(grown(faces))
    trained = gallery.train()
    one, other = gallery.trained, trained.trained
    assert one.fitted == other.fitted
    assert gallery.changes == 0
    assert len(one.space) == len(other.space) == 59
    np.testing.assert_allclose(one.coordinates, other.coordinates, atol=1e-3)
    np.testing.assert_allclose(one.coordinates, projected(gallery), atol=1e-5)
    assert updated_words(one) == (
        "Fitted to 40 faces and updated with 20: the same, to rounding, as a fit to all 60."
    )
    assert updated_words(other) == ""
    assert not would_refit_pay(gallery).pays


def test_with_the_leading_components_every_face_is_where_it_is_projected_to(
    faces: FaceSet,
) -> None:
    before = grown(faces, k=8)
    gallery = update(before)
    training, best = gallery.trained, gallery.train().trained.space
    np.testing.assert_allclose(training.coordinates, projected(gallery), atol=1e-5)
    variances = training.coordinates.astype(float).var(axis=0, ddof=1)
    np.testing.assert_allclose(variances, training.space.variances, rtol=1e-5)
    updated = training.updated
    assert updated is not None
    assert updated.fitted == 40
    assert training.space.kept[-1] <= best.kept[7] <= updated.most < best.kept[7] + 0.1
    words = updated_words(training)
    assert words.startswith("Fitted to 40 faces and updated with 20: 8 components keep ")
    assert words.endswith(" % at most.")


def test_what_is_said_of_a_full_fit_is_true_at_once_and_later(faces: FaceSet) -> None:
    gallery = grown(faces.select(range(50)), k=8)
    for more in (None, faces.select(range(50, 60))):
        gallery = update(gallery if more is None else gallery.enrol(more))
        known, space = gallery.trained.updated, gallery.trained.space
        assert known is not None
        assert known.fitted == 40
        assert space.kept[-1] <= gallery.train().trained.space.kept[7] <= known.most


def test_excluded_photographs_stay_out_but_have_coordinates(faces: FaceSet) -> None:
    gallery = grown(faces)
    key = gallery.index.photos[50].key
    gallery = update(gallery.exclude([key]))
    assert key not in gallery.trained.keys
    assert gallery.trained.space.count == 59
    np.testing.assert_allclose(gallery.trained.coordinates, projected(gallery), atol=1e-5)


def test_the_light_is_evened_out_as_in_training(faces: FaceSet) -> None:
    gallery = update(grown(faces, Recipe.of(lighting="photo mean")))
    best = gallery.train().trained.space
    np.testing.assert_allclose(gallery.trained.space.variances, best.variances, rtol=1e-4)


def test_the_calibration_no_longer_holds(faces: FaceSet) -> None:
    gallery = grown(faces).calibrate()
    assert gallery.calibrated is not None
    assert update(gallery).calibrated is None


def test_many_updated_with_pay_a_training_until_there_is_one(faces: FaceSet) -> None:
    gallery = update(grown(faces, k=8))
    found = would_refit_pay(gallery)
    assert found.pays
    assert found.sentence().endswith("% at most. Train again: it would pay.")
    assert would_refit_pay(gallery.train()).sentence() == ""
    few = would_refit_pay(update(grown(faces, first=55, k=8)))
    assert not few.pays
    assert "updated with 5:" in few.sentence()


def test_where_only_training_will_do_a_sentence_says_so(faces: FaceSet) -> None:
    gallery = grown(faces)
    first = gallery.index.photos[0].key
    cases = {
        "2 photos that the face space was fitted to have gone": gallery.remove(
            [first, gallery.index.photos[1].key]
        ),
        "1 photo that the face space was fitted to has gone": gallery.exclude([first]),
        "The recipe has changed": gallery.with_recipe(Recipe.of(lighting="photo mean")),
        "fitted to who is on the photos": grown(faces, RECIPES["Discriminant"]),
        "standard deviations": grown(faces, Recipe.of(scaling="correlation")),
        "No photo came since training": gallery.train(),
    }
    for words, each in cases.items():
        assert words in only_by_training(each)
        with pytest.raises(EigenfacesError, match=words):
            update(each)
    assert only_by_training(gallery) == ""
    with pytest.raises(NotTrainedError):
        update(Gallery(faces, PREPARATION, Recipe()))


def test_it_can_be_stopped(faces: FaceSet) -> None:
    def tick(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        update(grown(faces), tick)
