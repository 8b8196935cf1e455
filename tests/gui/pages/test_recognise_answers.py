"""Every kind of verdict: its look, words and answers; the list by what there is to do."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from eigenfaces import Project
from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition.answers import (
    ANSWERED,
    LIKELY_GROUP,
    NO_FACE_GROUP,
    SURE_GROUP,
    TO_ANSWER,
)
from eigenfaces.recognition.decision import KIND_MEANINGS, Kind
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.recognised import Recognition
from gui.pages.recognise import queue as recognise_queue
from gui.pages.recognise.page import RecognisePage
from gui.state.jobs import JobKind
from gui.widgets.box_layouts import in_row
from gui.widgets.named_photo import VERDICT_STYLES
from tests.gui import seen
from tests.gui.pages.test_recognise import headings, listed
from tests.synthetic import on_file

BUTTONS = {
    "sure": ["Right"],
    "likely": ["Right"],
    "ask": ["It is Ada", "It is Mary"],
    "no face": ["Not a face"],
}
"""The answers with a button of their own, where they are not “It is Ada” alone."""


@pytest.fixture
def decided(monkeypatch) -> dict[str, Kind]:
    """Decide about probes what a test wants: the kind of the verdict by the probe's SHA-256."""
    kinds: dict[str, Kind] = {}
    compare = recognise_queue.recognise_probes

    def as_wanted(recognition: Recognition) -> Recognition:
        verdict = recognition.verdict
        kind = kinds.get(recognition.probe.photo.id.sha, verdict.decision.kind)
        decision = replace(verdict.decision, kind=kind)
        return replace(recognition, verdict=replace(verdict, decision=decision))

    recognise = lambda *about: [*map(as_wanted, compare(*about))]  # noqa: E731
    monkeypatch.setattr(recognise_queue, "recognise_probes", recognise)
    return kinds


@pytest.fixture
def page(qtbot, trained_session, decided) -> Iterator[RecognisePage]:
    """The page beside a button of another one, as in the window."""
    session = trained_session
    session.set_calibration(session.gallery.calibrate().calibration)
    window, page = QWidget(), RecognisePage(session)
    in_row(QPushButton("Another page"), page, inside=window)
    seen.show(qtbot, window, (1350, 880)).activateWindow()
    yield page
    window.close()


@pytest.fixture
def opened(page, decided, settled) -> RecognisePage:
    """The page with a photograph of Ada for every kind of verdict; none is answered."""
    probe = seen.probe_of(page.session.gallery, 0)
    decided.update({kind: kind for kind in KIND_MEANINGS})
    photos = [on_file(probe.photo, Path(f"/p/{kind}.png"), kind) for kind in KIND_MEANINGS]
    page.session.put_probes([replace(probe, photo=photo) for photo in photos])
    settled()
    page.photos.list.setFocus()
    return page


def menu(page: RecognisePage) -> dict[str, Callable[[], None]]:
    """Return what the menu of the face offers, without the keys."""
    page.face.menu.aboutToShow.emit()
    actions = page.face.menu.actions()
    return {action.text().partition("\t")[0]: action.trigger for action in actions if action.text()}


def test_what_the_program_cannot_make_out_is_unclear_and_red_is_what_a_person_said(opened, do):
    for kind in ("near but no face", "no face"):
        do(opened.session.select, FaceId(kind))
        assert opened.face.chip.text() == "unclear"
        assert opened.face.chip.property("tone") == "warn"
        assert opened.photo.named[0].name == "Unclear"
    do(seen.button(opened.face, "Not a face").click)
    do(opened.session.select, FaceId("no face"))
    assert opened.face.title.text() == "Not a face"
    assert opened.face.chip.property("tone") == opened.photo.named[0].style.tone == "bad"


@pytest.mark.parametrize("kind", KIND_MEANINGS)
def test_each_kind_has_its_look_words_and_buttons(opened, do, kind):
    do(opened.session.select, FaceId(kind))
    assert seen.unread(opened) == []
    face = opened.face
    buttons = [*BUTTONS.get(kind, ["It is Ada"]), "It is…", "More", "Why?"]
    assert seen.button_names(face) == buttons
    assert face.chip.property("tone") == VERDICT_STYLES[kind].tone
    assert face.chip.text()
    assert face.sentence.text().count(".") == 1  # one sentence
    words = face.title.text() + face.chip.text() + face.sentence.text()
    assert not any(letter.isdigit() for letter in words)
    captions = [view.caption for view in face.pictures if not view.isHidden()]
    assert captions == ["This face", *{"ask": ["Ada", "Mary"], "no face": []}.get(kind, ["Ada"])]
    (named,) = opened.photo.named
    assert named.style == VERDICT_STYLES[kind]
    assert named.name
    assert opened.photos.list.selected_keys() == [FaceId(kind)]


def test_photographs_are_listed_by_what_there_is_to_do(opened, do):
    do(opened.session.put_probes, (), [Path("/p/sea.png")])
    left = len(KIND_MEANINGS) - 2
    open_kinds = [FaceId(kind) for kind in KIND_MEANINGS if kind not in ("sure", "likely")]
    assert opened.photos.order()[:left] == open_kinds  # what is asked before what is unknown
    assert headings(opened) == {
        TO_ANSWER: f"{left}",
        LIKELY_GROUP: "1",
        SURE_GROUP: "1",
        NO_FACE_GROUP: "1",
    }
    do(opened.session.select, FaceId("unknown"))
    do(opened.answer, "it is", ("Zoe",))
    assert headings(opened)[ANSWERED] == "1"
    assert [line.subcaption for line in listed(opened) if line.key == FaceId("unknown")] == ["Zoe"]
    assert opened.photos.order()[-2:] == [FaceId("unknown"), Path("/p/sea.png")]


@pytest.mark.parametrize(
    ("kind", "keys", "answered"),
    [
        ("likely", "\r", Answer("right", "Ada")),
        ("sure", "u", Answer("nobody")),
        ("sure", "x", Answer("no face")),
        ("sure", "n", Answer(never=frozenset({"Ada"}))),
        ("ask", "\r", Answer("it is", "Ada")),
        ("ask", "o", Answer("it is", "Mary")),
        ("ask", "n", Answer(never=frozenset({"Ada", "Mary"}))),
        ("unknown", "y", Answer("it is", "Ada")),
        ("unknown", "nx", Answer("no face", never=frozenset({"Ada"}))),
        ("unknown", "u", Answer("nobody")),
        ("no face", "\r", Answer("no face")),
    ],
)
def test_keys_answer_and_undo_takes_it_back(opened, do, qtbot, kind, keys, answered):
    do(opened.session.select, FaceId(kind))
    title = opened.face.title.text()
    do(qtbot.keyClicks, opened.photos.list, keys)
    assert opened.session.gallery.answers == {FaceId(kind): answered}
    if answered.said:
        assert opened.photos.list.selected_keys() != [FaceId(kind)]  # the next to answer
        assert FaceId(kind) in opened.photos.order()[-1:]
    else:
        assert opened.face.sentence.text().startswith("You said: not Ada")
        assert "Ada" not in opened.face.title.text()  # the next person is suggested at once
    for _ in keys:
        do(opened.session.undo)
        assert opened.photos.list.selected_keys() == [FaceId(kind)]  # where it was taken back
    assert not opened.session.gallery.answers
    assert opened.face.title.text() == title


def test_enter_goes_through_all_that_is_to_answer(opened, do, qtbot):
    for _ in range(2 * len(KIND_MEANINGS)):
        do(qtbot.keyClicks, opened.photos.list, "\r")
    assert opened.session.gallery.answers.keys() == {
        FaceId(kind) for kind in KIND_MEANINGS if kind != "unknown"
    }
    assert opened.photos.list.selected_keys() == [
        FaceId("unknown")
    ]  # which asks for more than Enter
    opened.answer("it is", ("Ada",))
    do(opened.session.select, FaceId("unknown"))
    assert (opened.face.title.text(), opened.face.chip.text()) == ("Ada", "you said so")
    do(seen.button(opened.face, "Take it back").click)
    assert "unknown" not in opened.session.gallery.answers
    assert opened.photos.list.selected_keys() == [FaceId("unknown")]


def test_page_up_and_page_down_step_through_the_photographs(opened, do, qtbot):
    order, shown = opened.photos.order(), list[list[FaceId]]()
    do(opened.session.select, order[1])
    for key in ("PageDown", "PageDown", "PageUp", "PageUp", "PageUp", "PageUp"):
        do(qtbot.keyClick, opened.photos.list, Qt.Key[f"Key_{key}"])
        shown.append(opened.photos.list.selected_keys())
    assert shown == [[order[at]] for at in (2, 3, 2, 1, 0, 0)]


def test_all_that_is_sure_is_confirmed_in_one_press_and_undone_in_one(opened, do, decided, qtbot):
    three = ("sure", "likely", "ask")
    decided.update(dict.fromkeys(three, "sure"))
    do(opened.session.apply, "share", lambda gallery: gallery.with_share(0.1))
    assert opened.photos.confirm.text() == "Confirm all sure"
    assert opened.photos.confirm.toolTip().startswith("Keep 3 faces ")
    before = opened.session.gallery
    do(opened.photos.confirm.click)
    assert opened.session.gallery.answers == dict.fromkeys(
        map(FaceId, three), Answer("right", "Ada")
    )
    assert not opened.photos.confirm.isEnabled()
    seen.button(opened, "Open photos…").setFocus()
    qtbot.mouseClick(opened.photos.confirm, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is opened.photos.list  # Enter still answers
    assert "3 answers were saved" in opened.photo.caption
    do(opened.session.undo)
    assert opened.session.gallery is before


def test_several_are_answered_at_once(opened, qtbot, do):
    lines, left = opened.photos.list, set(KIND_MEANINGS) - {"sure", "likely"}
    seen.click(qtbot, lines, 1)
    do(seen.click, qtbot, lines, len(left), Qt.KeyboardModifier.ShiftModifier)
    assert opened.face.title.text() == f"{len(left)} faces"
    assert seen.button_names(opened.face)[0] == "It is…"  # not all of them are named
    do(qtbot.keyClicks, lines, "u")
    assert opened.session.gallery.answers == dict.fromkeys(map(FaceId, left), Answer("nobody"))


def test_redo_goes_on_as_the_answer_did(opened, do):
    session, chosen = opened.session, opened.photos.list.selected_keys
    do(session.select, FaceId("likely"))
    do(opened.answer, "right")
    after = chosen()
    assert after != [FaceId("likely")]
    do(session.undo)
    assert chosen() == [FaceId("likely")]
    do(session.redo)
    assert chosen() == after
    assert session.photo == after[0], "on every page"


def test_redo_shows_what_it_changes_also_from_elsewhere(opened, do):
    session, chosen = opened.session, opened.photos.list.selected_keys
    do(session.select, FaceId("likely"))
    do(opened.answer, "right")
    do(session.undo)
    do(session.select, FaceId("unknown"))
    do(session.redo)
    assert chosen() == [FaceId("likely")]
    assert session.photo == FaceId("likely"), "on every page"


def test_what_is_in_the_menu_can_be_done(opened, do, monkeypatch):
    do(opened.session.select, FaceId("sure"))
    corrected = []
    correct = lambda *about: corrected.append(about[2].face)  # noqa: E731
    monkeypatch.setattr("gui.pages.recognise.page.correct_photo", correct)
    actions = menu(opened)
    assert [*actions][:3] == ["Not this person", "Nobody I know", "Not a face"]
    actions["Correct the box…"]()
    opened.photos.list.doubleClicked.emit(opened.photos.list.currentIndex())
    assert corrected == [FaceId("sure"), FaceId("sure")]
    do(menu(opened)["Remove from the list"])
    assert FaceId("sure") not in opened.photos.order()
    menu(opened)["Reconstruct this face"]()
    assert opened.session.page == "reconstruct"


def test_names_are_offered_by_nearness_and_a_new_one_last(opened, qtbot, do):
    do(opened.session.select, FaceId("unknown"))
    lines, field = opened.photos.list, opened.face.name
    qtbot.keyClicks(lines, "i")
    assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)  # no name is given, and nothing is changed
    assert field.isHidden()
    assert QApplication.focusWidget() is lines
    qtbot.keyClicks(lines, "i")
    ranking = [
        match.person for match in opened.recogniser.by_face[FaceId("unknown")].verdict.ranking
    ]
    assert field.suggestions() == ranking
    qtbot.keyClicks(field, "Nu")
    do(opened.recogniser.changed.emit)  # others have been compared meanwhile
    assert QApplication.focusWidget() is field
    qtbot.keyClicks(field, "x")
    assert not opened.session.gallery.answers  # its letters answer nothing
    do(qtbot.keyClick, field, Qt.Key.Key_Return)
    assert opened.session.gallery.answers == {FaceId("unknown"): Answer("it is", "Nux")}
    assert QApplication.focusWidget() is lines  # the next answer is a key away
    qtbot.keyClicks(lines, "i")
    do(qtbot.keyClick, QApplication.activePopupWidget() or field, Qt.Key.Key_Return)
    assert [*opened.session.gallery.answers.values()][-1].person == ranking[0]  # by Enter alone


def test_a_name_that_is_being_typed_is_not_kept_for_another_face(opened, do, qtbot):
    do(opened.session.select, FaceId("unknown"))
    qtbot.keyClicks(opened.photos.list, "i")
    qtbot.keyClicks(opened.face.name, "Nu")
    do(qtbot.keyClick, opened.photos.list, Qt.Key.Key_PageDown)
    assert opened.photos.list.selected_keys() != [FaceId("unknown")]
    assert opened.face.name.isHidden()
    assert "It is…" in seen.button_names(opened.face)


def test_keys_answer_as_soon_as_photos_have_come(page, do):
    """A hidden button that has the focus hands it on: at the end, to the navigation."""
    do(seen.button(page, "Open photos…").setFocus)
    do(page.session.put_probes, [seen.probe_of(page.session.gallery, 3)])
    assert QApplication.focusWidget() is page.photos.list
    do(page.session.remove_probes, [page.session.probes[0].photo.id])
    assert QApplication.focusWidget() is page.zone


def test_verdicts_stay_while_distances_are_measured_anew(opened, do, qtbot):
    """An answer changes the gallery; what is looked at changes when something else is."""
    session, verdicts, ready = opened.session, dict(opened.recogniser.by_face), Event()
    measure, chosen = session.gallery.calibrate, opened.photos.list.selected_keys

    def changed() -> set[FaceId]:
        by_face = opened.recogniser.by_face
        return {face for face, before in verdicts.items() if by_face.get(face) is not before}

    session.run(
        JobKind.CALIBRATE,
        "Measuring",
        lambda _: ready.wait(10) and measure(),
        lambda _: session.set_calibration(session.gallery.calibrate().calibration),
    )
    first = chosen()
    opened.answer("right", ("Ada",))
    qtbot.waitUntil(lambda: chosen() != first)
    assert not changed()
    (second,) = chosen()
    do(ready.set)
    assert changed() == verdicts.keys() - {second}
    do(qtbot.keyClick, opened.photos.list, Qt.Key.Key_Down)
    assert second in changed()


def test_why_takes_the_place_of_the_photograph_until_esc(opened, do, qtbot):
    do(opened.session.select, FaceId("sure"))
    qtbot.keyClick(opened.photos.list, Qt.Key.Key_W)
    assert not opened.photo.isVisible()
    assert opened.why.question.full_text == "Why Ada?"
    opened.photos.list.setFocus()
    qtbot.keyClicks(opened.photos.list, "u")
    assert not opened.session.gallery.answers  # nobody answers what is not in view
    do(qtbot.keyClick, opened.photos.list, Qt.Key.Key_Up)
    assert opened.why.isVisible()
    seen.button(opened.why, "Back to the photo").click()
    assert opened.photo.isVisible()
    opened.face.why.click()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert opened.photo.isVisible()
    assert QApplication.focusWidget() is opened.photos.list
    opened.explain()
    session = opened.session
    probes, path = session.probes, session.project.path.with_name("other.eigenfaces")
    session.open(Project.create(path, session.gallery))
    do(session.put_probes, probes)
    assert opened.photo.isVisible()  # of another project nobody has asked why
