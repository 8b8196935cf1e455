"""A stand-in for dlib's network in tests of what is done with its numbers: quick, and always there.

`tests/eigenfaces/faces/test_network.py` is about the network itself.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.faces import network
from eigenfaces.recognition import network as compared


def describe(chips: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Return 8 × 16 grey values of each chip, as far apart as the network's numbers are."""
    small = [
        np.asarray(Image.fromarray(chip).convert("L").resize((8, 16))).ravel() for chip in chips
    ]
    return np.array(small, np.float32).reshape(len(chips), network.DESCRIPTOR_SIZE) / 800


def chip_of(crop: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a crop (h, w) as a chip."""
    levels = np.rint(255 * crop).astype(np.uint8)
    return np.asarray(Image.fromarray(levels).convert("RGB").resize((150, 150)))


@pytest.fixture(scope="session", autouse=True)
def quick_network() -> Iterator[None]:
    """Let what is compared be described by the stand-in, in each folder that imports this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "describe", describe)
        patch.setattr(compared, "_chip_of", chip_of)
        yield
