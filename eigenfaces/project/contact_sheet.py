"""Several pictures with captions, as one picture for a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Tile = tuple[NDArray[np.uint8], str]
"""A picture, (h, w) grey or (h, w, 3) colours, and its caption."""

_SMALLEST_SIDE = 90
_PAPER, _INK = "white", "#1A1E24"


def contact_sheet(tiles: Sequence[Tile], columns: int) -> Image.Image:
    """Return pictures of equal size in rows; small ones are enlarged, so that captions fit."""
    height, width = tiles[0][0].shape[:2]
    zoom = max(1, -(-_SMALLEST_SIDE // width))
    height, width = zoom * height, zoom * width
    size = max(11, width // 8)
    font = ImageFont.load_default(size)
    gap, line = max(6, width // 16), round(1.7 * size)
    columns = min(columns, len(tiles))
    rows = -(-len(tiles) // columns)
    whole = gap + columns * (width + gap), gap + rows * (height + line + gap)
    sheet = Image.new("RGB", whole, _PAPER)
    drawing = ImageDraw.Draw(sheet)
    for place, (picture, caption) in enumerate(tiles):
        left = gap + place % columns * (width + gap)
        top = gap + place // columns * (height + line + gap)
        drawn = Image.fromarray(np.ascontiguousarray(picture)).resize(
            (width, height), Image.Resampling.NEAREST
        )
        sheet.paste(drawn, (left, top))
        middle = (left + width / 2, top + height + line / 2)
        drawing.text(middle, caption, _INK, font, anchor="mm")
    return sheet
