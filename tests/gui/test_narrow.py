"""A small screen, large text and long names: nothing scrolls sideways, no caution is cut off."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractScrollArea
from skimage import data

from eigenfaces import Gallery, Recipe
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import EvaluationRecord, EvaluationSetting, EvaluationSource
from eigenfaces.evaluation.run import evaluate
from eigenfaces.importing.correct import EditableFace
from eigenfaces.photographs.find import Photo, Skipped
from eigenfaces.project.exports import save_grey
from eigenfaces.recognition.look_alikes import Finding
from eigenfaces.space.pca import as_levels
from gui.pages.people import look_alikes
from gui.photos.camera import CameraDialog
from gui.photos.dialog import PhotoDialog
from gui.photos.sheet import ImportSheet
from gui.style import theme
from gui.widgets.messages import MessageList
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests import synthetic
from tests.gui import layout, seen

LONG = "Wolfgang Amadeus Maximilian von und zu Habsburg-Lothringen-Sachsen-Coburg, Freiherr {}"


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    recipe = Recipe.of(components=8)
    made = synthetic.gallery(np.random.default_rng(8), recipe, count=12, photos=4, spread=0.28)
    for name in made.people:
        made = made.rename(name, LONG.format(name))
    return made


@pytest.fixture(scope="module")
def records(gallery: Gallery) -> list[EvaluationRecord]:
    """Two runs with mistakes, to be shown side by side."""
    settings = [EvaluationSetting(Recipe.of(components=k), KFold(4)) for k in (8, 3)]
    return [
        EvaluationRecord(
            evaluate(gallery.faces, setting), gallery.preparation, EvaluationSource("project")
        )
        for setting in settings
    ]


@pytest.fixture(params=["light 1.25", "dark 1.0"])
def window(
    request, qapp, qtbot, open_gallery, tmp_path, gallery, records, monkeypatch, light_again
):
    name, scale = request.param.split()
    monkeypatch.setattr(theme._applied, "scale", float(scale))
    theme.apply(qapp, name)
    session = open_gallery(gallery, LONG.format(1))
    for number, record in enumerate(records, 1):
        session.project.add_run(f"2026-01-0{number}T00:00:00+00:00", f"run {number}", record)
    photo = tmp_path / f"{LONG.format('on a photo')}.png"
    session.put_probes(seen.group_probes(gallery, photo, 0, 4, 8))
    session.select_person(gallery.people[0])
    asked = Finding("photo", gallery.people[:2], (gallery.index.photos[0].id,), photo.name)
    monkeypatch.setattr(look_alikes, "find_look_alikes", lambda _: (asked, asked))
    yield seen.show(qtbot, MainWindow(session), (1100, 700))
    monkeypatch.undo()


@pytest.fixture(params=["light", "dark"])
def small_window(request, qapp, qtbot, open_gallery, tmp_path, gallery, records, light_again):
    theme.apply(qapp, request.param)
    session = open_gallery(gallery, LONG.format(1))
    session.project.add_run("2026-01-01T00:00:00+00:00", "a run", records[0])
    photo = tmp_path / f"{LONG.format('on a photo')}.png"
    session.put_probes(seen.group_probes(gallery, photo, 0, 4, 8))
    session.select_person(gallery.people[0])
    return seen.show(qtbot, MainWindow(session), (900, 500))


def fits(qtbot, widget) -> None:
    """Wait until nothing scrolls sideways: what is laid out anew needs a turn or more."""

    def check() -> None:
        areas = [area for area in widget.findChildren(QAbstractScrollArea) if area.isVisible()]
        wide = [area for area in areas if area.horizontalScrollBar().isVisible()]
        assert [f"{type(area).__name__} “{area.accessibleName()}”" for area in wide] == []

    qtbot.waitUntil(check, timeout=20_000)


@pytest.mark.parametrize("place", NAVIGATION_ITEMS, ids=lambda place: place.key)
def test_no_page_scrolls_sideways(qtbot, window, place, do):
    do(window.session.show_page, place.key)
    assert window.width() == 1100
    fits(qtbot, window)
    if place.key == "evaluate":
        page = window.page
        do(seen.choose, page.runs.other, 1)
        assert page.results.comparison.isVisible()
        fits(qtbot, window)
    if place.key == "people":
        card = window.page.alike
        assert card.text.height() >= card.text.heightForWidth(card.text.width())


def laid_out(qtbot, widget) -> None:
    """Wait until nothing is wrong: what is laid out anew needs a turn or more."""
    found: list[str] = []

    def check() -> bool:
        found[:] = layout.wrong(widget)
        return not found

    try:
        qtbot.waitUntil(check, timeout=3000)
    except qtbot.TimeoutError:
        pytest.fail("\n".join(found))


def mixed_folder(folder: Path) -> list[Path]:
    """Write photos of somebody, one without a face, and a file that is none: all has its words."""
    picture, somebody = data.astronaut(), folder / LONG.format("in a folder")
    somebody.mkdir()
    for name, pixels in (("face", picture[:200, 100:300]), ("wall", picture[300:, :90] * 0 + 99)):
        save_grey(somebody / f"{name} {LONG[:40]}.png", pixels.mean(axis=2) / 255)
    (somebody / "damaged.png").write_bytes(b"no picture")
    return [folder]


@pytest.mark.parametrize("size", [(1400, 900), (1180, 680)])
def test_the_sheet_is_whole_with_large_text(qtbot, window, tmp_path, size):
    check_sheet(qtbot, window, tmp_path / "album", size)


@pytest.mark.parametrize("size", [(876, 476), (784, 476)])
def test_the_sheet_over_the_least_window_is_whole(qtbot, small_window, tmp_path, size):
    check_sheet(qtbot, small_window, tmp_path / "album", size)


def check_sheet(qtbot, window: MainWindow, folder: Path, size: tuple[int, int]) -> None:
    """Check that the sheet is whole with each photo of a folder, and with all of its words."""
    folder.mkdir()
    sheet = ImportSheet(window.session, mixed_folder(folder), window)
    sheet.show()
    sheet.resize(*size)
    qtbot.waitUntil(lambda: sheet.start.isEnabled(), timeout=20_000)
    seen.settle(qtbot, window.session)
    assert sheet.size() == QSize(*size)
    for key in sheet.panel.grid.visible_keys():
        sheet.panel.grid.select(key)
        seen.settle(qtbot, window.session)
        laid_out(qtbot, sheet)
    sheet.panel.editor.toggle_left_out()
    sheet.names.ways.show()  # as for photos of which some are in no folder
    sheet.mixed.setText("1 of 12 folders seems to contain several people.")
    for part in (sheet.mixed, sheet.are_events, sheet.others):
        part.show()
    laid_out(qtbot, sheet)
    sheet.done(0)


@pytest.mark.parametrize("place", NAVIGATION_ITEMS, ids=lambda place: place.key)
def test_the_least_window_shows_every_page_whole(qtbot, small_window, place, do):
    do(small_window.session.show_page, place.key)
    assert small_window.size() == QSize(900, 500)
    laid_out(qtbot, small_window)
    if place.key == "recognise":
        do(small_window.page.explain)
        laid_out(qtbot, small_window)
    inspector = small_window.page.inspector
    if inspector is not None:
        assert not inspector.isVisible()
        button = seen.button(small_window.page, small_window.page.details.accessibleName())
        do(button.click)
        assert inspector.isVisible()
        laid_out(qtbot, small_window)


def test_the_least_window_begins_whole(qtbot, session):
    window = seen.show(qtbot, MainWindow(session), (900, 500))
    assert window.page.key == "welcome"
    laid_out(qtbot, window)


def test_dialogs_over_the_least_window_are_whole(qtbot, small_window, gallery, tmp_path):
    session, photo = small_window.session, gallery.index.photos[0]
    path = tmp_path / f"{LONG.format('in a picture')}.png"
    save_grey(path, gallery.faces.image(0))
    skipped = tuple(Skipped(path, LONG.format("cannot be read")) for _ in range(3))
    face = EditableFace(Photo(path, photo.person), photo.id, as_levels(gallery.faces.image(0)))
    session.show_message(LONG.format("was read"), "warn")
    small_window.messages.show_list()
    adding = PhotoDialog(
        session, face, gallery.preparation, lambda _: True, lambda *_: True, small_window
    )
    adding.another.click()
    dialogs = [
        adding,
        SkippedList(skipped, small_window),
        CameraDialog(session, small_window),
        PhotoDialog(session, face, gallery.preparation, lambda _: True, None, small_window),
        small_window.findChild(MessageList),
    ]
    for dialog in dialogs:
        dialog.show()
        seen.settle(qtbot, session)
        assert dialog.width() <= 900
        assert dialog.height() <= 500
        laid_out(qtbot, dialog)
        dialog.close()


@pytest.mark.parametrize("width", [1100, 1467])
def test_no_name_stands_without_its_caution(window, gallery, width, do):
    session = window.session
    session.show_page("recognise")
    do(window.resize, width, 700)
    face = window.page.face
    assert gallery.people[0] in face.title.text()
    assert face.title.height() >= face.title.heightForWidth(face.title.width())  # none is cut
    assert face.chip.isVisible()
    assert face.chip.text()
    assert face.rect().contains(face.chip.geometry())
    do(session.apply, "renaming", lambda now: now.rename(gallery.people[0], "Al"))
    assert "Al" in face.title.text().split()
