"""Pictures of no face, drawn or from `skimage.data`, as crops of the sample's size."""

import numpy as np
from astronaut import EYES, grey
from PIL import Image, ImageDraw
from skimage import data

from eigenfaces.faces.prepare import crop_at
from eigenfaces.sample import PREPARATION, SHAPE
from eigenfaces.space.arrays import Floats


def emblem() -> Image.Image:
    """Return a drawn shield with a star on it."""
    picture = Image.new("L", (276, 336), 230)
    draw = ImageDraw.Draw(picture)
    draw.polygon([(30, 40), (246, 40), (246, 180), (138, 310), (30, 180)], fill=60, outline=20)
    star = np.exp(1j * (np.pi / 5 * np.arange(10) - np.pi / 2)) * np.tile((85, 35), 5)
    draw.polygon([(138 + z.real, 140 + z.imag) for z in star.tolist()], fill=210)
    return picture


def nonfaces() -> dict[str, Floats]:
    """Return crops (h, w) of everything that is no face, by name."""
    noise = np.random.default_rng(0).random(SHAPE, np.float32)
    names = ("coffee", "text", "brick", "grass", "coins")
    pictures = {name: Image.fromarray(getattr(data, name)()).convert("L") for name in names}
    pictures["emblem"] = emblem()
    crops = {name: PREPARATION.crop(grey(picture)) for name, picture in pictures.items()}
    upside_down = np.clip(crop_at(grey(), EYES, SHAPE), 0, 1)[::-1].copy()
    flat = np.full(SHAPE, 0.5, np.float32)
    return crops | {"noise": noise, "flat": flat, "a face upside down": upside_down}
