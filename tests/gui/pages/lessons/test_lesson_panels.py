"""Every kind of panel: what is drawn of it, in which colours, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF

from eigenfaces.lessons import drawing
from eigenfaces.lessons.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    Drawing,
    DrawnCurve,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
    SharesPanel,
    SpacePanel,
    Strokes,
    TablePanel,
)
from gui.pages.lessons.drawing_view import DrawingView, wanted_height
from gui.pages.lessons.panels import KINDS
from gui.pages.lessons.panels.inks import group_colour, ink_colour
from gui.plots.axes import GAP
from gui.plots.marks import Bars, Rule
from gui.style import theme
from gui.style.theme import DARK, LIGHT, contrast

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
CUBE = RNG.normal(size=(30, 3))
PANELS: dict[str, Panel] = {
    "plane": PlanePanel(
        layers=(
            Strokes(start=np.zeros((1, 2)), end=np.ones((1, 2)), arrow=True, words="u₁"),
            Dots(
                at=POINTS,
                labels=(POINTS[:, 0] > 0).astype(int),
                names=("left", "right"),
                told=tuple(f"point {row}" for row in range(40)),
            ),
        ),
        x="first",
        y="second",
    ),
    "space": SpacePanel(
        layers=(
            Dots(at=CUBE, told=tuple(f"point {row}" for row in range(30))),
            Strokes(start=np.zeros((1, 3)), end=np.eye(3)[:1], words="u₁"),
        ),
        axes=("x", "y", "z"),
    ),
    "curves": CurvesPanel(
        curves=(
            DrawnCurve(name="tied", x=np.arange(1, 9.0), y=np.exp(-np.arange(8.0))),
            DrawnCurve(name="least", x=np.arange(1, 9.0), y=np.full(8, 0.01), ink="good"),
        ),
        x="step",
        y="loss",
        log_y=True,
        mark=(4, "step 4"),
    ),
    "bars": BarsPanel(names=("a", "b", "c"), values=np.array([2.0, -1.0, 0.0]), y="loading"),
    "matrix": MatrixPanel(
        values=np.array([[1.0, -0.5], [0.0, 0.25]]),
        rows=("x", "y"),
        columns=("v₁", "v₂"),
        numbers=True,
    ),
    "grey": PicturesPanel(pictures=RNG.random((5, 8, 6)), across=3),
    "colour": PicturesPanel(pictures=RNG.random((2, 8, 8, 3)), across=2, words=("one", "two")),
    "signed": PicturesPanel(pictures=RNG.normal(size=(4, 8, 8)), across=2, signed=True),
    "table": TablePanel(head=("", "PCA"), rows=(("near", "83 %"), ("far", "57 %")), strong=(1,)),
    "shares": SharesPanel(
        kept=("kept", 3),
        lost=("lost", 1),
        whole="together 4",
        mark=(3.5, "the most"),
    ),
}


@pytest.fixture(params=["light", "dark"])
def look(request, qapp):
    theme.apply(qapp, request.param)
    yield theme.tokens()
    theme.apply(qapp, "light")


@pytest.fixture
def shown(qtbot, look):
    """Show a panel in its widget."""

    def show(name: str, size: tuple[int, int] = (320, 240)):
        panel = PANELS[name]
        made = KINDS[type(panel)]()
        qtbot.addWidget(made)
        made.resize(*size)
        made.show_panel(panel)
        with qtbot.waitExposed(made):
            made.show()
        return made

    return show


def test_there_is_a_widget_for_every_kind_of_panel():
    kinds = {
        each
        for each in vars(drawing).values()
        if isinstance(each, type) and issubclass(each, Panel) and each is not Panel
    }
    assert set(KINDS) == kinds
    assert {type(panel) for panel in PANELS.values()} == kinds


@pytest.mark.parametrize("name", PANELS)
@pytest.mark.parametrize("size", [(320, 240), (90, 70), (900, 120)])
def test_every_panel_is_painted_at_any_size_and_read_aloud(shown, name, size):
    made = shown(name, size)
    image = made.grab().toImage()
    ground = image.pixelColor(0, 0)
    rows, columns = range(0, image.height(), 2), range(0, image.width(), 2)
    assert any(image.pixelColor(x, y) != ground for y in rows for x in columns)
    assert made.accessibleName()
    if name != "grey":
        assert made.accessibleDescription()


def test_inks_can_be_told_from_the_ground_and_from_each_other():
    inks = ("main", "contrast", "good", "grey")
    for tokens in (LIGHT, DARK):
        colours = [ink_colour(ink, tokens).name() for ink in inks]
        assert len(set(colours)) == 4
        assert min(contrast(each, tokens.surface) for each in colours) >= 3 - 0.1
        assert len({group_colour(group, tokens).name() for group in range(10)}) == 10
    assert min(contrast(group_colour(g, DARK).name(), DARK.surface) for g in range(10)) >= 3


def test_points_lie_where_their_numbers_say_and_are_told(shown):
    chart = shown("plane")
    places = chart.on_screen(POINTS)
    assert np.allclose(chart.frame.value_at(QPointF(*places[7].tolist())), POINTS[7])
    assert all(chart.frame.plot.contains(QPointF(*each)) for each in places.tolist())
    assert chart.told(QPointF(*places[7].tolist())).startswith("point")
    across, up = np.diff(chart.on_screen(np.array([[0.0, 0.0], [1.0, 1.0]])), axis=0)[0]
    assert across == pytest.approx(-up)  # a step across is as long as a step up
    assert not chart.movable
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus


@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize("width", [240, 320, 400])
def test_there_is_room_for_the_numbers_beside_the_axis(shown, titled, width):
    chart = shown("plane", (width, 300))
    spread = POINTS * (2.4, 2.4)
    chart.show_panel(PlanePanel(layers=(Dots(at=spread),), x="first", y="second" if titled else ""))
    metrics = QFontMetricsF(theme.font(theme.SMALL))
    widest = max(metrics.horizontalAdvance(text) for text in chart.frame.y.texts)
    title = metrics.height() if titled else 0.0
    assert chart.frame.plot.left() >= title + GAP + widest


def test_groups_have_their_colours(shown, look):
    chart = shown("plane", (600, 500))
    image = chart.grab().toImage()
    for row in (3, 11):
        x, y = chart.on_screen(POINTS)[row].tolist()
        expected = group_colour(int(POINTS[row, 0] > 0), look)
        around = [image.pixelColor(round(x) + i, round(y) + j) for i in (0, 1) for j in (0, 1)]
        assert expected in around or covered(chart, row)


def covered(chart, row: int) -> bool:
    """Whether another point, or words, lie above this one."""
    away = np.hypot(*(chart.on_screen(POINTS) - chart.on_screen(POINTS)[row]).T)
    return int((away < 12).sum()) > 1


def test_space_is_turned_by_the_mouse_and_the_keys(shown, qtbot):
    view = shown("space")
    before = view.on_screen(CUBE)
    inside = (before > 0).all() and (before < (view.width(), view.height())).all()
    assert inside
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=view.rect().center())
    qtbot.mouseMove(view, view.rect().center() + QPointF(40, 0).toPoint())
    view.turn(40, 0)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)
    turned = view.on_screen(CUBE)
    assert not np.allclose(before, turned)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert not np.allclose(view.on_screen(CUBE), turned)
    yaw = view.viewpoint.yaw
    view.show_panel(PANELS["space"])
    assert view.viewpoint.yaw == yaw  # other points are seen from the same side
    assert view.told(QPointF(*view.on_screen(CUBE)[4].tolist())).startswith("point")


def test_curves_have_their_inks_a_log_axis_and_a_mark(shown, look):
    chart = shown("curves")
    colours = [entry[1].colour for entry in chart.legend()]
    assert colours == [ink_colour("main", look), ink_colour("good", look)]
    assert [(rule.at, rule.label) for rule in chart.of(Rule)] == [(4, "step 4")]
    assert chart.frame.y.words == "loss (log scale)"
    assert chart.frame.y.lo < np.log10(np.exp(-7))


def test_bars_point_up_and_down_from_zero(shown):
    chart = shown("bars")
    zero, (bars,) = chart.frame.py(0.0), chart.of(Bars)

    def bar(item: int) -> QRectF:
        return bars.places(chart.frame, item)[0]

    assert bar(0).bottom() == pytest.approx(zero)
    assert bar(1).top() == pytest.approx(zero)
    assert bar(0).height() == pytest.approx(2 * bar(1).height())
    assert 0 < bar(2).height() < 3  # a bar of 0 can be seen
    assert chart.accessibleDescription() == "a: 2.000, b: −1.000, c: 0"


def test_a_matrix_is_blue_below_zero_and_red_above(shown):
    view = shown("matrix")
    image = view.grab().toImage()

    def colour(row: int, column: int) -> QColor:
        return image.pixelColor((view.cell(row, column).topLeft() + QPointF(4, 4)).toPoint())

    assert colour(0, 0).red() > colour(0, 0).blue() + 60
    assert colour(0, 1).blue() > colour(0, 1).red() + 60
    assert colour(1, 0) == QColor("white")
    assert view.told(view.cell(1, 1).center()) == "y, v₂: 0.2500"
    assert view.limit == 1


def test_pictures_stand_in_rows_of_one_size(shown):
    view = shown("grey")
    places = view.places()
    assert len(places) == 5
    assert {round(each.top()) for each in places[:3]} == {round(places[0].top())}
    assert places[3].top() > places[0].bottom()
    assert places[0].height() / places[0].width() == pytest.approx(8 / 6)
    assert all(view.rect().contains(each.toAlignedRect().adjusted(1, 1, -1, -1)) for each in places)
    assert view.images[0].isGrayscale()


def test_colour_and_signed_pictures(shown):
    colour = shown("colour").images[0]
    expected = np.rint(PANELS["colour"].pictures[0, 0, 0] * 255).astype(int)
    assert [colour.pixelColor(0, 0).red(), colour.pixelColor(0, 0).green()] == expected[:2].tolist()
    signed, values = shown("signed").images[0], PANELS["signed"].pictures[0]
    y, x = np.unravel_index(np.abs(values).argmax(), values.shape)
    extreme = signed.pixelColor(int(x), int(y))
    assert (extreme.red() > extreme.blue()) == (values[y, x] > 0)


def test_signed_pictures_in_colour_are_about_grey(shown):
    pictures = np.array([[[[0.0, -2, 1]]], [[[0, 4, 0]]]])
    view = shown("colour")
    each = PicturesPanel(pictures=pictures, across=2, signed=True)
    for panel in (each, replace(each, alike=True)):
        view.show_panel(panel)
        colours = [image.pixelColor(0, 0).getRgb()[:3] for image in view.images]
        assert colours[1] == (128, 255, 128)
        assert colours[0] == ((128, 0, 191) if not panel.alike else (128, 64, 159))


def test_a_table_folds_what_is_too_long(shown):
    view = shown("table", (320, 160))
    (left, right), (figures, end) = view.columns()
    assert (left, end) == (0, pytest.approx(320))
    assert right < figures
    low = view.row_height()
    view.show_panel(TablePanel(head=("", "PCA"), rows=(("near " * 20, "83 %"), ("far", "57 %"))))
    assert view.row_height() > low


def test_shares_fill_the_bar_and_have_their_mark(shown):
    bar = shown("shares", (400, 100))
    assert bar.edges() == [0, 300, 400]
    assert bar.mark_place() == 350
    assert "together 4" in bar.accessibleDescription()


def test_a_drawing_of_the_same_kind_is_shown_in_the_same_widgets(qtbot, look):
    view = DrawingView()
    qtbot.addWidget(view)
    rows = ((PANELS["plane"], PANELS["matrix"]), (PANELS["curves"],))
    view.show_drawing(Drawing(heading="One", rows=rows))
    before = view.panels
    view.show_drawing(Drawing(heading="Two", rows=rows, key="what the colours mean"))
    assert view.panels is before
    view.show_drawing(Drawing(heading="Three", rows=rows[:1]))
    assert view.panels is not before
    assert len(view.panels) == 2


def test_signed_pictures_without_numbers_share_one_key(qtbot, look):
    view = DrawingView()
    qtbot.addWidget(view)
    view.show_drawing(Drawing(heading="", rows=((PANELS["signed"], PANELS["grey"]),)))
    assert not view._colours.isHidden()
    view.show_drawing(Drawing(heading="", rows=((PANELS["grey"],),)))
    assert view._colours.isHidden()


def test_a_drawing_with_more_rows_is_taller():
    one = Drawing(heading="", rows=((PANELS["curves"],),))
    two = Drawing(heading="", rows=((PANELS["curves"],), (PANELS["plane"],)))
    assert wanted_height(two) > 1.5 * wanted_height(one)
