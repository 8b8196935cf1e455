"""Verdicts: the nearest people, ties, means, and what is said about them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import gallery as trained_gallery
from synthetic import people

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe, identify
from eigenfaces.errors import NotTrainedError
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.training import Projected
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


@given(st.integers(0, 2**32 - 1), st.sampled_from(list(DISTANCES)), st.integers(1, 9))
def test_the_ranking_is_a_plain_count(seed: int, distance: str, neighbours: int) -> None:
    """Against the rule written out in the plainest way."""
    rng = np.random.default_rng(seed)
    recipe = Recipe.of(components=1.0, distance=distance, neighbours=neighbours)
    gallery = trained_gallery(rng, recipe)
    verdict = identify(gallery, rng.random((16, 16)))
    assert sorted(verdict.rows) == list(gallery.enrolled)
    assert (np.diff(verdict.distances) >= 0).all()
    names = [gallery.index.photos[row].person for row in verdict.rows]
    votes = {name: names[:neighbours].count(name) for name in names}
    summed = {
        name: sum(
            d for n, d in zip(names[:neighbours], verdict.distances, strict=False) if n == name
        )
        for name in names
    }
    nearest = {name: verdict.distances[names.index(name)] for name in names}
    expected = sorted(votes, key=lambda name: (-votes[name], summed[name], nearest[name]))
    assert [match.person for match in verdict.ranking] == expected
    for match in verdict.ranking:
        assert match.votes == votes[match.person]
        assert match.distance == nearest[match.person]
        assert match.row == verdict.rows[names.index(match.person)]
    if neighbours == 1:
        assert verdict.nearest(1)[0] == (verdict.closest.row, verdict.closest.distance)


class TestNeighbours:
    """Trap 12: ties by the smaller summed distance, not by the label."""

    def test_votes_decide(self) -> None:
        gallery = on_a_line([100, 110, 112, 200], ["A", "B", "B", "C"], neighbours=3)
        verdict = identify(gallery, at(102))
        assert [(m.person, m.votes) for m in verdict.ranking] == [("B", 2), ("A", 1), ("C", 0)]
        assert verdict.closest.distance > verdict.ranking[1].distance
        nearest = identify(gallery.with_recipe(Recipe.of(components=1)), at(102))
        assert nearest.closest.person == "A"

    def test_ties_go_to_the_smaller_sum(self) -> None:
        for names in (["A", "B", "B", "A"], ["Z", "B", "B", "Z"]):
            gallery = on_a_line([100, 106, 108, 150], names, neighbours=4)
            assert identify(gallery, at(104)).closest.person == "B"

    def test_more_neighbours_than_faces(self) -> None:
        gallery = on_a_line([100, 150, 152], ["A", "B", "B"], neighbours=50)
        assert identify(gallery, at(100)).closest.person == "B"

    def test_of_two_photos_exactly_as_far_the_one_enrolled_first_names(self) -> None:
        """A was known first, by a photograph farther away; the vote is that of B's."""
        gallery = on_a_line([10, 120, 120, 250], ["A", "B", "A", "C"])
        ranking = identify(gallery, at(125)).ranking
        assert [(m.person, m.votes) for m in ranking] == [("B", 1), ("A", 0), ("C", 0)]
        assert ranking[0].distance == ranking[1].distance

    def test_exact_ties_follow_the_gallery(self) -> None:
        gallery = on_a_line([100, 120], ["A", "B"])
        assert identify(gallery, at(110)).ranking[0].votes == 1


class TestClassMean:
    def test_it_is_the_distance_to_the_mean(self) -> None:
        gallery = on_a_line([100, 140, 124, 126], ["A", "A", "B", "B"], rule="class mean")
        verdict = identify(gallery, at(122))
        assert verdict.closest.person == "A"  # the mean is 120
        assert verdict.closest.distance == pytest.approx(2 / 255 * 16, rel=1e-3)
        assert gallery.index.photos[verdict.closest.row].person == "A"
        assert verdict.nearest(1)[0][0] == 2  # though B's photograph is nearer

    def test_people_who_are_not_enrolled_have_no_mean(self) -> None:
        gallery = on_a_line([100, 110, 200], ["A", "B", "C"], rule="class mean")
        gallery = gallery.exclude([gallery.index.photos[0].key])
        assert [m.person for m in identify(gallery, at(101)).ranking] == ["B", "C"]


class TestMeanDistance:
    def test_it_is_the_mean_of_the_distances(self) -> None:
        """A's nearest photograph and A's mean are nearer, but B's photographs are on the whole."""
        gallery = on_a_line([120, 180, 132, 132], ["A", "A", "B", "B"], rule="mean distance")
        verdict = identify(gallery, at(124))
        assert [match.person for match in verdict.ranking] == ["B", "A"]
        assert verdict.closest.distance == pytest.approx(8 / 255 * 16, rel=1e-3)
        assert verdict.ranking[1].distance == pytest.approx((4 + 56) / 2 / 255 * 16, rel=1e-3)
        assert gallery.index.photos[verdict.ranking[1].row].person == "A"
        assert verdict.ranking[1].row == 0  # the nearest of them is shown
        nearest = identify(gallery.with_recipe(Recipe.of(components=1)), at(124))
        assert nearest.closest.person == "A"

    def test_it_does_not_vote(self) -> None:
        """Otherwise the many photographs of somebody would outvote the near ones."""
        few = on_a_line(
            [100, 130, 130, 130], ["A", "B", "B", "B"], rule="mean distance", neighbours=4
        )
        verdict = identify(few, at(105))
        assert verdict.closest.person == "A"
        assert {match.votes for match in verdict.ranking} == {0}


class TestDropped:
    def test_distances_are_between_the_components_left(self, gallery: Gallery) -> None:
        probe = gallery.faces.image(3) * 0.5 + 0.2
        for distance in DISTANCES:
            recipe = Recipe.of(components=6, dropped=2, distance=distance)
            dropped = gallery.with_recipe(recipe)
            verdict = identify(dropped, probe)
            coordinates = dropped.trained.coordinates[:, 2:6].astype(np.float64)
            variances = dropped.trained.space.variances[2:6]
            expected = DISTANCES[distance](verdict.coordinates[2:6], coordinates, variances)[0]
            np.testing.assert_allclose(verdict.distances, np.sort(expected), rtol=1e-5, atol=1e-6)
            assert (dropped.k, dropped.comparison.which) == (6, slice(2, 6))

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
        for damaged in (
            Projected(replace(training.space, mean=mean), training.coordinates),
            Projected(training.space, coordinates),
        ):
            changed = replace(gallery, training=replace(training, shown=damaged))
            with pytest.raises(EigenfacesError, match="no finite numbers, so nobody is named"):
                identify(changed, gallery.faces.image(0))

    def test_variances_that_leave_nothing(self, gallery: Gallery) -> None:
        """Single precision has no number small enough for what they whiten."""
        space = gallery.trained.space
        vast = replace(space, singular_values=np.full(len(space), 1e150))
        shown = Projected(vast, gallery.trained.coordinates)
        changed = replace(gallery, training=replace(gallery.trained, shown=shown))
        recipe = gallery.recipe.changed(whitening="pca", components=4)
        with pytest.raises(EigenfacesError, match="All distances come out as 0, so nobody"):
            identify(changed.with_recipe(recipe), gallery.faces.image(0))

    def test_somebody_alone_may_be_at_no_distance(self) -> None:
        gallery = on_a_line([100, 120], ["Ada", None])
        assert identify(gallery, at(100)).closest.distance < 1e-5


class TestExplanations:
    @pytest.mark.parametrize(
        ("recipe", "total"),
        [
            (Recipe.of(components=4), lambda d: d**2),
            (Recipe.of(components=4, whitening="pca", smoothing=0.1), lambda d: d**2),
            (Recipe.of(components=4, whitening="pca", smoothing="20%"), lambda d: d**2),
            (Recipe.of(components=4, distance="Mahalanobis L2"), lambda d: d**2),
            (Recipe.of(components=4, distance="cosine"), lambda d: 2 * d),
            (Recipe.of(components=4, distance="Mahalanobis cosine"), lambda d: 2 * d),
            (Recipe.of(components=4, distance="cosine", whitening="pca"), lambda d: 2 * d),
        ],
    )
    def test_what_components_add_is_the_distance(
        self, gallery: Gallery, recipe: Recipe, total
    ) -> None:
        changed = gallery.with_recipe(recipe)
        face = np.random.default_rng(2).random((16, 16))
        verdict = identify(changed, face)
        for start in range(len(verdict.ranking)):
            ranked = replace(verdict, first=verdict.ranking[start : start + 2])
            split = explain(changed, face, ranked).closest
            assert split.squares.shape == (4,)
            assert split.total == pytest.approx(total(split.match.distance), rel=1e-4)

    def test_consistency(self, gallery: Gallery) -> None:
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
    known = Projected(Quarters(), Quarters().project(gallery.faces.pixels[:]))
    gallery = replace(gallery, training=replace(trained, other=known)).enrol(faces.select([4, 5]))
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
