"""Synthetic faces and the real ones around them, by their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, FaceSpace, Gallery, Preparation, Recipe
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace, pixel_space_note
from tests.synthetic import exact_faces, people, small_gallery, truth


@pytest.fixture(scope="module")
def space() -> FaceSpace:
    """Five components, their variances 1, 1/2, 1/4 …"""
    rng = np.random.default_rng(3)
    faces = exact_faces(rng, truth(rng, components=5), 40).astype(np.float32)
    return FaceSpace.fit(faces, (16, 16)).first(5)


scores = st.lists(st.floats(-4, 4), min_size=5, max_size=5).map(np.array)


@given(at=scores)
def test_a_face_is_the_mean_and_its_components(space: FaceSpace, at: np.ndarray) -> None:
    face = SyntheticFace(space, at)
    wanted = space.mean + (at * np.sqrt(space.variances)) @ space.components
    np.testing.assert_allclose(face.pixels.ravel(), wanted, atol=1e-5)
    np.testing.assert_allclose(space.project(face.pixels.ravel()), face.coordinates, atol=1e-5)
    # the radius is the Mahalanobis distance from the mean, by the covariance of the pixels
    covariance = (space.components.T * space.variances) @ space.components
    deviation = face.pixels.ravel().astype(np.float64) - space.mean
    squared = deviation @ np.linalg.pinv(covariance, rcond=1e-6, hermitian=True) @ deviation
    np.testing.assert_allclose(face.radius, np.sqrt(squared / 5), rtol=1e-4, atol=1e-4)


@given(a=scores, b=scores, share=st.floats(0, 1))
def test_a_morph_is_a_straight_line_with_both_ends(
    space: FaceSpace, a: np.ndarray, b: np.ndarray, share: float
) -> None:
    first, last = SyntheticFace(space, a), SyntheticFace(space, b)
    np.testing.assert_array_equal(first.morph(last, 0).pixels, first.pixels)
    np.testing.assert_array_equal(first.morph(last, 1).pixels, last.pixels)
    between = first.morph(last, share)
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
    again = SyntheticFace.random(space, np.random.default_rng(11))
    np.testing.assert_array_equal(again.coordinates, drawn[0])


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    """Six people with four photographs each, ten components kept; the fifth photo is excluded."""
    made = small_gallery()
    return made.exclude([made.index.photos[4].id])


@pytest.fixture(scope="module")
def real(gallery: Gallery) -> RealFaces:
    return RealFaces.of(gallery)


def test_the_nearest_are_those_of_a_search_through_all(gallery: Gallery, real: RealFaces) -> None:
    assert len(real.photos) == 23
    assert gallery.index.photos[4] not in real.photos
    rng = np.random.default_rng(7)
    for _ in range(20):
        face = SyntheticFace.random(real.space, rng)
        far = np.linalg.norm(real.coordinates.astype(np.float64) - face.coordinates, axis=1)
        for near, at in zip(real.nearest(face, 7), np.argsort(far, kind="stable"), strict=False):
            assert (near.row, near.photo) == (real.rows[at], real.photos[at])
            assert near.distance == pytest.approx(far[at], rel=1e-9)


def test_the_mean_of_a_person_is_the_mean_of_their_photos(
    gallery: Gallery, real: RealFaces
) -> None:
    rows = gallery.index.rows_of("Hedy")
    pixels = gallery.faces.pixels[rows].mean(axis=0)
    wanted = real.space.reconstruct(real.space.project(pixels)).reshape(24, 20)
    np.testing.assert_allclose(real.starting_face("Hedy").face.pixels, wanted, atol=1e-5)
    assert real.starting_face("Nobody") is None


@pytest.mark.parametrize("name", ["Fisherfaces", "Texture"])
def test_a_recipe_without_pictures_says_so_and_has_the_pixel_faces(name: str) -> None:
    several = people(np.random.default_rng(2), 7, 5, shape=(48, 48), spread=0.02)
    made = Gallery(several, Preparation(48, 48, already_cropped=True), Recipe.of(name)).train()
    assert f"The recipe {name} does not compare pixels" in pixel_space_note(made)
    real = RealFaces.of(made)
    assert real.space.shape == (48, 48)
    assert real.space.variance_kept[-1] >= 0.95 > real.space.variance_kept[-2]
    assert pixel_space_note(small_gallery()) == ""


def test_a_gallery_whose_photos_are_all_excluded_is_a_sentence(gallery: Gallery) -> None:
    nothing = gallery.exclude([photo.id for photo in gallery.index.photos])
    with pytest.raises(EigenfacesError, match="No photo in the gallery is used for training"):
        RealFaces.of(nothing)
    last = nothing.exclude([gallery.index.photos[7].id], excluded=False)
    real = RealFaces.of(last)
    (only,) = real.nearest(SyntheticFace.mean(real.space), 7)
    assert only.row == 7


def test_why_a_face_drawn_at_random_looks_like_nobody_is_measured(real: RealFaces) -> None:
    """By hand: how far each real face is from its closest other one, and how far the drawn one."""
    at = real.coordinates.astype(np.float64)
    far = np.linalg.norm(at[:, None] - at, axis=2)
    usual = np.median([np.sort(row)[1] for row in far])
    assert real.usual_distance == pytest.approx(usual, rel=1e-4)
    drawn = SyntheticFace.random(real.space, np.random.default_rng(1))
    away = np.linalg.norm(drawn.coordinates - at, axis=1).min()
    assert away > 2 * usual
    words = f"the closest real one is {away:.1f} away, while half of the real faces have another"
    assert f"{words} within {usual:.1f}." in real.random_words(drawn)
    one = SyntheticFace.at(real.space, real.coordinates[0])
    assert "lies among real faces: the closest is 0.0 away" in real.random_words(one)
