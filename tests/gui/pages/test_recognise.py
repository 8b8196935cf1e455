"""The Recognise page before distances are measured: warnings, batches, enrolling."""

import csv
import re
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from eigenfaces import Gallery
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import identify
from eigenfaces.text import number
from gui.pages.recognise import findings as recognise_findings
from gui.pages.recognise.page import RecognisePage
from gui.state.jobs import RECOGNISE
from gui.widgets.face_model import Face, ListHeading
from tests.gui import seen


@pytest.fixture
def page(qtbot, trained_session):
    return seen.show(qtbot, RecognisePage(trained_session), (1100, 850))


def probe_of(gallery: Gallery, row: int, noise: float = 0.02, name: str = "probe") -> Probe:
    """Make a photograph like one of the gallery, but not the same."""
    rng = np.random.default_rng(row)
    image = np.clip(gallery.faces.image(row) + rng.normal(0, noise, gallery.faces.shape), 0, 1)
    photo = FacePhoto(Path(f"/photos/{name}{row}.png"), None, f"key {name} {row}", image.shape)
    return Probe(photo, image.astype(np.float32))


def listed(page: RecognisePage) -> list[Face]:
    """Return the lines of the list of probes, without its headings."""
    return [face for face in page.probes.list.faces.faces() if not isinstance(face, ListHeading)]


def headings(page: RecognisePage) -> list[str]:
    return [
        face.caption for face in page.probes.list.faces.faces() if isinstance(face, ListHeading)
    ]


def own_probe(gallery: Gallery, row: int) -> Probe:
    return Probe(gallery.index.photos[row], gallery.faces.image(row))


def test_the_verdict_is_the_core_s(page, trained_session, settled):
    gallery = trained_session.gallery
    probe = probe_of(gallery, 9)
    trained_session.put_probes([probe])
    settled()
    verdict = identify(gallery, probe.image)
    assert page.verdict.headline.full_text == verdict.decision.headline == "Closest: Hedy"
    assert page.verdict.chip.full_text == verdict.decision.chip
    assert page.verdict.sentence.text() == verdict.decision.sentence
    away = number(verdict.closest.distance)
    assert page.verdict.distance_gauge.accessibleDescription() == away
    faces = page.nearest.row.faces.faces()
    assert [f.key for f in faces] == [
        gallery.index.photos[row].key for row, _ in verdict.nearest(len(faces))
    ]
    assert {f.caption for f in faces if f.mark} == {"Hedy"}
    assert page.verdict.caution.isHidden()


def test_no_certainty_is_claimed_before_distances_are_measured(page, trained_session, settled):
    trained_session.put_probes([probe_of(trained_session.gallery, 0)])
    settled()
    assert page.verdict.chip.full_text == "not calibrated"
    assert "not a claim" in page.verdict.marks.text()
    assert page.verdict.property("tone") == "neutral"
    assert page.verdict.face_gauge.isHidden()
    words = re.findall(r"\w+", " ".join(seen.words(page.verdict)).casefold())
    assert not {"sure", "likely", "unknown", "threshold"} & set(words)


def test_a_photo_of_the_gallery_proves_nothing(page, trained_session, settled):
    trained_session.put_probes([own_probe(trained_session.gallery, 3)])
    settled()
    assert page.verdict.caution.text() == (
        "This photograph is in the gallery as “Ada”, so its distance is 0 and proves nothing. "
        "The face space was fitted to it, too."
    )
    assert page.verdict.headline.full_text == "In the gallery: Ada"
    assert page.verdict.property("tone") == "neutral"
    assert page.verdict.answers.offered() == ()
    assert headings(page) == ["In the gallery"]


def test_another_distance_gives_another_verdict_at_once(page, trained_session, settled):
    trained_session.put_probes([probe_of(trained_session.gallery, 0)])
    settled()
    before = page.verdict.distance_gauge.accessibleDescription()
    recipe = trained_session.gallery.recipe.changed(distance="cosine")
    trained_session.apply("distance", lambda gallery: gallery.with_recipe(recipe))
    settled()
    assert page.verdict.distance_gauge.accessibleDescription() != before
    assert "cosine" in page.choosers.recipe.toolTip()
    trained_session.undo()
    settled()
    assert "cosine" not in page.choosers.recipe.toolTip()
    assert page.verdict.distance_gauge.accessibleDescription() == before


def test_a_distance_without_a_zero_has_no_bar(page, trained_session, settled):
    recipe = trained_session.gallery.recipe.changed(distance="Yambor")
    trained_session.apply("distance", lambda gallery: gallery.with_recipe(recipe))
    trained_session.put_probes([probe_of(trained_session.gallery, 0)])
    settled()
    assert page.verdict.distance_gauge.isHidden()
    assert "at a distance of −" in page.verdict.sentence.text()


def test_choosing_a_nearest_face_leaves_the_probe_in_view(page, trained_session, settled):
    gallery = trained_session.gallery
    trained_session.put_probes([probe_of(gallery, 0), own_probe(gallery, 1)])
    trained_session.select("key probe 0")
    settled()
    second = gallery.index.photos[1].key  # a face of the gallery, and a probe as well
    page.nearest.row.chosen.emit(second)
    settled()
    assert trained_session.photo == second
    assert page.probes.list.selected_keys() == ["key probe 0"]
    page.nearest.row.activated_face.emit(second)
    assert trained_session.page == "reconstruct"
    page.nearest.menu(second).actions()[1].trigger()
    assert trained_session.page == "people"
    assert trained_session.person == "Ada"


def test_del_takes_a_probe_off_and_shows_the_next(page, trained_session, settled, qtbot):
    trained_session.put_probes([probe_of(trained_session.gallery, row) for row in (0, 5, 9)])
    trained_session.select("key probe 5")
    settled()
    page.activateWindow()
    page.probes.list.setFocus()
    qtbot.keyClick(page.probes.list, Qt.Key.Key_Delete)
    settled()
    assert [probe.photo.key for probe in trained_session.probes] == ["key probe 0", "key probe 9"]
    assert page.verdict.headline.full_text == "Closest: Hedy"


def test_enrolling_is_known_at_once_and_undone(page, trained_session, settled, qtbot):
    faces = len(trained_session.gallery.faces)
    trained_session.put_probes([probe_of(trained_session.gallery, 0)])
    settled()
    line = page.verdict.answers.name
    seen.button(page.verdict, "It is…").click()
    assert not line.confirm.isEnabled()
    qtbot.keyClicks(line.name.lineEdit(), " Zoe ")
    qtbot.keyClick(line.name.lineEdit(), Qt.Key.Key_Return)
    settled()
    assert len(trained_session.gallery.faces) == faces + 1
    assert page.verdict.headline.full_text == "Zoe"
    assert page.verdict.chip.full_text == "you said so"
    assert "proves nothing" in page.verdict.caution.text()
    assert trained_session.gallery.changes == 1
    assert trained_session.history.can_undo == "enrolling a photo as Zoe"
    trained_session.undo()
    settled()
    assert page.verdict.headline.full_text == "Closest: Ada"


def test_a_batch_is_compared_in_a_job_and_exported(
    page, trained_session, settled, monkeypatch, tmp_path
):
    monkeypatch.setattr(recognise_findings, "_IMMEDIATE", 1)
    threads, answer = [], recognise_findings.answer
    monkeypatch.setattr(
        recognise_findings,
        "answer",
        lambda *of: threads.append(threading.current_thread().name) or answer(*of),
    )
    gallery = trained_session.gallery
    probes = [probe_of(gallery, row) for row in range(24)] + [own_probe(gallery, 2)]
    trained_session.put_probes(probes)
    page._refresh_shown()
    assert trained_session.jobs.is_busy(RECOGNISE)
    assert page.verdict.headline.full_text == "Closest: Ada"  # the one in view does not wait
    assert not page.probes.export.isEnabled()
    page.export()
    assert "Not all photos are compared yet" in trained_session.message.text
    settled()
    assert sorted(threads) == ["MainThread", *["job recognise"] * 24]
    assert not page.probes.summary.isVisible()
    assert headings(page) == ["Not calibrated", "In the gallery"]
    target = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    page.probes.export.click()
    lines = list(csv.DictReader(target.read_text(encoding="utf-8-sig").splitlines()))
    assert [line["photo"] for line in lines[::3]] == [str(probe.photo.path) for probe in probes]
    assert [line["in_gallery"] for line in lines[::3]] == ["false"] * 24 + ["true"]


def test_where_one_face_takes_long_the_window_compares_none_of_a_batch(
    page, trained_session, settled, monkeypatch
):
    """The one in view is compared before the others."""
    monkeypatch.setattr(recognise_findings, "_IMMEDIATE", 1)
    monkeypatch.setattr(recognise_findings, "_ONE_AT_ONCE", 0)
    compared, compare = [], recognise_findings.compare

    def watched(gallery, probes):
        compared.append((threading.current_thread().name, len(probes)))
        return compare(gallery, probes)

    monkeypatch.setattr(recognise_findings, "compare", watched)
    trained_session.put_probes([probe_of(trained_session.gallery, row) for row in range(12)])
    page._refresh_shown()
    assert page.findings.of(trained_session.probes[0].photo.key) is None
    settled()
    assert page.findings.missing() == []
    assert page.verdict.headline.full_text == "Closest: Ada"
    at_work = [each for each in compared if each[1]]
    assert at_work == [("job recognise", 1), ("job recognise", 11)]


def test_an_export_before_training_says_what_to_do(page, trained_session, settled):
    trained_session.apply("untraining", lambda now: replace(now, training=None))
    settled()
    page.export()
    assert "train first" in trained_session.message.text


def test_a_stopped_batch_can_go_on(page, trained_session, settled, monkeypatch):
    monkeypatch.setattr(recognise_findings, "_IMMEDIATE", 1)
    trained_session.put_probes([probe_of(trained_session.gallery, row) for row in range(20)])
    page._refresh_shown()
    trained_session.jobs.cancel(RECOGNISE)
    settled()
    assert page.findings.stopped
    assert "19 not yet" in page.probes.summary.text()
    assert not page.probes.resume.isHidden()
    page.probes.resume.click()
    settled()
    assert page.findings.missing() == []
    assert page.probes.resume.isHidden()


def test_a_probe_of_another_size_is_not_compared(page, trained_session, settled):
    probe = probe_of(trained_session.gallery, 0)
    other = Probe(replace(probe.photo, key="other"), probe.image[:20])
    trained_session.put_probes([other, probe])
    settled()
    assert not page.verdict.isVisible()
    assert seen.says(page, "size of the faces has changed")
    assert headings(page) == ["Not calibrated", "Not compared"]
    assert [line.subcaption for line in listed(page)] == ["Closest: Ada", "cut to another size"]
    trained_session.select(probe.photo.key)
    settled()
    assert page.verdict.isVisible()
    assert not seen.says(page, "size of the faces has changed")


def test_an_empty_page_offers_to_hold_photos_out(page, trained_session, settled, monkeypatch):
    opened = []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a: (opened.append(a), ([], ""))[1])
    assert page.zone.isVisible()
    assert not page.probes.isVisible()
    page.zone.state.buttons[0].click()
    assert len(opened) == 1
    page.zone.state.buttons[1].click()
    settled()
    settled()
    gallery = trained_session.gallery
    out = [photo for photo in gallery.index.photos if photo.excluded]
    assert len(out) == len(trained_session.probes) == 5
    assert not gallery.trained.keys & {photo.key for photo in out}
    assert page.verdict.isVisible()
    assert "excluded: not compared with itself and not trained on" in page.verdict.caution.text()
    findings = [page.findings.of(probe.photo.key) for probe in trained_session.probes]
    named = [each for each in findings if each.answer.filed_as == each.answer.closest]
    trained_session.select(named[0].probe.photo.key)
    settled()
    assert seen.says(page, f"this photo is {named[0].answer.closest} in the gallery already")
    for _ in range(2):
        trained_session.undo()
        settled()
    assert not any(photo.excluded for photo in trained_session.gallery.index.photos)


def test_nobody_enrolled_leads_to_people(page, trained_session, settled):
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.apply("nobody", lambda gallery: gallery.move(keys, None))
    settled()
    assert "Go to People" in seen.button_names(page)
    trained_session.show_page("settings")
    seen.button(page, "Go to People").click()
    assert trained_session.page == "people"


def test_a_dropped_folder_is_a_batch(page, trained_session, settled, tmp_path):
    for row in range(3):
        picture = np.uint8(trained_session.gallery.faces.image(row) * 255)
        Image.fromarray(picture).save(tmp_path / f"{row}.png")
    assert page.take_paths([tmp_path])
    settled()
    settled()
    assert len(listed(page)) == 3
