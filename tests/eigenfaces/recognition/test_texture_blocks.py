"""The blocks of texture: what each is made of, and that each face is described for itself."""

import numpy as np
import pytest

from eigenfaces import FaceSet
from eigenfaces.faces.gabor import gabor
from eigenfaces.faces.texture import tan_triggs, texture
from eigenfaces.recognition.lighting import even_light
from eigenfaces.recognition.texture_blocks import BLOCKS, texture_blocks
from eigenfaces.space.arrays import Floats


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> Floats:
    return att.pixels[::10].reshape(-1, *att.shape)


@pytest.mark.parametrize("side", [0, 1])
def test_each_block_is_of_its_picture(faces: Floats, side: int) -> None:
    grey, lit, waves = np.split(texture_blocks(faces)[side], np.cumsum(BLOCKS)[:-1], axis=1)
    faces = faces[:, :, :: 1 - 2 * side]
    levels = np.rint(faces * 255).astype(np.uint8)
    shown = np.rint((tan_triggs(faces) + 10) * 12.7).astype(np.uint8)
    np.testing.assert_allclose(grey, texture(levels), atol=1e-7)
    # Sums over a mirror image are rounded in another order: a few levels are others.
    assert (np.abs(lit - texture(shown)) > 1e-7).mean() <= side * 1e-4
    np.testing.assert_allclose(waves, gabor(tan_triggs(faces)), atol=1e-6)


def test_tan_triggs_is_the_same_in_the_light_correction(faces: Floats) -> None:
    lit = tan_triggs(faces)
    assert -10 <= lit.min() < -3 < 3 < lit.max() <= 10
    np.testing.assert_allclose(even_light(faces, "Tan–Triggs"), 0.5 + lit / 20, atol=1e-6)


def test_faces_are_described_each_for_itself(faces: Floats) -> None:
    together = texture_blocks(faces)
    assert together.shape == (2, len(faces), sum(BLOCKS))
    assert together.dtype == np.float32
    np.testing.assert_allclose(together[:, 35:36], texture_blocks(faces[35:36]), atol=1e-6)
    assert texture_blocks(faces[:0]).shape == (2, 0, sum(BLOCKS))


def test_a_plain_picture_is_described_too() -> None:
    for grey in (0, 0.5, 1):
        assert np.isfinite(texture_blocks(np.full((1, 112, 92), grey, np.float32))).all()
