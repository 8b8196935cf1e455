"""Make the pictures of the README and the manual from what ``screenshots.py`` has rendered.

::

    python tests/tools/screenshots.py SMALL --size 900x600 --people PEOPLE
    python tests/tools/screenshots.py LARGE --size 1280x800 --people PEOPLE
    python tests/tools/manual_pictures.py SMALL LARGE

The manual shows parts of small windows, as wide as Help shows a picture. It shows faces of the
sample, which the program comes with, and of the people given.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from eigenfaces import Gallery, Preparation, Recipe, load_face, load_sample
from eigenfaces.evaluation.controls import cover_faces
from eigenfaces.faces.lighting import Lighting, even_light
from eigenfaces.project.exports import grey_levels, signed_levels
from eigenfaces.sample import PREPARATION

ASSETS = Path(__file__).resolve().parents[2] / "assets"

_WIDTH, _COLOURS = 620, 64
"""How wide pictures of the manual are at most, in pixels, and how many colours they have."""

_PHOTOGRAPHS = ("people", "recognise", "group", "aligned")
"""Which of them show photographs in colour: these have 256."""

_PAGE = (64, 56, 888, 556)
_PHOTO = (318, 110, 880, 550)  # of Recognise: without its list
_PARTS = {
    "people": ("people-colour", _PAGE),
    "adding": ("import", (0, 0, 876, 576)),
    "recognise": ("recognise-colour", _PAGE),
    "eigenfaces": ("eigenfaces", _PAGE),
    "reconstruct": ("reconstruct", _PAGE),
    "synthesise": ("synthesise", _PAGE),
    "map": ("map", _PAGE),
    "editor": ("photo-editor", (0, 0, 876, 576)),
    "unknown": ("recognise-unknown", _PHOTO),
    "no-face": ("recognise-no-face", _PHOTO),
    "why": ("recognise-why-whole", (318, 107, 880, 716)),
    "limit": ("recognise-why-whole", (318, 1063, 880, 1372)),
    "two-distances": ("recognise-why-whole", (318, 1382, 880, 1750)),
    "evaluate": ("evaluate-whole", (84, 470, 882, 848)),
    "evaluate-k": ("evaluate-whole", (84, 855, 882, 1122)),
    "roc": ("evaluate-whole", (84, 1130, 882, 1396)),
    "comparing": ("evaluate-comparing-whole", (84, 420, 882, 660)),
    "patches": ("lessons-natural-images", (84, 112, 530, 440)),
}
"""Pictures of the manual: of which small one, and from where to where."""

_LARGE_PARTS = {"group": ("recognise-colour", (456, 222, 928, 613))}

_README = ("recognise-colour", "import", "eigenfaces", "evaluate", "lessons-variance")
_TOUR = (
    *("welcome", "import", "people-colour", "recognise-colour", "recognise-why"),
    *("eigenfaces", "reconstruct", "synthesise", "map", "evaluate", "lessons-variance"),
)
"""What the README shows, one after another, each for a second."""


def main() -> None:
    """Write all pictures into ``assets``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("small", type=Path, help="folder of screenshots of 900x600")
    parser.add_argument("large", type=Path, help="folder of screenshots of 1280x800")
    arguments = parser.parse_args()
    for folder, parts in ((arguments.small, _PARTS), (arguments.large, _LARGE_PARTS)):
        for name, (source, box) in parts.items():
            with Image.open(folder / f"{source}-light.png") as screenshot:
                _save(name, screenshot.convert("RGB").crop(box))
    for name, picture in _drawn().items():
        _save(name, picture)
    for name in _README:
        with Image.open(arguments.large / f"{name}-light.png") as screenshot:
            few = screenshot.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            few.save(ASSETS / "screenshots" / f"{name}-light.png", optimize=True)
    _write_tour(arguments.large)


def _save(name: str, picture: Image.Image) -> None:
    picture.thumbnail((_WIDTH, 2 * _WIDTH), Image.Resampling.LANCZOS)
    if name in _PHOTOGRAPHS:
        few = picture.quantize(256)
    else:  # so that no line of a chart loses its colour
        few = picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(ASSETS / "manual" / "pictures" / f"{name}.png", optimize=True)


def _write_tour(folder: Path) -> None:
    """Write what the README shows as one animated picture."""
    pages = [Image.open(folder / f"{name}-light.png").convert("RGB") for name in _TOUR]
    frames = [page.resize((960, 600), Image.Resampling.LANCZOS) for page in pages]
    path = ASSETS / "screenshots" / "tour.webp"
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=1000, loop=0, quality=80, method=6
    )


def _drawn() -> dict[str, Image.Image]:
    """Return pictures of the manual that no page shows, by their names."""
    faces = load_sample()
    gallery = Gallery(faces, PREPARATION, Recipe()).train()
    space = gallery.trained.space
    face = faces.image(0)
    shadow = np.linspace(1.1, 0.15, faces.shape[1], dtype=np.float32)
    in_each_light = [even_light(face[None] * shadow, light)[0] for light in get_args(Lighting)]
    rebuilt = [
        few.reconstruct(few.project(faces.pixels[:1]))[0].reshape(faces.shape)
        for few in map(space.first, (0, 10, 50, 190))
    ]
    components = [part.reshape(faces.shape) for part in space.components[:5]]
    astronaut = Image.fromarray(data.astronaut())
    turned = [
        astronaut.rotate(turn, Image.Resampling.BICUBIC, center=(225, 120)).crop(
            (120, 20, 330, 230)
        )
        for turn in (25, 0, -25)
    ]
    aligned = [_aligned(photo) for photo in turned]
    small = [np.asarray(photo.resize((112, 112))) for photo in turned]
    return {
        "lighting": _side_by_side([grey_levels(image) for image in in_each_light]),
        "components": _side_by_side([grey_levels(image) for image in (*rebuilt, face)]),
        "sheet": _side_by_side(
            [
                grey_levels(space.mean.reshape(faces.shape)),
                *(signed_levels(component)[0] for component in components),
            ]
        ),
        "covered": _side_by_side(
            [grey_levels(cover_faces(faces).image(row)) for row in range(0, 60, 10)]
        ),
        "sample": _side_by_side([grey_levels(faces.image(row)) for row in range(0, 400, 70)]),
        "aligned": _side_by_side([*small, *aligned]),
    }


def _aligned(photo: Image.Image) -> NDArray[np.uint8]:
    with tempfile.TemporaryDirectory() as folder:
        photo.save(Path(folder, "photo.png"))
        return grey_levels(load_face(Path(folder, "photo.png"), Preparation()))


def _side_by_side(pictures: list[NDArray[np.uint8]]) -> Image.Image:
    """Return pictures (h, w) or (h, w, 3) in a row on white, their upper edges in line."""
    images = [Image.fromarray(picture) for picture in pictures]
    width = sum(image.width + 8 for image in images) - 8
    row = Image.new("RGB", (width, max(image.height for image in images)), "white")
    left = 0
    for image in images:
        row.paste(image, (left, 0))
        left += image.width + 8
    return row


if __name__ == "__main__":
    main()
