"""Verdicts: the nearest people, ties, means, and what is said about them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe, identify
from eigenfaces.errors import NotTrainedError
from eigenfaces.recognition.verdict import consistency, identify_all
from eigenfaces.space.distances import DISTANCES


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    return trained_gallery(rng)


def on_a_line(grey: list[float], names: list[str | None], **recipe: object) -> Gallery:
    """Faces of one grey each: in face space they lie on a line."""
    images = np.ones((len(grey), 16, 16)) * np.array(grey)[:, None, None] / 255
    faces = FaceSet.from_arrays(images, names)
    return Gallery(
        faces, Preparation(16, 16, already_cropped=True), Recipe.of(components=1, **recipe)
    ).train()  # type: ignore[arg-type]


class Quarters:
    """Represents a face by the mean of each of its four quarters."""

    components = None
    variances = np.array([4.0, 3.0, 2.0, 1.0])
    kept = np.cumsum(variances) / 10

    def __len__(self) -> int:
        return 4

    def project(self, features: np.ndarray, /) -> np.ndarray:
        quarters = features.reshape(-1, 2, 8, 2, 8).mean(axis=(2, 4))
        return quarters.reshape(len(features), 4).astype(np.float32)

    def in_and_from(self, features: np.ndarray, k: int, /) -> tuple[np.ndarray, np.ndarray]:
        return self.project(features)[:, :k], np.zeros(len(features))


def at(grey: float) -> np.ndarray:
    return np.full((16, 16), grey / 255, np.float32)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
def test_clusters_are_recognised(rng: np.random.Generator, distance: str, rule: str) -> None:
    faces = people(rng, 4, 6)
    enrolled = faces.select([row for row in range(24) if row % 6 < 4])
    recipe = Recipe.of(components=3, distance=distance, rule=rule)  # type: ignore[arg-type]
    gallery = Gallery(enrolled, Preparation(16, 16, already_cropped=True), recipe).train()
    for row in range(24):
        verdict = identify(gallery, faces.image(row))
        assert verdict.closest.person == faces.index.photos[row].person
        assert [match.person for match in verdict.ranking].count(verdict.closest.person) == 1
        assert len(verdict.ranking) == 4


def test_many_at_once_are_one_by_one(gallery: Gallery, rng: np.random.Generator) -> None:
    probes = rng.random((5, 256), np.float32)
    for probe, verdict in zip(probes, identify_all(gallery, probes), strict=True):
        alone = identify(gallery, probe.reshape(16, 16))
        assert [m.person for m in alone.ranking] == [m.person for m in verdict.ranking]
        np.testing.assert_allclose(alone.distances, verdict.distances, rtol=1e-5)
        assert alone.distance_from == pytest.approx(verdict.distance_from, rel=1e-5)


class TestDropped:
    def test_what_distinguishes_the_light_is_left_out(self) -> None:
        """A lamp on half of the photographs is the first component: without it, people show."""
        rng = np.random.default_rng(0)
        people_apart = 0.1 * rng.standard_normal((3, 1, 16, 16))
        lamp = np.linspace(-0.35, 0.35, 16)[None, None, None, :] * np.array([1, -1])[:, None, None]
        faces = FaceSet.from_arrays(
            np.clip(0.5 + people_apart + lamp, 0, 1).reshape(6, 16, 16), list("aabbcc")
        )
        enrolled = faces.select([0, 3, 4])  # lit from the left, the right, the left
        recipe = Recipe.of(components=2)
        gallery = Gallery(faces, Preparation(16, 16, already_cropped=True), recipe).train()
        gallery = gallery.remove([faces.index.photos[row].key for row in (1, 2, 5)])
        assert gallery.index.photos == enrolled.index.photos
        dropped = gallery.with_recipe(Recipe.of(components=3, dropped=1))
        for row, person in ((1, "a"), (2, "b"), (5, "c")):
            assert identify(dropped, faces.image(row)).closest.person == person
        wrong = [identify(gallery, faces.image(row)).closest.person for row in (1, 2, 5)]
        assert wrong != ["a", "b", "c"]

    def test_whitened_ones_too(self, gallery: Gallery) -> None:
        plain = gallery.with_recipe(Recipe.of(components=5, dropped=2, distance="Mahalanobis L2"))
        recipe = Recipe.of(components=5, dropped=2, whitening="pca")
        probe = np.random.default_rng(2).random((16, 16))
        np.testing.assert_allclose(
            identify(gallery.with_recipe(recipe), probe).distances,
            identify(plain, probe).distances,
            rtol=1e-4,
        )


def test_distance_from_face_space(gallery: Gallery) -> None:
    assert identify(gallery, gallery.faces.image(0)).distance_from < 1e-4
    far = identify(gallery, np.random.default_rng(9).random((16, 16)))
    assert far.distance_from > 0.5
    few = gallery.with_recipe(gallery.recipe.changed(components=1))
    assert identify(few, gallery.faces.image(0)).distance_from > 0.1


class TestWords:
    def test_sentences(self) -> None:
        gallery = on_a_line([100, 120, 200], ["Ada", "Bob", "Cy"])

        def said(gallery: Gallery, level: float) -> str:
            return identify(gallery, at(level)).decision.sentence

        assert said(gallery, 105) == (
            "Ada is nearest, at a distance of 0.3137. Next is Bob, at 3.0 × the distance."
        )
        assert re.search(r"Next is Bob, at 1\.192 instead of 0\.0627\d\.", said(gallery, 101))
        assert said(gallery, 100).startswith("Ada is nearest, at a distance of 0. Next is Bob")
        alone = on_a_line([100, 120], ["Ada", None])
        assert said(alone, 101).endswith("There is nobody else to compare with.")
        assert identify(alone, at(101)).runner_up is None
        yambor = gallery.with_recipe(Recipe.of(components=1, distance="Yambor"))
        assert "Next is Bob, at " in said(yambor, 101)
        assert "×" not in said(yambor, 101)


class TestRefusals:
    def test_not_trained(self, gallery: Gallery) -> None:
        with pytest.raises(NotTrainedError):
            identify(replace(gallery, training=None), gallery.faces.image(0))

    def test_nobody_named(self) -> None:
        gallery = on_a_line([100, 120], [None, None])
        with pytest.raises(EigenfacesError, match="Nobody is enrolled"):
            identify(gallery, at(100))

    def test_another_size(self, rng: np.random.Generator) -> None:
        """Trap 30: the transposed face has as many pixels and is another picture."""
        gallery = trained_gallery(rng, shape=(16, 20))
        face = gallery.faces.image(0)
        assert identify(gallery, face).closest.row == 0
        assert identify(gallery, face.ravel()).closest.row == 0
        with pytest.raises(EigenfacesError, match="16 × 20 pixels and the gallery's have 20 × 16"):
            identify(gallery, face.T)

    def test_another_number_of_pixels(self, gallery: Gallery) -> None:
        with pytest.raises(EigenfacesError, match="16 × 16"):
            identify(gallery, np.zeros(7))

    def test_no_numbers(self, gallery: Gallery) -> None:
        with pytest.raises(EigenfacesError, match="not numbers"):
            identify(gallery, np.full((16, 16), np.nan))

    @pytest.mark.parametrize("times", [255, -0.1])
    def test_grey_levels_that_are_not_0_to_1(self, gallery: Gallery, times: float) -> None:
        """A picture as OpenCV reads it, 0…255, would be named all the same, by its distance."""
        with pytest.raises(EigenfacesError, match=r"between 0 \(black\) and 1 \(white\)"):
            identify(gallery, times * gallery.faces.image(0))

    @pytest.mark.parametrize("broken", [np.nan, np.inf])
    def test_a_distance_that_is_no_number(self, gallery: Gallery, broken: float) -> None:
        """Whatever a damaged file, or a strange setting, has put into the face space."""
        training = gallery.trained
        mean = training.space.mean.copy()
        mean[3] = broken
        coordinates = training.coordinates.copy()
        coordinates[5, 1] = broken
        space = replace(training.space, mean=mean)
        for damaged in (
            replace(training, space=space, representation=space),
            replace(training, coordinates=coordinates, compared=coordinates),
        ):
            changed = replace(gallery, training=damaged)
            with pytest.raises(EigenfacesError, match="no finite numbers, so nobody is named"):
                identify(changed, gallery.faces.image(0))

    def test_variances_that_leave_nothing(self, gallery: Gallery) -> None:
        """Single precision has no number small enough for what they whiten."""
        space = gallery.trained.space
        vast = replace(space, singular_values=np.full(len(space), 1e150))
        trained = replace(gallery.trained, space=vast, representation=vast)
        changed = replace(gallery, training=trained)
        recipe = gallery.recipe.changed(whitening="pca", components=4)
        with pytest.raises(EigenfacesError, match="All distances come out as 0, so nobody"):
            identify(changed.with_recipe(recipe), gallery.faces.image(0))

    def test_somebody_alone_may_be_at_no_distance(self) -> None:
        gallery = on_a_line([100, 120], ["Ada", None])
        assert identify(gallery, at(100)).closest.distance < 1e-5


def test_consistency(gallery: Gallery) -> None:
    rows, distances = consistency(gallery, "Person 3")
    assert rows == gallery.index.rows_of("Person 3")
    pixels = gallery.faces.pixels[rows].astype(np.float64)
    expected = np.linalg.norm(pixels - pixels.mean(axis=0), axis=1)
    np.testing.assert_allclose(distances, expected, rtol=1e-3)  # all components are compared


def test_two_photographs_are_enough() -> None:
    gallery = on_a_line([100, 120], ["A", "B"])
    for distance in DISTANCES:
        verdict = identify(gallery.with_recipe(Recipe.of(components=1, distance=distance)), at(119))
        assert verdict.closest.person == "B"


@pytest.mark.parametrize("rule", ["nearest", "class mean"])
def test_another_representation_needs_no_face_space(rng: np.random.Generator, rule: str) -> None:
    """Probes and photographs are compared by its coordinates, new photographs too."""
    images = rng.random((9, 16, 16))
    faces = FaceSet.from_arrays(images, list("aabbccabc"))
    recipe = Recipe.of(components=3, dropped=1, distance="Mahalanobis L2", rule=rule)  # type: ignore[arg-type]
    gallery = Gallery(faces.select(range(4)), Preparation(16, 16, already_cropped=True), recipe)
    trained = gallery.train().trained
    known = Quarters().project(gallery.faces.pixels[:])
    training = replace(trained, representation=Quarters(), compared=known)  # type: ignore[arg-type]
    gallery = replace(gallery, training=training).enrol(faces.select([4, 5]))
    assert gallery.k == 3
    compared = Quarters().project(faces.pixels[:])[:, 1:3] / np.sqrt([3.0, 2.0])
    for probe in (6, 7, 8):
        verdict = identify(gallery, faces.image(probe))
        people = compared[:6].reshape(3, 2, 2)
        people = people.mean(axis=1, keepdims=True) if rule == "class mean" else people
        expected = np.linalg.norm(people - compared[probe], axis=2).min(axis=1)
        assert [match.person for match in verdict.ranking] == list(
            np.array(list("abc"))[expected.argsort()]
        )
        np.testing.assert_allclose(
            [match.distance for match in verdict.ranking], np.sort(expected), rtol=1e-4
        )
