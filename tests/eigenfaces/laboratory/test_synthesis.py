"""Synthetic faces: coordinates, radius and morph by their definitions, chance by its variances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, FaceSpace
from eigenfaces.laboratory.synthesis import SyntheticFace
from tests.synthetic import exact_faces, truth


@pytest.fixture(scope="module")
def space() -> FaceSpace:
    """Five components, their variances 1, 1/2, 1/4 …"""
    rng = np.random.default_rng(3)
    faces = exact_faces(rng, truth(rng, components=5), 40).astype(np.float32)
    return FaceSpace.fit(faces, (16, 16)).first(5)


scores = st.lists(st.floats(-4, 4), min_size=5, max_size=5).map(np.array)


def test_the_mean_is_at_zero(space: FaceSpace) -> None:
    mean = SyntheticFace.mean(space)
    np.testing.assert_array_equal(mean.pixels.ravel(), space.mean)
    assert mean.radius == 0


@given(at=scores)
def test_a_face_is_the_mean_and_its_components(space: FaceSpace, at: np.ndarray) -> None:
    face = SyntheticFace(space, at)
    wanted = space.mean + sum(
        score * np.sqrt(variance) * component
        for score, variance, component in zip(at, space.variances, space.components, strict=True)
    )
    np.testing.assert_allclose(face.pixels.ravel(), wanted, atol=1e-5)
    np.testing.assert_allclose(space.project(face.pixels.ravel()), face.coordinates, atol=1e-5)


@given(at=scores)
def test_the_radius_is_the_mahalanobis_distance(space: FaceSpace, at: np.ndarray) -> None:
    """From the mean, by the covariance matrix of the pixels, inverted inside the face space."""
    covariance = (space.components.T * space.variances) @ space.components
    face = SyntheticFace(space, at)
    deviation = face.pixels.ravel().astype(np.float64) - space.mean
    squared = deviation @ np.linalg.pinv(covariance, rcond=1e-6, hermitian=True) @ deviation
    np.testing.assert_allclose(face.radius, np.sqrt(squared), rtol=1e-4, atol=1e-4)


@given(a=scores, b=scores, share=st.floats(0, 1))
def test_a_morph_is_a_straight_line_with_both_ends(
    space: FaceSpace, a: np.ndarray, b: np.ndarray, share: float
) -> None:
    first, last = SyntheticFace(space, a), SyntheticFace(space, b)
    np.testing.assert_array_equal(first.towards(last, 0).pixels, first.pixels)
    np.testing.assert_array_equal(first.towards(last, 1).pixels, last.pixels)
    between = first.towards(last, share)
    crossed = (1 - share) * first.pixels + share * last.pixels
    np.testing.assert_allclose(between.pixels, crossed, atol=1e-5)
    assert between.radius <= max(first.radius, last.radius) + 1e-9


def test_faces_drawn_by_chance_have_the_variances_of_the_components(space: FaceSpace) -> None:
    rng = np.random.default_rng(11)
    drawn = np.array([SyntheticFace.random(space, rng).coordinates for _ in range(4000)])
    covariance = np.cov(drawn, rowvar=False)
    np.testing.assert_allclose(np.diag(covariance), space.variances, rtol=0.1)
    between = covariance / np.sqrt(np.outer(space.variances, space.variances))
    assert np.abs(between - np.eye(5)).max() < 0.08, "components are independent"
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=0.05)


def test_the_same_seed_draws_the_same_face(space: FaceSpace) -> None:
    one, again, other = (SyntheticFace.random(space, np.random.default_rng(s)) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.scores, again.scores)
    assert (one.scores != other.scores).all()


def test_only_the_component_that_is_moved_changes(space: FaceSpace) -> None:
    rng = np.random.default_rng(0)
    face = SyntheticFace.random(space, rng)
    moved = face.moved(2, 1.25)
    assert moved.scores[2] == 1.25
    np.testing.assert_array_equal(np.delete(moved.scores, 2), np.delete(face.scores, 2))
    for wrong in (-1, 5):
        with pytest.raises(EigenfacesError, match=f"no component {wrong + 1}"):
            face.moved(wrong, 0)


def test_a_real_face_is_rebuilt_from_its_coordinates(space: FaceSpace) -> None:
    pixels = (space.mean + space.components.sum(axis=0) / 4).astype(np.float32)
    face = SyntheticFace.at(space, space.project(pixels))
    np.testing.assert_allclose(face.pixels.ravel(), pixels, atol=1e-5)


def test_fewer_components_are_dropped_and_more_are_at_zero(space: FaceSpace) -> None:
    face = SyntheticFace(space, np.arange(1.0, 6))
    np.testing.assert_array_equal(face.within(space.first(2)).scores, [1, 2])
    again = face.within(space.first(2)).within(space)
    np.testing.assert_array_equal(again.scores, [1, 2, 0, 0, 0])


def test_nothing_of_it_can_be_changed(space: FaceSpace) -> None:
    face = SyntheticFace.mean(space)
    with pytest.raises(ValueError, match="read-only"):
        face.scores[0] = 1
    with pytest.raises(ValueError, match="one score for each component"):
        SyntheticFace(space, np.zeros(4))
