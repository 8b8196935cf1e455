"""The files that the Eigenfaces page writes."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtWidgets import QMenu

from eigenfaces.csv_files import as_table
from eigenfaces.project.contact_sheet import Tile, contact_sheet
from eigenfaces.recognition.training import Training
from eigenfaces.space.facespace import FaceSpace
from gui.charts import Chart, export_png, export_svg
from gui.pages.eigenfaces.pictures import component_image, component_limit, share_text, to_grey
from gui.style.images import grey_image, rgb_array
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread, save_now


def export_menu(page: Page, training: Training, component: int, signed: bool) -> QMenu:
    """Return the menu with the pictures and tables of one face space."""
    session, space = page.session, training.space
    menu = QMenu("Export", page)
    limit = f"{component_limit(space):.3g}"
    one = partial(write_component, space=space, component=component, signed=signed)
    for words, file, write in (
        (
            f"Component {component + 1} as a picture…",
            f"component {component + 1:03} (limit {limit}).png",
            one,
        ),
        (
            "All components as one contact sheet…",
            f"components 1-{len(space)}.png",
            partial(write_contact_sheet, training=training, signed=signed),
        ),
        ("All components as an array…", "components.npy", partial(write_array, space=space)),
        ("Singular values as a table…", "singular values.csv", partial(write_values, space=space)),
    ):
        menu.addAction(words).triggered.connect(partial(save_in_thread, session, page, file, write))
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


def write_contact_sheet(path: Path, training: Training, signed: bool) -> None:
    """Write the mean and all components, with their share of the variance, as PNG."""
    space = training.space
    mean = grey_image(to_grey(space.mean, space))
    tiles: list[Tile] = [(rgb_array(mean), "Mean face")]
    for component, share in enumerate(space.variance_ratio):
        picture = rgb_array(component_image(space, component, signed))
        tiles.append((picture, f"{component + 1}: {share_text(float(share))}"))
    contact_sheet(tiles, math.ceil(math.sqrt(len(tiles)))).save(path, "PNG")


def write_array(path: Path, space: FaceSpace) -> None:
    """Write all components, (k, h, w) float32."""
    with path.open("wb") as file:
        np.save(file, space.components.reshape(-1, *space.shape), allow_pickle=False)


def write_values(path: Path, space: FaceSpace) -> None:
    """Write one line for each component: singular value, variance, share, cumulative share."""
    together = space.kept
    columns = (space.singular_values, space.variances, space.variance_ratio, together)
    heading = ("component", "singular_value", "variance", "variance_ratio", "cumulative_ratio")
    rows = ([number, *values] for number, values in enumerate(zip(*columns, strict=True), 1))
    path.write_text(as_table(heading, rows), "utf-8", newline="")
