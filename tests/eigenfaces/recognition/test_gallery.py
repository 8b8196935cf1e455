"""Galleries: every edit a new value, nothing forgotten, nothing refitted unasked."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from PIL import Image
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import (
    EigenfacesError,
    FaceSet,
    Gallery,
    Preparation,
    Recipe,
    find_photos,
    identify,
    load_faces,
)
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.lighting import Lighting
from eigenfaces.faces.read import load_face
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.recognition.recipe import RECIPES


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Four people with five photographs each, trained."""
    return trained_gallery(rng)


def keys(gallery: Gallery, *rows: int) -> list[str]:
    return [gallery.index.photos[row].key for row in rows]


def people_of(gallery: Gallery) -> list[str | None]:
    return [photo.person for photo in gallery.index.photos]


def test_training_projects_every_face(gallery: Gallery) -> None:
    space = gallery.trained.space
    assert len(space) <= len(gallery.faces) - 1
    features = gallery.recipe.pixels.of(gallery.faces.pixels[:], gallery.faces.shape)
    own = gallery.trained.coordinates  # U Σ of the decomposition
    np.testing.assert_allclose(own, space.project(features), atol=1e-4)
    assert gallery.changes == 0
    with pytest.raises(ValueError, match="read-only"):
        gallery.trained.coordinates[0] = 0


def test_at_least_one_component_is_left(gallery: Gallery) -> None:
    """Of a share of the variance, training tells how many that are."""
    dropped = gallery.recipe.changed(components=1e-6, dropped=5)
    for make in (
        lambda: gallery.with_recipe(dropped),
        lambda: replace(gallery, recipe=dropped, training=None).train(),
        lambda: replace(gallery, recipe=dropped, training=None).adopt(gallery.trained),
    ):
        with pytest.raises(EigenfacesError, match="Only 1 component would be compared"):
            make()
    last = gallery.with_recipe(Recipe.of(components=3, dropped=2))
    assert last.comparison.which == slice(2, 3)
    with pytest.raises(EigenfacesError, match="at least one must be left"):
        Recipe.of(components=3, dropped=3)


def test_enrolling_without_refitting_equals_projecting(
    gallery: Gallery, rng: np.random.Generator
) -> None:
    newcomers = people(rng, 2, 3)
    enrolled = gallery.enrol(newcomers.with_photos({}))
    assert enrolled.trained.space is gallery.trained.space
    assert len(enrolled.faces) == 26
    np.testing.assert_allclose(
        enrolled.trained.coordinates, enrolled.trained.project(enrolled.faces.pixels[:]), atol=1e-4
    )
    assert enrolled.changes == 6
    verdict = identify(enrolled, newcomers.image(4))
    assert verdict.closest.row == 24
    assert verdict.closest.distance < 1e-5
    assert len(gallery.faces) == 20  # the old value is as it was


def test_a_basis_names_who_is_there_with_which_faces_and_how_they_are_compared(
    gallery: Gallery,
) -> None:
    """Another basis is another state, in which distances are measured anew."""
    first = gallery.index.photos[0]
    cut = gallery.faces.with_photos({first.key: replace(first, crop="another")})
    others = (
        replace(gallery, faces=cut),
        gallery.rename("Person 2", "Ada"),
        gallery.move([first.key], "Person 2"),
        gallery.move([first.key], None),
        gallery.exclude([first.key]),
        gallery.with_recipe(gallery.recipe.changed(distance="cosine")),
        gallery.exclude([first.key]).train(),
    )
    assert len({gallery.calibration_key, *(other.calibration_key for other in others)}) == 1 + len(
        others
    )
    back = gallery.exclude([first.key]).exclude([first.key], False)
    assert (
        gallery.with_share(0.5).calibration_key
        == gallery.train().calibration_key
        == back.calibration_key
        == gallery.calibration_key
    )


class TestProbesAreTreatedLikeTheGallery:
    @pytest.mark.parametrize("fit", ["fill", "fit", "stretch"])
    @pytest.mark.parametrize(
        "recipe",
        [
            Recipe.of(components=1.0),
            *(Recipe.of(components=1.0, lighting=lighting) for lighting in get_args(Lighting)),
            Recipe.of(components=1.0, window="oval"),
            Recipe.of(components=1.0, lighting="Tan–Triggs", window="Gaussian"),
            Recipe.of(components=1.0, scaling="correlation"),
            Recipe.of(components=1.0, whitening="pca", smoothing=0.1),
        ],
    )
    def test_a_gallery_photo_as_probe_lands_on_itself(
        self, tmp_path: Path, rng: np.random.Generator, fit: str, recipe: Recipe
    ) -> None:
        for i in range(6):
            levels = rng.integers(0, 256, (8, 10), np.uint8)
            path = tmp_path / f"Person {i % 3}" / f"{i}.png"
            path.parent.mkdir(exist_ok=True)
            Image.fromarray(levels).resize((50, 40)).save(path)
        preparation = Preparation(24, 24, fit, already_cropped=True)  # type: ignore[arg-type]
        faces = load_faces(find_photos(tmp_path), preparation)
        gallery = Gallery(faces, preparation, recipe).train()
        for row, photo in enumerate(faces.index.photos):
            verdict = identify(gallery, load_face(photo.path, preparation)[1])
            assert verdict.closest.row == row
            assert verdict.closest.distance < 1e-3
            np.testing.assert_allclose(
                verdict.coordinates, gallery.trained.coordinates[row], atol=1e-4
            )

    def test_an_old_face_space_keeps_its_own_features(self, gallery: Gallery) -> None:
        """A recipe that needs a new face space serves with the old one until training."""
        changed = gallery.with_recipe(gallery.recipe.changed(lighting="photo mean"))
        assert changed.changes == 1
        probe = gallery.faces.image(7)
        assert identify(changed, probe).closest.distance < 1e-5
        again = changed.train()
        assert again.changes == 0
        assert identify(again, probe).closest.distance < 1e-5


class TestPeople:
    def test_rename(self, gallery: Gallery) -> None:
        renamed = gallery.rename("Person 2", "  Zoe\u0308 ")
        assert renamed.people == ("Person 1", "Zoë", "Person 3", "Person 4")
        assert renamed.training is gallery.training
        assert gallery.people[1] == "Person 2"
        assert renamed.rename("Zoë", "Zoë").people == renamed.people
        assert renamed.rename("zoe\u0308", "ZOË").people[1] == "ZOË"
        assert renamed.merge("Person 1", "ZOE\u0308").people == ("Zoë", "Person 3", "Person 4")
        key = renamed.index.photos[0].key
        assert renamed.move([key], "zoe\u0308").index.photos[0].person == "Zoë"
        with pytest.raises(EigenfacesError, match="already a “Person 3”"):
            gallery.rename("Person 2", "Person 3")
        with pytest.raises(EigenfacesError, match="Nobody in the gallery is called “Eve”"):
            gallery.rename("Eve", "Ada")
        for blank in ("", "  ", "\u00a0"):
            with pytest.raises(EigenfacesError, match="needs a name"):
                gallery.rename("Person 2", blank)

    def test_merge(self, gallery: Gallery) -> None:
        merged = gallery.merge("Person 4", "Person 1")
        assert merged.people == ("Person 1", "Person 2", "Person 3")
        assert len(merged.faces.index.rows_of("Person 1")) == 10
        assert merged.changes == 0  # names do not train
        for one, other in (("Person 1", "Eve"), ("Eve", "Person 1")):
            with pytest.raises(EigenfacesError, match="Eve"):
                gallery.merge(one, other)
        assert gallery.merge("Person 1", "Person 1").people == gallery.people

    def test_move_splits(self, gallery: Gallery) -> None:
        split = gallery.move(keys(gallery, 3, 4), "Somebody new")
        assert split.faces.index.rows_of("Somebody new") == [3, 4]
        nobody = gallery.move(keys(gallery, 0), None)
        assert people_of(nobody)[0] is None
        assert 0 not in nobody.enrolled
        assert 0 in nobody.included

    def test_remove(self, gallery: Gallery) -> None:
        fewer = gallery.remove_person("Person 2")
        assert fewer.people == ("Person 1", "Person 3", "Person 4")
        assert fewer.changes == 5
        rest = [row for row in range(20) if row not in gallery.index.rows_of("Person 2")]
        np.testing.assert_array_equal(fewer.trained.coordinates, gallery.trained.coordinates[rest])
        assert np.array_equal(fewer.faces.pixels[:], gallery.faces.pixels[rest])
        back = fewer.enrol(gallery.faces)
        assert back.changes == 0

    def test_photos_that_are_gone_are_refused(self, gallery: Gallery) -> None:
        fewer = gallery.remove(keys(gallery, 5))
        edits: list[Callable[[], Gallery]] = [
            lambda: fewer.remove(keys(gallery, 5)),
            lambda: fewer.move(keys(gallery, 4, 5), "Ada"),
            lambda: fewer.exclude(keys(gallery, 5)),
        ]
        for edit in edits:
            with pytest.raises(EigenfacesError, match="no longer in the gallery"):
                edit()


class TestExclude:
    def test_excluded_photos_neither_train_nor_match(self, gallery: Gallery) -> None:
        without = gallery.exclude(keys(gallery, 0, 7))
        assert len(without.included) == len(without.enrolled) == 18
        assert without.changes == 2
        assert identify(without, gallery.faces.image(7)).closest.row != 7
        again = without.train()
        assert again.trained.space.count == 18
        assert len(again.trained.coordinates) == 20  # but they are shown in face space
        assert again.changes == 0
        assert again.exclude(keys(gallery, 0, 7), False).changes == 2


class TestPrepared:
    def test_names_order_and_exclusions_stay(self, gallery: Gallery) -> None:
        edited = gallery.rename("Person 1", "Ada").exclude(keys(gallery, 3))
        bigger = np.random.default_rng(0).random((20, 20, 20))
        fresh = FaceSet.from_arrays(bigger, [None] * 20)
        eyes = Eyes((3.0, 4.0), (9.0, 4.5))
        photos = tuple(
            replace(
                photo,
                person="as the folder says",
                excluded=False,
                placement=Placement(eyes.scaled(row + 1), "found", row % 4),
                size=(90, 70) if row % 2 else (70, 90),
            )
            for row, photo in enumerate(gallery.index.photos)
        )
        cut = replace(fresh, index=PhotoIndex(photos)).select(range(19, -1, -1))
        again = edited.prepared(cut, Preparation(20, 20, already_cropped=True))
        said = [(p.key, p.path, p.person, p.excluded) for p in edited.index.photos]
        assert [(p.key, p.path, p.person, p.excluded) for p in again.index.photos] == said
        cut_at = [(photo.placement, photo.size) for photo in photos]  # as they were cut now
        assert [(p.placement, p.size) for p in again.index.photos] == cut_at
        np.testing.assert_array_equal(again.faces.pixels.held, fresh.pixels.held)
        assert again.training is None
        assert again.recipe == gallery.recipe

    def test_a_lost_photograph_changes_nothing(self, gallery: Gallery) -> None:
        with pytest.raises(EigenfacesError, match="2 photographs cannot be cut anew"):
            gallery.prepared(gallery.faces.select(range(18)), gallery.preparation)


def test_faces_and_preparation_must_fit(gallery: Gallery) -> None:
    with pytest.raises(ValueError, match="not cut by this preparation"):
        Gallery(gallery.faces, Preparation(17, 16, already_cropped=True), gallery.recipe)
    with pytest.raises(ValueError, match="one row of coordinates"):
        replace(gallery, faces=gallery.faces.select([0]))


def test_training_of_other_faces_is_not_adopted(rng: np.random.Generator) -> None:
    """As many pixels, and another shape."""
    tall, wide = (trained_gallery(rng, shape=shape) for shape in ((16, 18), (18, 16)))
    with pytest.raises(EigenfacesError, match="another size"):
        tall.adopt(wide.trained)
    assert tall.adopt(tall.trained).changes == 0
    cut = tall.prepared(tall.faces, Preparation(16, 18, "stretch", already_cropped=True))
    with pytest.raises(EigenfacesError, match=r"aspect policy: train again\."):
        cut.adopt(tall.trained)
    with pytest.raises(ValueError, match="cut otherwise"):
        replace(cut, training=tall.training)


def test_missing_photographs_are_named(tmp_path: Path, gallery: Gallery) -> None:
    here = tmp_path / "here.png"
    here.touch()
    first = replace(gallery.index.photos[0], path=here)
    changed = replace(gallery, faces=gallery.faces.with_photos({first.key: first}))
    assert changed.missing() == list(gallery.index.photos[1:])


@pytest.fixture
def eight(rng: np.random.Generator) -> Gallery:
    """Eight people with five photographs each, trained."""
    return trained_gallery(rng, count=8)


def stays(before: Gallery, after: Gallery) -> bool:
    return after.trained.space is before.trained.space


@pytest.mark.parametrize("name", ["Eigenfaces", "Fisherfaces", "Texture"])
def test_another_recipe_looks_at_the_same_space(eight: Gallery, name: str) -> None:
    again = eight.train(recipe=RECIPES[name])
    told: list[float] = []
    other = replace(eight.with_recipe(RECIPES[name]), training=None)
    anew = other.train(lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert stays(eight, again)
    assert not stays(eight, anew)
    assert again.changes == 0
    assert again.trained.fitted == anew.trained.fitted
    one, two = again.trained.space, anew.trained.space
    np.testing.assert_array_equal(one.components, two.components)
    np.testing.assert_array_equal(again.trained.coordinates, anew.trained.coordinates)
    np.testing.assert_array_equal(again.trained.compared, anew.trained.compared)
    assert stays(eight, again.with_recipe(RECIPES["Eigenfaces"]).train())


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.exclude([g.index.photos[0].key]),
        lambda g: g.remove([g.index.photos[0].key]),
        lambda g: g.enrol(people(np.random.default_rng(9), 1, 2)),
        lambda g: g.with_recipe(g.recipe.changed(lighting="equalised")),
        lambda g: g.with_recipe(g.recipe.changed(scaling="correlation")),
        lambda g: g.with_recipe(g.recipe.changed(components=7)),
    ],
    ids=["excluded", "removed", "enrolled", "lighting", "scaling", "components"],
)
def test_it_is_fitted_anew_where_that_makes_another(
    eight: Gallery, change: Callable[[Gallery], Gallery]
) -> None:
    assert not stays(eight, change(eight).train())
