"""The files that the bench writes: its curves as tables and as pictures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from eigenfaces.laboratory.breaking.bench import PhotoCurve, curve_table
from eigenfaces.laboratory.breaking.withstanding import withstood_table
from gui.charts import export_png
from gui.pages.recognise.bench.curves import PhotoCard, WholeCard
from gui.pages.recognise.bench.running import Withstanding
from gui.widgets.page import Page
from gui.widgets.saving import save_now


def export_menu(page: Page, photo: PhotoCard, whole: WholeCard, measured: Withstanding) -> QMenu:
    """Return the menu: both curves as a table and as a picture; what is not there is greyed."""
    menu = QMenu("Export curves", page)
    curve = photo.curve
    drawn = whole.name in measured.found
    for words, file, there, write in (
        ("This photo as a table…", "broken photo.csv", curve, partial(_write_curve, curve)),
        ("This photo as a picture…", "broken photo.png", curve, partial(export_png, photo.chart)),
        (
            "All that is measured on the gallery as a table…",
            "withstood.csv",
            measured.found,
            partial(_write_withstood, measured),
        ),
        (
            "The gallery’s curves as a picture…",
            "withstood.png",
            drawn,
            partial(export_png, whole.chart),
        ),
    ):
        action = menu.addAction(words)
        action.setEnabled(bool(there))
        action.triggered.connect(partial(save_now, page.session, page, file, write))
    return menu


def _write_curve(curve: PhotoCurve | None, path: Path) -> None:
    if curve is not None:
        path.write_text(curve_table(curve), "utf-8", newline="")


def _write_withstood(measured: Withstanding, path: Path) -> None:
    path.write_text(withstood_table(list(measured.found.values())), "utf-8", newline="")
