"""Several faces of one photograph: shown together, picked by a click, enrolled one by one."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt

from eigenfaces import Recipe
from eigenfaces.faces.face_set import FacePhoto, PhotoIndex
from eigenfaces.faces.lighting import Lighting
from eigenfaces.photographs.photos import Eyes, Placement
from eigenfaces.project.exports import reconstruction
from eigenfaces.recognition.probes import Probe, row_of
from gui.pages.recognise.findings import compare
from gui.pages.recognise.page import RecognisePage
from gui.style.images import grey_image, rgb_array
from tests.gui import seen

MIDDLES = (40 + 50j, 150 + 60j, 250 + 45j)
KEY = "c0ffee"


def face(path, number, gallery, row):
    """Make the probe that one face of a group photograph gives."""
    eyes = Eyes.at(MIDDLES[number - 1], 24 + 0j)
    key = KEY if number == 1 else f"{KEY}-{number}"
    photo = FacePhoto(path, None, key, (120, 300), placement=Placement(eyes))
    noise = np.random.default_rng(number).normal(0, 0.02, gallery.faces.shape)
    image = np.clip(gallery.faces.image(row) + noise, 0, 1).astype(np.float32)
    return Probe(photo, image, number, len(MIDDLES))


@pytest.fixture
def group(trained_session, tmp_path):
    """Three probes of one photograph: Ada, Hedy and Sofia; and one of another."""
    path = tmp_path / "group.png"
    levels = np.random.default_rng(0).integers(0, 256, (120, 300), np.uint8)
    Image.fromarray(levels).save(path)
    gallery = trained_session.gallery
    probes = [face(path, number, gallery, row) for number, row in ((1, 0), (2, 8), (3, 20))]
    alone = replace(probes[0].photo, path=tmp_path / "gone.png", key="d00d")
    return [*probes, Probe(alone, gallery.faces.image(4))]


@pytest.fixture
def page(qtbot, trained_session, group):
    made = seen.show(qtbot, RecognisePage(trained_session), (1250, 860))
    trained_session.put_probes(group)
    settle(qtbot, made)
    yield made
    made.hide()


def settle(qtbot, page):
    seen.settle(qtbot, page.session)


def click(qtbot, page, middle):
    place = page.verdict.photo.seen(middle).toPoint()
    qtbot.mouseClick(page.verdict.photo, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, page)


def test_the_photograph_is_shown_with_every_face(qtbot, page):
    photo = page.verdict.photo
    assert photo.isVisible()
    qtbot.waitUntil(lambda: photo.image is not None, timeout=10_000)
    assert photo.image.width() == 300
    assert [eyes.middle for eyes in photo._faces] == list(MIDDLES)
    assert photo._chosen.middle == MIDDLES[0]
    assert photo.accessibleName() == "Whole photograph"
    assert photo.caption == "Face 1 of 3"


def test_faces_keep_their_numbers_when_one_is_taken_off_the_list(qtbot, page, monkeypatch):
    drawn = []

    def draw(painter, place, number, *, meant):
        drawn.append((number, meant))

    monkeypatch.setattr("gui.widgets.marked_photo.draw_badge", draw)
    page.session.remove_probes([KEY])
    settle(qtbot, page)
    page.session.select(f"{KEY}-2")
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.verdict.photo.image is not None, timeout=10_000)
    drawn.clear()
    page.verdict.photo.grab()
    assert drawn == [(2, True), (3, False)]


def test_a_click_asks_about_another_face(qtbot, page):
    assert page.verdict.headline.full_text.endswith("Ada")
    click(qtbot, page, MIDDLES[2])
    assert page.verdict.headline.full_text.endswith("Sofia")
    assert page.session.photo == f"{KEY}-3"
    assert page.probes.list.selected_keys() == [f"{KEY}-3"]
    assert page.verdict.photo.caption == "Face 3 of 3"
    click(qtbot, page, 90 + 110j)  # nobody is there
    assert page.session.photo == f"{KEY}-3"


def test_the_arrow_keys_go_round(qtbot, page):
    asked = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(page.verdict.photo, key)
        settle(qtbot, page)
        asked.append(page.verdict.photo._at)
    assert asked == [1, 2, 0, 2]


@pytest.mark.parametrize("content", [None, b"no picture"])
def test_a_photograph_of_one_face_is_not_clicked(qtbot, page, content):
    """Nor seen, where its file is gone or is no picture any more; that is no error."""
    if content is not None:
        page.session.probes[3].photo.path.write_bytes(content)
    page.probes.chosen.emit("d00d")
    settle(qtbot, page)
    photo = page.verdict.photo
    assert photo.isVisible()
    assert photo.caption == "Whole photo"
    assert photo.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert photo.image is None
    assert page.session.message is None or page.session.message.tone != "error"
    assert page.verdict.headline.full_text.endswith("Grace")


def test_where_the_whole_photo_is_the_face_it_is_shown_once(qtbot, page, small_gallery):
    photo = replace(small_gallery.index.photos[0], key="whole")
    page.session.put_probes([Probe(photo, small_gallery.faces.image(0))])
    settle(qtbot, page)
    assert not page.verdict.photo.isVisible()


def test_faces_of_one_photograph_are_enrolled_one_by_one(qtbot, page):
    before = len(page.session.gallery.faces)
    for number, name in ((1, "Eve"), (2, "Fay"), (3, "Gil")):
        page.probes.chosen.emit(KEY if number == 1 else f"{KEY}-{number}")
        settle(qtbot, page)
        page.answer("it is", (name,))
        settle(qtbot, page)
    gallery = page.session.gallery
    assert len(gallery.faces) == before + 3
    for name, middle in zip(("Eve", "Fay", "Gil"), MIDDLES, strict=True):
        (row,) = gallery.index.rows_of(name)
        assert gallery.index.photos[row].placement.eyes.middle == middle
        assert page.verdict.chip.full_text == "you said so"


def test_another_face_of_a_photograph_in_the_gallery_is_new(qtbot, page):
    """Though the photograph's key is taken: nobody may be renamed by enrolling somebody else."""
    second = page.session.probes[1]
    held = replace(second.photo, key=KEY, person="Hedy")
    taken = replace(page.session.gallery.faces.select([8]), index=PhotoIndex((held,)))
    page.session.apply("adding", lambda gallery: gallery.enrol(taken))
    settle(qtbot, page)
    gallery = page.session.gallery
    rows = [row_of(gallery, probe.photo) for probe in page.session.probes]
    assert rows == [None, len(gallery.faces) - 1, None, None]
    assert page.verdict.answers.offered()
    page.answer("it is", ("Eve",))
    settle(qtbot, page)
    now = page.session.gallery
    assert [now.index.photos[row].person for row in now.index.rows_of("Hedy")] == ["Hedy"] * 5
    (row,) = now.index.rows_of("Eve")
    assert now.index.photos[row].placement == page.session.probes[0].photo.placement
    assert row_of(now, page.session.probes[0].photo) == row


def test_what_was_fitted_to_another_face_is_no_caution(trained_session, group):
    gallery = trained_session.gallery
    held = replace(group[1].photo, key=KEY, person="Hedy")
    taken = replace(gallery.faces.select([8]), index=PhotoIndex((held,)))
    trained = gallery.enrol(taken).train()
    first, second, *_ = compare(trained, group[:2])
    assert first.answer.cautions == ()
    assert [each.kind for each in second.answer.cautions] == ["itself", "fitted"]
    gone = trained.remove([KEY])
    (caution,) = compare(gone, group[:1])[0].answer.cautions
    assert caution.sentence == "The face space was fitted to a face of this photograph."


@pytest.mark.parametrize("lighting", ["none", "Tan–Triggs"])
def test_what_is_seen_is_what_is_compared(qtbot, page, lighting: Lighting):
    """Probe, reconstruction and residual are of one kind: all lit, or none."""
    recipe = Recipe.of(components=10, lighting=lighting)
    page.session.apply("training", lambda gallery: gallery.with_recipe(recipe).train())
    settle(qtbot, page)
    gallery, probe = page.session.gallery, page.session.probes[0]
    lit = gallery.trained.features(probe.image.reshape(1, -1)).reshape(probe.image.shape)
    rebuilt = reconstruction(gallery, probe.image, gallery.k)
    for view, picture in ((page.side.seen.probe, lit), (page.side.seen.rebuilt, rebuilt)):
        assert (rgb_array(view.image) == rgb_array(grey_image(picture))).all()
    rmse = 255 * float(np.sqrt(((lit - rebuilt) ** 2).mean()))
    assert page.side.seen.residual.note == f"RMSE {rmse:#.4g}"
    unit = page.side.seen._bar.accessibleName()
    assert unit.endswith("60 grey levels" if lighting == "none" else "of the evened-out face")
