"""A small screen, large text and long names: nothing scrolls sideways, no caution is cut off."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QLabel
from skimage import data

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.project.exports import save_grey
from gui.photos.sheet import ImportSheet
from gui.state.session import Probe
from gui.style import theme
from gui.window.main_window import MainWindow
from gui.window.navigation import PLACES
from tests.gui import seen
from tests.synthetic import people

LONG = "Wolfgang Amadeus Maximilian von und zu Habsburg-Lothringen-Sachsen-Coburg, Freiherr {}"


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    faces = people(np.random.default_rng(8), 12, 4, spread=0.28)
    preparation = Preparation(*faces.shape, already_cropped=True)
    made = Gallery(faces, preparation, Recipe.of(components=8))
    for name in made.people:
        made = made.rename(name, LONG.format(name))
    return made.train()


@pytest.fixture(scope="module")
def records(gallery: Gallery) -> list[Record]:
    """Two runs with mistakes, to be shown side by side."""
    recipes = (Recipe.of(components=8), Recipe.of(components=3, distance="cosine"))
    return [
        Record(
            evaluate(gallery.faces, Setting(recipe, KFold(4))),
            gallery.preparation,
            Source("project"),
        )
        for recipe in recipes
    ]


@pytest.fixture(params=["light 1.25", "dark 1.0"])
def window(request, qapp, qtbot, session, tmp_path, gallery, records, monkeypatch):
    name, scale = request.param.split()
    monkeypatch.setattr(theme._applied, "scale", float(scale))
    theme.apply(qapp, name)
    project = Project.create(tmp_path / f"{LONG.format(1)}.eigenfaces", gallery)
    for number, record in enumerate(records):
        project.add_run(f"2026-01-0{number + 1}T00:00:00+00:00", f"run {number}", record)
    session.open(project)
    session.put_probes([group_probe(gallery, row, tmp_path) for row in range(3)])
    session.select_person(gallery.people[0])
    made = seen.show(qtbot, MainWindow(session), (1100, 700))
    yield made
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)
    made.hide()
    monkeypatch.undo()
    theme.apply(qapp, "light")


def group_probe(gallery: Gallery, row: int, folder: Path) -> Probe:
    placement = Placement(Eyes.at(40 + 60 * row + 50j, 24 + 0j))
    path = folder / f"{LONG.format('on a photo')}.png"
    key = "c0ffee" if row == 0 else f"c0ffee-{row + 1}"
    photo = FacePhoto(path, None, key, (120, 300), placement=placement)
    return Probe(photo, gallery.faces.image(4 * row))


def settle(qtbot, window) -> None:
    seen.settle(qtbot, window.session)


def fits(qtbot, widget) -> None:
    """Wait until nothing scrolls sideways: what is laid out anew needs a turn or more."""

    def check() -> None:
        areas = [area for area in widget.findChildren(QAbstractScrollArea) if area.isVisible()]
        wide = [area for area in areas if area.horizontalScrollBar().isVisible()]
        assert [f"{type(area).__name__} “{area.accessibleName()}”" for area in wide] == []

    qtbot.waitUntil(check, timeout=20_000)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_no_page_scrolls_sideways(qtbot, window, place):
    window.session.show_page(place.key)
    settle(qtbot, window)
    assert window.width() == 1100
    fits(qtbot, window)
    if place.key == "evaluate":
        page = window.page
        page.runs.other.activated.emit(1)
        settle(qtbot, window)
        assert page.results.comparison.isVisible()
        fits(qtbot, window)


def test_the_sheet_neither_scrolls_sideways_nor_cuts_its_words(qapp, qtbot, window, tmp_path):
    save_grey(tmp_path / "somebody.png", data.astronaut()[:200, 100:300].mean(axis=2) / 255)
    sheet = ImportSheet(window.session, [tmp_path / "somebody.png"], window)
    sheet.show()
    sheet.resize(1180, 680)
    qtbot.waitUntil(lambda: sheet.start.isEnabled(), timeout=20_000)
    words = next(
        label for label in sheet.findChildren(QLabel) if label.text() == "These photos show"
    )
    assert words.width() >= words.sizeHint().width()
    for width in (1180, 1256, 1400):
        sheet.resize(width, 680)
        for _turn in range(5):  # lays it out
            qapp.processEvents()
        fits(qtbot, sheet)
    sheet.close()


@pytest.mark.parametrize("width", [1100, 1467])
def test_no_name_stands_without_its_caution(qtbot, window, gallery, width):
    session = window.session
    session.show_page("recognise")
    window.resize(width, 700)
    settle(qtbot, window)
    face = window.page.face
    assert gallery.people[0] in face.title.text()
    assert face.title.height() >= face.title.heightForWidth(face.title.width())  # none is cut
    assert face.chip.isVisible()
    assert face.chip.text()
    assert face.rect().contains(face.chip.geometry())
    session.apply("renaming", lambda now: now.rename(gallery.people[0], "Al"))
    settle(qtbot, window)
    assert "Al" in face.title.text().split()
