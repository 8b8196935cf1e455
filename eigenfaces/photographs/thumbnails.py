"""Photographs as they are shown: in colour where their files are, upright, no larger than seen."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image, ImageOps

from eigenfaces.arrays import Bytes
from eigenfaces.photographs.decoding import decode

LARGEST = 1400
"""Pixels of the longer side of a photograph that fills the clinic."""

SMALL = 160
"""Pixels of the longer side of a photograph among the others."""


def colours(content: bytes, longest: int, turned: int = 0) -> Bytes:
    """Return a photograph that `decode` accepts as (h, w, 3), after quarter turns clockwise."""
    try:
        image = _in_colour(content, longest)
    except Exception:  # depths and modes that are no colours are shown as faces are cut from them
        grey = np.rint(decode(content, longest) * 255).astype(np.uint8)
        image = Image.fromarray(grey).convert("RGB")
    image.thumbnail((longest, longest))
    return np.rot90(np.asarray(image), -turned)


def _in_colour(content: bytes, longest: int) -> Image.Image:
    with Image.open(BytesIO(content)) as image:
        if image.mode not in ("L", "P", "RGB", "RGBA", "CMYK", "YCbCr"):
            raise ValueError(image.mode)
        image.draft(None, (longest, longest))
        upright = ImageOps.exif_transpose(image)
        if upright.has_transparency_data:
            upright = upright.convert("RGBA")
            upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright)
        return upright.convert("RGB")


def compressed(content: bytes, turned: int = 0) -> bytes:
    """Return a small copy of a photograph as JPEG: thousands are kept."""
    file = BytesIO()
    Image.fromarray(colours(content, SMALL, turned)).save(file, "JPEG", quality=82)
    return file.getvalue()
