"""Synthetic faces that were kept: stars on the map of components, and nowhere else."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from eigenfaces.laboratory.maps.face_map import map_of_components
from eigenfaces.laboratory.synthesis import SyntheticFace
from gui.pages.map.page import MapPage
from gui.pages.map.sprites import draw_dot
from gui.pages.synthesise.page import SynthesisePage
from gui.state.session import Session
from gui.style import theme
from tests.gui import seen


@pytest.fixture
def page(trained_session: Session, qtbot, qapp) -> MapPage:
    theme.apply(qapp, "light")
    made = MapPage(trained_session)
    for part in (made, made.inspector):
        qtbot.addWidget(part)
    made.resize(1000, 800)
    with qtbot.waitExposed(made):
        made.show()
    seen.settle(qtbot, trained_session)
    return made


def made_face(session: Session) -> SyntheticFace:
    gallery = session.gallery
    space = gallery.trained.space.first(gallery.shown_k)
    return SyntheticFace.mean(space).moved(0, 1.5).moved(1, -2.0)


def test_a_face_kept_on_synthesise_is_a_star_at_its_scores(qtbot, trained_session, page) -> None:
    other = seen.show(qtbot, SynthesisePage(trained_session, np.random.default_rng(0)))
    seen.settle(qtbot, trained_session)
    other._show(made_face(trained_session))
    qtbot.keyClick(other.content, Qt.Key.Key_K)
    seen.settle(qtbot, trained_session)
    shown = page.chart.shown
    assert shown.synthetic == 1
    assert shown.others[-1][1] == "Synthetic 1"
    np.testing.assert_allclose(shown.places[-1], [1.5, -2.0], atol=1e-5)
    assert "★ synthetic face" in page.legend.full_text
    assert "◆" not in page.legend.full_text
    assert "Kept as “Synthetic 1”" in trained_session.message.text


def test_a_star_has_five_points_and_notches_between_them(qapp) -> None:
    image = QImage(80, 80, QImage.Format.Format_RGB888)
    image.fill(0)
    with QPainter(image) as painter:
        draw_dot(painter, QPointF(40, 40), 30, "star", ("#ffffff", "#ffffff"))
    turns = np.arange(10) * np.pi / 5
    lit = [
        QColor(image.pixel(round(40 + 24 * np.sin(at)), round(40 - 24 * np.cos(at)))).lightness()
        for at in turns
    ]
    assert [value > 128 for value in lit] == [True, False] * 5


def test_a_star_is_inspected_until_a_photo_is_chosen(qtbot, trained_session, page) -> None:
    name = trained_session.synthetic.keep(made_face(trained_session))
    seen.settle(qtbot, trained_session)
    number = page.chart.shown.number_of(name)
    page.chart.chosen.emit(number)
    assert page.chart.selected == number
    inspector = page.map_inspector
    assert inspector.title.text() == name
    assert inspector.photo.caption == "Synthetic"
    assert inspector.facts.values()["Component 1"] == "+1.50 σ"
    assert inspector.people.isHidden()
    found = map_of_components(trained_session.gallery)
    located = found.place(np.pad(made_face(trained_session).coordinates, (0, 13))[None])
    rows, _ = found.nearest(located.compared[0])
    assert page.chart.nearest == tuple(rows.tolist())
    page.chart.chosen.emit(3)
    seen.settle(qtbot, trained_session)
    assert page.chart.selected == 3
    assert trained_session.photo == page.chart.shown.key_of(3)


def test_del_keeps_a_star_no_longer(qtbot, trained_session, page) -> None:
    names = [trained_session.synthetic.keep(made_face(trained_session)) for _ in range(2)]
    assert names == ["Synthetic 1", "Synthetic 2"]
    seen.settle(qtbot, trained_session)
    page.chart.chosen.emit(page.chart.shown.number_of("Synthetic 1"))
    page._drop_star()
    seen.settle(qtbot, trained_session)
    assert page.chart.shown.others[-1][1] == "Synthetic 2"
    assert page.chart.shown.synthetic == 1


def test_stars_have_no_place_on_other_maps_and_it_is_said(qtbot, trained_session, page) -> None:
    trained_session.synthetic.keep(made_face(trained_session))
    page.bar.kinds.set_current(1)
    seen.settle(qtbot, trained_session)
    assert page.chart.shown.synthetic == 0
    assert "Synthetic faces are not here" in page.note.text()


def test_another_training_leaves_them_behind(qtbot, trained_session, page) -> None:
    face = made_face(trained_session)
    trained_session.synthetic.keep(face)
    key = trained_session.gallery.index.photos[0].key
    trained_session.apply("x", lambda now: now.exclude([key]).train())
    seen.settle(qtbot, trained_session)
    assert page.chart.shown.synthetic == 0
    assert trained_session.synthetic.of(trained_session.gallery.trained.space) == {}
    assert list(trained_session.synthetic.of(face.space)) == ["Synthetic 1"]
