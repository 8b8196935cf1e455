"""Make the pictures of the README and the manual.

::

    python tests/tools/screenshots.py SMALL --size 900x600 --people PEOPLE
    python tests/tools/screenshots.py LARGE --size 1280x800 --people PEOPLE
    python tests/tools/manual_pictures.py SMALL LARGE

The manual shows parts of small windows, at the width at which Help shows pictures. The faces are
those of the sample, of scikit-image’s astronaut, and of the people in the folder PEOPLE. Without
the two folders of screenshots, only pictures that no window shows are drawn: faces in rows, charts
of the manual’s own tables, and what the chapters about Python and the command line produce.
"""

from __future__ import annotations

import argparse
import io
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from PIL import Image
from skimage import data
from skimage.feature import hog
from skimage.transform import SimilarityTransform, warp

from eigenfaces import (
    EvaluationSetting,
    FirstPhotos,
    Gallery,
    Preparation,
    Recipe,
    evaluate,
    load_face,
    load_sample,
)
from eigenfaces.evaluation.controls import cover_faces
from eigenfaces.faces.detect import find_faces
from eigenfaces.faces.lighting import Lighting, even_light
from eigenfaces.manual.sections import read
from eigenfaces.project.exports import grey_levels, signed_levels
from eigenfaces.report.figure import ACCENT, SERIES, lay_out, render, styled
from eigenfaces.report.plots import plots_of
from eigenfaces.sample import PREPARATION

ASSETS = Path(__file__).resolve().parents[2] / "assets"

_WIDTH = 620
"""The largest width of a picture in the manual, in pixels."""

_COLOURS = 64
"""The number of colours in windows and charts; these are saved without loss."""

_QUALITY = 85
"""The quality of WebP for pictures that are mostly faces."""

_FACES = {
    *("people", "recognise", "group", "aligned", "lighting", "components", "sheet", "covered"),
    *("sample", "terms-face", "terms-space", "perturbed", "cut", "rebuilt"),
    *("python-components", "python-edges", "adding", "editor", "eigenfaces", "reconstruct"),
    *("synthesise", "map", "unknown", "no-face"),
}
"""Names of the pictures that show many shades of grey, or photographs in colour."""

_PAGE = (64, 56, 888, 556)
_PHOTO = (318, 110, 880, 550)  # of Recognise, without the list
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
"""For each picture of the manual: the name of the small screenshot, and the part to cut out."""

_LARGE_PARTS = {"group": ("recognise-colour", (456, 222, 928, 613))}

_README = ("recognise-colour", "import", "eigenfaces", "evaluate", "lessons-variance")
_TOUR = (
    *("welcome", "import", "people-colour", "recognise-colour", "recognise-why"),
    *("eigenfaces", "reconstruct", "synthesise", "map", "evaluate", "lessons-variance"),
)
"""The pages in the animated picture of the README, one second each."""


def main() -> None:
    """Write the pictures into ``assets``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("small", type=Path, nargs="?", help="folder of screenshots of 900x600")
    parser.add_argument("large", type=Path, nargs="?", help="folder of screenshots of 1280x800")
    arguments = parser.parse_args()
    for draw in (_drawn, _terms, _charts, _of_python, _of_commands):
        for name, picture in draw().items():
            _save(name, picture)
    if arguments.large is None:
        return
    for folder, parts in ((arguments.small, _PARTS), (arguments.large, _LARGE_PARTS)):
        for name, (source, box) in parts.items():
            with Image.open(folder / f"{source}-light.png") as screenshot:
                _save(name, screenshot.convert("RGB").crop(box))
    for name in _README:
        with Image.open(arguments.large / f"{name}-light.png") as screenshot:
            few = screenshot.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            few.save(ASSETS / "screenshots" / f"{name}-light.png", optimize=True)
    _write_tour(arguments.large)


def _save(name: str, picture: Image.Image) -> None:
    picture.thumbnail((_WIDTH, 2 * _WIDTH), Image.Resampling.LANCZOS)
    path = ASSETS / "manual" / "pictures" / f"{name}.webp"
    if name in _FACES:
        picture.save(path, quality=_QUALITY, method=6)
    else:  # no line of a chart may lose its colour
        few = picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.convert("RGB").save(path, lossless=True, quality=100, method=6)


def _write_tour(folder: Path) -> None:
    """Write the animated picture of the README."""
    pages = [Image.open(folder / f"{name}-light.png").convert("RGB") for name in _TOUR]
    frames = [page.resize((960, 600), Image.Resampling.LANCZOS) for page in pages]
    path = ASSETS / "screenshots" / "tour.webp"
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=1000, loop=0, quality=80, method=6
    )


def _drawn() -> dict[str, Image.Image]:
    """Return rows of faces, by the names of the pictures."""
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
        "perturbed": _perturbed(grey_levels(faces.image(10))),
    }


def _perturbed(face: NDArray[np.uint8]) -> Image.Image:
    """Return a face, the face moved, scaled and turned, and these pictures found and aligned."""
    height, width = face.shape
    middle = np.array([width, height]) / 2
    pictures = [face]
    for right, down, growth, turn in ((0.1, 0.1, 1, 0), (0, 0, 0.9, 0), (0, 0, 1, 10)):
        move = (
            SimilarityTransform(translation=-middle)
            + SimilarityTransform(scale=growth, rotation=math.radians(turn))
            + SimilarityTransform(translation=middle * (1 + 2 * np.array([right, down])))
        )
        moved = warp(face / 255, move.inverse, order=3, mode="edge").astype(np.float32)
        pictures.append(grey_levels(moved))
    aligned = [_aligned(Image.fromarray(picture)) for picture in pictures]
    return _side_by_side([*pictures, *aligned])


def _terms() -> dict[str, Image.Image]:
    """Return the pictures of the glossary: a face, a face space, and the errors of a threshold."""
    photo = Image.fromarray(data.astronaut()).crop((90, 0, 350, 260))
    found = find_faces(np.asarray(photo.convert("L"), np.float32) / np.float32(255))[0]
    faces = load_sample()
    space = Gallery(faces, PREPARATION, Recipe()).train().trained.space
    face, few = faces.pixels[:1], space.first(50)
    rebuilt = few.reconstruct(few.project(face))
    mean, residual = space.mean, face[0] - rebuilt[0]

    def marked(axes: Any) -> None:
        left, top, size = found.box
        axes.add_patch(Rectangle((left, top), size, size, fill=False, color=ACCENT, linewidth=2))
        axes.plot(*zip(found.eyes.left, found.eyes.right, strict=True), "+", color="w", ms=14)

    grey = [grey_levels(part.reshape(faces.shape)) for part in (face, mean, rebuilt)]
    signed = [space.components[0], space.components[1], residual]
    signs = [signed_levels(part.reshape(faces.shape))[0] for part in signed]
    shown = {
        "photograph, with\nthe box and the eyes": np.asarray(photo),
        "face: cropped,\nupright, grey": _aligned(photo),
    }
    space_shown = {
        "face": grey[0],
        "mean face": grey[1],
        "component 1": signs[0],
        "component 2": signs[1],
        "reconstruction\n(k = 50)": grey[2],
        "residual": signs[2],
    }
    result = evaluate(faces, EvaluationSetting(Recipe(), FirstPhotos(5)))
    (distances,) = (plot for plot in plots_of(result) if plot.stem == "distances")
    (png,) = render(replace(distances, size=(4.2, 1.9)), "png")
    return {
        "terms-face": _labelled(shown, (4.2, 2.4), {0: marked}),
        "terms-space": _labelled(space_shown, (6.2, 1.6), {}),
        "terms-threshold": Image.open(io.BytesIO(png)).convert("RGB"),
    }


def _labelled(
    pictures: dict[str, NDArray[Any]],
    size: tuple[float, float],
    marks: dict[int, Callable[[Any], None]],
) -> Image.Image:
    """Return pictures in a row, each with its label below; ``marks`` draws on a picture."""
    with styled():
        figure = Figure(figsize=size)
        widths = [picture.shape[1] / picture.shape[0] for picture in pictures.values()]
        every = figure.subplots(1, len(pictures), width_ratios=widths)
        for number, (axes, words) in enumerate(zip(every, pictures, strict=True)):
            axes.imshow(pictures[words], cmap="gray", vmin=0, vmax=255)
            axes.set_xlabel(words)
            axes.set(xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            marks.get(number, lambda _: None)(axes)
        return _picture(figure)


def _picture(figure: Figure) -> Image.Image:
    """Return a figure in the width of the manual."""
    lay_out(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=2 * _WIDTH / figure.get_figwidth())
    return Image.open(buffer).convert("RGB")


def _rows(chapter: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table below some words of a chapter, its heading first."""
    table = read(chapter).split(heading)[1].split("\n\n|")[1].split("\n\n")[0]
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.split("\n")]
    return [rows[0], *rows[2:]]


def _charts() -> dict[str, Image.Image]:
    """Return charts of the figures in the manual’s own tables."""
    steps, *sizes = _rows("measured_speed", "From 400 to")
    photos, *recipes = _rows("measured_figures", "How few")
    with styled():
        times = Figure(figsize=(6.2, 2.6))
        axes = times.add_subplot()
        for step, colour in ((1, SERIES[6][0]), (2, ACCENT), (3, SERIES[0][0])):
            seconds = [float(row[step].removesuffix(" s")) for row in sizes]
            places = np.arange(len(sizes)) + 0.27 * (step - 2)
            bars = axes.barh(places, seconds, 0.25, color=colour, label=steps[step])
            axes.bar_label(bars, [row[step] for row in sizes], padding=3, fontsize=7.5)
        axes.set_yticks(range(len(sizes)), [row[0] for row in sizes])
        axes.set(xscale="log", xlim=(0.02, 200), xlabel="seconds (logarithmic scale)")
        axes.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
        axes.invert_yaxis()
        axes.legend(loc="upper right")
        few = Figure(figsize=(6.2, 2.4))
        axes = few.add_subplot()
        looks = ((ACCENT, (1, 0)), *SERIES)
        for name, *cells in recipes:
            colour, dashes = looks[recipes.index([name, *cells])]
            figures = [re.findall(r"[\d.]+", cell) for cell in cells[:4]]
            counts = [int(count) for count in photos[1:5]]
            values = [float(numbers[0]) for numbers in figures]
            axes.plot(counts, values, "o", ls=(0, dashes), color=colour, ms=4, label=name)
        axes.set_xticks([1, 2, 3, 5])
        axes.set(xlabel="photographs of each person enrolled", ylabel="rank-1, %", ylim=(60, 102))
        axes.legend(loc="lower right")
        return {"times": _picture(times), "few-photographs": _picture(few)}


def _of_python() -> dict[str, Image.Image]:
    """Return pictures of the values that the code in the chapter about Python makes."""
    blocks = re.findall(r"^```python\n(.*?)^```", read("from_python"), re.DOTALL | re.MULTILINE)
    made: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()):
        for block in blocks:
            exec(block, made)
            if "eigenfaces__n_components" in block:
                tried = made["search"]
    shape, row = (56, 46), made["X"][0]
    model = tried.best_estimator_["eigenfaces"]
    parts = {"mean_": grey_levels(model.mean_.reshape(shape))}
    for number, component in enumerate(model.components_[:5]):
        parts[f"components_[{number}]"] = signed_levels(component.reshape(shape))[0]
    _, directions = hog(row.reshape(shape), pixels_per_cell=(8, 8), visualize=True)
    brightest = (255 * np.sqrt(directions / directions.max())).astype(np.uint8)
    edges = {"a row of X, as a picture": grey_levels(row.reshape(shape))}
    edges["directions of edges in each cell"] = brightest
    with styled():
        grid = Figure(figsize=(6.2, 1.9))
        axes = grid.add_subplot()
        found = tried.cv_results_
        names = [
            f"{values['eigenfaces__n_components']}, {values['kneighborsclassifier__metric']}"
            for values in found["params"]
        ]
        best = [ACCENT if rank == 1 else SERIES[6][0] for rank in found["rank_test_score"]]
        bars = axes.barh(names, found["mean_test_score"], 0.7, color=best)
        axes.bar_label(bars, fmt="%.2f", padding=3)
        axes.set(xlabel="mean score on the held-out folds", xlim=(0, 1.1))
        axes.invert_yaxis()
        chart = _picture(grid)
    return {
        "python-components": _labelled(parts, (6.2, 1.5), {}),
        "python-grid": chart,
        "python-edges": _labelled(edges, (4.2, 2.3), {}),
    }


def _of_commands() -> dict[str, Image.Image]:
    """Return pictures that commands of the program write."""

    def run(*words: str) -> None:
        command = [sys.executable, "-m", "eigenfaces", *words]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)

    def opened(name: str) -> Image.Image:
        return Image.open(folder / name).convert("RGB")

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "album").mkdir()
        portrait = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250))
        portrait.save(folder / "album" / "portrait.png")
        portrait.point(lambda grey: grey // 6).save(folder / "album" / "evening.png")
        run("faces", "album", "-o", "cut")
        albums = [folder / "album" / f"{name}.png" for name in ("portrait", "evening")]
        small = [np.asarray(Image.open(path).resize((112, 112))) for path in albums]
        cut = [np.asarray(Image.open(path)) for path in sorted(folder.glob("cut/**/*.png"))]
        run("build", "--sample", "-o", "people.eigenfaces", "--recipe", "eigenfaces")
        Image.fromarray(grey_levels(load_sample().image(48))).save(folder / "new.png")
        run("reconstruct", "people.eigenfaces", "new.png", "-k", "50", "-o", "rebuilt.png")
        run("synthesise", "people.eigenfaces", "--score", "1=-0.9", "-o", "nobody.png")
        run("lesson", "variance", "--set", "angle=12", "-o", "variance.png")
        run("lesson", "rotation", "--set", "k=10", "--on", "digits", "-o", "rotation.png")
        return {
            "cut": _side_by_side([*small, *reversed(cut)]),
            "rebuilt": _side_by_side(
                [np.asarray(opened(f"{name}.png")) for name in ("new", "rebuilt", "nobody")]
            ),
            "variance": opened("variance.png"),
            "rotation": opened("rotation.png"),
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
