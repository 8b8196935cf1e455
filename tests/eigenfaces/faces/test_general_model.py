"""The general face space: by its definition, and what is like a face and what is not."""

import numpy as np
import pytest
from astronaut import EYES, grey
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces.general_model import (
    COMPONENTS,
    SIGHT,
    FacesSpace,
    GeneralFaces,
    components_of,
    face_vectors,
    general_faces,
)
from eigenfaces.faces.prepare import crop_at
from eigenfaces.space.arrays import Floats

SHAPE = (112, 92)
FACE = np.clip(crop_at(grey(), EYES, SHAPE), 0, 1)


@given(st.floats(0.2, 1), st.integers(0, 99))
def test_contrast_does_not_count(gain: float, seed: int) -> None:
    # Near black it counts a little: Tan and Triggs's correction raises black by 0.001.
    crop = 0.1 + 0.89 * np.random.default_rng(seed).random((1, *SIGHT), np.float32)
    (seen,) = face_vectors(crop)
    assert np.linalg.norm(seen) == pytest.approx(1, abs=1e-3)
    assert seen[0].mean() == pytest.approx(0, abs=1e-4)
    np.testing.assert_allclose(face_vectors(np.float32(gain) * crop)[0], seen, atol=2e-3)


def test_a_mirror_image_has_the_same_sums_and_the_opposite_differences() -> None:
    face = np.clip(crop_at(grey(), EYES, SIGHT), 0, 1)
    crops = np.stack([face, face[:, ::-1]])
    one, other = face_vectors(crops)
    np.testing.assert_allclose(one[0], other[0], atol=1e-4)
    np.testing.assert_allclose(one[1], -other[1], atol=1e-4)
    assert np.abs(one[1]).max() > 0.01
    first, second = general_faces().residuals(face_vectors(crops))
    assert first == pytest.approx(second, abs=1e-4)


def test_each_crop_is_seen_by_itself(rng: np.random.Generator) -> None:
    crops = np.stack([FACE, rng.random(SHAPE, np.float32), np.full(SHAPE, 0.4, np.float32)])
    together = face_vectors(crops)
    alone = np.concatenate([face_vectors(crop[None]) for crop in crops])
    np.testing.assert_allclose(alone, together, atol=1e-6)
    assert not together[2].any()
    assert general_faces().residuals(together)[2] == 1


def learnt(vectors: Floats) -> GeneralFaces:
    """Return what is known of some face vectors, and nothing of alignment."""
    mean = vectors[:, 0].mean(axis=0)
    *components, lengths = components_of(vectors[:, 0] - mean, vectors[:, 1])
    none, count = np.zeros(0, np.float32), np.array(len(vectors), np.float32)
    return GeneralFaces(mean, *components, none, lengths, count, np.array(0.5, np.float32))


def explicit(vectors: Floats) -> Floats:
    """Return the faces and their mirror images, (2n, 2m), each as one vector."""
    mirrored = vectors * np.array([1, -1], np.float32)[:, None]
    return np.concatenate([vectors, mirrored]).reshape(2 * len(vectors), -1)


def left_by_svd(rows: Floats, probes: Floats, k: int) -> Floats:
    mean = rows.mean(axis=0)
    axes = np.linalg.svd(rows - mean, full_matrices=False)[2][:k]
    deviations = probes.reshape(len(probes), -1) - mean
    return np.linalg.norm(deviations - deviations @ axes.T @ axes, axis=1)


@pytest.mark.parametrize(("known", "more"), [(15, 0), (8, 17), (15, 15), (12, 3)])
def test_two_sets_of_faces_are_joined_as_if_they_were_one(known: int, more: int) -> None:
    """Where the others are fewer, each of them counts that many times more."""
    draw = np.random.default_rng(known)
    vectors = draw.standard_normal((known + more + 5, 2, 30)).astype(np.float32)
    first, others, probes = np.split(vectors, [known, known + more])
    others = others + np.float32(0.5)
    space = learnt(first).space_with(others, np.arange(len(others)))
    times = max(1, known // more) if more else 0
    rows = explicit(np.concatenate([first, *[others] * times]))
    wanted = left_by_svd(rows, probes, len(space.symmetric) + len(space.antisymmetric))
    np.testing.assert_allclose(space.residuals(probes), wanted, rtol=1e-3, atol=1e-4)


def test_the_components_are_those_that_show_most(rng: np.random.Generator) -> None:
    vectors = rng.standard_normal((60, 2, 50)).astype(np.float32)
    known = learnt(vectors)
    assert len(known.symmetric) + len(known.antisymmetric) == COMPONENTS
    wanted = left_by_svd(explicit(vectors), vectors, COMPONENTS)
    np.testing.assert_allclose(known.residuals(vectors), wanted, rtol=1e-3)
    for components in (known.symmetric, known.antisymmetric):
        np.testing.assert_allclose(components @ components.T, np.eye(len(components)), atol=1e-4)


def test_faces_that_are_all_the_same_are_one_place(rng: np.random.Generator) -> None:
    (vector,) = face_vectors(FACE[None])
    space: FacesSpace = general_faces().space_with(vector[None], np.zeros(6, np.intp))
    assert space.residuals(vector[None]) < 0.01
    assert np.isfinite(space.residuals(face_vectors(rng.random((3, *SIGHT), np.float32)))).all()


def test_a_face_is_like_one_in_a_crop_of_any_size_and_what_is_no_face_is_not(
    rng: np.random.Generator,
) -> None:
    known = general_faces()
    for shape in (SHAPE, (224, 184), (64, 64), (60, 80)):
        distance = known.distance_of(np.clip(crop_at(grey(), EYES, shape), 0, 1))
        assert distance < known.limit
        assert distance == pytest.approx(known.distance_of(FACE), abs=0.1)
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(np.float32)
    others = (
        np.full(SHAPE, 0.5, np.float32),
        rng.random(SHAPE, np.float32),
        0.5 + 0.3 * np.sin(x / 5, dtype=np.float32),
        0.5 + 0.3 * np.sign(np.sin(y / 4, dtype=np.float32) * np.sin(x / 4, dtype=np.float32)),
        FACE[::-1],
    )
    for other in others:
        assert known.distance_of(other) > known.limit
