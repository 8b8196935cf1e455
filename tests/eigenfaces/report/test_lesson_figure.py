"""The figure of a lesson as a file: every kind of panel, always the same bytes, nothing cut."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    Grip,
    LessonPicture,
    MatrixPanel,
    Outline,
    PicturesPanel,
    PlanePanel,
    Share,
    SharesPanel,
    SpacePanel,
    Strokes,
    TablePanel,
)
from eigenfaces.report.figure import suffix_of
from eigenfaces.report.lesson_figure import drawn

POINTS = np.random.default_rng(0).normal(size=(60, 3)) @ np.diag([2, 1, 0.5])


def planes() -> tuple[PlanePanel, PlanePanel]:
    angles, zero = np.linspace(0, 2 * np.pi, 80), np.zeros((1, 2))
    ellipse = np.stack([4 * np.cos(angles), 2 * np.sin(angles)], axis=1)
    points = PlanePanel(
        title="Points",
        caption="two of three numbers",
        layers=(
            Dots(at=POINTS[:, :2]),
            Outline(at=ellipse, dashed=True, ink="contrast"),
            Strokes(start=zero, end=np.array([[3.0, 1]]), arrow=True, words="first"),
            Strokes(start=zero, end=np.array([[-0.8, 1.6]]), arrow=True, words="second"),
        ),
        x="first number",
        y="second number",
        grip=Grip(at=np.array([1.5, 0.5]), setting="angle", words="w, θ = 18°"),
    )
    dots = Dots(at=POINTS[:, :2], labels=np.arange(60) % 10, names=tuple("0123456789"))
    return points, PlanePanel(title="Groups", layers=(dots,))


def space_and_curves() -> tuple[SpacePanel, CurvesPanel]:
    stroke = Strokes(start=np.zeros((1, 3)), end=np.array([[4.0, 0, 0]]), words="v")
    ks = np.arange(1, 101.0)
    best = DrawnCurve(name="best rank k", x=ks, y=1 / ks, low=0.8 / ks, high=1.3 / ks)
    random = DrawnCurve(name="random rank k", x=ks, y=ks**-0.5, ink="contrast", dashed=True)
    curves = CurvesPanel(
        title="Error",
        curves=(best, random),
        x="components k",
        y="what is lost",
        log_x=True,
        percent=True,
        mark=(20, "k = 20"),
    )
    return SpacePanel(layers=(Dots(at=POINTS), stroke), axes=("x", "y", "z")), curves


def every_panel() -> LessonPicture:
    """Return a picture with every kind of panel."""
    names, chance = ("x", "y", "z"), np.random.default_rng(2)
    kept = Share(words="Kept 2.70 · 77 %", value=2.7, ink="main")
    lost = Share(words="Lost 0.82 · 23 %", value=0.82, ink="contrast")
    mark = (2.95, "the most that can be kept: 2.95")
    values, many = np.cov(POINTS.T), chance.normal(size=(64, 64))
    signed, coloured = chance.normal(size=(10, 8, 8)), chance.random((4, 12, 9, 3))
    rows = (("Nearest has its label", "57 %", "97 %"), ("A place", "yes", "no"))
    long = "a note so long that it has no room beside the heading, and must go below it, on a line"
    lower = (
        (SharesPanel(parts=(kept, lost), whole="together 3.52", mark=mark),),
        (
            BarsPanel(names=("x", "y", "x + y"), values=np.array([0.7, -0.4, 0.1]), y="v"),
            MatrixPanel(title="Covariance", values=values, rows=names, columns=names, numbers=True),
            MatrixPanel(values=many, caption="diagonal 0 to 43"),
        ),
        (PicturesPanel(pictures=signed, across=5, signed=True, words=("a picture",) * 10),),
        (
            TablePanel(head=("Measured", "PCA", "t-SNE"), rows=rows, strong=(1,), weight=2),
            PicturesPanel(pictures=coloured, across=4, title="Colour"),
        ),
    )
    return LessonPicture(
        upper=Drawing(
            heading="Every kind of panel",
            note="70 points",
            hint="drag the ring",
            rows=(planes(), space_and_curves()),
        ),
        lower=Drawing(heading="Below", note=long, rows=lower, key="(grey: the raw picture)"),
    )


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
