"""The figure of a lesson as a file: every word written, always the same bytes, nothing cut."""

import io
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from eigenfaces.lessons.catalogue import lesson
from eigenfaces.lessons.drawing import (
    CurvesPanel,
    Dots,
    Drawing,
    LessonPicture,
    PicturesPanel,
    PlanePanel,
    Strokes,
    tick_label,
)
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.report import figure as style
from eigenfaces.report.figure import suffix_of
from eigenfaces.report.lesson_figure import lesson_file, lesson_images

COLOURS = np.array([[[[1.0, 0, 0]]], [[[0, 0, 1.0]]]])
POINTS = np.random.default_rng(0).normal(size=(60, 2))
STROKE = Strokes(start=np.zeros((1, 2)), end=POINTS[:1], words="v")
PLANE = PlanePanel(layers=(Dots(at=POINTS), STROKE))
KS = np.arange(1, 101.0)
MADE = LessonPicture(
    upper=Drawing(
        heading="Two",
        note="a note so long that it has no room beside the heading, and must go below it",
        hint="drag the ring",
        rows=((PicturesPanel(pictures=COLOURS, across=2),),),
    ),
    lower=Drawing(
        heading="Below",
        rows=((PLANE, CurvesPanel(KS, {"best": 1 / KS}, "k", "lost")),),
        key="(grey: the raw picture)",
    ),
)
SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("made", "variance", "rotation", "line", "table", "scale", "copies", "whitening")
NAMES += ("who-is-in-the-data", "any-pictures")


@cache
def picture_of(name: str) -> LessonPicture:
    """Return the picture of a lesson of its first subject; together they have every panel."""
    if name == "made":
        return MADE
    return lesson(name).show(SUBJECTS[lesson(name).subjects[0]].make(0))


def words_in(part: object, name: str = "") -> Iterator[str]:
    """Yield all that is to be written of a part of a drawing."""
    if isinstance(part, str) and name not in ("hint", "ink", "setting"):
        yield " ".join(part.split())
    elif isinstance(part, tuple | dict):
        for member in part:
            yield from words_in(member)
    elif is_dataclass(part):
        for field in fields(part):
            yield from words_in(getattr(part, field.name), field.name)


def pixels(picture: LessonPicture) -> np.ndarray:
    """Return the pixels (h, w, 3) of a picture."""
    return np.asarray(Image.open(io.BytesIO(lesson_file(picture, "png"))).convert("RGB"))


@pytest.mark.parametrize("name", NAMES)
def test_all_words_are_written_and_nothing_is_cut_at_the_edges(name: str) -> None:
    picture = picture_of(name)
    texts = ElementTree.fromstring(lesson_file(picture, "svg")).iter(f"{SVG}text")
    written = " ".join(" ".join(" ".join(text.itertext()).split()) for text in texts)
    for words in words_in(picture.drawings):
        assert words in written, words
    assert "−0.00" not in written
    assert "drag the ring" not in written, "it can be done in the window only"
    image = pixels(picture)
    for edge in (image[:8], image[-8:], image[:, :8], image[:, -8:]):
        assert (edge == 255).all()


def test_numbers_at_a_narrow_log_axis_stand_apart() -> None:
    """From 10 to 10,000 in half a row, 2 and 5 in between were written over each other."""
    panel = CurvesPanel(np.geomspace(10, 10_000, 9), {"a": KS[:9]}, "k", "lost", log_x=True)
    made = lesson_file(LessonPicture(upper=Drawing("Two", ((panel, panel),))), "svg")
    texts = [*ElementTree.fromstring(made).iter(f"{SVG}text")]
    level = next(text.get("y") for text in texts if text.text == "10,000")
    places = sorted(float(text.get("x", "")) for text in texts if text.get("y") == level)
    assert len(places) == 8  # 10, 100, 1,000 and 10,000 in both
    assert np.diff(places).min() > 30  # points, as wide as “10,000”


@pytest.mark.parametrize("decades", [2, 4, 6, 9])
def test_a_log_axis_has_numbers_however_far_it_goes(decades: int) -> None:
    """Of six decades and more none was written."""
    curves = {"a": np.geomspace(10.0**-decades, 1, 9)}
    panel = CurvesPanel(KS[:9], curves, "k", "lost", log_y=True)
    made = lesson_file(LessonPicture(upper=Drawing("One", ((panel,),))), "svg")
    texts = {text.text for text in ElementTree.fromstring(made).iter(f"{SVG}text")}
    powers = {tick_label(10.0**-power) for power in range(decades + 1)}
    assert len(texts & powers) > 2


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_picture_gives_the_same_bytes(suffix: str) -> None:
    assert suffix_of(Path(f"a.{suffix.upper()}")) == suffix
    content = lesson_file(MADE, suffix)
    assert content == lesson_file(MADE, suffix)
    assert not re.search(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T|CreationDate", content)


def test_pictures_have_their_own_colours() -> None:
    """One red and one blue picture of a single pixel, at the sides of the middle."""
    found = pixels(LessonPicture(upper=Drawing(heading="Two", rows=MADE.upper.rows)))
    line, side = found[int(0.6 * len(found))], found.shape[1] // 4
    np.testing.assert_array_equal(line[side], [255, 0, 0])
    np.testing.assert_array_equal(line[-side], [0, 0, 255])


def test_as_wide_as_a_screen_it_has_its_pixels() -> None:
    content = io.BytesIO(lesson_file(picture_of("table"), "png", wide=True))
    assert Image.open(content).size == (1920, 1080)


def test_a_caption_stands_right_below_a_picture_that_is_lower_than_its_room() -> None:
    wide = PicturesPanel(np.ones((1, 10, 40)), 1, title="Wide", caption="what is seen")
    tall = PicturesPanel(np.ones((1, 40, 10)), 1, title="Tall", caption="beside it")
    content = lesson_file(LessonPicture(Drawing("Two", ((wide, tall),))), "svg")
    (caption,) = (
        text
        for text in ElementTree.fromstring(content).iter(f"{SVG}text")
        if text.text == "what is seen"
    )
    boxes = re.findall(rb'id="lesson-patch_\d+">\s*<path d="M ([\d.]+) ([\d.]+)', content)
    left = {float(y) for x, y in boxes if 0 < float(x) < 200}  # the lower left corners of frames
    assert 0 < float(caption.get("y", "")) - max(left) < 20


def test_pictures_of_a_slider_stand_where_the_first_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And are laid out once, unless their words are longer."""
    calls = []
    lay_out = style.lay_out
    monkeypatch.setattr(style, "lay_out", lambda *words: calls.append(lay_out(*words)))

    def curve(values: np.ndarray) -> LessonPicture:
        panel = CurvesPanel(KS, {"a": values}, "k", "lost", title="Kept")
        return LessonPicture(Drawing("One", ((panel,),)))

    rising, falling, high = map(curve, (np.sqrt(KS), np.sqrt(KS)[::-1], 900 * KS))
    first, second, third = map(np.asarray, lesson_images([rising, falling, high], 432))
    assert first.shape == (243, 432, 3)
    assert len(calls) == 2
    assert (first != second).any()
    for picture, same in ((second, True), (third, False)):
        assert (first[:, :20] == picture[:, :20]).all() == same  # the label and numbers of y
    alone = np.asarray(lesson_images([falling], 432)[0])
    np.testing.assert_array_equal(alone, second)
