"""The Map page: pointing, choosing, moving, t-SNE, and what is written."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from eigenfaces.laboratory.maps import map_of_components, neighbour_in_direction
from eigenfaces.recognition.probes import Probe
from gui.pages.map.chart import SHAPES, MapChart, person_dot
from gui.pages.map.page import MapPage
from gui.plots.strokes import LabelPlacer
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.style import theme
from tests.gui import seen
from tests.synthetic import on_file

COPIED = 6
"""The row of the gallery of whose face the probe is a copy."""


@pytest.fixture
def page(trained_session, open_page) -> MapPage:
    return open_page(MapPage, (1000, 800))


def put_probe(session: Session) -> str:
    faces = session.gallery.faces
    photo = on_file(faces.index.photos[COPIED], Path("stranger.png"), "c0ffee")
    session.put_probes([Probe(photo, faces.image(COPIED))])
    return photo.id


def on_screen(page: MapPage, number: int) -> QPointF:
    return QPointF(*page.chart.places[number].tolist())


def point_at(page: MapPage, number: int) -> None:
    page.chart.track_pointer(on_screen(page, number), pressed=False)


def drag(page: MapPage, *places: QPointF) -> None:
    page.chart.press(places[0])
    for place in places[1:]:
        page.chart.track_pointer(place, pressed=True)
    page.chart.release()


def test_every_face_lies_where_its_scores_say_on_any_axes(page, do, trained_session):
    training, chart = trained_session.gallery.trained, page.chart
    scores = training.coordinates / np.sqrt(training.space.variances)
    assert np.allclose(chart.view.places, scores[:, :2], atol=1e-5)
    pixels = chart.axes.px(scores[:, 0]), chart.axes.py(scores[:, 1])
    assert np.allclose(chart.places.T, pixels)
    assert chart.axes.plot.contains(on_screen(page, 3))
    assert page.axes[1].count() == len(training.space)
    do(seen.choose, page.axes[1], 4)
    assert np.allclose(chart.view.places[:, 1], scores[:, 4], atol=1e-5)
    assert "Component 5" in page.map_inspector.facts.values()
    assert chart.axes.y.title.startswith("component 5 (")


def test_it_says_what_it_shows_while_nobody_is_chosen_too(page, do, trained_session):
    assert MapChart().accessibleName() == page.chart.accessibleName() == "Map of all faces"
    do(trained_session.select, trained_session.gallery.index.photos[0].id)
    chosen = page.chart.accessibleDescription()
    do(trained_session.select, None)
    nobody = page.chart.accessibleDescription()
    assert nobody != chosen
    assert nobody.startswith("24 faces. Use the arrow")


def test_pointing_lets_a_person_stand_out(page):
    chart = page.chart
    plain = chart.grab().toImage()
    point_at(page, 5)
    groups = chart.view.groups
    own = np.flatnonzero(groups == groups[chart.pointed])
    assert chart.person_of(chart.pointed).tolist() == own.tolist()
    assert chart.grab().toImage() != plain
    QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
    assert chart.pointed is None


def test_a_click_selects_a_face_and_the_inspector_says_what_the_view_hides(
    page, qtbot, trained_session
):
    places, inspector, gallery = page.chart.places, page.map_inspector, trained_session.gallery
    apart = max(range(24), key=lambda row: np.sort(np.abs(places - places[row]).max(axis=1))[1])
    drag(page, on_screen(page, apart))
    assert trained_session.photo == gallery.index.photos[apart].id
    qtbot.waitUntil(lambda: page.chart.selected == apart)
    space = map_of_components(gallery)
    rows, distances = space.nearest(space.points[apart], apart)
    assert page.chart.nearest == tuple(rows.tolist())
    near = [face.subcaption for face in inspector.near.faces.faces()]
    assert near == [f"{distance:.4g}" for distance in distances]
    facts, score = inspector.facts.values(), page.chart.view.places[apart, 0]
    assert facts["Component 1"] == f"{score:+.2f} σ".replace("-", "−")
    energy = gallery.trained.space.energy_kept(gallery.faces.pixels[apart : apart + 1])[0, 2]
    assert facts["Seen in this view"] == f"{100 * energy:.0f} % of its energy"
    assert seen.says(inspector, "A flat view can deceive") or seen.says(inspector, "Here")
    assert seen.says(inspector, "Nearest in all 10 components (L2)")
    assert 0 < float(inspector.trust.values()["Trustworthiness"]) <= 1
    name = page.chart.view.names[apart]
    assert inspector.title.text() == name
    assert page.chart.accessibleDescription().startswith(name)
    seen.button(inspector, "Synthesise from here").click()
    assert trained_session.page == "synthesise"


def test_the_keys_go_to_the_neighbour_zoom_and_open(page, qtbot, trained_session):
    chart = page.chart
    for key, way in seen.keyed(Right=(1, 0), Up=(0, 1), Left=(-1, 0)):
        start = chart.selected
        target = neighbour_in_direction(chart.places * (1, -1), start, way)
        qtbot.keyClick(chart, key)
        assert chart.selected == (start if target is None else target)
        if target is not None:
            assert chart.pointed == target
            assert trained_session.photo == trained_session.gallery.index.photos[target].id
    qtbot.waitUntil(lambda: bool(chart.nearest))
    marked = chart.grab().toImage()
    chart.select(chart.selected, ())
    assert chart.grab().toImage() != marked, "there were lines to the nearest"
    unfocused = chart.grab().toImage()
    chart.clearFocus()
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(chart.hasFocus)
    assert chart.grab().toImage() != unfocused, "the keys are seen to be here"
    chart.select(None, ())
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    assert chart.viewpoint.zoom == 1.25
    chart.zoom(40.0)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(chart, key)
        assert chart.axes.plot.contains(on_screen(page, chart.selected)), "the view follows"
    chart.clearFocus()
    assert chart.pointed is None
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert trained_session.page == "people"


def test_the_wheel_zooms_at_the_pointer_and_a_drag_pans_until_fit(page):
    chart, plot = page.chart, page.chart.axes.plot
    at, width, selected = on_screen(page, 2), chart.axes.x.hi - chart.axes.x.lo, chart.selected
    turn, keys, phase = QPoint(0, 240), Qt.KeyboardModifier(0), Qt.ScrollPhase.NoScrollPhase
    place, button = chart.mapToGlobal(at), Qt.MouseButton.NoButton
    chart.wheelEvent(QWheelEvent(at, place, QPoint(), turn, button, keys, phase, False))
    assert chart.axes.x.hi - chart.axes.x.lo < 0.8 * width
    assert (on_screen(page, 2) - at).manhattanLength() < 2
    start, middle = on_screen(page, 0), plot.center()
    drag(page, middle, middle + QPointF(30, 12), middle + QPointF(40, -10))
    moved = on_screen(page, 0) - start
    assert (moved.x(), moved.y()) == pytest.approx((40, -10), abs=0.5)
    assert chart.selected == selected, "a drag chooses nobody"
    page.fit.click()
    assert chart.axes.x.hi - chart.axes.x.lo == pytest.approx(width)


def test_a_third_axis_makes_a_map_that_a_drag_turns(page, do, qtbot, trained_session):
    chart, training = page.chart, trained_session.gallery.trained
    flat = chart.places.copy()
    do(seen.choose, page.axes[2], 3)
    scores = training.coordinates[:, :3] / np.sqrt(training.space.variances[:3])
    assert np.allclose(chart.view.places, scores, atol=1e-5)
    assert "Component 3" in page.map_inspector.facts.values()
    assert page.legend.full_text.startswith("drag to turn it")
    before, middle = chart.places.copy(), chart.axes.plot.center()
    drag(page, middle, middle + QPointF(30, 12), middle + QPointF(80, 10))
    assert not np.allclose(chart.places, before, atol=5)
    inside = chart.axes.plot.adjusted(-1, -1, 1, 1)
    assert all(inside.contains(QPointF(*place)) for place in chart.places.tolist())
    nearness = chart.turning.seen(chart.view.places)[chart._order, 2]
    assert (np.diff(nearness) >= 0).all(), "the nearest are painted last"
    turned = chart.turning.rotation.copy()
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert not np.allclose(chart.turning.rotation, turned)
    point_at(page, 5)
    assert chart.pointed is not None
    do(seen.choose, page.axes[2], 0)
    assert np.allclose(chart.places, flat)


def test_probes_are_diamonds_that_can_be_chosen(page, settled, trained_session):
    key, chart = put_probe(trained_session), page.chart
    settled()
    assert np.allclose(chart.view.places[24], chart.view.places[COPIED], atol=1e-4)
    assert chart.item_at(on_screen(page, 24)) == 24, "the probe lies above the face"
    assert (trained_session.photo, chart.selected) == (key, 24)
    assert page.map_inspector.title.text() == "stranger"
    assert float(page.map_inspector.near.faces.faces()[0].subcaption) < 1e-3
    assert not page.map_inspector.people.isVisible()
    assert "◆ to recognise" in page.legend.full_text


@pytest.mark.parametrize(("many", "named"), [(4, 4), (12, 1)])
def test_many_names_do_not_cover_the_map(page, do, trained_session, monkeypatch, many, named):
    names = []
    monkeypatch.setattr(LabelPlacer, "draw", lambda *given, must: names.append(given[4]))
    photo = trained_session.gallery.index.photos[0]
    keys = [on_file(photo, sha=f"{at}") for at in range(many)]
    do(trained_session.put_probes, [Probe(key, np.full((24, 20), 0.5)) for key in keys])
    names.clear()
    page.chart.grab()
    assert len(names) == named, "of many, only the chosen one"


def test_tsne_begins_at_once_can_be_cancelled_and_says_what_it_keeps(
    page, qtbot, trained_session, settled
):
    put_probe(trained_session)
    page.kinds.set_current(1)
    assert trained_session.jobs.is_busy(JobKind.MAP)
    assert seen.says(page, "In progress")
    trained_session.jobs.cancel(JobKind.MAP)
    qtbot.waitUntil(lambda: seen.says(page, "Cancelled"))
    assert not trained_session.jobs.is_busy(JobKind.MAP)
    seen.button(page, "Start").click()
    settled()
    assert page.chart.isVisible()
    assert page.chart.view.face_count == len(page.chart.view.places) == 24
    assert seen.says(page, "distances and axes have no meaning")
    assert seen.says(page, "Photos to recognise are not shown: t-SNE cannot place a new face.")
    assert page.chart.axes.x.texts == []
    assert float(page.map_inspector.trust.values()["Trustworthiness"]) > 0
    page.kinds.set_current(0)
    page.kinds.set_current(1)
    assert page.chart.isVisible(), "the same map is not made again"


def test_while_tsne_runs_the_faces_move(page, qtbot, trained_session, monkeypatch, settled):
    made = map_of_components(trained_session.gallery)
    places = made.view_coordinates((0, 1))
    flat = replace(made, kind="t-SNE", deviations=np.ones(2), shares=None, project=None)
    maps = [replace(flat, coordinates=np.roll(places, turn, axis=0)) for turn in (1, 2, 3)]
    seen_so_far = [Event(), Event()]

    def fake(gallery, tick, moved):
        for face_map, go_on in zip(maps[:2], seen_so_far, strict=True):
            moved(face_map)
            while not go_on.wait(0.01):
                tick(1, 2)
        return maps[2]

    def shows(face_map):
        view = page.chart.view
        return view is not None and np.array_equal(view.places, face_map.coordinates)

    monkeypatch.setattr("gui.pages.map.page.map_by_tsne", fake)
    page.kinds.set_current(1)
    for face_map, go_on in zip(maps[:2], seen_so_far, strict=True):
        qtbot.waitUntil(lambda face_map=face_map: shows(face_map))
        assert page.chart.isVisible()
        assert page.chart.moves
        assert seen.says(page, "t-SNE is running")
        assert not page.fit.isEnabled(), "it is no map yet"
        go_on.set()
    settled()
    assert shows(maps[2])
    assert not page.chart.moves
    assert not seen.says(page, "t-SNE is running")


def test_what_is_not_drawn_at_once_is_dots_at_first(page, qtbot, monkeypatch):
    whole = page.chart.grab().toImage()
    page.chart._pictures.clear()
    page.chart.invalidate()
    monkeypatch.setattr("gui.pages.map.chart._DRAWN_AT_ONCE", 3)
    assert page.chart.grab().toImage() != whole
    assert 0 < len(page.chart._pictures) < 10
    qtbot.waitUntil(lambda: page.chart.grab().toImage() == whole)


def test_a_search_lets_faces_stand_out_and_enter_goes_through_them(
    page, do, qtbot, trained_session
):
    plain, photos = page.chart.grab().toImage(), trained_session.gallery.index.photos
    page.search.setText("Grace")
    rows = [row for row, photo in enumerate(photos) if photo.person == "Grace"]
    assert page.chart.found.tolist() == rows
    assert page.found.text() == f"{len(rows)} found"
    assert page.chart.grab().toImage() != plain
    for row in (*rows, rows[0]):
        do(qtbot.keyClick, page.search, Qt.Key.Key_Return)
        assert trained_session.photo == photos[row].id
    page.search.setText("nobody of this name")
    assert page.found.text() == "No face found"
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    assert not page.found.isVisible()
    assert not page.chart.found.size


def test_colours_are_those_of_people_or_of_folders(page, do, trained_session):
    assert not page.colours.isVisible(), "there is nothing else to colour by"
    photos = trained_session.gallery.index.photos
    moved = {
        photo.id: on_file(photo, Path("/photos", ("Fair", "A & B")[row % 2], "1.jpg"))
        for row, photo in enumerate(photos)
    }
    change = lambda gallery: replace(gallery, faces=gallery.faces.with_photos(moved))  # noqa: E731
    do(trained_session.apply, "move", change)
    assert page.colours.isVisible()
    assert not page.colour_key.isVisible()
    do(seen.choose, page.colours, "Folder")
    assert page.chart.view.groups[:3].tolist() == [1, 0, 1]
    assert page.colour_key.isVisible()
    assert "A &amp; B" in page.colour_key.text()
    assert page.chart.view.names[0].endswith(", photo 1 · Fair")


def test_edits_reach_the_map_until_the_project_is_closed(page, do, trained_session):
    key = trained_session.gallery.index.photos[0].id
    do(trained_session.apply, "remove", lambda gallery: gallery.remove([key]))
    assert page.chart.view.face_count == 23
    do(trained_session.apply, "rename", lambda gallery: gallery.rename("Ada", "Augusta"))
    assert page.chart.view.names[0] == "Augusta, photo 1"
    trained_session.undo()
    do(trained_session.undo)
    assert page.chart.view.face_count == 24
    do(trained_session.close_project)
    assert seen.says(page.inspector, "Point at a face")
    assert page.chart.picture is None, "its file is closed"


def test_the_export_menu_writes_faces_and_dots(page, exported):
    drawn = page.chart.grab().toImage()
    page.marks.set_current(1)
    assert page.chart.grab().toImage() != drawn
    files = exported(page)
    assert {path.suffix for path in files.values()} == {".svg", ".png", ".pdf"}
    svg = files["map of components.svg"].read_text("utf-8")
    assert "Map of all faces" in svg
    assert sum(svg.count(f"<{shape}") for shape in ("path", "polygon", "ellipse", "circle")) > 20
    with Image.open(files["map of components.png"]) as picture:
        assert picture.size == tuple(2 * side for side in page.chart.size().toTuple())


@pytest.mark.parametrize("photos", [2, 3, 5])
def test_hardly_any_faces(trained_session, open_page, do, photos):
    seen.keep_photos(trained_session, photos)
    page = open_page(MapPage)
    assert page.chart.view.face_count == photos
    page.chart.go((1, 0))
    assert not page.chart.grab().isNull()
    if photos < 4:
        do(page.kinds.set_current, 1)
        assert seen.says(page, "t-SNE needs at least four photos")


def test_nobody_named(page, trained_session, do):
    keys = [photo.id for photo in trained_session.gallery.index.photos]
    do(trained_session.apply, "forget", lambda gallery: gallery.move(keys, None))
    page.chart.highlight(3)
    assert not page.chart.person_of(3).size
    assert not page.chart.grab().isNull()
    do(trained_session.select, keys[3])
    assert page.chart.selected == 3
    assert seen.says(page.inspector, "among the 5 nearest")


def test_people_look_alike_only_after_every_colour_and_shape():
    looks = {
        (dot.colour.name(), dot.shape) for dot in (person_dot(group, 5) for group in range(28))
    }
    assert len(looks) == 28 == len(theme.PERSON_COLOURS) * len(SHAPES)


def test_a_context_menu_shows_a_face_elsewhere_and_all_faces_again(page, trained_session, do):
    def menu():
        return seen.menu_at(page, page.chart, QPoint(9, 9))

    trained_session.show_page("map")
    chart = page.chart
    chart.zoom(2.0)
    assert list(menu()) == ["Fit all faces"], "nothing is pointed at"
    menu()["Fit all faces"].trigger()
    assert chart.viewpoint.zoom == 1
    point_at(page, 7)
    assert "Show in People" in menu()
    assert trained_session.photo == chart.view.ids[chart.pointed]
    menu()["Show in Reconstruct"].trigger()
    assert trained_session.page == "reconstruct"
    trained_session.show_page("map")
    do(put_probe, trained_session)
    point_at(page, 24)
    assert "Show in People" not in menu()
