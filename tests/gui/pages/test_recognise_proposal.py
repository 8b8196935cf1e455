"""A better recipe is measured in the background, proposed, and never chosen by itself."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.errors import Tick
from eigenfaces.evaluation.proposal import NO_SPACE, Measured, Proposal
from eigenfaces.recognition.recipe import RECIPES
from gui.pages.recognise import proposing
from gui.pages.recognise.page import RecognisePage
from gui.state import actions
from gui.state.jobs import PROPOSE
from gui.state.session import Session
from tests.gui import seen
from tests.gui.state.gate import Gate


def measured(gallery: Gallery, better: bool) -> Proposal:
    """Return that Texture names all photographs, Eigenfaces not the last of the six people."""
    names = [photo.person for photo in gallery.index.photos]
    people = np.array([gallery.people.index(name) for name in names])
    answers = {"Texture": people, "Eigenfaces": np.where(people == 5, 0, people)}
    if not better:
        answers["Texture"] = answers["Eigenfaces"]
    each = {
        name: Measured(name, "pixels", RECIPES[name], people, answers[name]) for name in answers
    }
    raw = Measured(NO_SPACE, "raw", None, people, answers["Eigenfaces"])
    keys = tuple(photo.key for photo in gallery.index.photos)
    use = replace(each["Eigenfaces"], recipe=gallery.compared_by)
    proposed = each["Texture"] if better else None
    found = (each["Texture"], use, raw)
    every = len(gallery.enrolled)
    return Proposal(gallery.basis, keys, every, gallery.people, found, use, proposed, 0.01)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Gallery]:
    """The galleries that were measured; their photographs are not."""
    galleries: list[Gallery] = []

    def propose(gallery: Gallery, _tick: Tick) -> Proposal:
        galleries.append(gallery)
        return measured(gallery, better=True)

    monkeypatch.setattr(proposing, "propose", propose)
    return galleries


@pytest.fixture
def calibrated(trained_session: Session) -> Session:
    trained_session.keep_calibration(trained_session.gallery.calibrate().calibration)
    return trained_session


@pytest.fixture
def shown(qtbot: QtBot, calibrated: Session) -> Callable[[], RecognisePage]:
    def show() -> RecognisePage:
        page = RecognisePage(calibrated)
        qtbot.addWidget(page)
        page.resize(1250, 880)
        page.show()
        seen.settle(qtbot, calibrated)
        return page

    return show


def ordinary(session: Session) -> None:
    """Say of the photographs that faces are searched for on them."""
    gallery = session.gallery
    preparation = replace(gallery.preparation, already_cropped=False)
    training = replace(gallery.trained, preparation=preparation)
    session.apply("", lambda now: replace(now, preparation=preparation, training=training))


def test_ordinary_photographs_begin_with_the_proposal(calibrated, shown, asked) -> None:
    ordinary(calibrated)
    page = shown()
    assert asked == [calibrated.gallery]
    view = page.proposal
    assert view.isVisible()
    assert seen.says(view, "On your photographs Texture names 100 %, Eigenfaces 83 %.")
    assert [bar.accessibleDescription()[:4] for bar in view.recipes.bars] == [
        "100%",
        "83%,",
        "83%,",
    ]
    parts = "both name: 20, only Texture: 4, only Eigenfaces: 0, neither: 0"
    assert view.photos.bar.accessibleDescription() == parts
    people = calibrated.gallery.people
    faces = view.photos.row.faces.faces()
    assert {(face.caption, face.subcaption) for face in faces} == {(people[5], f"was: {people[0]}")}
    assert seen.says(view.changes, "Texture has no pictures")
    assert not seen.says(view, "paired permutation test")
    seen.button(view, "How was this measured?").click()
    assert seen.says(view, "paired permutation test")


def test_crops_begin_with_a_line_that_leads_there(calibrated, shown, asked, qtbot) -> None:
    page = shown()
    assert not page.proposal.isVisible()
    assert page.proposal.banner.isVisible()
    seen.button(page, "Compare recipes…").click()
    seen.settle(qtbot, calibrated)
    assert page.proposal.isVisible()
    assert not page.proposal.banner.isVisible()
    seen.button(page, "Not now").click()
    seen.settle(qtbot, calibrated)
    assert page.zone.isVisible()
    assert page.proposal.banner.isVisible()


def test_the_line_comes_late_and_moves_no_answer(calibrated, asked, monkeypatch, qtbot) -> None:
    gate = Gate()

    def late(gallery: Gallery, tick: Tick) -> Proposal:
        gate.work(tick)
        return measured(gallery, better=True)

    monkeypatch.setattr(proposing, "propose", late)
    page = RecognisePage(calibrated)
    qtbot.addWidget(page)
    page.resize(1250, 880)
    page.show()
    qtbot.waitUntil(lambda: calibrated.jobs.is_busy(PROPOSE))
    qtbot.waitUntil(lambda: page.zone.width() < page.width())  # it is laid out
    before, height = page.zone.mapTo(page, page.zone.rect().topLeft()), page.zone.height()
    gate.open.set()
    qtbot.waitUntil(page.proposal.banner.isVisible)
    qtbot.waitUntil(lambda: page.zone.height() < height)  # the line has its room
    assert page.zone.mapTo(page, page.zone.rect().topLeft()) == before


def test_without_a_face_space_nothing_is_proposed(calibrated, shown, asked, qtbot) -> None:
    page = shown()
    assert page.proposal.banner.isVisible()
    calibrated.apply("", lambda now: replace(now, training=None))
    seen.settle(qtbot, calibrated)
    assert not page.proposal.banner.isVisible()


def test_it_is_used_when_asked_and_not_before(calibrated, shown, asked, monkeypatch, qtbot) -> None:
    ordinary(calibrated)
    used: list[object] = []
    monkeypatch.setattr(actions, "use_recipe", lambda _, recipe: used.append(recipe))
    page = shown()
    assert not used
    assert calibrated.gallery.recipe.name == "Eigenfaces"
    seen.button(page, "Use Texture").click()
    seen.settle(qtbot, calibrated)
    assert used == [RECIPES["Texture"]]
    assert not page.proposal.isVisible()
    assert not page.proposal.banner.isVisible()


def test_keeping_is_remembered_for_this_gallery(calibrated, shown, asked, qtbot) -> None:
    ordinary(calibrated)
    page = shown()
    seen.button(page, "Keep Eigenfaces").click()
    seen.settle(qtbot, calibrated)
    assert page.zone.isVisible()
    assert not page.proposal.banner.isVisible()
    key = calibrated.gallery.index.photos[0].key
    calibrated.apply("removing", lambda gallery: gallery.remove([key]).train().calibrate())
    seen.settle(qtbot, calibrated)
    assert len(asked) == 2  # another gallery is another question
    assert page.proposal.isVisible()
    calibrated.undo()
    seen.settle(qtbot, calibrated)
    assert len(asked) == 2
    assert page.zone.isVisible()
    assert not page.proposal.banner.isVisible()


def test_nothing_is_said_where_no_recipe_is_better(calibrated, shown, monkeypatch) -> None:
    monkeypatch.setattr(proposing, "propose", lambda gallery, _: measured(gallery, better=False))
    ordinary(calibrated)
    page = shown()
    assert page.zone.isVisible()
    assert not page.proposal.banner.isVisible()


def test_what_is_not_trained_is_not_measured(calibrated, shown, asked, qtbot) -> None:
    key = calibrated.gallery.index.photos[0].key
    calibrated.apply("removing", lambda gallery: gallery.remove([key]).calibrate())
    shown()
    assert calibrated.gallery.changes
    assert not asked


def test_a_person_may_stop_it(calibrated, qtbot, monkeypatch) -> None:
    gate = Gate()
    monkeypatch.setattr(proposing, "propose", lambda _, tick: gate.work(tick))
    page = RecognisePage(calibrated)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: calibrated.jobs.is_busy(PROPOSE))
    calibrated.jobs.cancel(PROPOSE)
    seen.settle(qtbot, calibrated)
    assert "no recipe is proposed" in calibrated.message.text
    assert not calibrated.jobs.is_busy(PROPOSE)


def test_everything_that_takes_focus_has_a_name(nameless, calibrated, shown, asked) -> None:
    ordinary(calibrated)
    assert not nameless(shown())


def test_nothing_is_measured_until_the_page_is_opened(
    qtbot: QtBot, calibrated: Session, asked: list[Gallery]
) -> None:
    page = RecognisePage(calibrated)
    qtbot.addWidget(page)
    calibrated.gallery_changed.emit()
    seen.settle(qtbot, calibrated)
    assert asked == []
    page.show()
    seen.settle(qtbot, calibrated)
    assert asked == [calibrated.gallery]
