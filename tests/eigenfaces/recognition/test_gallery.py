"""Galleries: every edit a new value, nothing forgotten, nothing refitted unasked."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import (
    EigenfacesError,
    FaceSet,
    Gallery,
    Preparation,
    Recipe,
    identify,
    identify_all,
)
from eigenfaces.errors import no_tick
from eigenfaces.faces import network
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.faces.identity import FaceId
from eigenfaces.faces.lighting import Lighting
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.features import Features, FisherfaceFeatures, TextureFeatures
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.space import pca, principal


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Four people with five photographs each, trained."""
    return trained_gallery(rng)


def ids(gallery: Gallery, *rows: int) -> list[FaceId]:
    return [gallery.index.photos[row].id for row in rows]


def test_at_least_one_component_is_left(gallery: Gallery) -> None:
    """Of a share of the variance, training tells how many that are."""
    dropped = gallery.recipe.changed(components=1e-6, dropped=5)
    with pytest.raises(EigenfacesError, match="Only 1 component would be compared"):
        gallery.with_recipe(dropped)
    with pytest.raises(EigenfacesError, match="Only 1 component would be compared"):
        replace(gallery, recipe=dropped, training=None).train()
    with pytest.raises(EigenfacesError, match="at least one must be left"):
        Recipe.of(components=3, dropped=3)


@pytest.mark.parametrize("automatic", [True, False])
def test_features_and_components_are_made_once_for_all_that_is_fitted(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch, automatic: bool
) -> None:
    """To choose a recipe, to train, to calibrate, and to find what stands out."""
    monkeypatch.setattr(network, "is_installed", lambda: False)
    faces = att.select(range(80))
    described, decomposed = Counter[str](), Counter[int]()
    decompose = principal.decompose

    def counted(rows: NDArray[Any], **more: Any) -> pca.Decomposition:
        decomposed[rows.shape[1]] += 1
        return decompose(rows, **more)

    monkeypatch.setattr(principal, "decompose", counted)
    for kind in (FisherfaceFeatures, TextureFeatures):
        of_all = kind.of_all

        def remembered(self: Features, *args: Any, of_all: Any = of_all) -> Crops:
            described[type(self).__name__] += 1
            return of_all(self, *args)

        monkeypatch.setattr(kind, "of_all", remembered)
    gallery = Gallery(faces, SAMPLE_PREPARATION, Recipe.of("Texture"))
    if automatic:
        gallery = replace(gallery, automatic=NOT_MEASURED)
        # All are measured.
        monkeypatch.setattr("eigenfaces.recognition.automatic.MOST_BEHIND", -1.0)
        monkeypatch.setattr(
            "eigenfaces.recognition.automatic.preferred_recipe",
            lambda shares, crops: list(shares)[-1],
        )
    gallery = gallery.train().calibrate()
    assert gallery.recipe.name == "Texture"
    check_photos(gallery, PhotoChecks(), no_tick)
    assert described["TextureFeatures"] == 1
    assert described["FisherfaceFeatures"] == int(automatic)
    assert sum(decomposed.values()) == (3 if automatic else 2)


def test_a_calibration_is_made_of_the_parts_that_leave_something_to_compare() -> None:
    """Of as many components as are dropped, but one; without a person there are fewer."""
    faces = people(np.random.default_rng(0), 4, 2, shape=(16, 16))
    recipe = Recipe.of(components=1.0, dropped=6)
    preparation = Preparation(16, 16, already_cropped=True)
    gallery = Gallery(faces, preparation, recipe).train().calibrate()
    calibration = gallery.calibrated
    assert calibration is not None
    assert not calibration.held_out.stranger.held_out.any()
    assert calibration.limit(0.01) is None
    assert "no component is left to compare" in calibration.reason
    (verdict,) = identify_all(gallery, faces.pixels[:1])
    assert verdict.decision.person is None


@pytest.mark.parametrize(("asked", "found"), [(5, False), (0.999, False), (4, True), (1.0, True)])
def test_components_beyond_those_found_of_very_many_faces_are_refused(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch, asked: float, found: bool
) -> None:
    monkeypatch.setattr(principal, "MOST_COORDINATES", 4)
    recipe, trained = gallery.recipe.changed(components=asked), gallery.train()
    assert len(trained.trained.space) == 4
    for ask in (trained.with_recipe, lambda recipe: gallery.train(recipe=recipe)):
        if found:
            assert ask(recipe).k == 4
        else:
            with pytest.raises(EigenfacesError, match="ask for a count of 1 to 4"):
                ask(recipe)


def test_a_basis_names_who_is_there_with_which_faces_and_how_they_are_compared(
    gallery: Gallery,
) -> None:
    """Another basis is another state, in which distances are measured anew."""
    first = gallery.index.photos[0]
    cut = gallery.faces.with_photos({first.id: replace(first, crop="another")})
    others = (
        replace(gallery, faces=cut),
        gallery.rename("Person 2", "Ada"),
        gallery.move([first.id], "Person 2"),
        gallery.move([first.id], None),
        gallery.exclude([first.id]),
        gallery.with_recipe(gallery.recipe.changed(distance="cosine")),
        gallery.exclude([first.id]).train(),
    )
    assert len({one.calibration_key for one in (gallery, *others)}) == 1 + len(others)
    back = gallery.exclude([first.id]).exclude([first.id], False)
    same = (gallery, gallery.with_share(0.5), gallery.train(), back)
    assert len({one.calibration_key for one in same}) == 1
    calibrated = gallery.calibrate()
    assert calibrated.calibrated is not None
    assert calibrated.rename("Person 2", "Ada").calibrated is None


@pytest.mark.parametrize(
    "recipe",
    [
        *(Recipe.of(lighting=lighting) for lighting in get_args(Lighting)),
        Recipe.of(window="oval"),
        Recipe.of(lighting="Tan–Triggs", window="Gaussian"),
        Recipe.of(distance="Mahalanobis L2"),
    ],
)
def test_a_gallery_photo_as_probe_lands_on_itself(rng: np.random.Generator, recipe: Recipe) -> None:
    gallery = trained_gallery(rng, recipe.changed(components=1.0), shape=(24, 20))
    verdicts = identify_all(gallery, gallery.faces.pixels[:])
    assert [verdict.closest.row for verdict in verdicts] == [*range(20)]
    assert max(verdict.closest.distance for verdict in verdicts) < 1e-3
    coordinates = np.stack([verdict.coordinates for verdict in verdicts])
    np.testing.assert_allclose(coordinates, gallery.trained.coordinates, atol=1e-4)


def test_an_old_face_space_keeps_its_own_features(gallery: Gallery) -> None:
    """A recipe that needs a new face space serves with the old one until training."""
    changed = gallery.with_recipe(gallery.recipe.changed(lighting="photo mean"))
    assert (changed.changes_since_training, changed.train().changes_since_training) == (1, 0)
    assert identify(changed, gallery.faces.image(7)).closest.distance < 1e-5


def test_a_name_is_one_person_however_it_is_written(gallery: Gallery) -> None:
    renamed = gallery.rename("Person 2", "  Zoe\u0308 ")
    assert renamed.people == ("Person 1", "Zoë", "Person 3", "Person 4")
    assert renamed.training is gallery.training
    assert gallery.people[1] == "Person 2"
    assert renamed.rename("Zoë", "Zoë").people == renamed.people
    assert renamed.rename("zoe\u0308", "ZOË").people[1] == "ZOË"
    assert renamed.merge("Person 1", "ZOE\u0308").people == ("Zoë", "Person 3", "Person 4")
    assert renamed.move(ids(renamed, 0), "zoe\u0308").index.photos[0].person == "Zoë"


def test_photos_go_to_another_person_or_to_nobody(gallery: Gallery) -> None:
    merged = gallery.merge("Person 4", "Person 1")
    assert merged.people == ("Person 1", "Person 2", "Person 3")
    assert len(merged.faces.index.rows_of("Person 1")) == 10
    assert merged.changes_since_training == 0  # names do not train
    assert gallery.merge("Person 1", "Person 1").people == gallery.people
    split = gallery.move(ids(gallery, 3, 4), "Somebody new")
    assert split.faces.index.rows_of("Somebody new") == [3, 4]
    nobody = gallery.move(ids(gallery, 0), None)
    assert nobody.index.photos[0].person is None
    assert 0 not in nobody.enrolled
    assert 0 in nobody.included


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda g: g.rename("Person 2", "Person 3"), "“Person 3” is already in"),
        (lambda g: g.rename("Eve", "Ada"), "Nobody in the gallery is called “Eve”"),
        *((lambda g, b=b: g.rename("Person 2", b), "needs a name") for b in ("", "  ", "\u00a0")),
        (lambda g: g.merge("Person 1", "Eve"), "Eve"),
        (lambda g: g.merge("Eve", "Person 1"), "Eve"),
        (lambda g: g.remove(["gone"]), "no longer in the gallery"),
        (lambda g: g.move([*ids(g, 4), FaceId("gone")], "Ada"), "no longer in the gallery"),
        (lambda g: g.exclude(["gone"]), "no longer in the gallery"),
        (lambda g: g.with_crops(g.faces.select(range(18)), g.preparation), "2 photos cannot"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(
    gallery: Gallery, edit: Callable[[Gallery], Gallery], words: str
) -> None:
    with pytest.raises(EigenfacesError, match=words):
        edit(gallery)


@pytest.mark.parametrize("name", ["Eigenfaces", "Fisherfaces", "Texture"])
def test_photos_come_and_go_without_training(rng: np.random.Generator, name: str) -> None:
    """New ones are projected, as all are; the old value is as it was."""
    gallery = trained_gallery(rng, count=8).train(recipe=RECIPES[name])
    newcomers = people(np.random.default_rng(3), 2, 3)
    more, training = gallery.enrol(newcomers), gallery.trained
    assert more.trained.space is training.space
    assert (len(gallery.faces), len(more.faces), more.changes_since_training) == (40, 46, 6)
    features = gallery.recipe.features.of(more.faces.pixels[:], more.faces.shape)
    expected = training.matching_space.project(features)
    atol = 1e-4 * np.abs(expected).max()
    np.testing.assert_allclose(more.trained.matching_coordinates, expected, atol=atol)
    shown = more.trained.project(more.faces.pixels[:])
    np.testing.assert_allclose(more.trained.coordinates, shown, atol=1e-4)
    verdict = identify(more, newcomers.image(4))
    assert verdict.closest.row == 44
    assert verdict.closest.distance < 1e-5
    fewer = more.remove_person("Person 2")
    rest = [row for row in range(46) if row not in more.index.rows_of("Person 2")]
    assert "Person 2" not in fewer.people
    np.testing.assert_array_equal(
        fewer.trained.matching_coordinates, more.trained.matching_coordinates[rest]
    )
    np.testing.assert_array_equal(fewer.faces.pixels[:], more.faces.pixels[rest])
    assert gallery.remove_person("Person 2").enrol(gallery.faces).changes_since_training == 0
    with pytest.raises(ValueError, match="read-only"):
        training.coordinates[0] = 0


def test_excluded_photos_neither_train_nor_match(gallery: Gallery) -> None:
    without = gallery.exclude(ids(gallery, 0, 7))
    assert len(without.included) == len(without.enrolled) == 18
    assert without.changes_since_training == 2
    assert identify(without, gallery.faces.image(7)).closest.row != 7
    again = without.train()
    assert again.trained.space.count == 18
    assert len(again.trained.coordinates) == 20  # but they are shown in face space
    assert again.changes_since_training == 0
    assert again.exclude(ids(gallery, 0, 7), False).changes_since_training == 2


def test_cut_anew_names_order_and_exclusions_stay(gallery: Gallery) -> None:
    edited = gallery.rename("Person 1", "Ada").exclude(ids(gallery, 3))
    fresh = FaceSet.from_arrays(np.random.default_rng(0).random((20, 20, 20)), [None] * 20)
    eyes = Eyes((3.0, 4.0), (9.0, 4.5))
    photos = tuple(
        replace(
            photo,
            person="as the folder says",
            excluded=False,
            photograph=replace(photo.photograph, size=(90, 70 + row), turned=row % 4),
            placement=Placement(eyes.scaled(row + 1)),
        )
        for row, photo in enumerate(gallery.index.photos)
    )
    cut = replace(fresh, index=PhotoIndex(photos)).select(range(19, -1, -1))
    again = edited.with_crops(cut, Preparation(20, 20, already_cropped=True))
    for photo, old, cut_photo in zip(again.index.photos, edited.index.photos, photos, strict=True):
        assert photo == replace(
            old,
            photograph=cut_photo.photograph,
            placement=cut_photo.placement,
            crop=photo.crop,
        )
    np.testing.assert_array_equal(again.faces.pixels.array, fresh.pixels.array)
    assert (again.training, again.recipe) == (None, gallery.recipe)


def test_training_of_other_faces_is_not_adopted(rng: np.random.Generator) -> None:
    """As many pixels, and another shape."""
    tall, wide = (trained_gallery(rng, shape=shape) for shape in ((16, 18), (18, 16)))
    with pytest.raises(EigenfacesError, match="been cropped differently"):
        tall.adopt_training(wide.trained)
    assert tall.adopt_training(tall.trained).changes_since_training == 0
    cut = tall.with_crops(tall.faces, Preparation(16, 18))
    with pytest.raises(EigenfacesError, match=r"cropped differently\. Train again\."):
        cut.adopt_training(tall.trained)
    with pytest.raises(ValueError, match="cropped differently"):
        replace(cut, training=tall.training)


class TestNamesTakenAway:
    """A face without its name again, and what is remembered of that."""

    def test_it_is_nobody_s_and_known_not_to_be_theirs(self, gallery):
        person = gallery.people[0]
        first, second, *_ = (p.id for p in gallery.index.photos if p.person == person)
        taken = gallery.take_name_away([first])
        assert taken.index.photos[taken.index.row_by_id[first]].person is None
        assert taken.answers[first].never == {person}
        assert second not in taken.answers
        back = taken.move([first], person)
        assert first not in back.answers, "whoever says it is them, after all, is believed"

    def test_a_person_s_faces_are_all_nobody_s(self, gallery):
        person = gallery.people[0]
        taken = gallery.take_person_away(person)
        assert person not in taken.people
        assert len(taken.faces) == len(gallery.faces)
        assert len(taken.index.rows_of(None)) == len(gallery.index.rows_of(person))

    def test_one_face_at_most_stands_for_a_person(self, gallery):
        one, other = gallery.people[:2]
        faces = {p: [f.id for f in gallery.index.photos if f.person == p] for p in (one, other)}
        made = gallery.with_key(faces[one][0]).with_key(faces[one][1])
        made = made.with_key(faces[other][0])

        def keys(gallery):
            return {photo.id for photo in gallery.index.photos if photo.key}

        assert keys(made) == {faces[one][1], faces[other][0]}
        assert keys(made.merge(other, one)) == {faces[one][1]}
        assert keys(made.rename(one, "Somebody Else")) == keys(made)
        assert keys(made.move([faces[one][1]], other)) == {faces[other][0]}

    @pytest.mark.parametrize("name", ["Unknown", "Unknown person", "ignored", "?"])
    def test_who_is_nobody_is_no_name(self, gallery, name):
        face = gallery.index.photos[0].id
        with pytest.raises(EigenfacesError):
            gallery.move([face], name)
        with pytest.raises(EigenfacesError):
            gallery.rename(gallery.people[0], name)
