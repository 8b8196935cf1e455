"""A quick stand-in for dlib's network, for tests of the code that uses its numbers.

It needs no model files. `tests/eigenfaces/faces/test_network.py` tests the network itself.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.faces import network
from eigenfaces.recognition import network as compared


def describe(chips: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Return 8 × 16 grey values of each chip, scaled to distances like those of the network."""
    small = [
        np.asarray(Image.fromarray(chip).convert("L").resize((8, 16))).ravel() for chip in chips
    ]
    return np.array(small, np.float32).reshape(len(chips), network.DESCRIPTOR_SIZE) / 800


def chip_of(crop: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a crop (h, w) as a chip, the input of the network."""
    levels = np.rint(255 * crop).astype(np.uint8)
    return np.asarray(Image.fromarray(levels).convert("RGB").resize((150, 150)))


@pytest.fixture(scope="session", autouse=True)
def quick_network() -> Iterator[None]:
    """Use the stand-in instead of the network, in every test folder that imports this fixture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "describe", describe)
        patch.setattr(compared, "_chip_of", chip_of)
        yield
