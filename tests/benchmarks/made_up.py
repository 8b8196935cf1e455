"""As many faces as are wanted, made of those of the sample."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces import load_sample


def many_faces(count: int, shape: tuple[int, int], seed: int = 1) -> NDArray[np.uint8]:
    """Return faces of the sample, (count, h · w) in grey levels: turned, shifted, mirrored, noisy.

    Each has its own light, so that no two are alike; the first ones do not depend on the count.
    """
    height, width = shape
    sample = [
        Image.fromarray(face).resize((width, height), Image.Resampling.BICUBIC)
        for face in load_sample().levels.astype(np.uint8).reshape(-1, 112, 92)
    ]
    rng = np.random.default_rng(seed)
    scale = height / 112
    made = np.empty((count, height * width), np.uint8)
    for row in range(count):
        face = sample[row % len(sample)]
        if rng.random() < 0.5:
            face = face.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        shift = tuple(rng.normal(0, 2 * scale, 2))
        face = face.rotate(rng.normal(0, 4), Image.Resampling.BILINEAR, translate=shift)
        grey = np.asarray(face, np.float32) * np.float32(np.exp(rng.normal(0, 0.2)))
        noise = rng.standard_normal(grey.shape, np.float32)
        made[row] = np.clip(grey + rng.normal(0, 8) + 3 * noise, 0, 255).ravel()
    return made
