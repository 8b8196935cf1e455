"""The files that the Eigenfaces page writes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtWidgets import QMenu

from eigenfaces.csv_files import as_table
from eigenfaces.space.facespace import FaceSpace
from gui.charts import Chart, export_png, export_svg
from gui.pages.eigenfaces.pictures import component_image, component_limit
from gui.style.images import rgb_array
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread, save_now


def export_menu(page: Page, space: FaceSpace, component: int, signed: bool) -> QMenu:
    """Return the menu with the pictures and tables of one face space."""
    menu = QMenu("Export", page)
    limit = f"{component_limit(space):.3g}"
    one = partial(write_component, space=space, component=component, signed=signed)
    for words, file, write in (
        (
            f"Component {component + 1} as a picture…",
            f"component {component + 1:03} (limit {limit}).png",
            one,
        ),
        ("Singular values as a table…", "singular values.csv", partial(write_values, space=space)),
    ):
        menu.addAction(words).triggered.connect(
            partial(save_in_thread, page.session, page, file, write)
        )
    return menu


def add_charts(menu: QMenu, page: Page, charts: dict[str, Chart]) -> None:
    """Add each plot to a menu, as a drawing and as a picture."""
    for name, chart in charts.items():
        menu.addSeparator()
        for kind, suffix, write in (
            ("drawing", "svg", export_svg),
            ("picture", "png", export_png),
        ):
            menu.addAction(f"Plot of the {name} as a {kind}…").triggered.connect(
                partial(save_now, page.session, page, f"{name}.{suffix}", partial(write, chart))
            )


def write_component(path: Path, space: FaceSpace, component: int, signed: bool) -> None:
    """Write one component as PNG; its limit is in the file's description."""
    limit = component_limit(space)
    high, low = ("red", "blue") if signed else ("white", "black")
    words = PngInfo()
    words.add_text(
        "Description",
        f"Component {component + 1}: {high} is +{limit:.4g} and above, {low} is -{limit:.4g} "
        "and below",
    )
    picture = rgb_array(component_image(space, component, signed))
    Image.fromarray(picture).save(path, "PNG", pnginfo=words)


def write_values(path: Path, space: FaceSpace) -> None:
    """Write one line for each component: singular value, variance, share, cumulative share."""
    together = space.kept
    columns = (space.singular_values, space.variances, space.variance_ratio, together)
    heading = ("component", "singular_value", "variance", "variance_ratio", "cumulative_ratio")
    rows = ([number, *values] for number, values in enumerate(zip(*columns, strict=True), 1))
    path.write_text(as_table(heading, rows), "utf-8", newline="")
