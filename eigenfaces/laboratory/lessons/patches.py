"""Patches of natural images, cut out of the pictures that scikit-image carries."""

from __future__ import annotations

import numpy as np

from eigenfaces.laboratory.image_set import ImageSet

SIDE = 12
OF_EACH = 1000

_CODE = """\
from skimage import color, data

generator = np.random.default_rng({seed})
patches = []
coloured = (data.astronaut(), data.chelsea(), data.coffee())
for grey in (data.camera(), *(np.round(255 * color.rgb2gray(each)) for each in coloured)):
    cut = np.lib.stride_tricks.sliding_window_view(grey, ({side}, {side}))
    rows, columns = (generator.integers(0, most, {of_each}) for most in cut.shape[:2])
    patches.append(cut[rows, columns].reshape({of_each}, {side} * {side}))
x = np.vstack(patches) / 256"""


def patches(seed: int) -> ImageSet:
    """Return 4,000 patches of 12 × 12 grey values (256ths) from four photographs, by a seed."""
    from skimage import color, data

    generator = np.random.default_rng(seed)
    found = []
    coloured = (data.astronaut(), data.chelsea(), data.coffee())
    for grey in (data.camera(), *(np.round(255 * color.rgb2gray(each)) for each in coloured)):
        cut = np.lib.stride_tricks.sliding_window_view(grey, (SIDE, SIDE))
        rows, columns = (generator.integers(0, most, OF_EACH) for most in cut.shape[:2])
        found.append(cut[rows, columns].reshape(OF_EACH, SIDE * SIDE))
    return ImageSet(
        title=f"{4 * OF_EACH:,} patches",
        pixels=(np.vstack(found) / 256).astype(np.float32),  # exact: whole numbers of 256ths
        shape=(SIDE, SIDE),
        code=_CODE.format(seed=seed, side=SIDE, of_each=OF_EACH),
    )
