"""The Map page with hardly any faces, with nobody named, and while things change under it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from eigenfaces import Project
from eigenfaces.laboratory.maps import map_of_components
from gui.pages.map.chart import SHAPES, dot_of
from gui.pages.map.page import MapPage
from gui.state import actions
from gui.style import theme
from tests import synthetic
from tests.gui import seen


def shown(session, qtbot) -> MapPage:
    made = MapPage(session)
    qtbot.addWidget(made.inspector)
    seen.show(qtbot, made, (900, 700))
    seen.settle(qtbot, session)
    return made


@pytest.mark.parametrize("photos", [2, 3, 5])
def test_hardly_any_faces(qtbot, session, small_gallery, tmp_path, photos):
    keys = [photo.key for photo in small_gallery.index.photos]
    few = small_gallery.remove(keys[photos:]).train()
    session.switch(Project.create(tmp_path / "few.eigenfaces", few))
    page = shown(session, qtbot)
    assert page.chart.shown.faces == photos
    page.dimensions.set_current(1)
    page.chart.go((1, 0))
    assert not page.chart.grab().isNull()
    page.kinds.set_current(2)
    page.panel.start.click()
    seen.settle(qtbot, session, 60_000)
    if photos < 4:
        qtbot.waitUntil(lambda: seen.says(page, "t-SNE needs at least four photographs"))


def test_nobody_named(qtbot, trained_session):
    keys = [photo.key for photo in trained_session.gallery.index.photos]
    trained_session.apply("forget", lambda gallery: gallery.move(keys, None))
    page = shown(trained_session, qtbot)
    page.chart.point_at(3)
    assert not page.chart.person_of(3).size
    assert not page.chart.grab().isNull()
    trained_session.select(keys[3])
    qtbot.waitUntil(lambda: page.chart.selected == 3)
    assert seen.says(page.inspector, "among the 5 nearest") or page.map_inspector.caution.text()


def test_a_view_left_before_it_was_measured_is_measured_later(qtbot, trained_session):
    page = shown(trained_session, qtbot)
    box = page.axes[0]
    for axis in (3, 5, 3):  # faster than they are measured
        box.setCurrentIndex(axis)
        box.activated.emit(axis)
    seen.settle(qtbot, trained_session)
    kept = map_of_components(trained_session.gallery).faithfulness((3, 1))
    wanted = f"{kept.trustworthiness:.3f}"
    values = page.map_inspector.kept.values
    qtbot.waitUntil(lambda: values().get("Trustworthiness") == wanted)


@pytest.mark.parametrize("training_stays", [True, False])
def test_a_map_is_painted_before_its_face_is_inspected(qtbot, trained_session, training_stays):
    page = shown(trained_session, qtbot)
    assert page.chart.selected == 0
    assert len(page.chart.nearest) == 5
    page.dimensions.set_current(1)
    assert page.chart.deep
    assert (page.chart.selected, page.chart.nearest) == (None, ()), "of the map before"
    if training_stays:
        qtbot.waitUntil(lambda: page.chart.selected == 0)
        assert "Component 3" in page.map_inspector.facts.values()
    else:
        trained_session.apply("forget", lambda gallery: replace(gallery, training=None))
        seen.settle(qtbot, trained_session)
        assert seen.says(page, "Train first")


def test_another_project_gives_up_its_maps(qtbot, trained_session, small_gallery, tmp_path):
    page = shown(trained_session, qtbot)
    page.kinds.set_current(1)
    larger = synthetic.joined(small_gallery).train()
    trained_session.switch(Project.create(tmp_path / "other.eigenfaces", larger))
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: page.chart.isVisible() and page.chart.shown.faces == 28)
    assert not trained_session.jobs.is_busy("map")


def test_a_closed_project_is_not_read_for_pictures(qtbot, trained_session):
    chart = shown(trained_session, qtbot).chart
    trained_session.close_project()
    seen.settle(qtbot, trained_session)
    assert chart.picture is None
    chart.zoom(2.0)
    chart.grab()


def test_pictures_stay_when_the_project_is_saved_under_another_name(
    qtbot, trained_session, tmp_path
):
    chart = shown(trained_session, qtbot).chart
    before = chart.grab().toImage()
    actions.save_as(trained_session, tmp_path / "other.eigenfaces")
    seen.settle(qtbot, trained_session)
    chart.zoom(2.0)
    chart.fit()
    assert chart.grab().toImage() == before


def test_people_look_alike_only_after_every_colour_and_shape():
    looks = {(dot.colour.name(), dot.shape) for dot in (dot_of(group, 5) for group in range(28))}
    assert len(looks) == 28 == len(theme.PEOPLE) * len(SHAPES)


def test_the_keys_show_that_they_are_on_the_map(qtbot, trained_session):
    page = shown(trained_session, qtbot)
    chart = page.chart

    def framed() -> bool:
        edge = chart.grab().toImage().pixelColor(chart.width() // 2, 0)
        return edge.name() == theme.tokens().accent.lower()

    chart.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not framed()
    chart.clearFocus()
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    assert framed()
    chart.clearFocus()
    assert not framed()
