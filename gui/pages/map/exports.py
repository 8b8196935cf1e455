"""The files that the Map page writes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from eigenfaces.laboratory.maps.face_map import FaceMap, map_table
from eigenfaces.recognition.gallery import Gallery
from gui.charts import Chart, export_png, export_svg
from gui.widgets.page import Page
from gui.widgets.saving import save_now


def export_menu(
    page: Page, chart: Chart, of: FaceMap, axes: tuple[int, ...], gallery: Gallery
) -> QMenu:
    """Return the menu: the view as a drawing, as a picture, and as a table."""
    menu = QMenu("Export", page)
    for words, suffix, write in (
        ("This view as a drawing…", "svg", partial(export_svg, chart)),
        ("This view as a picture…", "png", partial(export_png, chart)),
        ("The places of all faces as a table…", "csv", partial(write_table, of, axes, gallery)),
    ):
        menu.addAction(words).triggered.connect(
            partial(save_now, page.session, page, f"map of {of.kind}.{suffix}", write)
        )
    return menu


def write_table(of: FaceMap, axes: tuple[int, ...], gallery: Gallery, path: Path) -> None:
    """Write one line for each face: its photo, its person, and its place in the view."""
    path.write_text(map_table(of, axes, gallery), "utf-8", newline="")
