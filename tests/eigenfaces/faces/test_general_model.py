"""The general face space: by its definition, and what is like a face and what is not."""

import numpy as np
import pytest
from astronaut import EYES, grey

from eigenfaces.faces.general_model import (
    MODEL_COMPONENTS,
    VIEW_SHAPE,
    GeneralFaces,
    face_vectors,
    general_faces,
    symmetric_components,
)
from eigenfaces.faces.prepare import crop_at
from eigenfaces.space.arrays import Floats

SHAPE = (112, 92)
FACE = np.clip(crop_at(grey(), EYES, SHAPE), 0, 1)


def test_vectors_are_halves_of_each_crop_whatever_its_contrast(rng: np.random.Generator) -> None:
    face = np.clip(crop_at(grey(), EYES, VIEW_SHAPE), 0, 1)
    noise = 0.1 + 0.89 * rng.random(VIEW_SHAPE, np.float32)
    flat = np.full(VIEW_SHAPE, 0.4, np.float32)
    crops = np.stack([face, face[:, ::-1], noise, np.float32(0.3) * noise, flat])
    vectors = face_vectors(crops)
    alone = np.concatenate([face_vectors(crop[None]) for crop in crops])
    np.testing.assert_allclose(alone, vectors, atol=1e-6)
    one, mirrored, bright, dim, nothing = vectors
    # A mirror image has the same sums and the opposite differences.
    np.testing.assert_allclose(one * [[1], [-1]], mirrored, atol=1e-4)
    assert np.abs(one[1]).max() > 0.01
    np.testing.assert_allclose(dim, bright, atol=2e-3)
    assert np.linalg.norm(bright) == pytest.approx(1, abs=1e-3)
    assert bright[0].mean() == pytest.approx(0, abs=1e-4)
    assert not nothing.any()
    first, second, *_, last = general_faces().residuals(vectors)
    assert (first, last) == (pytest.approx(second, abs=1e-4), 1)


def learnt(vectors: Floats) -> GeneralFaces:
    """Return what is known of some face vectors, and nothing of alignment."""
    mean = vectors[:, 0].mean(axis=0)
    *components, lengths = symmetric_components(vectors[:, 0] - mean, vectors[:, 1])
    none, count = np.zeros(0, np.float32), np.array(len(vectors), np.float32)
    return GeneralFaces(mean, *components, none, lengths, count, np.array(0.5, np.float32))


def residuals_by_svd(vectors: Floats, probes: Floats, k: int) -> Floats:
    """Return those of a space of the faces and their mirror images, each as one vector."""
    mirrored = vectors * np.array([1, -1], np.float32)[:, None]
    rows = np.concatenate([vectors, mirrored]).reshape(2 * len(vectors), -1)
    mean = rows.mean(axis=0)
    axes = np.linalg.svd(rows - mean, full_matrices=False)[2][:k]
    deviations = probes.reshape(len(probes), -1) - mean
    return np.linalg.norm(deviations - deviations @ axes.T @ axes, axis=1)


@pytest.mark.parametrize(("known", "more"), [(15, 0), (8, 17), (15, 15), (12, 3), (60, 0)])
def test_two_sets_of_faces_are_joined_as_if_they_were_one(known: int, more: int) -> None:
    """Fewer others count that many times more each; of all components, the largest are left."""
    draw = np.random.default_rng(known)
    vectors = draw.standard_normal((known + more + 5, 2, 30)).astype(np.float32)
    first, others, probes = np.split(vectors, [known, known + more])
    others = others + np.float32(0.5)
    space = learnt(first).joint_space(others, np.arange(len(others)))
    times = max(1, known // more) if more else 0
    k = len(space.symmetric) + len(space.antisymmetric)
    assert k == MODEL_COMPONENTS if known == 60 else k <= MODEL_COMPONENTS
    expected = residuals_by_svd(np.concatenate([first, *[others] * times]), probes, k)
    np.testing.assert_allclose(space.residuals(probes), expected, rtol=1e-3, atol=1e-4)


def test_a_face_is_like_one_in_a_crop_of_any_size_and_what_is_no_face_is_not(
    rng: np.random.Generator,
) -> None:
    model = general_faces()
    for shape in (SHAPE, (224, 184), (64, 64), (60, 80)):
        distance = model.distance_of(np.clip(crop_at(grey(), EYES, shape), 0, 1))
        assert distance < model.limit
        assert distance == pytest.approx(model.distance_of(FACE), abs=0.1)
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(np.float32)
    others = (
        np.full(SHAPE, 0.5, np.float32),
        rng.random(SHAPE, np.float32),
        0.5 + 0.3 * np.sign(np.sin(y / 4, dtype=np.float32) * np.sin(x / 4, dtype=np.float32)),
        FACE[::-1],
    )
    assert all(model.distance_of(other) > model.limit for other in others)
    # Faces that are all the same are one place.
    (vector,) = face_vectors(FACE[None])
    assert model.joint_space(vector[None], np.zeros(6, np.intp)).residuals(vector[None]) < 0.01
