"""The Recognise page before distances are measured: warnings, batches, enrolling."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from eigenfaces.faces.identity import FaceId
from eigenfaces.faces.portraits import PORTRAITS, portrait
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import identify
from eigenfaces.text import four_digits
from gui.pages.recognise import queue as recognise_queue
from gui.pages.recognise.page import RecognisePage
from gui.state.by_itself import ByItself
from gui.state.jobs import JobKind
from gui.style.images import grey_image
from gui.widgets.face_list import FaceItem, HeadingItem
from tests.gui import seen
from tests.synthetic import on_file


@pytest.fixture
def page(trained_session, open_page) -> RecognisePage:
    return open_page(RecognisePage, (1100, 850))


def listed(page: RecognisePage) -> list[FaceItem]:
    """Return the lines of the list of photographs, without its headings."""
    return [face for face in page.photos.list.faces.faces() if not isinstance(face, HeadingItem)]


def headings(page: RecognisePage) -> dict[str, str]:
    """Return the headings of the list of photographs, with what each counts."""
    lines = page.photos.list.faces.faces()
    return {line.caption: line.subcaption for line in lines if isinstance(line, HeadingItem)}


def test_the_verdict_is_the_core_s_and_what_proves_nothing_says_so(page, trained_session, do):
    gallery = trained_session.gallery
    own = Probe(gallery.index.photos[3], gallery.faces.image(3))
    probe = seen.probe_of(gallery, 9)
    do(trained_session.put_probes, [probe])
    verdict = identify(gallery, probe.image)
    assert page.face.title.text() == f"Closest: {verdict.closest.person}" == "Closest: Hedy"
    shown = page.face.nearest.faces.keys
    assert shown == [gallery.index.photos[row].id for row in verdict.rows[: len(shown)]]
    page.explain()
    assert four_digits(verdict.closest.distance) in page.why.sentence.text()
    assert page.why.caution.isHidden()
    page.close_why()
    do(trained_session.put_probes, [own])
    assert (page.face.title.text(), page.face.chip.text()) == ("Ada", "in the gallery")
    assert page.face.chip.property("tone") == "neutral"
    assert seen.button_names(page.face) == ["Why?"]
    assert "Answered" in headings(page)
    page.explain()
    assert page.why.caution.text().startswith("This face is in the gallery as “Ada”")
    assert page.why.distance_gauge.accessibleDescription() != "0", "not beside itself"
    page.close_why()
    assert own.photo.id not in page.face.nearest.faces.keys
    assert page.face.pictures[1].image != page.face.pictures[0].image


def test_faces_are_in_colour_where_they_stand_for_a_person(page, trained_session, do):
    """And grey where they are what is computed with: on the maps of Why?"""
    gallery, probe = trained_session.gallery, seen.probe_of(trained_session.gallery, 9)
    red = np.zeros((40, 40, 3), np.uint8)
    red[..., 0] = 200
    crops = [probe.photo.crop, *(photo.crop for photo in gallery.index.photos)]
    PORTRAITS.add(dict.fromkeys(crops, portrait(red, None)))
    do(trained_session.put_probes, [probe])

    def is_red(image: QImage) -> bool:
        colour = image.pixelColor(image.width() // 2, image.height() // 2)
        return colour.red() - colour.blue() > 100

    face = page.face
    assert all(is_red(view.image) for view in face.pictures if view.isVisible())
    assert all(is_red(near.image()) for near in face.nearest.faces.faces())
    assert is_red(listed(page)[0].image())
    assert is_red(page.photo.image), "the file is gone: its face stands there"
    page.explain()
    assert is_red(page.why.face.image)
    assert not is_red(page.why.map.views[0].image)
    PORTRAITS.forget(crops)


def test_the_first_view_is_few_words_and_one_percentage(page, trained_session, do):
    """Names of people and of files are not counted: they are not the program's words."""
    gallery = trained_session.gallery.calibrate()
    chosen = RecipeChoice("Eigenfaces", {"Eigenfaces": 0.98, "Texture": 0.36})
    trained_session.apply("measuring", lambda _: replace(gallery, automatic=chosen))
    trained_session.put_probes([seen.probe_of(gallery, row) for row in (0, 5, 9)])
    do(trained_session.put_probes, [], [Path("/photos/sea.png")])
    lines = {line.subcaption for line in listed(page)}
    text = {*seen.words(page), *seen.button_names(page), *headings(page), *lines}
    text = {re.sub("|".join(gallery.people), "", part) for part in text}
    words = [word for part in text for word in part.split() if any(map(str.isalpha, word))]
    assert len(words) <= 45, sorted(text)
    assert [part for part in text if "%" in part] == ["Right on 98.0 % of your photos"]
    counts = [part for part in text if re.search(r"\d", part) and "%" not in part]
    assert all(re.search(r"\b\d+ (sure|to answer)", part) for part in counts), counts
    assert not any(re.search(r"\d", view.caption) for view in page.face.pictures)
    seen.button(page, "How is that measured?").click()
    assert trained_session.page == "evaluate"


def test_a_nearest_face_is_chosen_elsewhere_and_del_takes_one_off(page, trained_session, do, qtbot):
    gallery = trained_session.gallery
    own = Probe(gallery.index.photos[1], gallery.faces.image(1))
    trained_session.put_probes([*(seen.probe_of(gallery, row) for row in (0, 5)), own])
    do(trained_session.select, FaceId("sha probe 0"))
    second = own.photo.id  # a face of the gallery, and a probe as well
    do(page.face.nearest.chosen.emit, second)
    assert trained_session.photo == second
    assert page.photos.list.selected_keys() == [FaceId("sha probe 0")], "it stays in view"
    page.face.nearest.activated_face.emit(second)
    assert (trained_session.page, trained_session.person) == ("people", "Ada")
    page.photos.list.setFocus()
    page.activateWindow()
    do(qtbot.keyClick, page.photos.list, Qt.Key.Key_Delete)
    assert [probe.photo.id for probe in trained_session.probes] == [FaceId("sha probe 5"), second]
    assert page.face.title.text() == "Closest: Grace"


def test_names_and_answers_are_exported(page, trained_session, do, monkeypatch, tmp_path):
    page.export()
    assert "open photos first" in trained_session.message.text, "there is nothing yet"
    probes = []
    for row in (0, 5):
        probe = seen.probe_of(trained_session.gallery, row)
        path = tmp_path / f"{row}.png"
        grey_image(probe.image).save(str(path))
        probes.append(replace(probe, photo=on_file(probe.photo, path)))
    do(trained_session.put_probes, probes)
    do(trained_session.select, probes[0].photo.id)
    do(page.answer, "it is", ("Zoe",))
    names = iter(["faces.csv", "faces.JSON"])
    chosen = lambda *_: (str(tmp_path / next(names)), "")  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getSaveFileName", chosen)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    page.exports.click()
    (menu,) = (menu for menu in page.findChildren(QMenu) if menu.title() == "Export")
    beside, table, copies, share, _ = menu.actions()
    assert beside.text() == "Names beside the photos (2 photos)"
    assert share.text() == "Share…", "the same menu as on People"
    sentences = []
    for action in (beside, table, table, copies):
        do(action.trigger)
        sentences.append(trained_session.message.text)
    menu.close()
    assert ",Zoe," in (tmp_path / "faces.csv").read_text("utf-8-sig")
    assert '"name": "Zoe"' in (tmp_path / "faces.JSON").read_text("utf-8")
    assert sentences[0] == "Names have been saved beside 1 photo."
    assert sentences[3] == "1 copy made in “out”. 1 photo without a name."
    assert "Zoe" in (tmp_path / "0.png.xmp").read_text("utf-8")
    assert (tmp_path / "out" / "Zoe" / "0.png").exists()


def test_those_looked_at_are_compared_first_and_a_stop_can_go_on(
    page, trained_session, do, monkeypatch
):
    compared, stops, compare = [], [3], recognise_queue.recognise_probes

    def watched(gallery, probes):
        compared.extend(probe.photo.id for probe in probes)
        if stops == [len(compared)]:
            trained_session.jobs.cancel(JobKind.RECOGNISE)
        return compare(gallery, probes)

    monkeypatch.setattr(recognise_queue, "_SHOWN_AFTER", 0)
    monkeypatch.setattr(recognise_queue, "_AT_ONCE", 1)
    monkeypatch.setattr(recognise_queue, "recognise_probes", watched)
    trained_session.put_probes([seen.probe_of(trained_session.gallery, row) for row in range(5)])
    do(trained_session.put_probes, [seen.probe_of(trained_session.gallery, 9, name="other")])
    assert compared[0] == FaceId("sha other 9")
    assert page.photos.resume.text() == "Compare the other 4"
    assert "Stopped" in trained_session.message.text
    do(page.photos.resume.click)
    assert page.recogniser.missing == []
    assert page.photos.resume.isHidden()
    assert len(compared) == 7  # no other twice


def test_an_empty_page_offers_to_hold_photos_out(page, trained_session, settled, monkeypatch, do):
    opened = []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], opened.append("file")))
    monkeypatch.setattr("gui.photos.camera.show_camera", lambda *_: opened.append("camera"))
    assert page.zone.isVisible()
    assert not page.photos.isVisible()
    ByItself(trained_session)  # trains after a change
    for name in ("Open photos…", "Use the camera…", "Try my own photos"):
        seen.button(page, name).click()
    assert opened == ["file", "camera"]
    settled()
    settled()
    gallery = trained_session.gallery
    out = [photo for photo in gallery.index.photos if photo.excluded]
    assert len(out) == len(trained_session.probes) == 5
    assert not gallery.trained.faces & {photo.id for photo in out}
    assert page.photo.isVisible()
    page.explain()
    assert "excluded, so it is not compared." in page.why.caution.text()
    do(trained_session.undo)
    assert not any(photo.excluded for photo in trained_session.gallery.index.photos)
    keys = [photo.id for photo in trained_session.gallery.index.photos]
    do(trained_session.apply, "nobody", lambda gallery: gallery.move(keys, None))
    trained_session.show_page("settings")
    seen.button(page, "Go to People").click()
    assert trained_session.page == "people"


def test_keys_do_nothing_where_nobody_is_named(page, trained_session, do, qtbot):
    gallery = trained_session.gallery
    trained_session.put_probes([seen.probe_of(gallery, row) for row in (0, 5)])
    faces = [photo.id for photo in gallery.index.photos]
    do(trained_session.apply, "nobody", lambda now: now.move(faces, None))
    assert seen.says(page, "Nobody has been named yet")
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    for key in ("PageDown", "PageUp", "W", "Delete", "2", "Return"):
        do(qtbot.keyClick, QApplication.focusWidget() or page, Qt.Key[f"Key_{key}"])
    assert len(trained_session.probes) == 2
