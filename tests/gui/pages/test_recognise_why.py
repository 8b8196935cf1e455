"""Why: what a verdict follows from, for every recipe and every kind of verdict."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.explanation import closeness, explain
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import Recognition, recognise_probes
from eigenfaces.sample import PREPARATION, load_sample
from gui.pages.recognise.why import WhyView
from gui.plots.marks import Bars, Points, Rule
from gui.state import actions
from gui.state.session import Session
from gui.style.images import grey_image, rgb_array
from tests.gui import seen

FACES = load_sample()
PROBE = 6


@pytest.fixture(scope="module")
def galleries() -> dict[str, Gallery]:
    faces = FACES.select([row for row in range(70) if row % 10 < 5])
    return {
        name: Gallery(faces, PREPARATION, recipe).train().calibrate()
        for name, recipe in RECIPES.items()
    }


def found(gallery: Gallery, row: int = PROBE) -> Recognition:
    photo = replace(FACES.index.photos[row], key="probe")
    return recognise_probes(gallery, [Probe(photo, FACES.image(row))])[0]


def decided(finding: Recognition, **changed: object) -> Recognition:
    decision = replace(finding.verdict.decision, **changed)  # type: ignore[arg-type]
    return replace(finding, verdict=replace(finding.verdict, decision=decision))


@pytest.fixture
def why(qtbot: QtBot, session: Session) -> WhyView:
    return seen.show(qtbot, WhyView(session), (1000, 773))


@pytest.mark.parametrize("recipe", RECIPES)
def test_all_cards_show_the_same_sums(why, galleries, recipe):
    gallery = galleries[recipe]
    finding = found(gallery)
    why.show_finding(finding)
    split = explain(gallery, FACES.image(PROBE), finding.verdict).closest
    decision = finding.verdict.decision
    bars = why.components.chart.of(Bars)[0].series
    assert list(bars) == [f"to {decision.nearest[0]}", f"to {decision.runner_up[0]}"]
    assert bars[f"to {decision.nearest[0]}"].sum() == pytest.approx(split.total)
    assert bool(split.maps) == (recipe != "Network")
    if split.maps:
        assert split.match.person in why.map.views[1].caption
        assert why.map.views[1].note.startswith("adds up to ")
    assert why.map.blocks.isVisible() == (recipe == "Texture")
    rules = {rule.solid: rule.at for rule in why.close_card.chart.of(Rule)}
    assert rules == {True: decision.limit, False: pytest.approx(decision.nearest[1])}
    limits = [rule.at for rule in why.questions.chart.of(Rule)]
    assert limits == [decision.limit, decision.face_limit]
    held = decision.calibration.held
    _, members, strangers = why.questions.chart.of(Points)
    np.testing.assert_array_equal(members.at[:, 0], held.member.distance)
    np.testing.assert_array_equal(strangers.at[:, 0], held.stranger.distance)
    assert "are farther than" in why.sentence.text()
    for chart in (why.components.chart, why.close_card.chart, why.questions.chart):
        assert len(chart.accessibleDescription()) > 40


def test_every_part_of_the_texture_can_be_seen(why, galleries):
    gallery = galleries["Texture"]
    finding = found(gallery)
    why.show_finding(finding)
    split = explain(gallery, FACES.image(PROBE), finding.verdict).closest
    pictures = [why.map.views[1].image]
    for place, each in enumerate(split.maps.values(), start=1):
        why.map.blocks.set_current(place)
        pictures.append(why.map.views[1].image)
        shown = float(why.map.views[1].note.removeprefix("adds ").replace("−", "-"))
        assert shown == pytest.approx(each.sum(), abs=1e-3)
    for one, other in pairwise(pictures):
        assert one != other
    why.show_finding(found(gallery, 27))
    assert why.map.blocks.current_text == "Waves"  # of the next probe, too
    assert why.map.views[1].note.startswith("adds ")


def test_a_bar_shows_its_components_and_the_words_again(why, galleries):
    recognition = found(galleries["Eigenfaces"])
    why.show_finding(recognition)
    groups = explain(recognition.gallery, FACES.image(PROBE), recognition.verdict).groups
    card, expected = why.components, [f"{number + 1}" for number in groups[1]]
    for pressed in (True, False):
        card.chart.picked.emit(0, 1)
        assert card.row.isHidden() != pressed
        assert card.words.isHidden() == pressed
        assert [face.caption for face in card.row.faces.faces()] == expected


def test_dragged_marks_count_both_errors_and_go_back(why, galleries, qtbot):
    gallery = galleries["Eigenfaces"]
    finding = found(gallery)
    why.show_finding(finding)
    chart, card = why.questions.chart, why.questions
    before = card.words.text()
    assert "of strangers" in before
    assert card.back.isHidden()
    qtbot.mousePress(
        chart, Qt.MouseButton.LeftButton, pos=chart.of(Rule)[0].line(chart.frame)[0].toPoint()
    )
    chart.hover(QPointF(chart.frame.plot.left(), 0), True)
    assert card.words.text().startswith(
        "With these limits, 100 % of known people’s photos are refused; 0"
    )
    assert "the limits in force are" in card.words.text()
    assert "for at most 1 % of strangers named" in card.words.text()
    card.back.click()
    assert card.words.text() == before
    assert chart.of(Rule)[0].at == finding.verdict.decision.limit
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert card.words.text() != before
    why.show_finding(finding)
    assert card.words.text() == before


def test_without_a_calibration_it_says_what_is_missing(why, galleries):
    gallery = replace(galleries["Eigenfaces"], calibration=None)
    finding = found(gallery)
    why.show_finding(finding)
    reason = finding.verdict.decision.reason
    assert reason
    for card in (why.close_card, why.questions):
        assert not card.chart.isVisible()
        assert card.words.text() == reason
    assert why.components.chart.isVisible()
    assert why.map.views[1].isVisible()
    two = Gallery(FACES.select(range(20)), PREPARATION, RECIPES["Eigenfaces"]).train().calibrate()
    why.show_finding(found(two))
    assert not why.questions.chart.of(Rule)
    assert "fewer than 3 people" in why.questions.words.text()


@pytest.mark.parametrize("recipe", RECIPES)
def test_somebody_alone_is_explained_too(why, recipe):
    faces = FACES.select(range(70))
    gallery = Gallery(faces, PREPARATION, RECIPES[recipe]).train()
    gallery = gallery.remove([photo.key for photo in faces.index.photos[10:]])
    finding = found(gallery)
    why.show_finding(finding)
    assert len(why.components.chart.of(Bars)[0].series) == 1
    assert why.map.views[1].isVisible()
    assert not why.map.views[2].isVisible()


def test_what_has_no_map_says_so_and_all_is_copied_as_text(why, galleries):
    gallery = galleries["Texture"]
    gallery = gallery.with_recipe(gallery.recipe.changed(distance="L2"))
    finding = found(gallery)
    why.show_finding(finding)
    assert why.map.words.text().startswith("There is no map")
    nearest = gallery.faces.image(finding.verdict.closest.row)
    assert (rgb_array(why.map.views[1].image) == rgb_array(grey_image(nearest))).all()
    assert not why.map.bar.isVisible()
    why.copy.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(why.question.full_text)
    assert why.map.words.text() in text
    for sentence in (finding.verdict.decision.sentence, closeness(finding.verdict.decision)):
        assert sentence in text
        assert sentence in why.sentence.text()
    assert why.copy.text() == "Copied"


def test_both_values_are_said_with_their_limits(why, galleries):
    finding = found(galleries["Eigenfaces"])
    why.show_finding(finding)
    decision, gauge = finding.verdict.decision, why.face_gauge
    assert gauge.accessibleName() == "Unlike a face"
    said = f"{100 * decision.left_over:.0f} % (limit {100 * decision.face_limit:.0f} %)"
    assert gauge.accessibleDescription() == said
    assert "(limit " in why.distance_gauge.accessibleDescription()
    untrained = replace(finding, gallery=replace(finding.gallery, calibration=None))
    why.show_finding(decided(untrained, limit=None, calibration=None, left_over=None))
    assert gauge.isHidden()
    assert "limit" not in why.distance_gauge.accessibleDescription()


def test_the_recipe_and_the_share_are_chosen_here(qtbot, trained_session, monkeypatch):
    session, asked = trained_session, []
    monkeypatch.setattr(actions, "use_recipe", lambda _, recipe: asked.append(recipe.name))
    monkeypatch.setattr(actions, "train", lambda session: asked.append(session.gallery.automatic))
    view = seen.show(qtbot, WhyView(session))
    view.show_gallery(session.gallery)
    recipe, share = view.recipe, view.share
    there = [recipe.itemText(at) for at in range(recipe.count())]
    assert there == ["Automatic", "Eigenfaces", "Fisherfaces", "Texture", "Network"]
    for at, name in ((3, "Texture"), (0, NOT_MEASURED)):
        recipe.setCurrentIndex(at)
        recipe.activated.emit(at)
        assert asked[-1] == name
    assert share.currentText() == "1 % of strangers named"
    share.setCurrentIndex(share.count() - 1)
    share.activated.emit(share.count() - 1)
    assert session.gallery.share == 0.1
    changed = session.gallery.recipe.changed(distance="cosine")
    session.apply("distance", lambda gallery: gallery.with_recipe(changed))
    view.show_gallery(session.gallery)
    assert "cosine" in recipe.toolTip()
    assert view.measure.isVisible()
