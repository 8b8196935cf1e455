"""Small copies of photographs for display: upright, and in colour if the file is."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image

from eigenfaces.arrays import Bytes
from eigenfaces.photographs.decoding import decode_upright

LARGEST = 1400
"""Pixels of the longer side of a photograph that fills the editor."""

SMALL = 160
"""Pixels of the longer side of a photograph among the others."""


def colours(content: bytes, longest: int, turned: int = 0) -> Bytes:
    """Return a photograph that `decode` accepts as (h, w, 3), after quarter turns clockwise."""
    return np.rot90(decode_upright(content, longest).colours(longest), -turned)


def compressed(picture: Bytes) -> bytes:
    """Return a small copy of a photograph (h, w, 3) as JPEG: thousands are kept in memory."""
    file = BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=82)
    return file.getvalue()
