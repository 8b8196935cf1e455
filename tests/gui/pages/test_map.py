"""The Map page: pointing, choosing, moving, other maps, and what is written."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu

from eigenfaces import Project, Recipe
from eigenfaces.laboratory.maps import map_of_components, neighbour
from eigenfaces.recognition.probes import Probe
from gui.pages.map.chart import SHAPES, dot_of
from gui.pages.map.page import MapPage, write_table
from gui.plots.plot import save_plot
from gui.plots.strokes import Labels
from gui.state.session import Session
from gui.style import theme
from tests import synthetic
from tests.gui import seen

FISHERFACES, TSNE = 1, 2


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> MapPage:
    theme.apply(qapp, "light")
    made = MapPage(trained_session)
    for part in (made, made.inspector):
        qtbot.addWidget(part)
    made.resize(1000, 800)
    made.inspector.resize(290, 900)
    made.inspector.show()
    with qtbot.waitExposed(made):
        made.show()
    seen.settle(qtbot, trained_session)
    return made


def put_probe(session: Session, row: int, folder) -> str:
    photo = replace(session.gallery.index.photos[row], path=folder / "stranger.png", key="c0ffee")
    session.put_probes([Probe(photo, session.gallery.faces.image(row))])
    return photo.key


def on_screen(page: MapPage, number: int) -> QPointF:
    return QPointF(*page.chart._places[number].tolist())


def send(page: MapPage, kind, at: QPointF, held=False) -> None:
    button = Qt.MouseButton.LeftButton
    buttons = button if held or kind == QEvent.Type.MouseButtonPress else Qt.MouseButton.NoButton
    of = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    chart = page.chart
    keys = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(chart, QMouseEvent(kind, at, chart.mapToGlobal(at), of, buttons, keys))


def drag(page: MapPage, *places: QPointF) -> None:
    send(page, QEvent.Type.MouseButtonPress, places[0])
    for place in places[1:]:
        send(page, QEvent.Type.MouseMove, place, held=True)
    send(page, QEvent.Type.MouseButtonRelease, places[-1])


def test_every_face_lies_where_its_scores_say(page, trained_session):
    training = trained_session.gallery.trained
    expected = training.coordinates[:, :2] / np.sqrt(training.space.variances[:2])
    assert np.allclose(page.chart.shown.places, expected, atol=1e-5)
    frame = page.chart.frame
    where = page.chart._places
    assert np.allclose(where[:, 0], frame.px(expected[:, 0]))
    assert np.allclose(where[:, 1], frame.py(expected[:, 1]))
    assert frame.plot.contains(on_screen(page, 3))


def test_other_axes_are_chosen_from_lists(page, qtbot, trained_session):
    box = page.axes[1]
    assert box.count() == len(trained_session.gallery.trained.space)
    box.setCurrentIndex(4)
    box.activated.emit(4)
    training = trained_session.gallery.trained
    expected = training.coordinates[:, 4] / np.sqrt(training.space.variances[4])
    assert np.allclose(page.chart.shown.places[:, 1], expected, atol=1e-5)
    qtbot.waitUntil(lambda: "Component 5" in page.map_inspector.facts.values())
    assert page.chart.frame.y.title.startswith("component 5 (")


def test_pointing_lets_a_person_stand_out_and_names_them(page):
    chart = page.chart
    send(page, QEvent.Type.MouseMove, on_screen(page, 5))
    pointed = chart.pointed
    assert chart.person_of(pointed).tolist() == [
        row for row in range(24) if chart.shown.groups[row] == chart.shown.groups[pointed]
    ]
    before = chart.grab().toImage()
    chart.point_at(None)
    assert chart.grab().toImage() != before
    chart.point_at(pointed)
    QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
    assert chart.pointed is None


def test_a_click_chooses_a_face_for_all_pages(page, qtbot, trained_session):
    rows = range(24)
    where = page.chart._places
    alone = max(rows, key=lambda r: np.sort(np.abs(where - where[r]).max(axis=1))[1])
    with qtbot.waitSignal(trained_session.selection_changed):
        drag(page, on_screen(page, alone))
    key = trained_session.gallery.index.photos[alone].key
    assert trained_session.photo == key
    qtbot.waitUntil(lambda: page.chart.selected == alone)
    found = map_of_components(trained_session.gallery)
    near, far = found.nearest(found.compared[alone], alone)
    assert page.chart.nearest == tuple(near.tolist())
    assert [view.note for view in page.map_inspector.near] == [f"{each:.4g}" for each in far]
    assert page.map_inspector.title.text() == page.chart.shown.names[alone]


def test_the_inspector_says_what_the_view_shows_and_hides(page, qtbot, trained_session):
    facts = page.map_inspector.facts.values()
    number = page.chart.selected
    at = page.chart.shown.places[number]
    assert facts["Component 1"] == f"{at[0]:+.2f} σ".replace("-", "−")
    space = trained_session.gallery.trained.space
    pixels = trained_session.gallery.faces.pixels[number : number + 1]
    share = space.energy_kept(pixels)[0, 2]
    assert facts["Seen in this view"] == f"{100 * share:.0f} % of its energy"
    assert seen.says(page.inspector, "A flat view can deceive") or seen.says(page.inspector, "Here")
    assert seen.says(page.inspector, "Nearest in all 10 components (L2)")
    kept = page.map_inspector.kept.values()
    assert 0 < float(kept["Trustworthiness"]) <= 1
    assert page.chart.accessibleDescription().startswith(page.chart.shown.names[number])


def test_the_arrow_keys_go_to_the_neighbour(page, qtbot, trained_session):
    chart = page.chart
    for key, way in seen.keyed(Right=(1, 0), Up=(0, 1), Left=(-1, 0)):
        start = chart.selected
        wanted = neighbour(chart._places * (1, -1), start, way)
        qtbot.keyClick(chart, key)
        qtbot.waitUntil(lambda wanted=wanted, start=start: chart.selected in (wanted, start))
        assert chart.selected == (start if wanted is None else wanted)
        if wanted is not None:
            assert chart.pointed == wanted
            assert trained_session.photo == trained_session.gallery.index.photos[wanted].key


def test_the_wheel_zooms_at_the_pointer_and_fit_takes_it_back(page):
    chart = page.chart
    at, before = on_screen(page, 2), chart.frame.x.hi - chart.frame.x.lo
    turn = QWheelEvent(
        at, chart.mapToGlobal(at), QPoint(0, 0), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(chart, turn)
    assert chart.frame.x.hi - chart.frame.x.lo < 0.8 * before
    moved = on_screen(page, 2) - at
    assert abs(moved.x()) + abs(moved.y()) < 2
    page.fit.click()
    assert chart.frame.x.hi - chart.frame.x.lo == pytest.approx(before)


def test_a_drag_pans(page):
    start, before = on_screen(page, 0), page.chart.selected
    middle = page.chart.frame.plot.center()
    drag(page, middle, middle + QPointF(30, 12), middle + QPointF(40, -10))
    moved = on_screen(page, 0) - start
    assert (moved.x(), moved.y()) == pytest.approx((40, -10), abs=0.5)
    assert page.chart.selected == before, "a drag chooses nobody"


def test_three_dimensions_can_be_turned(page, qtbot, trained_session):
    page.dimensions.set_current(1)
    chart = page.chart
    assert chart.deep
    assert page.axes[2].isVisibleTo(page)
    said = {"Component 1", "Component 2", "Component 3"}
    qtbot.waitUntil(lambda: said <= set(page.map_inspector.facts.values()))
    before = chart._places
    middle = chart.frame.plot.center()
    drag(page, middle, middle + QPointF(60, 20))
    after = chart._places
    assert not np.allclose(before, after)
    assert all(chart.frame.plot.contains(QPointF(*place)) for place in after.tolist())
    assert not chart.grab().isNull()
    qtbot.keyClick(chart, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert not np.allclose(chart._places, after)


def test_probes_are_diamonds_that_can_be_chosen(page, qtbot, trained_session, tmp_path):
    key = put_probe(trained_session, 6, tmp_path)
    qtbot.waitUntil(lambda: len(page.chart.shown.places) == 25)
    assert np.allclose(page.chart.shown.places[24], page.chart.shown.places[6], atol=1e-4)
    assert page.chart.at(on_screen(page, 24)) == 24, "the probe lies above the face"
    assert trained_session.photo == key
    qtbot.waitUntil(lambda: page.chart.selected == 24)
    assert page.map_inspector.title.text() == "stranger"
    assert page.map_inspector.near[0].note == "0" or float(page.map_inspector.near[0].note) < 1e-3
    assert not page.map_inspector.people.isVisible()
    assert "◆ to recognise" in page.legend.full_text


def test_thumbnails_or_dots_in_colours_or_one(page, qtbot):
    faces = page.chart.grab().toImage()
    page.marks.set_current(1)
    dots = page.chart.grab().toImage()
    assert dots != faces
    page.colour.setCurrentIndex(1)
    page.colour.activated.emit(1)
    grey = page.chart.grab().toImage()
    assert grey != dots


def test_the_fisherfaces_directions_need_seven_people(page, qtbot, trained_session):
    page.kinds.set_current(FISHERFACES)
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: seen.says(page, "from 7 people or more, and there are 6"))


def test_the_fisherfaces_directions_are_fitted_in_the_background(page, qtbot, trained_session):
    trained_session.apply("x", lambda g: synthetic.joined(g).train())
    page.kinds.set_current(FISHERFACES)
    assert trained_session.jobs.is_busy("map")
    assert seen.says(page, "It is being made")
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: page.chart.isVisible())
    assert page.axes[0].count() == 6
    facts = list(page.map_inspector.facts.values())
    assert facts == ["Direction 1", "Direction 2", "Seen in this view"]
    assert not page.map_inspector.seen.isVisible()
    assert trained_session.gallery.recipe.name == "Eigenfaces", "the gallery is as it was"


def test_a_fit_outlives_another_number_of_components(page, qtbot, trained_session):
    trained_session.apply("x", lambda g: synthetic.joined(g).train())
    page.kinds.set_current(FISHERFACES)
    trained_session.apply("y", lambda g: g.with_recipe(g.recipe.changed(components=5)))
    page._refresh()
    seen.settle(qtbot, trained_session)
    assert "fisherfaces" in page.maps._made
    qtbot.waitUntil(lambda: page.chart.isVisible())


def test_a_fit_that_is_cancelled_can_be_started_again(page, qtbot, trained_session):
    trained_session.apply("x", lambda g: synthetic.joined(g).train())
    page.kinds.set_current(FISHERFACES)
    trained_session.jobs.cancel("map")
    qtbot.waitUntil(lambda: "fisherfaces" in page.maps.stopped)
    qtbot.waitUntil(lambda: seen.says(page, "Cancelled"))
    assert not trained_session.jobs.is_busy("map")
    seen.button(page, "Start").click()
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: page.chart.isVisible())


def test_tsne_asks_first_and_says_what_it_keeps(page, qtbot, trained_session, tmp_path):
    put_probe(trained_session, 6, tmp_path)
    page.kinds.set_current(TSNE)
    assert not trained_session.jobs.is_busy("map")
    assert seen.says(page, "distances between groups, their size and the axes mean nothing")
    assert seen.says(page, "A new face has no place on it")
    assert seen.says(page, "It cannot pause and go on")
    assert (page.panel.components.value(), page.panel.perplexity.value()) == (23, 7)
    page.panel.perplexity.setValue(6)
    seen.button(page, "Start").click()
    assert trained_session.jobs.is_busy("map")
    seen.settle(qtbot, trained_session, 120_000)
    qtbot.waitUntil(lambda: page.chart.isVisible())
    assert page.chart.shown.faces == len(page.chart.shown.places) == 24
    assert seen.says(page, "Photos to recognise are not here: t-SNE has no place for a new face.")
    assert page.chart.frame.x.texts == []
    kept = page.map_inspector.kept.values()
    qtbot.waitUntil(lambda: float(kept["Trustworthiness"]) > 0)
    seen.button(page, "Settings…").click()
    assert page.panel.isVisible()
    seen.button(page, "Start").click()
    assert page.chart.isVisible(), "the same settings are not run again"


def test_a_recipe_without_pictures_shows_the_classic_space(page, qtbot, trained_session):
    fisherfaces = Recipe.of("Fisherfaces")
    trained_session.apply("x", lambda g: synthetic.joined(g).with_recipe(fisherfaces).train())
    words = "The recipe Fisherfaces compares what has no picture."
    qtbot.waitUntil(lambda: seen.says(page, words))
    assert page.chart.shown.faces == 28
    page.kinds.set_current(FISHERFACES)
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: page.chart.isVisible())
    assert not seen.says(page, words)


def test_edits_reach_the_map(page, qtbot, trained_session):
    key = trained_session.gallery.index.photos[0].key
    trained_session.apply("remove", lambda gallery: gallery.remove([key]))
    qtbot.waitUntil(lambda: page.chart.shown.faces == 23)
    trained_session.apply("rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    qtbot.waitUntil(lambda: page.chart.shown.names[0] == "Augusta, photo 1")
    trained_session.undo()
    trained_session.undo()
    seen.settle(qtbot, trained_session)
    qtbot.waitUntil(lambda: page.chart.shown.faces == 24)


def test_letters_choose_dimensions_and_marks(page, qtbot):
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    for key, check in (
        (Qt.Key.Key_3, lambda: page.dimensions.current == 1),
        (Qt.Key.Key_2, lambda: page.dimensions.current == 0),
        (Qt.Key.Key_T, lambda: page.marks.current == 1),
    ):
        qtbot.keyClick(page.chart, key)
        qtbot.waitUntil(check)


def test_the_view_is_written_as_drawing_picture_and_table(page, qtbot, trained_session, tmp_path):
    page.marks.set_current(1)
    save_plot(page.chart, "svg", tmp_path / "map.svg")
    svg = (tmp_path / "map.svg").read_text("utf-8")
    assert "Map of all faces" in svg
    assert sum(svg.count(f"<{shape}") for shape in ("path", "polygon", "ellipse", "circle")) > 20
    save_plot(page.chart, "png", tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as picture:
        assert picture.size == tuple(2 * side for side in page.chart.size().toTuple())
    gallery = trained_session.gallery
    write_table(map_of_components(gallery), (0, 1), gallery, tmp_path / "map.csv")
    lines = list(csv.reader((tmp_path / "map.csv").read_text("utf-8").splitlines()))
    assert len(lines) == 25


def test_without_training_the_page_asks_for_it(page, qtbot, trained_session):
    trained_session.apply("again", lambda gallery: replace(gallery, training=None))
    qtbot.waitUntil(lambda: seen.says(page, "Train first"))
    assert seen.says(page.inspector, "Point at a face")


def test_the_export_menu_writes_all_that_it_names(page, tmp_path, monkeypatch, qtbot):
    made = seen.exported(page, tmp_path, monkeypatch, qtbot)
    assert {path.suffix for path in made.values()} == {".svg", ".png", ".pdf", ".csv"}


def test_a_context_menu_offers_what_a_face_and_a_view_are_for(page, trained_session):
    def menu_at(place: QPointF) -> dict:
        page.chart.customContextMenuRequested.emit(place.toPoint())
        menu = page.findChildren(QMenu)[-1]
        menu.close()
        return {action.text(): action for action in menu.actions()}

    point = page.chart.at(on_screen(page, 7))
    offered = menu_at(on_screen(page, 7))
    assert trained_session.photo == page.chart.shown.keys[point]
    offered["Show in Reconstruct"].trigger()
    assert trained_session.page == "reconstruct"
    assert {"Show in People", "Synthesise from here", "This view as PDF…"} <= offered.keys()
    page.chart.zoom(2.0)
    menu_at(QPointF(1, 1))["Fit all faces"].trigger()
    assert page.chart.viewpoint.zoom == 1


def test_names_of_many_photos_do_not_cover_the_map(page, qtbot, trained_session, monkeypatch):
    drawn = []
    monkeypatch.setattr(Labels, "draw", lambda *given, must: drawn.append((given[4], must)))
    photo = trained_session.gallery.index.photos[0]
    for many, named in ((4, 4), (12, 1)):
        keys = [replace(photo, key=f"{at}") for at in range(many)]
        trained_session.put_probes([Probe(each, np.full((24, 20), 0.5)) for each in keys])
        qtbot.waitUntil(lambda many=many: len(page.chart.shown.names) == 24 + many)
        seen.settle(qtbot, trained_session)
        drawn.clear()
        page.chart.grab()
        assert len(drawn) == named, "of many, only the chosen one"


# Hardly any faces, nobody named, and while things change under it


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


def test_a_closed_project_is_not_read_for_pictures(qtbot, trained_session):
    chart = shown(trained_session, qtbot).chart
    trained_session.close_project()
    seen.settle(qtbot, trained_session)
    assert chart.picture is None
    chart.zoom(2.0)
    chart.grab()


def test_people_look_alike_only_after_every_colour_and_shape():
    looks = {(dot.colour.name(), dot.shape) for dot in (dot_of(group, 5) for group in range(28))}
    assert len(looks) == 28 == len(theme.PEOPLE) * len(SHAPES)
