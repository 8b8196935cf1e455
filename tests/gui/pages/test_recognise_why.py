"""Why: what a verdict follows from, for every recipe and every kind of verdict."""

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from eigenfaces import Gallery
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.recognised import Recognition, recognise_probes
from eigenfaces.sample import PREPARATION, load_sample
from gui.pages.recognise.why import WhyView
from gui.plots.marks import Bars, Points, ReferenceLine
from gui.state import actions
from gui.state.session import Session
from gui.style.images import grey_image, rgb_array
from tests.gui import seen
from tests.synthetic import on_file

FACES = load_sample()
PROBE = 6


@pytest.fixture(scope="module")
def galleries() -> dict[str, Gallery]:
    faces = FACES.select([row for row in range(70) if row % 10 < 5])
    return {
        name: Gallery(faces, PREPARATION, recipe).train().calibrate()
        for name, recipe in RECIPES.items()
    }


def recognise(gallery: Gallery, row: int = PROBE) -> Recognition:
    photo = on_file(FACES.index.photos[row], sha="probe")
    return recognise_probes(gallery, [Probe(photo, FACES.image(row))])[0]


@pytest.fixture
def why(qtbot: QtBot, session: Session) -> WhyView:
    return seen.show(qtbot, WhyView(session), (1000, 773))


@pytest.mark.parametrize("recipe", RECIPES)
def test_all_cards_show_the_same_sums(why, galleries, recipe):
    gallery = galleries[recipe]
    recognition = recognise(gallery)
    why.show_recognition(recognition)
    split = explain(gallery, FACES.image(PROBE), recognition.verdict).splits[0]
    decision = recognition.verdict.decision
    bars = why.components.chart.marks_of(Bars)[0].series
    assert list(bars) == [f"to {decision.nearest[0]}", f"to {decision.runner_up[0]}"]
    assert bars[f"to {decision.nearest[0]}"].sum() == pytest.approx(split.squares.sum())
    assert (split.face_map is None) == (recipe == "Network")
    if split.face_map is not None:
        assert split.match.person in why.map.views[1].caption
        assert why.map.views[1].note.startswith("adds up to ")
    lines = {line.solid: line.value for line in why.close_card.chart.marks_of(ReferenceLine)}
    assert lines == {True: decision.limit, False: pytest.approx(decision.nearest[1])}
    limits = [line.value for line in why.questions.chart.marks_of(ReferenceLine)]
    assert limits == [*filter(None, (decision.limit, decision.face_limit))]
    scores = decision.calibration.held_out
    _, members, strangers = why.questions.chart.marks_of(Points)
    np.testing.assert_array_equal(members.positions[:, 0], scores.member.distance)
    np.testing.assert_array_equal(strangers.positions[:, 0], scores.stranger.distance)
    assert "are farther than" in why.sentence.text()
    by_network = decision.face_limit is None  # which says itself what is no face
    assert by_network == (recipe == "Network")
    assert why.face_gauge.isHidden() == by_network
    assert seen.says(why.questions, "Known, or a stranger?") == by_network
    if not by_network:
        values = f"{100 * decision.face_residual:.0f} % (limit {100 * decision.face_limit:.0f} %)"
        assert why.face_gauge.accessibleDescription() == values
    assert "(limit " in why.distance_gauge.accessibleDescription()
    for chart in (why.components.chart, why.close_card.chart, why.questions.chart):
        assert len(chart.accessibleDescription()) > 40


def test_without_a_calibration_it_says_what_is_missing(why, galleries):
    gallery = replace(galleries["Eigenfaces"], calibration=None)
    recognition = recognise(gallery)
    why.show_recognition(recognition)
    reason = recognition.verdict.decision.reason
    assert reason
    for card in (why.close_card, why.questions):
        assert not card.chart.isVisible()
        assert card.words.text() == reason
    assert why.components.chart.isVisible()
    assert why.map.views[1].isVisible()
    assert "limit" not in why.distance_gauge.accessibleDescription()
    two = Gallery(FACES.select(range(20)), PREPARATION, RECIPES["Eigenfaces"]).train().calibrate()
    why.show_recognition(recognise(two))
    assert not why.questions.chart.marks_of(ReferenceLine)
    assert "fewer than 3 people" in why.questions.words.text()


def test_somebody_alone_is_explained_too(why):
    gallery = Gallery(FACES.select(range(70)), PREPARATION, RECIPES["Texture"]).train()
    gallery = gallery.remove([photo.id for photo in gallery.index.photos[10:]])
    why.show_recognition(recognise(gallery))
    assert len(why.components.chart.marks_of(Bars)[0].series) == 1
    assert [view.isVisible() for view in why.map.views[1:]] == [True, False]


def test_what_has_no_map_says_so(why, galleries):
    gallery = galleries["Texture"]
    gallery = gallery.with_recipe(gallery.recipe.changed(distance="L2"))
    recognition = recognise(gallery)
    why.show_recognition(recognition)
    assert why.map.words.text().startswith("There is no map")
    nearest = gallery.faces.image(recognition.verdict.closest.row)
    assert (rgb_array(why.map.views[1].image) == rgb_array(grey_image(nearest))).all()
    assert not why.map.bar.isVisible()


def test_the_recipe_and_the_share_are_chosen_here(qtbot, trained_session, monkeypatch):
    session, chosen = trained_session, []
    monkeypatch.setattr(actions, "use_recipe", lambda _, recipe: chosen.append(recipe.name))
    monkeypatch.setattr(actions, "train", lambda session: chosen.append(session.gallery.automatic))
    gallery = session.gallery
    changed = gallery.recipe.changed(distance="cosine")
    session.apply("distance", lambda now: now.with_recipe(changed))
    view = seen.show(qtbot, WhyView(session))
    view.show_recognition(recognise_probes(gallery, [seen.probe_of(gallery, 0)])[0])
    recipe = view.recipe
    there = [recipe.itemText(at) for at in range(recipe.count())]
    assert there == ["Automatic", "Eigenfaces", "Fisherfaces", "Texture", "Network"]
    assert "cosine" in recipe.toolTip()
    now = gallery.recipe.name  # also from Automatic, to keep what that has chosen
    for at, name in ((3, "Texture"), (0, NOT_MEASURED), (there.index(now), now)):
        seen.choose(recipe, at)
        assert chosen[-1] == name
    assert view.share.currentText() == "1 % of strangers named"
    seen.choose(view.share, view.share.count() - 1)
    assert session.gallery.share == 0.1
