"""The figure of a lesson as a file: every kind of panel, always the same bytes, nothing cut."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from lesson_pictures import every_panel
from PIL import Image

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import Drawing, LessonPicture, PicturesPanel
from eigenfaces.report.figure import suffix_of
from eigenfaces.report.lesson_figure import drawn


def pixels(picture: LessonPicture) -> np.ndarray:
    """Return the pixels (h, w, 3) of a picture."""
    return np.asarray(Image.open(io.BytesIO(drawn(picture, "png"))).convert("RGB"))


def test_all_words_are_written() -> None:
    found = ElementTree.fromstring(drawn(every_panel(), "svg"))
    texts = found.iter("{http://www.w3.org/2000/svg}text")
    written = [" ".join("".join(each.itertext()).split()) for each in texts]
    for words in (
        *("Every kind of panel", "70 points", "Points", "two of three numbers", "first number"),
        *("w, θ = 18°", "first", "second", *"0123456789", "best rank k", "k = 20", "what is lost"),
        *("Kept 2.70 · 77 %", "Lost 0.82 · 23 %", "together 3.52", "x + y", "Covariance", "4.89"),
        *("the most that can be kept: 2.95", "diagonal 0 to 43", "a picture", "t-SNE", "97 %"),
        *("Colour", "blue: below zero, red: above; (grey: the raw picture)", "z", "v"),
    ):
        assert words in written, words
    assert "−0.00" not in written
    assert not [each for each in written if "drag" in each], "it can be done in the window only"


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_picture_gives_the_same_bytes(suffix: str) -> None:
    kind = suffix_of(Path(f"a.{suffix.upper()}"))
    first = drawn(every_panel(), kind)
    assert first == drawn(every_panel(), kind)
    assert not re.search(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T|CreationDate", first)


def test_nothing_is_cut_at_the_edges() -> None:
    found = pixels(every_panel())
    for edge in (found[:8], found[-8:], found[:, :8], found[:, -8:]):
        assert (edge == 255).all()


def test_pictures_have_their_own_colours() -> None:
    """One red and one blue picture of a single pixel, at the sides of the middle."""
    colours = np.array([[[[1.0, 0, 0]]], [[[0, 0, 1.0]]]])
    panel = PicturesPanel(pictures=colours, across=2)
    found = pixels(LessonPicture(upper=Drawing(heading="Two", rows=((panel,),))))
    line = found[int(0.6 * len(found))]
    middle = found.shape[1] // 2
    np.testing.assert_array_equal(line[middle - 60], [255, 0, 0])
    np.testing.assert_array_equal(line[middle + 60], [0, 0, 255])


def test_another_suffix_is_a_sentence() -> None:
    with pytest.raises(EigenfacesError, match=r"\.svg, \.png or \.pdf"):
        suffix_of(Path("picture.bmp"))
