"""Pictures moved, scaled and turned at random, as a careless crop would be."""

import math

import numpy as np
from numpy.typing import NDArray
from skimage.transform import SimilarityTransform, warp

SHIFT, GROWTH, TURN = 0.1, 0.1, 10
"""Largest shift (share of the width, and of the height), growth (share), and turn (degrees)."""


def perturbed(
    images: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Shift, scale and turn each of n pictures (n, h, w) about its middle; the border is repeated.

    All four are drawn evenly between plus and minus the largest. Also returned: the matrices
    (n, 3, 3) that take points (x, y) of a picture to where they lie in the perturbed one.
    """
    height, width = images.shape[1:]
    middle = np.array([width, height]) / 2
    moved, matrices = np.empty_like(images), []
    for row, image in enumerate(images):
        right, down, growth, turn = rng.uniform(-1, 1, 4).tolist()
        move = (
            SimilarityTransform(translation=-middle)
            + SimilarityTransform(scale=1 + GROWTH * growth, rotation=math.radians(TURN * turn))
            + SimilarityTransform(translation=middle * (1 + 2 * SHIFT * np.array([right, down])))
        )
        # Between pixel middles, for `warp`, and from corner to corner, for everybody else.
        half = SimilarityTransform(translation=(0.5, 0.5))
        between = half + move + half.inverse
        moved[row] = np.clip(warp(image.copy(), between.inverse, order=3, mode="edge"), 0, 1)
        matrices.append(move.params)
    return moved, np.stack(matrices)
