"""A picture with every kind of panel, for the tests of drawing."""

import numpy as np

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

POINTS = np.random.default_rng(0).normal(size=(60, 3)) @ np.diag([2, 1, 0.5])
ZERO = np.zeros((1, 2))


def arrow(x: float, y: float, words: str) -> Strokes:
    return Strokes(start=ZERO, end=np.array([[x, y]]), arrow=True, words=words)


def plane() -> PlanePanel:
    angles = np.linspace(0, 2 * np.pi, 80)
    ellipse = np.stack([4 * np.cos(angles), 2 * np.sin(angles)], axis=1)
    return PlanePanel(
        title="Points",
        caption="two of three numbers",
        layers=(
            Dots(at=POINTS[:, :2]),
            Outline(at=ellipse, dashed=True, ink="contrast"),
            arrow(3, 1, "first"),
            arrow(-0.8, 1.6, "second"),
        ),
        x="first number",
        y="second number",
        grip=Grip(at=np.array([1.5, 0.5]), setting="angle", words="w, θ = 18°"),
    )


def groups() -> PlanePanel:
    dots = Dots(at=POINTS[:, :2], labels=np.arange(60) % 10, names=tuple("0123456789"))
    return PlanePanel(title="Groups", layers=(dots,))


def space() -> SpacePanel:
    stroke = Strokes(start=np.zeros((1, 3)), end=np.array([[4.0, 0, 0]]), words="v")
    return SpacePanel(layers=(Dots(at=POINTS), stroke), axes=("x", "y", "z"))


def curves() -> CurvesPanel:
    ks = np.arange(1, 101.0)
    error = 1 / ks
    return CurvesPanel(
        title="Error",
        curves=(
            DrawnCurve(name="best rank k", x=ks, y=error, low=0.8 * error, high=1.3 * error),
            DrawnCurve(name="random rank k", x=ks, y=np.sqrt(error), ink="contrast", dashed=True),
        ),
        x="components k",
        y="what is lost",
        log_x=True,
        percent=True,
        mark=(20, "k = 20"),
    )


def shares() -> SharesPanel:
    return SharesPanel(
        parts=(
            Share(words="Kept 2.70 · 77 %", value=2.7, ink="main"),
            Share(words="Lost 0.82 · 23 %", value=0.82, ink="contrast"),
        ),
        whole="together 3.52",
        mark=(2.95, "the most that can be kept: 2.95"),
    )


def matrices() -> tuple[MatrixPanel, MatrixPanel]:
    names, many = ("x", "y", "z"), np.random.default_rng(1).normal(size=(64, 64))
    values = np.cov(POINTS.T)
    return (
        MatrixPanel(title="Covariance", values=values, rows=names, columns=names, numbers=True),
        MatrixPanel(values=many, caption="diagonal 0 to 43"),
    )


def table() -> TablePanel:
    rows = (("Nearest has its label", "57 %", "97 %"), ("A place", "yes", "no"))
    return TablePanel(head=("Measured", "PCA", "t-SNE"), rows=rows, strong=(1,), weight=2)


def every_panel() -> LessonPicture:
    chance = np.random.default_rng(2)
    signed, coloured = chance.normal(size=(10, 8, 8)), chance.random((4, 12, 9, 3))
    bars = BarsPanel(names=("x", "y", "x + y"), values=np.array([0.7, -0.4, 0.1]), y="v")
    return LessonPicture(
        upper=Drawing(
            heading="Every kind of panel",
            note="70 points",
            hint="drag the ring",
            rows=((plane(), groups()), (space(), curves())),
        ),
        lower=Drawing(
            heading="What stands below",
            note="a note so long that it has no room beside the heading, and must go below it, on "
            "a line of its own",
            rows=(
                (shares(),),
                (bars, *matrices()),
                (PicturesPanel(pictures=signed, across=5, signed=True, words=("a picture",) * 10),),
                (table(), PicturesPanel(pictures=coloured, across=4, title="Colour")),
            ),
            key="(grey: the raw picture)",
        ),
    )
