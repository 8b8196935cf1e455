"""Preparation of face crops from photographs, the same for the gallery and every probe.

The standard crop has the eyes at fixed positions; `tan_triggs` can even out its lighting.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.pca import as_grey, as_levels
from eigenfaces.text import WholeNumber, YesOrNo, check_fields

EYE_ROW = 42 / 112  # distance of the eyes from the top of a crop, as a share of its height
EYE_DISTANCE = 40 / 96  # distance between the eyes, as a share of its width


def crop_at(
    grey: Floats,
    eyes: Eyes,
    shape: tuple[int, int],
    sampling: Image.Resampling = Image.Resampling.BICUBIC,
) -> Floats:
    """Return the standard crop (h, w) of a grey photograph (H, W), with fixed eye positions.

    As complex numbers in pixels, *a* is the midpoint between the eyes and *b* the vector from the
    left eye to the right eye. For each point *u* of the standard face, in eye distances, the
    photograph is sampled at a + b·u. Beyond the edge, the border pixels of the photograph are
    repeated. A photograph larger than needed is first reduced with a Lanczos filter.
    """
    height, width = shape
    across = eyes.across / (EYE_DISTANCE * width)  # one pixel of the crop, in the photograph
    origin = eyes.middle - across * complex(width / 2, EYE_ROW * height)
    corners = origin + across * np.array([0, width, 1j * height, width + 1j * height])
    step = abs(across)
    margin = 2 * max(step, 1) + 1
    left = math.floor(corners.real.min() - margin)
    right = math.ceil(corners.real.max() + margin)
    top = math.floor(corners.imag.min() - margin)
    bottom = math.ceil(corners.imag.max() + margin)
    rows = np.arange(top, bottom).clip(0, grey.shape[0] - 1)
    columns = np.arange(left, right).clip(0, grey.shape[1] - 1)
    image = Image.fromarray(np.asarray(grey[rows].take(columns, axis=1), np.float32))
    shrunk_x = shrunk_y = 1.0
    if step > 1:
        small = max(1, round(image.width / step)), max(1, round(image.height / step))
        shrunk_x, shrunk_y = image.width / small[0], image.height / small[1]
        image = image.resize(small, Image.Resampling.LANCZOS, reducing_gap=2.0)
    place = origin - complex(left, top)
    to_photo = (
        across.real / shrunk_x,
        -across.imag / shrunk_x,
        place.real / shrunk_x,
        across.imag / shrunk_y,
        across.real / shrunk_y,
        place.imag / shrunk_y,
    )
    return np.asarray(image.transform((width, height), Image.Transform.AFFINE, to_photo, sampling))


def crop_pixel_positions(eyes: Eyes, shape: tuple[int, int]) -> NDArray[np.complex128]:
    """Return the positions (h, w) of a crop's pixel centres in the photograph, as x + iy."""
    height, width = shape
    across = eyes.across / (EYE_DISTANCE * width)
    rows, columns = np.mgrid[:height, :width] + 0.5
    return eyes.middle + across * (columns - width / 2 + 1j * (rows - EYE_ROW * height))


def standard_eyes(shape: tuple[int, ...]) -> Eyes:
    """Return the standard eye positions in a crop of size (h, w)."""
    height, width = shape
    return Eyes.at(complex(width / 2, EYE_ROW * height), complex(EYE_DISTANCE * width))


_SMALLEST, _LARGEST = 16, 512
_REFUSAL = f"A face must be {_SMALLEST} to {_LARGEST} whole pixels high and wide."

HEIGHT, WIDTH = (
    WholeNumber(
        name=name,
        label=f"{name.capitalize()} of a face",
        about=f"{name.capitalize()} of every face",
        why=f"Width × height in pixels, {_SMALLEST} to {_LARGEST}. Larger faces show more "
        "but take longer.",
        metavar="PIXELS",
        least=_SMALLEST,
        most=_LARGEST,
        refusal=_REFUSAL,
    )
    for name in ("height", "width")
)
ALREADY_CROPPED = YesOrNo(
    name="already_cropped",
    label="The pictures are",
    about="The photos are already cropped faces: do not search for any",
    choices={
        "Photos": "The face in each photo is found and aligned: rotated and scaled so that the "
        "eyes are in the same place in every crop. This way, faces are compared, not how they were "
        "photographed.",
        "Only faces": "Every picture is already a cropped face, and is only resized. If its shape "
        "differs, the surplus edges are cut off. The program does not search for faces, but "
        "crops a face whose eyes were set by hand or read from a file.",
    },
    refusal="Are the photos already cropped? Answer yes or no.",
)


@dataclass(frozen=True)
class Preparation:
    """Geometric settings for cropping faces from photographs, saved with the gallery.

    Parameters
    ----------
    height
        The height of every face, 16…512 pixels.
    width
        The width of every face, 16…512 pixels.
    already_cropped
        Whether the photographs are just faces. If so, the program does not search them for faces,
        but still uses any eye positions that are given.

    Raises
    ------
    EigenfacesError
        A size is out of range or not a whole number.

    Examples
    --------
    >>> Preparation(20, 16, already_cropped=True).crop(np.ones((40, 50))).shape
    (20, 16)
    """

    height: int = 112
    width: int = 92
    already_cropped: bool = False

    def __post_init__(self) -> None:
        check_fields(self, (HEIGHT, WIDTH, ALREADY_CROPPED))

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (h, w) of every face."""
        return self.height, self.width

    @property
    def aligned_eyes(self) -> Eyes:
        """The eye positions in the crop of every aligned face."""
        return standard_eyes(self.shape)

    @property
    def eye_distance(self) -> float:
        """The distance between the eyes of every aligned face, in pixels."""
        return self.aligned_eyes.distance

    def takes_whole(self, size: tuple[int, int]) -> bool:
        """Return whether a photograph of size (h, w) is used whole as a face, without a search."""
        return self.already_cropped

    def to_standard_eyes(self, eyes: Eyes) -> Eyes:
        """Return the eyes for which the standard crop shows the same area as this preparation's."""
        return eyes

    def crop(self, grey: Floats, eyes: Eyes | None = None) -> Floats:
        """Return the face (h, w) in a grey photograph (H, W), as 8-bit grey levels divided by 255.

        The given eyes are moved to their standard positions. Without eyes, the whole photograph is
        the face, and its largest centred part with the aspect ratio of a crop is resized.
        """
        if eyes is not None:
            face = crop_at(grey, self.to_standard_eyes(eyes), self.shape)
        else:
            image = Image.fromarray(np.ascontiguousarray(grey, np.float32))
            scale = min(image.width / self.width, image.height / self.height)
            left = max(0.0, image.width / 2 - scale * self.width / 2)
            top = max(0.0, image.height / 2 - scale * self.height / 2)
            box = (left, top, image.width - left, image.height - top)
            size = self.width, self.height
            face = np.asarray(image.resize(size, Image.Resampling.LANCZOS, box))
        return as_grey(as_levels(face))


def tan_triggs(faces: Floats) -> Floats:
    """Return grey crops (n, h, w) preprocessed by the method of Tan and Triggs, with values −10…10.

    The method removes most of the effect of lighting and brightness (X. Tan and B. Triggs,
    *Enhanced local texture feature sets for face recognition under difficult lighting conditions*,
    2010).

    Differences of Gaussians (σ = 1 and 2) of (x + 0.001)^0.2 are divided by mean(|x|^0.1)^10, then
    by mean(min(10, |x|)^0.1)^10. The result is 10 tanh(x / 10) of these values.
    """
    from scipy.ndimage import gaussian_filter

    raised = (faces + np.float32(0.001)) ** np.float32(0.2)  # 0.001: the slope is infinite at 0
    narrow, wide = (
        gaussian_filter(raised, (0, sigma, sigma), output=np.float64, mode="nearest")
        for sigma in (1, 2)
    )
    even: Doubles = narrow - wide
    for limit in (np.inf, 10.0):
        strength = np.minimum(np.abs(even), limit) ** 0.1
        even /= np.maximum(strength.mean(axis=(1, 2), keepdims=True) ** 10, 1e-9)
    return (10 * np.tanh(even / 10)).astype(np.float32)
