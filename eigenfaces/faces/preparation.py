"""How a photograph becomes a face crop: a saved value, the same for the gallery and every probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PIL import Image

from eigenfaces.faces.alignment import crop_at, standard_eyes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats
from eigenfaces.text import OneOf, Whole, YesOrNo, check_fields

Fit = Literal["fill", "fit", "stretch"]

_SMALLEST, _LARGEST = 16, 512
_REFUSAL = f"A face must be {_SMALLEST} to {_LARGEST} pixels high and wide, in whole pixels."

HEIGHT, WIDTH = (
    Whole(
        name=name,
        label=f"{name.capitalize()} of a face",
        about=f"{name.capitalize()} of every face",
        why=f"Width × height in pixels, {_SMALLEST} to {_LARGEST}. Larger faces show more and take "
        "longer.",
        metavar="PIXELS",
        least=_SMALLEST,
        most=_LARGEST,
        refusal=_REFUSAL,
    )
    for name in ("height", "width")
)
FIT = OneOf(
    name="fit",
    label="Another aspect ratio",
    noun="aspect policy",
    about="A photograph of another shape is cut to fill, set on grey, or stretched",
    choices={
        "fill": "The face covers the crop, and what sticks out is cut off.",
        "fit": "The whole photo is shown, on mid-grey.",
        "stretch": "The whole photo fills the crop, distorted.",
    },
)
ALREADY_CROPPED = YesOrNo(
    name="already_cropped",
    label="Photographs are",
    about="Photographs are faces already: search for none",
    choices={
        "Ordinary": "The face in each photo is found and aligned: turned and scaled until the eyes "
        "lie at the same places as in all others. So faces are compared, and not how they were "
        "photographed.",
        "Cut already": "Every photo is a face already and is only brought to one size. Nothing is "
        "looked for; where the eyes were set by hand or read from a file, the face is cut there "
        "all the same.",
    },
    refusal="Say whether photographs are cropped already as yes or no.",
)


@dataclass(frozen=True)
class Preparation:
    """How a photograph becomes a face crop: geometry only, saved with the gallery.

    Parameters
    ----------
    height, width
        Size of every face, pixels.
    fit
        What happens if an already cropped photograph has another aspect ratio: ``fill`` covers the
        crop and cuts off the rest, ``fit`` shows the whole photograph on mid-grey, ``stretch``
        distorts it.
    already_cropped
        Photographs are faces already: no detection, but a placement of a photograph is used.
    """

    height: int = 112
    width: int = 92
    fit: Fit = "fill"
    already_cropped: bool = False

    def __post_init__(self) -> None:
        check_fields(self, (HEIGHT, WIDTH, FIT, ALREADY_CROPPED))

    @property
    def shape(self) -> tuple[int, int]:
        """(h, w) of every face."""
        return self.height, self.width

    @property
    def aligned_eyes(self) -> Eyes:
        """Where the eyes lie in the crop of every aligned face."""
        return standard_eyes(self.shape)

    @property
    def eye_distance(self) -> float:
        """Pixels between the eyes of every aligned face."""
        return self.aligned_eyes.distance

    def standard(self, eyes: Eyes) -> Eyes:
        """Return the eyes of the standard crop that covers the same part of a photograph."""
        return eyes

    def crop(self, grey: Floats, eyes: Eyes | None = None) -> Floats:
        """Return the face (h, w) of a grey photograph (H, W), in whole 8-bit grey levels / 255.

        Given eyes are moved to their standard positions. Without eyes, the whole photograph is the
        face; it stays unchanged if it already has this size.
        """
        if eyes is not None:
            return _levels(crop_at(grey, self.standard(eyes), self.shape))
        size = (self.width, self.height)
        image = Image.fromarray(np.ascontiguousarray(grey, np.float32))
        if image.size == size:
            resized = image
        elif self.fit == "stretch":
            resized = image.resize(size, Image.Resampling.LANCZOS)
        elif self.fit == "fill":
            resized = image.resize(
                size, Image.Resampling.LANCZOS, box=self._covered_box(image.size)
            )
        else:
            resized = self._on_grey(image)
        return _levels(np.asarray(resized))

    def _covered_box(self, size: tuple[int, int]) -> tuple[float, float, float, float]:
        """Return the largest centred box of the crop's aspect ratio: left, top, right, bottom."""
        scale = min(size[0] / self.width, size[1] / self.height)
        half_width, half_height = scale * self.width / 2, scale * self.height / 2
        x, y = size[0] / 2, size[1] / 2
        left, top = (
            max(0.0, x - half_width),
            max(0.0, y - half_height),
        )  # never below 0
        return left, top, size[0] - left, size[1] - top

    def _on_grey(self, image: Image.Image) -> Image.Image:
        scale = min(self.width / image.width, self.height / image.height)
        inner = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        canvas = Image.new("F", (self.width, self.height), 0.5)
        corner = (self.width - inner[0]) // 2, (self.height - inner[1]) // 2
        canvas.paste(image.resize(inner, Image.Resampling.LANCZOS), corner)
        return canvas


def _levels(crop: Floats) -> Floats:
    return (np.rint(np.clip(crop, 0, 1) * 255) / 255).astype(np.float32)
