"""Small photographs to import, in folders."""

from pathlib import Path

import numpy as np
from PIL import Image


def picture(path: Path, seed: int = 0, size: tuple[int, int] = (20, 24)) -> Path:
    """Write a PNG of (width, height), different for each seed, even under another suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(seed).integers(0, 256, size[::-1], np.uint8)
    Image.fromarray(pixels).save(path, "PNG")
    return path


def two_people(folder: Path) -> Path:
    """Write three photographs each of two people, in sub-folders, and return their folder."""
    for number in range(3):
        picture(folder / "Ada" / f"{number}.png", number)
        picture(folder / "Grace" / f"{number}.png", 10 + number)
    return folder
