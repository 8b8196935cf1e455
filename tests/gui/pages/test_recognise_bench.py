"""The bench on Recognise: what sliders do, what is measured when asked for, and the way back."""

import csv
import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery, Project, Recipe
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.laboratory.breaking.disturbances import (
    BLUR,
    COVER,
    DISTURBANCES,
    NEUTRAL,
    TURN,
    Strengths,
)
from eigenfaces.recognition.probes import Probe
from eigenfaces.samples import PREPARATION, load_sample
from eigenfaces.wording import number
from gui.pages.recognise.bench.view import BenchView
from gui.pages.recognise.page import RecognisePage
from gui.state.jobs import WITHSTAND
from gui.state.session import Session
from gui.style import theme
from gui.style.images import rgb_array
from tests.gui import seen
from tests.gui.state.gate import Gate

Settled = Callable[[], None]


@pytest.fixture
def page(qtbot: QtBot, qapp, trained_session: Session) -> RecognisePage:
    theme.apply(qapp, "light")
    return seen.show(qtbot, RecognisePage(trained_session), (1279, 861))


@pytest.fixture
def settled(qtbot: QtBot, trained_session: Session, page: RecognisePage) -> Settled:
    def wait() -> None:
        seen.settle(qtbot, trained_session)
        bench = page.side.bench
        qtbot.waitUntil(lambda: bench is None or not bench._step.isActive())
        seen.settle(qtbot, trained_session)

    return wait


def probe_of(gallery: Gallery, row: int) -> Probe:
    image = np.clip(gallery.faces.image(row) + 0.03, 0, 1)
    path = Path("photos") / f"probe{row}.png"
    return Probe(FacePhoto(path, None, f"key {row}", image.shape), image)


@pytest.fixture
def bench(page: RecognisePage, trained_session: Session, settled: Settled) -> BenchView:
    trained_session.put_probes([probe_of(trained_session.gallery, row) for row in (9, 2)])
    settled()
    seen.button(page, "Break it").click()
    settled()
    assert page.side.bench is not None
    return page.side.bench


def shown(view: QWidget) -> np.ndarray:
    return rgb_array(view.image)[..., 0]  # type: ignore[attr-defined]


def test_undisturbed_it_is_the_verdict(page, bench, trained_session):
    gallery = trained_session.gallery
    assert not page.probes.isVisible()
    assert bench.sliders.strengths == NEUTRAL
    verdict = page.findings.of("key 9").verdict
    assert bench.card.headline.full_text == verdict.decision.headline
    assert seen.says(bench, "Nothing is disturbed.")
    before, broken, nearest = bench.card.pictures
    assert np.array_equal(shown(before), shown(broken))
    assert nearest.caption == verdict.closest.person
    assert np.array_equal(
        shown(nearest), np.rint(255 * gallery.faces.image(verdict.closest.row)).astype(int)
    )


def test_a_slider_disturbs_the_photo_and_the_verdict(bench, settled, qtbot):
    slider = bench.sliders.sliders["blur"]
    slider.setFocus()
    for _ in range(4):
        qtbot.keyClick(slider, Qt.Key.Key_Up)
    settled()
    assert bench.sliders.strengths == Strengths(blur=1.0)
    assert slider.read_out == "1 px"
    now = bench.bench.broken(Strengths(blur=1.0), align=False)
    decision = now.verdict.decision
    assert number(decision.nearest[1]) in bench.card.distance_gauge.accessibleDescription()
    assert np.array_equal(shown(bench.card.pictures[1]), np.rint(255 * now.face).astype(int))
    assert bench.card.chip.full_text in ("still nearest", "somebody else is nearest")


def test_a_double_click_is_neutral_again(bench, settled, qtbot):
    slider = bench.sliders.sliders["size"]
    bench.sliders.set_strength(slider.disturbance, 120)
    settled()
    assert (slider.read_out, slider.strong) == ("120 %", True)
    qtbot.mouseDClick(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center())
    settled()
    assert (slider.read_out, slider.strong) == ("100 %", False)
    assert bench.sliders.strengths == NEUTRAL


def test_the_curve_is_that_of_the_slider_moved_last(bench, settled):
    bench.sliders.set_strength(COVER, 20)
    bench.sliders.set_strength(TURN, -12)
    settled()
    curve = bench.photo.curve
    expected = bench.bench.curve(TURN, Strengths(cover=20), align=False)
    assert curve.along is TURN
    assert np.array_equal(curve.own, expected.own)
    own, other, *_ = bench.photo.chart.lines()
    assert np.array_equal(own.y, expected.own)
    assert np.array_equal(other.y, expected.other)
    assert bench.photo.chart.mark() == -12
    assert seen.says(bench.photo, "This photo, turned")
    assert seen.says(bench.photo, expected.sentence)


def test_a_point_of_the_curve_is_a_strength(bench, settled):
    bench.sliders.set_strength(TURN, 3)
    settled()
    bench.photo.chart.point_clicked.emit(0, 32)
    settled()
    assert bench.sliders.strengths == Strengths(turn=40)
    assert bench.photo.chart.mark() == 40


def test_random_reset_and_their_keys(bench, settled, qtbot):
    qtbot.keyClick(bench, Qt.Key.Key_R)
    settled()
    acting = bench.sliders.strengths.acting
    assert 1 <= len(acting) <= 3
    assert bench.photo.curve.along is acting[-1]
    qtbot.keyClick(bench, Qt.Key.Key_0)
    settled()
    assert bench.sliders.strengths == NEUTRAL
    assert not any(slider.strong for slider in bench.sliders.sliders.values())


@pytest.mark.parametrize("way", ["button", "key"])
def test_back_to_the_verdict(page, bench, settled, qtbot, way):
    bench.sliders.set_strength(BLUR, 2)
    settled()
    if way == "button":
        seen.button(page, "Back to the verdict").click()
    else:
        qtbot.keyClick(bench, Qt.Key.Key_Escape)
    settled()
    assert not bench.isVisible()
    assert page.side.verdict.isVisible()
    assert page.probes.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_B)
    page.side.break_it()
    settled()
    assert bench.isVisible()
    assert bench.sliders.strengths == NEUTRAL


def test_no_answer_is_given_by_the_way(page, bench, settled, qtbot, trained_session):
    for key in (Qt.Key.Key_Return, Qt.Key.Key_I, Qt.Key.Key_N, Qt.Key.Key_U, Qt.Key.Key_X):
        qtbot.keyClick(bench, key)
    settled()
    assert not trained_session.gallery.answers
    assert bench.isVisible()


def test_another_photo_is_put_on_the_bench(page, bench, settled, trained_session):
    bench.sliders.set_strength(TURN, 9)
    page.probes.step(1)
    settled()
    assert bench.bench.probe.photo.key == "key 2"
    assert seen.says(bench.sliders, "photos/probe2.png")
    assert bench.sliders.strengths == Strengths(turn=9)  # to compare the two


def test_without_the_photo_there_is_no_bench(page, bench, settled, trained_session):
    trained_session.remove_probes(["key 9", "key 2"])
    settled()
    assert not bench.isVisible()
    page.side.break_it()
    assert "Open a photo" in trained_session.message.text
    trained_session.put_probes([probe_of(trained_session.gallery, 3)])
    settled()
    assert page.verdict.isVisible()
    assert not bench.isVisible()


def test_the_gallery_is_measured_when_asked_for(page, bench, settled, trained_session):
    before = trained_session.gallery
    assert not bench.withstanding.found
    bench.sliders.set_strength(BLUR, 1.5)
    settled()
    seen.button(bench.whole, "Measure: Blur").click()
    settled()
    found = bench.withstanding.found["blur"]
    lines = bench.whole.chart.lines()
    assert [line.name for line in lines] == ["Eigenfaces", "Discriminant", "Texture"]
    for line, of in zip(lines, found.lines, strict=True):
        assert np.array_equal(line.y, of.shares)
        assert np.array_equal(line.low, of.limits[0])
    assert [line.band for line in lines] == [True, False, False]  # of the recipe in use
    assert "(" in bench.whole.chart.reading(1, 0)  # the others have it in their tooltips
    assert bench.whole.chart.mark() == 1.5
    assert bench.nine.cells["Texture", "blur", False].text() == found.nine_in_ten_words(
        "Texture", aligned=False
    )
    assert bench.nine.cells["Texture", "turn", False].text() == "·"
    assert trained_session.gallery is before  # the laboratory changes nothing


def test_the_keys_of_the_bench_work_while_it_measures(qtbot, bench, trained_session):
    every = bench.nine.all
    every.setFocus()
    qtbot.keyClick(every, Qt.Key.Key_Space)
    assert not every.isEnabled()
    focused = bench.window().focusWidget()
    assert focused is bench.sliders.sliders["turn"]
    qtbot.keyClick(focused, Qt.Key.Key_R)
    assert bench.sliders.strengths.acting
    trained_session.jobs.cancel(WITHSTAND)


def test_what_is_measured_can_be_stopped(bench, settled, trained_session, monkeypatch):
    trial = []
    monkeypatch.setattr(
        "gui.pages.recognise.bench.running.Trial.of", lambda *_, **__: trial.append(1)
    )
    gate = Gate()
    monkeypatch.setattr(
        "gui.pages.recognise.bench.running.part_of",
        lambda tick, *_: (gate.work(tick), tick)[1],
    )
    bench.withstanding.measure(["turn", "blur"])
    assert bench.withstanding.measuring == ("turn", "blur")
    gate.entered.wait(5)
    trained_session.jobs.cancel(WITHSTAND)
    settled()
    assert gate.cancelled
    assert not bench.withstanding.measuring
    assert seen.says(bench.whole, "Stopped.")
    assert seen.button(bench.whole, "Measure: Turn").isVisible()
    assert not trial


def test_the_recipes_are_trained_once(bench, settled, monkeypatch):
    bench.withstanding.measure(["blur"])
    settled()
    monkeypatch.setattr("gui.pages.recognise.bench.running.Trial.of", None)
    bench.withstanding.measure(["blur", "cover"])
    assert bench.withstanding.measuring == ("cover",)
    settled()
    assert set(bench.withstanding.found) == {"blur", "cover"}


def test_another_gallery_is_measured_anew(page, bench, settled, trained_session):
    bench.withstanding.measure(["blur"])
    settled()
    row = trained_session.gallery.index.photos[0].key
    assert trained_session.apply("remove", lambda now: now.remove([row]))
    settled()
    assert not bench.withstanding.found
    assert bench.nine.cells["Texture", "blur", False].text() == "·"


def test_too_few_photos_are_said(page, settled, trained_session):
    gallery = trained_session.gallery
    keys = [photo.key for photo in gallery.index.photos]
    gone = [key for row, key in enumerate(keys) if row % 4]
    trained_session.put_probes([probe_of(gallery, 9)])
    assert trained_session.apply("remove", lambda now: now.remove(gone))
    settled()
    page.side.break_it()
    settled()
    page.side.bench.withstanding.measure(["turn"])
    settled()
    assert seen.says(page.side.bench.whole, "nobody has two")


def test_pictures_without_faces_cannot_be_aligned(bench):
    assert not bench.sliders.align.isEnabled()
    assert "do not look like faces" in bench.sliders.align.toolTip()


def test_curves_are_written(page, bench, settled, tmp_path, monkeypatch):
    bench.sliders.set_strength(BLUR, 2)
    bench.withstanding.measure(["blur"])
    settled()
    page.export()
    (menu,) = (child for child in page.findChildren(QWidget) if child.inherits("QMenu"))
    actions = menu.actions()
    assert all(action.isEnabled() for action in actions)
    for number_, name in enumerate(("photo.csv", "photo.png", "all.csv", "all.png")):
        path = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, path=path: (str(path), ""))
        actions[number_].trigger()
    menu.close()
    rows = list(csv.reader(io.StringIO((tmp_path / "photo.csv").read_text("utf-8"))))
    assert rows[0] == ["Blur (px)", f"to {bench.photo.curve.person}", "to the nearest other"]
    assert float(rows[1][1]) == bench.photo.curve.own[0]
    assert len(rows) == 1 + len(bench.photo.curve.strengths)
    whole = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8"))))
    assert {row["disturbance"] for row in whole} == {"Blur"}
    for name in ("photo.png", "all.png"):
        assert not QImage(str(tmp_path / name)).isNull()


def test_where_there_is_little_room_one_card_has_to_do(page, bench, settled):
    cards = (bench.photo, bench.whole, bench.nine)
    assert all(card.isVisible() for card in cards)
    page.resize(QSize(1048, 620))
    settled()
    for tab, card in enumerate(cards):
        bench.tabs.set_current(tab)
        settled()
        assert [each.isVisible() for each in cards] == [each is card for each in cards]
    assert page.scrolled.horizontalScrollBar().maximum() == 0
    assert page.scrolled.verticalScrollBar().maximum() == 0


def test_everything_that_takes_focus_has_a_name(bench):
    taking = [each for each in bench.findChildren(QWidget) if each.focusPolicy()]
    assert len(taking) > len(DISTURBANCES)
    nameless = [each for each in taking if each.isVisible() and not each.accessibleName()]
    assert [type(each).__name__ for each in nameless if not each.inherits("QCheckBox")] == []


@pytest.fixture
def on_the_sample(qtbot, session, tmp_path, qapp):
    """Five people of the sample, calibrated; the last photo of the second is on the bench."""
    theme.apply(qapp, "light")
    faces = load_sample()
    rows = [row for row in range(50) if row % 10 < 7]
    gallery = Gallery(faces.select(rows), PREPARATION, Recipe()).train().calibrate()
    session.switch(Project.create(tmp_path / "five.eigenfaces", gallery))
    page = seen.show(qtbot, RecognisePage(session), (1279, 861))
    photo = replace(faces.index.photos[18], person=None)
    session.put_probes([Probe(photo, faces.image(18))])
    seen.settle(qtbot, session, 60_000)
    page.side.break_it()
    seen.settle(qtbot, session, 60_000)
    return page.side.bench


def test_a_face_is_found_anew(qtbot, session, on_the_sample):
    bench = on_the_sample
    assert bench.sliders.align.isEnabled()
    bench.sliders.align.click()
    bench.sliders.set_strength(TURN, 25)
    seen.settle(qtbot, session, 60_000)
    now = bench.bench.broken(Strengths(turn=25), align=True)
    assert np.array_equal(shown(bench.card.pictures[1]), np.rint(255 * now.face).astype(int))
    assert bench.photo.curve.aligned
    bench.sliders.show_strengths(Strengths(darken=95, noise=50))
    seen.settle(qtbot, session, 60_000)
    assert bench.card.headline.full_text == "No face found"
    assert bench.card.pictures[1].image is None
    assert np.isnan(bench.photo.curve.own).any()


def test_nothing_of_the_laboratory_is_imported_before(tmp_path):
    code = (
        "import sys, gui.pages.recognise.page;"
        "print([name for name in sys.modules if 'laboratory' in name or '.bench' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
