"""The general face space: by its definition, and what is like a face and what is not."""

import numpy as np
import pytest
from astronaut import EYES, grey
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces.alignment import crop_at
from eigenfaces.faces.general_faces import SIGHT, face_vector, general_faces, residuals

SHAPE = (112, 92)
FACE = np.clip(crop_at(grey(), EYES, SHAPE), 0, 1)


@given(st.floats(0.2, 1), st.integers(0, 99))
def test_contrast_does_not_count(gain: float, seed: int) -> None:
    # Near black it counts a little: Tan and Triggs's correction raises black by 0.001.
    crop = 0.1 + 0.89 * np.random.default_rng(seed).random(SIGHT, np.float32)
    seen = face_vector(crop)
    assert np.linalg.norm(seen) == pytest.approx(1, abs=1e-3)
    assert seen.mean() == pytest.approx(0, abs=1e-4)
    np.testing.assert_allclose(face_vector(np.float32(gain) * crop), seen, atol=2e-3)


def test_distance_is_what_least_squares_leave(rng: np.random.Generator) -> None:
    mean, components = general_faces().mean, general_faces().components
    vectors = np.stack([face_vector(each) for each in rng.random((5, *SIGHT), np.float32)])
    deviations = (vectors - mean).astype(float).T
    left = np.linalg.lstsq(components.T.astype(float), deviations)[0]
    wanted = np.linalg.norm(deviations - components.T @ left, axis=0)
    np.testing.assert_allclose(residuals(vectors, mean, components), wanted, rtol=3e-3)
    inside = mean + rng.standard_normal(len(components)) @ components
    assert residuals(inside.astype(np.float32), mean, components) < 2e-2


@pytest.mark.parametrize("shape", [SHAPE, (224, 184), (64, 64), (60, 80)])
def test_a_face_is_like_one_in_a_crop_of_any_size(shape: tuple[int, int]) -> None:
    face = np.clip(crop_at(grey(), EYES, shape), 0, 1)
    known = general_faces()
    assert known.distance_of(face) < known.limit
    assert known.distance_of(face) == pytest.approx(known.distance_of(FACE), abs=0.1)


def test_what_is_no_face_is_unlike_one(rng: np.random.Generator) -> None:
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(np.float32)
    others = (
        np.full(SHAPE, 0.5, np.float32),
        rng.random(SHAPE, np.float32),
        0.5 + 0.3 * np.sin(x / 5, dtype=np.float32),
        0.5 + 0.3 * np.sign(np.sin(y / 4, dtype=np.float32) * np.sin(x / 4, dtype=np.float32)),
        FACE[::-1],
    )
    for other in others:
        assert general_faces().distance_of(other) > general_faces().limit
