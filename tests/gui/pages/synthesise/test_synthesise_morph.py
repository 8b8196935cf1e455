"""Synthesise: the morph from A to B, and the files."""

import csv
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu
from synthesise_shown import face_shown, pressed, settle

from eigenfaces.project.exports import grey_levels
from gui.pages.synthesise.page import write_scores
from gui.pages.synthesise.starts import person_key
from gui.style.images import rgb_array
from gui.widgets.face_chooser import FaceChooser
from tests.gui import seen


def test_the_morph_goes_from_the_start_to_somebody_else(page, qtbot):
    a, b = page.morph.a, page.morph.b
    assert (a.key, a.short) == (page.start.key, "Ada")
    assert b.short != "Ada"
    for value, wanted in ((100, b.face), (0, a.face)):
        page.morph.slider.setValue(value)
        settle(page, qtbot)
        np.testing.assert_array_equal(page.face.scores, wanted.scores)
    page.morph.slider.setValue(40)
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, a.face.towards(b.face, 0.4).scores)
    assert page.morph.row.selected_keys() == ["40"]
    assert seen.says(page.morph, "40 %")
    page.morph.slider.setValue(43)
    settle(page, qtbot)
    assert page.morph.row.selected_keys() == []
    pressed(page, "Random", qtbot)
    assert page.morph.slider.value() == 0, "that is on no way between the two"


def test_both_ends_of_the_morph_can_be_chosen(page, trained_session, qtbot):
    chooser = page.findChild(FaceChooser)
    for end, person in (("A", "Mary"), ("B", "Sofia")):
        seen.button(page, f"Choose {end}…").click()
        qtbot.waitUntil(chooser.isVisible)
        chooser.face_chosen.emit(person_key(person))
        chooser.hide()
    assert (page.morph.a.short, page.morph.b.short) == ("Mary", "Sofia")
    captions = [face.caption for face in page.morph.row.faces.faces()]
    assert captions == ["Mary", "20 %", "40 %", "60 %", "80 %", "Sofia"]
    trained_session.apply("renaming", lambda g: g.rename("Sofia", "Sonja"))
    settle(page, qtbot)
    assert page.morph.a.short == "Mary"
    assert page.morph.b.short != "Sofia", "who is gone is replaced"


def test_space_plays_the_morph_to_its_end(page, qtbot):
    page.morph.slider.setValue(95)
    qtbot.keyClick(page.content, Qt.Key.Key_Space)
    assert page.morph.play.playing
    qtbot.waitUntil(lambda: not page.morph.play.playing)
    settle(page, qtbot)
    np.testing.assert_array_equal(page.face.scores, page.morph.b.face.scores)
    page.morph.play.toggle()
    assert page.morph.slider.value() == 0, "from the end it begins again"
    page.hide()
    assert not page.morph.play.playing, "nothing plays while the page is hidden"


def test_a_slider_stops_the_morph(page, qtbot):
    page.morph.play.toggle()
    qtbot.keyClick(page.sliders.sliders[0], Qt.Key.Key_Home)
    assert not page.morph.play.playing
    settle(page, qtbot)
    assert page.face.scores[0] == -2.5


def test_the_scores_are_a_table(page, tmp_path):
    write_scores(page.face, tmp_path / "nobody.csv")
    with (tmp_path / "nobody.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_allclose([float(row["score"]) for row in rows], page.face.scores)
    assert [row["component"] for row in rows] == [str(i) for i in range(1, 11)]


def test_files_are_written_where_a_person_says(page, tmp_path, monkeypatch, qtbot):
    chosen = []

    def ask(_parent, _title, start, _kinds):
        chosen.append(tmp_path / Path(start).name)
        return str(chosen[-1]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    page.export()
    (menu,) = (menu for menu in page.findChildren(QMenu) if menu.title() == "Export")
    for action in menu.actions():
        action.trigger()
        seen.settle(qtbot, page.session)
    menu.close()
    assert {path.name for path in chosen} == {"nobody.png", "nobody.csv"}
    assert all(path.exists() for path in chosen)
    with Image.open(tmp_path / "nobody.png") as image:
        np.testing.assert_array_equal(np.asarray(image), grey_levels(page.face.pixels))


def test_the_face_goes_to_the_clipboard(page):
    page.copy()
    copied = QGuiApplication.clipboard().image()
    np.testing.assert_array_equal(rgb_array(copied)[..., 0], face_shown(page))
