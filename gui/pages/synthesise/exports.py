"""The files that the Synthesise page writes: the face, its scores, the morph."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtWidgets import QMenu

from eigenfaces.csv_files import as_table
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.project.exports import grey_levels, save_grey
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread

_FRAMES, _FRAME_MS, _END_MS = 25, 60, 800
_WIDE = 240  # px; smaller faces are enlarged for the animation


def export_menu(
    page: Page, face: SyntheticFace, ends: tuple[SyntheticFace, SyntheticFace]
) -> QMenu:
    """Return the menu with the files about one face."""
    menu = QMenu("Export", page)
    for words, file, write in (
        ("The face as a picture…", "nobody.png", partial(_write_face, face=face)),
        ("Its scores as a table…", "nobody.csv", partial(write_scores, face=face)),
        ("The morph as an animation…", "morph.gif", partial(write_morph, ends=ends)),
    ):
        menu.addAction(words).triggered.connect(
            partial(save_in_thread, page.session, page, file, write)
        )
    return menu


def _write_face(path: Path, face: SyntheticFace) -> None:
    save_grey(path, face.pixels)


def write_scores(path: Path, face: SyntheticFace) -> None:
    """Write one line for each component: its score in standard deviations, and the coordinate."""
    rows = (
        (number, float(score), float(coordinate))
        for number, (score, coordinate) in enumerate(
            zip(face.scores, face.coordinates, strict=True), 1
        )
    )
    heading = ("component", "score", "coordinate")
    path.write_text(as_table(heading, rows), "utf-8", newline="")


def write_morph(path: Path, ends: tuple[SyntheticFace, SyntheticFace]) -> None:
    """Write the way from A to B and back as an animated GIF that rests at both."""
    a, b = ends
    there = [a.towards(b, float(share)) for share in np.linspace(0, 1, _FRAMES)]
    frames = [_frame(face) for face in (*there, *there[-2:0:-1])]
    durations = [_FRAME_MS] * len(frames)
    durations[0] = durations[_FRAMES - 1] = _END_MS
    frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)


def _frame(face: SyntheticFace) -> Image.Image:
    frame = Image.fromarray(grey_levels(face.pixels))
    zoom = -(-_WIDE // frame.width)
    return frame.resize((zoom * frame.width, zoom * frame.height), Image.Resampling.BICUBIC)
