"""Every kind of verdict: its tone, icon, words and answers; the list in groups; and answering."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import NOTHING, Answered
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import Decision, Kind
from gui.pages.recognise import findings as recognise_findings
from gui.pages.recognise.answer_row import BACK
from gui.pages.recognise.looks import ITSELF, LOOKS
from gui.pages.recognise.page import RecognisePage
from gui.pages.recognise.verdict import VerdictCard
from gui.state import actions
from gui.state.jobs import CALIBRATE
from gui.state.session import Session
from gui.widgets.face_model import ListHeading
from tests.gui import seen

KINDS: tuple[Kind, ...] = (
    *("sure", "ask", "perhaps", "unknown", "no face", "near but no face", "likely"),
)
ANSWERS = {
    "sure": ["Right", "It is…", "Not this person", "Nobody I know", "Not a face"],
    "likely": ["Right", "It is…", "Not this person", "Nobody I know", "Not a face"],
    "ask": ["Ada", "Sofia", "It is…", "Neither", "Nobody I know"],
    "perhaps": ["Right", "It is…", "Not this person", "Nobody I know", "Not a face"],
    "unknown": ["Enrol as new…", "It is…", "Nobody I know", "Not a face"],
    "near but no face": ["Mark the face…", "It is Ada", "It is…", "Nobody I know", "Not a face"],
    "no face": ["Mark the face…", "Right, no face", "It is…"],
    "not calibrated": ["Right", "It is…", "Not this person", "Nobody I know", "Not a face"],
}


def probe_of(gallery: Gallery, row: int) -> Probe:
    """Make a photograph like one of the gallery, but not the same."""
    noise = np.random.default_rng(row).normal(0, 0.02, gallery.faces.shape)
    image = np.clip(gallery.faces.image(row) + noise, 0, 1).astype(np.float32)
    return Probe(FacePhoto(Path(f"/photos/{row}.png"), None, f"probe {row}", image.shape), image)


@pytest.fixture
def calibrated(trained_session: Session) -> Session:
    trained_session.keep_calibration(trained_session.gallery.calibrate().calibration)
    assert trained_session.gallery.calibrated is not None
    return trained_session


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> dict[str, Kind]:
    """Decide about probes what a test wants: the kind of the verdict by the key of the probe."""
    kinds: dict[str, Kind] = {}
    compare = recognise_findings.compare

    def compared(*args: object) -> list[recognise_findings.Finding]:
        return [
            replace(found, verdict=replace(found.verdict, decision=as_kind(found, kind)))
            if (kind := kinds.get(found.probe.photo.key))
            else found
            for found in compare(*args)
        ]

    def as_kind(found: recognise_findings.Finding, kind: Kind) -> Decision:
        return replace(found.verdict.decision, kind=kind)

    monkeypatch.setattr(recognise_findings, "compare", compared)
    return kinds


@pytest.fixture
def page(qtbot: QtBot, calibrated: Session, decided: dict[str, Kind]) -> RecognisePage:
    return seen.show(qtbot, RecognisePage(calibrated), (1250, 880))


def headings(page: RecognisePage) -> dict[str, str]:
    lines = page.probes.list.faces.faces()
    return {each.caption: each.subcaption for each in lines if isinstance(each, ListHeading)}


def six(page: RecognisePage, decided: dict[str, Kind], settled: Callable[[], None]) -> None:
    """Open six photographs of Ada, decided about in six ways; the first is shown."""
    probes = [probe_of(page.session.gallery, 0)]
    probes = [
        replace(probes[0], photo=replace(probes[0].photo, key=kind, path=Path(f"/p/{kind}.png")))
        for kind in KINDS
    ]
    decided.update({kind: kind for kind in KINDS})
    page.session.put_probes(probes)
    settled()


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_kind_has_its_tone_words_and_answers(
    qtbot: QtBot, calibrated: Session, kind: Kind
) -> None:
    gallery = calibrated.gallery
    (found,) = recognise_findings.compare(gallery, [probe_of(gallery, 0)])
    assert found.verdict.runner_up is not None
    second = replace(found.verdict.runner_up, person="Sofia")
    first = (found.verdict.closest, second)
    decision = replace(found.verdict.decision, kind=kind, runner_up=("Sofia", second.distance))
    verdict = replace(found.verdict, decision=decision, first=first)
    card = seen.show(qtbot, VerdictCard(calibrated))
    card.show_finding(gallery, replace(found, verdict=verdict), NOTHING)
    assert card.property("tone") == LOOKS[kind].tone
    assert card.headline.full_text == decision.headline
    assert card.chip.full_text == decision.chip
    assert card.marks.text() == decision.limits
    answers = [button for button in card.answers.buttons if not button.isHidden()]
    assert [button.text() for button in answers] == ANSWERS[kind]
    captions = [view.caption for view in card.pictures if not view.isHidden()]
    assert captions[1:] == {
        "ask": ["1 · Ada", "2 · Sofia"],
        "no face": ["As a face"],
        "unknown": ["Nearest, too far"],
    }.get(kind, ["Ada"])
    if kind == "no face":
        assert card.distance_gauge.accessibleDescription() == "not asked"
    else:
        assert "mark at" in card.distance_gauge.accessibleDescription()
    assert f"mark at {100 * decision.face_limit:.0f} %" in card.face_gauge.accessibleDescription()


def test_no_two_kinds_look_alike() -> None:
    assert len({*LOOKS.values(), ITSELF}) == len(LOOKS) + 1
    assert len({look.icon for look in LOOKS.values()}) == len(LOOKS)
    certain = {LOOKS["sure"].tone, LOOKS["likely"].tone}
    assert len(certain) == 1
    assert LOOKS["ask"].tone == LOOKS["perhaps"].tone not in certain
    assert len({look.tone for look in LOOKS.values()}) == len(LOOKS) - 2


def test_probes_are_listed_under_what_was_decided(page, decided, settled, qtbot) -> None:
    six(page, decided, settled)
    page.session.put_probes((), [Path("/p/sea.png")])
    settled()
    assert headings(page) == {
        "Sure": "1",
        "Likely": "1",
        "Ask me": "1",
        "Perhaps": "1",
        "Unknown": "1",
        "Not a face": "2",
        "No face found": "1",
    }
    order = page.probes.order()
    assert order[:5] == ["sure", "likely", "ask", "perhaps", "unknown"]
    assert page.probes.list.selected_keys() == ["sure"]
    page.probes.step(-1)  # nothing is before the first
    settled()
    assert page.probes.list.selected_keys() == ["sure"]
    page.probes.list.setFocus()
    for wanted in ("likely", "ask"):  # each under a heading of its own, which cannot be chosen
        qtbot.keyClick(page.probes.list, Qt.Key.Key_Down)
        settled()
        assert page.probes.list.selected_keys() == [wanted]


def test_what_is_below_fits_the_verdict(page, decided, settled) -> None:
    six(page, decided, settled)
    shown = {}
    for kind in KINDS:
        page.session.select(kind)
        settled()
        cards = (page.nearest, page.side.seen, page.side.components, page.side.close_card)
        shown[kind] = [card.isVisible() for card in cards]
    assert shown.pop("ask") == [True, False, True, True]
    assert shown.pop("no face") == [False, True, False, True]
    assert set(map(tuple, shown.values())) == {(True, True, False, True)}


def test_where_who_it_is_is_not_asked_the_share_that_is_no_face_is_shown(
    page, decided, settled
) -> None:
    six(page, decided, settled)
    chart = page.side.close_card.chart
    assert len(chart.accessibleDescription().split(" most between ")) == 3  # two histograms
    assert chart.frame.x.title == "distance to the nearest enrolled person"
    page.session.select("no face")
    settled()
    decision = page.findings.of("no face").verdict.decision
    assert chart.frame.x.title == "share of the contrast that is no face, in %"
    assert chart.limit() == (100 * decision.face_limit, f"mark {100 * decision.face_limit:.0f} %")
    assert len(chart.accessibleDescription().split(" most between ")) == 2
    assert f"this photo {100 * decision.left_over:.0f} %" in chart.accessibleDescription()


@pytest.mark.parametrize(
    ("kind", "keys", "answered"),
    [
        ("sure", "\r", Answered("right", "Ada")),
        ("sure", "u", Answered("nobody")),
        ("sure", "x", Answered("no face")),
        ("sure", "n", Answered(never=frozenset({"Ada"}))),
        ("ask", "1", Answered("it is", "Ada")),
        ("ask", "2", Answered("it is", "Mary")),
        ("near but no face", "1", Answered("right", "Ada")),
        ("no face", "\r", Answered("no face")),
        ("unknown", "u", Answered("nobody")),
    ],
)
def test_keys_answer_and_undo_takes_it_back(
    page, decided, settled, qtbot, kind, keys, answered
) -> None:
    six(page, decided, settled)
    page.session.select(kind)
    settled()
    page.activateWindow()
    page.probes.list.setFocus()
    qtbot.keyClicks(page.probes.list, keys)
    settled()
    given = page.session.gallery.answers
    assert given.keys() == {kind}
    assert replace(given[kind], crop=b"") == answered
    assert bool(given[kind].crop) == (answered.said == "nobody")
    if answered.said:
        assert page.verdict.chip.full_text == "you said so"
        assert BACK in page.verdict.answers.offered()
    page.session.undo()
    settled()
    assert not page.session.gallery.answers
    assert page.verdict.chip.full_text != "you said so"


def test_whom_it_is_not_is_said_beside_the_verdict(page, decided, settled, qtbot) -> None:
    six(page, decided, settled)
    page.session.select("ask")
    settled()
    decision = page.findings.of("ask").verdict.decision
    first, second = sorted([decision.nearest[0], decision.runner_up[0]])
    qtbot.keyClicks(page.probes.list, "n")
    settled()
    assert page.verdict.sentence.text().startswith(f"You said: not {first} or {second}. ")


def test_a_name_that_is_typed_answers_nothing_by_its_letters(page, decided, settled, qtbot) -> None:
    six(page, decided, settled)
    faces = len(page.session.gallery.faces)
    page.session.select("unknown")
    settled()
    page.activateWindow()
    page.probes.list.setFocus()
    qtbot.keyClicks(page.probes.list, "\r")
    line = page.verdict.answers.name
    assert line.isVisible()
    qtbot.keyClicks(line.name.lineEdit(), "Nux")
    assert not page.session.gallery.answers
    qtbot.keyClick(line.name.lineEdit(), Qt.Key.Key_Return)
    settled()
    assert page.session.gallery.answers == {"unknown": Answered("it is", "Nux")}
    assert len(page.session.gallery.faces) == faces + 1
    assert "Nux" in page.verdict.sentence.text()


def test_an_answer_is_shown_under_what_was_answered_and_taken_back(page, decided, settled) -> None:
    six(page, decided, settled)
    page.session.select("unknown")
    settled()
    page.answer("it is", ("Ada",))
    settled()
    assert headings(page)["Sure"] == "2"
    assert "Unknown" not in headings(page)
    said = [face.subcaption for face in page.probes.list.faces.faces() if face.key == "unknown"]
    assert said == ["you said: Ada"]
    rows = len(page.session.gallery.index.rows_of("Ada"))
    seen.button(page.verdict, "Take the answer back").click()
    settled()
    assert not page.session.gallery.answers
    assert len(page.session.gallery.index.rows_of("Ada")) == rows - 1
    assert headings(page)["Unknown"] == "1"


def test_verdicts_stay_while_distances_are_measured_anew(page, decided, settled, qtbot) -> None:
    """An answer changes the gallery; what was said of other photographs does not flicker."""
    six(page, decided, settled)
    session, found = page.session, page.findings.of("ask")
    measure = session.gallery.calibrate
    ready = Event()
    session.jobs.start(
        CALIBRATE,
        "Measuring",
        lambda _: ready.wait(10) and measure(),
        lambda _: None,
    )
    page.answer("right", ("Ada",))
    page._refresh_shown()
    assert page.findings.of("ask") is found
    assert page.verdict.chip.full_text == "you said so"
    ready.set()
    settled()
    assert page.findings.of("ask") is not found


def test_the_recipe_and_the_share_are_chosen_in_the_head(page, settled, monkeypatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(actions, "use_recipe", lambda _, recipe: asked.append(recipe.name))
    page.session.put_probes([probe_of(page.session.gallery, 0)])
    settled()
    recipe, share = page.choosers.recipe, page.choosers.share
    there = [recipe.itemText(at) for at in range(recipe.count())]
    assert there == ["Automatic", "Eigenfaces", "Fisherfaces", "Texture", "Network"]
    recipe.setCurrentText("Texture")
    recipe.activated.emit(recipe.currentIndex())
    assert asked == ["Texture"]
    monkeypatch.setattr(actions, "train", lambda session: asked.append(session.gallery.automatic))
    recipe.setCurrentText("Automatic")
    recipe.activated.emit(0)
    assert asked == ["Texture", NOT_MEASURED]
    page.session.undo()
    assert share.currentText() == "1 % of strangers named"
    before = page.findings.of("probe 0").verdict.decision.limit
    share.setCurrentIndex(share.count() - 1)
    share.activated.emit(share.count() - 1)
    settled()
    assert page.session.gallery.share == 0.1
    assert page.findings.of("probe 0").verdict.decision.limit > before
    page.session.undo()
    settled()
    assert share.currentText() == "1 % of strangers named"


def test_why_takes_the_place_of_the_verdict_until_esc(page, decided, settled, qtbot) -> None:
    six(page, decided, settled)
    page.activateWindow()
    page.resize(1250, 600)
    qtbot.waitUntil(lambda: page.scrolled.verticalScrollBar().maximum() > 0)
    page.scrolled.verticalScrollBar().setValue(90)
    qtbot.keyClick(page.probes.list, Qt.Key.Key_W)
    assert not page.verdict.isVisible()
    assert page.scrolled.verticalScrollBar().value() == 0  # its head is in view
    assert seen.says(page.side, "Why Ada?")
    qtbot.keyClick(page.probes.list, Qt.Key.Key_U)
    assert not page.session.gallery.answers  # nobody answers what is not in view
    page.probes.step(1)
    settled()
    assert not page.verdict.isVisible()
    seen.button(page.side, "Back to the verdict").click()
    assert page.verdict.isVisible()
    page.verdict.why.click()
    qtbot.keyClick(page.side.focusWidget(), Qt.Key.Key_Escape)
    assert page.verdict.isVisible()
    assert page.focusWidget() is page.probes.list  # whose keys answer; no other page is in reach


def test_the_selected_probe_is_in_view_though_the_verdict_is_taller_than_the_page(
    page, decided, settled, qtbot
) -> None:
    six(page, decided, settled)
    page.resize(1100, 600)
    for _ in range(len(KINDS)):
        page.probes.step(1)
        settled()
        page.scrolled.verticalScrollBar().setValue(0)
        assert page.scrolled.verticalScrollBar().maximum() > 0
        found = page.probes.list
        line = found.visualRect(found.selectionModel().selectedIndexes()[0])
        foot = found.viewport().mapTo(page.scrolled.viewport(), line.bottomLeft())
        assert foot.y() <= page.scrolled.viewport().height()


def test_everything_that_takes_focus_has_a_name(nameless, page, decided, settled) -> None:
    six(page, decided, settled)
    for kind in KINDS:
        page.session.select(kind)
        settled()
        assert not nameless(page)
