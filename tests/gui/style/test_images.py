"""Icons and arrays become the pictures they should be: sharp, no skew, white for nothing."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.faces.portraits import PORTRAITS, portrait
from gui.style import icons
from gui.style.images import (
    colour_table,
    face_image,
    grey_image,
    person_image,
    rgb_array,
    rgb_image,
    rounded,
    signed_image,
)

FILES = (file.stem for file in icons.FOLDER.glob("*.svg"))
NAMES = sorted(name for name in FILES if not name.startswith("control-"))  # parts of check boxes


def _alpha(image: QImage) -> np.ndarray:
    plain = image.convertToFormat(QImage.Format.Format_Alpha8)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width()].copy()


@pytest.mark.parametrize("name", NAMES)
def test_icon_is_drawn_inside_its_grid_in_the_given_colour(qapp, name):
    drawn = icons.pixmap(name, 48, "#C01020").toImage()
    alpha = _alpha(drawn)
    edge = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
    assert edge.max() == 0, "the stroke is cut off at the edge"
    assert 0.02 < (alpha > 128).mean() < 0.6
    at = np.unravel_index(alpha.argmax(), alpha.shape)
    assert drawn.pixelColor(int(at[1]), int(at[0])) == QColor("#C01020")


def test_icons_differ_and_are_as_dense_as_the_screen(qapp):
    images = [icons.pixmap(name, 16, "#FFFFFF", 2.0) for name in NAMES]
    assert len({rgb_array(image.toImage()).tobytes() for image in images}) == len(images)
    assert {image.width() for image in images} == {32}
    assert {image.deviceIndependentSize().width() for image in images} == {16}


def test_disabled_icon_is_fainter(qapp):
    made = icons.icon("cross", "#000000")
    normal = made.pixmap(16, 16).toImage().pixelColor(8, 8)
    disabled = made.pixmap(16, 16, QIcon.Mode.Disabled).toImage().pixelColor(8, 8)
    assert normal.lightness() < 40
    assert disabled.lightness() > normal.lightness() + 60


def test_a_face_is_in_colour_where_its_colours_are_known():
    red = np.zeros((40, 40, 3), np.uint8)
    red[..., 0] = 200
    face = np.full((24, 20), 0.5, np.float32)
    PORTRAITS.add({"a red crop": portrait(red, None), "a broken one": b"no picture"})
    shown = face_image("a red crop", face).pixelColor(9, 9)
    assert shown.red() - shown.blue() > 150
    for crop in ("a crop without colours", "a broken one"):
        assert face_image(crop, face) == grey_image(face)
    PORTRAITS.forget(["a red crop", "a broken one"])


def test_of_a_face_without_a_picture_the_initials_are_shown():
    nowhere = Photograph(Path("1"), "5f", (24, 20))
    grey = np.full((24, 20), 0.5, np.float32)
    pictures = {
        name: person_image(FacePhoto(nowhere, name, pictured=False), grey)
        for name in ("Ada Lovelace", "Grace", None)
    }
    ground = rgb_array(pictures[None])[0, 0]
    ink = {name: int((rgb_array(image) != ground).sum()) for name, image in pictures.items()}
    assert ink[None] == 0 < ink["Grace"] < ink["Ada Lovelace"]
    assert person_image(FacePhoto(nowhere, "Grace"), grey) == grey_image(grey)


def _luminance(rgb: np.ndarray) -> np.ndarray:
    return rgb.astype(float) @ (0.2126, 0.7152, 0.0722)


@given(
    hnp.arrays(
        np.uint8, st.tuples(st.integers(1, 13), st.integers(1, 13), st.just(3)), fill=st.nothing()
    )
)
def test_colours_survive_the_way_there_and_back(colours):
    assert np.array_equal(rgb_array(rgb_image(colours)), colours)


@pytest.mark.parametrize("width", [1, 3, 5, 92])
def test_rows_are_not_skewed_and_grey_is_clipped_not_stretched(width):
    face = np.linspace(-0.2, 1.2, 14 * width).reshape(14, width)
    face[3, 0] = np.nan
    for view in (face.astype(np.float32), face.T, face[::-1], face[::2]):
        expected = np.rint(np.clip(np.nan_to_num(view), 0, 1) * 255).astype(np.uint8)
        assert np.array_equal(rgb_array(grey_image(view))[:, :, 0], expected)


def test_zero_difference_is_white_and_signs_have_their_colours():
    image = signed_image(np.array([[-9.0, -2.0, 0.0, np.nan, 2.0, np.inf]]), 2.0)
    *darker, nothing, unknown, brighter, most = (image.pixelColor(x, 0) for x in range(6))
    assert nothing == unknown == QColor("white")
    assert darker[0] == darker[1], "beyond the limit they are clipped"
    assert brighter == most
    assert darker[0].blue() > darker[0].red() + 80
    assert brighter.red() > brighter.blue() + 80
    for limit in (0.0, -1.0, float("nan")):
        assert signed_image(np.array([[-1.0]]), limit).pixelColor(0, 0) == QColor("white")


def test_signed_scale_is_symmetric_in_brightness():
    bright = _luminance(colour_table("signed"))
    assert len(bright) % 2 == 1
    assert bright[len(bright) // 2] == pytest.approx(255)
    assert np.all(np.diff(bright[: len(bright) // 2 + 1]) > 0)
    assert np.all(np.diff(bright[len(bright) // 2 :]) < 0)
    assert np.abs(bright - bright[::-1]).max() < 32
    assert np.all(np.diff(_luminance(colour_table("magma"))) > 0)


@pytest.mark.parametrize(("fill", "shape"), [(True, (40, 20)), (False, (20, 20))])
def test_a_rounded_picture_fills_its_room_or_shows_all(fill, shape):
    image = rounded(grey_image(np.ones((9, 9))), QSize(20, 10), 2.0, 3.0, fill=fill, edge="#FF0000")
    assert (image.width(), image.height()) == shape
    assert image.pixelColor(0, 0).alpha() < 60
    assert image.pixelColor(shape[0] // 2, shape[1] // 2) == QColor("white")
    assert image.pixelColor(shape[0] // 2, 0).red() > image.pixelColor(shape[0] // 2, 0).blue()
