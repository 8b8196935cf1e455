"""The files that the Reconstruct page writes: a strip, an animation, the curve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QMenu

from eigenfaces.csv_files import as_table
from eigenfaces.project.contact_sheet import Tile, contact_sheet
from eigenfaces.project.exports import grey_levels
from eigenfaces.recognition.reconstruction import GREY_LEVELS, Reconstruction
from gui.charts import Chart, export_png, export_svg
from gui.pages.reconstruct.pictures import RESIDUAL_LIMIT
from gui.style.images import rgb_array, signed_image
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread, save_now

_FRAMES, _FRAME_MS, _LAST_MS = 48, 90, 1600


def export_menu(page: Page, shown: Reconstruction, k: int, chart: Chart) -> QMenu:
    """Return the menu with the pictures of one face, and its error curve."""
    stem = re.sub(r"[^\w ]+", " ", shown.name.rsplit(".", 1)[0])
    stem = " ".join(stem.split()) or "face"
    menu = QMenu("Export", page)
    for words, file, write in (
        ("Strip of pictures…", "strip.png", partial(write_strip, shown=shown, k=k)),
        ("Animation…", "animation.gif", partial(write_animation, shown=shown)),
        ("Error curve as a table…", "error.csv", partial(write_curve, shown=shown)),
    ):
        menu.addAction(words).triggered.connect(
            partial(save_in_thread, page.session, page, f"{stem} {file}", write)
        )
    menu.addSeparator()
    for words, file, draw in (
        ("Error curve as a drawing…", "error.svg", export_svg),
        ("Error curve as a picture…", "error.png", export_png),
    ):
        menu.addAction(words).triggered.connect(
            partial(save_now, page.session, page, f"{stem} {file}", partial(draw, chart))
        )
    return menu


def residual_picture(shown: Reconstruction, rebuilt: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the picture of original − reconstruction, (h, w, 3)."""
    return rgb_array(signed_image(shown.residual(rebuilt), RESIDUAL_LIMIT / GREY_LEVELS))


def write_strip(path: Path, shown: Reconstruction, k: int) -> None:
    """Write the original, the milestones, and the residual at k, in one row, as PNG."""
    tiles: list[Tile] = [(grey_levels(shown.original), shown.seen_as.lower())]
    tiles += [(grey_levels(shown.rebuilt(each)), f"k = {each}") for each in shown.milestones]
    tiles.append((residual_picture(shown, shown.rebuilt(k)), f"residual, {k}"))
    contact_sheet(tiles, len(tiles)).save(path, "PNG")


def write_animation(path: Path, shown: Reconstruction) -> None:
    """Write the face with more and more components, as an animated GIF."""
    ks = frame_ks(shown.most)
    frames = [
        contact_sheet(
            [
                (grey_levels(shown.original), shown.seen_as.lower()),
                (grey_levels(shown.rebuilt(k)), f"k = {k}"),
            ],
            2,
        ).convert("L")
        for k in ks
    ]
    durations = [_FRAME_MS] * (len(ks) - 1) + [_LAST_MS]
    frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)


def frame_ks(most: int) -> Sequence[int]:
    """Return the k of the frames: every k at first, then with growing steps.

    >>> frame_ks(3)
    [0, 1, 2, 3]
    """
    spread = np.geomspace(1, most + 1, _FRAMES) - 1
    return sorted({int(k) for k in np.rint(spread)} | {0, most})


def write_curve(path: Path, shown: Reconstruction) -> None:
    """Write relative error and energy kept for every k as CSV."""
    measured = enumerate(zip(shown.errors, shown.energy, strict=True))
    rows = ((k, error, kept) for k, (error, kept) in measured)
    heading = ("components", "relative_error", "energy_kept")
    path.write_text(as_table(heading, rows), "utf-8", newline="")
