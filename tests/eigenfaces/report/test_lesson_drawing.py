"""The picture of a lesson as a file: every kind of panel, always the same bytes, nothing cut."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from lesson_pictures import every_panel
from PIL import Image

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import Drawing, LessonPicture, PicturesPanel
from eigenfaces.report.lesson_drawing import drawn, save


def words_of(svg: bytes) -> list[str]:
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return [" ".join("".join(each.itertext()).split()) for each in found]


@pytest.fixture(scope="module")
def svg() -> bytes:
    return drawn(every_panel(), "svg")


def test_all_words_are_written(svg: bytes) -> None:
    written = words_of(svg)
    for words in (
        *("Every kind of panel", "70 points", "Points", "two of three numbers", "first number"),
        *("w, θ = 18°", "first", "second", *"0123456789", "best rank k", "k = 20", "what is lost"),
        *("Kept 2.70 · 77 %", "Lost 0.82 · 23 %", "together 3.52", "x + y", "Covariance", "4.89"),
        *("the most that can be kept: 2.95", "diagonal 0 to 43", "a picture", "t-SNE", "97 %"),
        *("Colour", "(grey: the raw picture)", "z", "v"),
    ):
        assert words in written, words
    assert "−0.00" not in written
    assert not [each for each in written if "drag" in each], "it can be done in the window only"


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_picture_gives_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix.upper()}"
    save(every_panel(), first)
    save(every_panel(), second)
    assert first.read_bytes() == second.read_bytes()
    assert not re.search(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T|CreationDate", first.read_bytes())


def test_nothing_is_cut_at_the_edges(tmp_path: Path) -> None:
    path = tmp_path / "all.png"
    save(every_panel(), path)
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("L"))
    for edge in (pixels[:8], pixels[-8:], pixels[:, :8], pixels[:, -8:]):
        assert (edge == 255).all()


def test_pictures_have_their_own_colours(tmp_path: Path) -> None:
    """One red and one blue picture of a single pixel, at the sides of the middle."""
    colours = np.array([[[[1.0, 0, 0]]], [[[0, 0, 1.0]]]])
    panel = PicturesPanel(pictures=colours, across=2)
    save(LessonPicture(upper=Drawing(heading="Two", rows=((panel,),))), tmp_path / "two.png")
    with Image.open(tmp_path / "two.png") as image:
        found = np.asarray(image.convert("RGB"))
    line = found[int(0.7 * len(found))]
    middle = found.shape[1] // 2
    np.testing.assert_array_equal(line[middle - 60], [255, 0, 0])
    np.testing.assert_array_equal(line[middle + 60], [0, 0, 255])


def test_another_suffix_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EigenfacesError, match=r"\.svg, \.png or \.pdf"):
        save(every_panel(), tmp_path / "picture.bmp")
    assert not list(tmp_path.iterdir())
