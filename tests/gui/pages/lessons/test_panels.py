"""Every kind of panel of a lesson: what is drawn of it, in which colours, and what is said."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor

from eigenfaces.lessons import drawing as fig
from gui.pages.lessons.panels import PANELS
from gui.pages.lessons.planes import group_colour, ink_colour
from gui.plots.marks import ReferenceLine
from gui.style import theme
from gui.style.theme import DARK, LIGHT, contrast
from tests.gui import seen

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
TIPS = tuple(f"point {row}" for row in range(40))
PANEL_OF: dict[str, fig.Panel] = {
    "plane": fig.PlanePanel(
        layers=(
            fig.arrows(np.ones((1, 2)), words="u₁"),
            fig.Dots(POINTS, labels=(POINTS[:, 0] > 0) * 1, names=("left", "right"), tips=TIPS),
        ),
        x="first",
        y="second",
    ),
    "space": fig.SpacePanel(
        (fig.arrows(np.eye(3)[:1], words="v₁"), fig.Dots(RNG.normal(size=(40, 3)))), tuple("xyz")
    ),
    "rows": fig.RowsPanel(("row", "kind"), (("1", "oak"), ("2", "ash"), ("3", "elm")), "which", 1),
    "curves": fig.CurvesPanel(
        np.arange(1, 9.0),
        {"tied": np.exp(-np.arange(8.0)), "least": (np.full(8, 0.01), "good")},
        x="step",
        y="loss",
        log_y=True,
        mark=(4, "step 4"),
    ),
    "bars": fig.BarsPanel(names=("a", "b", "c"), values=np.array([2.0, -1.0, 0.0]), y="loading"),
    "matrix": fig.MatrixPanel(
        np.array([[1.0, -0.5], [0.0, 0.25]]), ("x", "y"), ("v₁", "v₂"), numbers=True
    ),
    "grey": fig.PicturesPanel(pictures=RNG.random((5, 8, 6)), across=3),
    "colour": fig.PicturesPanel(pictures=RNG.random((2, 8, 8, 3)), across=2, words=("one", "two")),
    "signed": fig.PicturesPanel(pictures=RNG.normal(size=(4, 8, 8)), across=2, signed=True),
    "table": fig.TablePanel(("", "PCA"), (("near", "83 %"), ("far", "57 %")), (1,)),
    "shares": fig.SharesPanel(("kept", 3), ("lost", 1), "together 4", (3.5, "the most")),
}


@pytest.fixture(params=["light", "dark"])
def look(request, qapp, light_again) -> theme.Tokens:
    theme.apply(qapp, request.param)
    return theme.tokens()


@pytest.fixture
def shown(qtbot, look):
    def show(name: str, size: tuple[int, int] = (320, 240)):
        panel = PANEL_OF[name]
        made = PANELS[type(panel)]()
        made.show_panel(panel)
        return seen.show(qtbot, made, size)

    return show


def test_there_is_a_widget_for_every_kind_of_panel():
    assert set(PANELS) == {type(panel) for panel in PANEL_OF.values()}
    made = vars(fig).values()
    kinds = {kind for kind in made if isinstance(kind, type) and issubclass(kind, fig.Panel)}
    assert kinds - set(PANELS) == {fig.Panel, fig._Cells}


@pytest.mark.parametrize("name", PANEL_OF)
@pytest.mark.parametrize("size", [(320, 240), (90, 70), (900, 120)])
def test_every_panel_is_painted_at_any_size_and_read_aloud(shown, name, size):
    made = shown(name, size)
    image = made.grab().toImage()
    ground = image.pixelColor(0, 0)
    rows, columns = range(0, image.height(), 2), range(0, image.width(), 2)
    assert any(image.pixelColor(x, y) != ground for y in rows for x in columns)
    assert made.accessibleName()
    assert made.accessibleDescription()


def test_inks_can_be_told_from_the_ground_and_from_each_other():
    for tokens in (LIGHT, DARK):
        colours = [ink_colour(ink, tokens).name() for ink in ("main", "contrast", "good", "grey")]
        assert len(set(colours)) == 4
        assert min(contrast(colour, tokens.surface) for colour in colours) >= 3 - 0.1
        assert len({group_colour(group, tokens).name() for group in range(10)}) == 10
    assert min(contrast(group_colour(g, DARK).name(), DARK.surface) for g in range(10)) >= 3


def test_points_lie_where_their_numbers_say_and_are_told(shown, look):
    chart = shown("plane", (600, 500))
    places = chart.on_screen(POINTS)
    assert np.allclose(chart.axes.value_at(QPointF(*places[7].tolist())), POINTS[7])
    assert all(chart.axes.plot.contains(QPointF(*place)) for place in places.tolist())
    alone = int(np.argmax([np.sort(np.hypot(*(places - at).T))[1] for at in places]))
    x, y = places[alone].tolist()
    chart.track_pointer(QPointF(x, y), pressed=False)
    assert chart.toolTip() == f"point {alone}"
    around = [chart.grab().toImage().pixelColor(round(x) + i, round(y)) for i in (-1, 0, 1)]
    assert group_colour(int(POINTS[alone, 0] > 0), look) in around
    across, up = np.diff(chart.on_screen(np.array([[0.0, 0.0], [1.0, 1.0]])), axis=0)[0]
    assert across == pytest.approx(-up)  # a step across is as long as a step up
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus  # none of them can be moved


def test_curves_have_their_inks_a_log_axis_and_a_mark(shown, look):
    chart = shown("curves")
    colours = [stroke.colour for _, stroke in chart.legend()]
    assert colours == [ink_colour("main", look), ink_colour("good", look)]
    assert [(line.value, line.label) for line in chart.marks_of(ReferenceLine)] == [(4, "step 4")]
    assert chart.axes.y.label == "loss (log scale)"


def test_a_matrix_is_blue_below_zero_and_red_above(shown):
    view = shown("matrix")
    image = view.grab().toImage()

    def colour(row: int, column: int) -> QColor:
        return image.pixelColor((view.cell(row, column).topLeft() + QPointF(4, 4)).toPoint())

    assert colour(0, 0).red() > colour(0, 0).blue() + 60
    assert colour(0, 1).blue() > colour(0, 1).red() + 60
    assert colour(1, 0) == QColor("white")


def test_pictures_stand_in_rows_of_one_size(shown):
    view = shown("grey")
    places = view.places()
    assert len({round(place.top()) for place in places[:3]}) == 1
    assert places[3].top() > places[0].bottom()
    assert places[0].height() / places[0].width() == pytest.approx(8 / 6)
    assert all(
        view.rect().contains(place.toAlignedRect().adjusted(1, 1, -1, -1)) for place in places
    )
    assert view.images[0].isGrayscale()


def test_colour_and_signed_pictures(shown):
    view = shown("colour")
    colour, expected = view.images[0].pixelColor(0, 0), PANEL_OF["colour"].pictures[0, 0, 0]
    levels = np.rint(expected * 255).astype(int).tolist()
    assert [colour.red(), colour.green(), colour.blue()] == levels
    signed, values = shown("signed").images[0], PANEL_OF["signed"].pictures[0]
    y, x = np.unravel_index(np.abs(values).argmax(), values.shape)
    extreme = signed.pixelColor(int(x), int(y))
    assert (extreme.red() > extreme.blue()) == (values[y, x] > 0)
    # signed ones in colour are about grey
    pictures = np.array([[[[0.0, -2, 1]]], [[[0, 4, 0]]]])
    view.show_panel(fig.PicturesPanel(pictures=pictures, across=2, signed=True))
    colours = [image.pixelColor(0, 0).getRgb()[:3] for image in view.images]
    assert colours == [(128, 0, 191), (128, 255, 128)]


def test_points_in_space_are_turned_by_the_pointer_and_the_keys(shown, qtbot):
    view = shown("space")
    dots = view.panel.layers[-1].at
    view.press(QPointF(100, 100))
    view.track_pointer(QPointF(140, 90), pressed=True)
    view.release()
    dragged = view.panel.layers[-1].at
    assert not np.allclose(dragged, dots)
    view.track_pointer(QPointF(60, 60), pressed=False)
    assert np.array_equal(view.panel.layers[-1].at, dragged)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert not np.allclose(view.panel.layers[-1].at, dragged)
    view.show_panel(PANEL_OF["space"])  # other settings are seen from the same side
    assert not np.allclose(view.panel.layers[-1].at, dots)
    reach = view.panel.span[0][1]
    assert max(np.linalg.norm(PANEL_OF["space"].layers[-1].at, axis=1)) <= reach


def test_a_click_on_a_row_or_a_dot_chooses_it(shown, qtbot):
    table = shown("rows")
    assert table.selected_rows() == [1]
    chosen = []
    table.item_chosen.connect(lambda name, number: chosen.append((name, number)))
    place = table.visualRect(table.model().index(2, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == [("which", 3)]
    table.show_panel(replace(PANEL_OF["rows"], chosen=0))
    assert table.selected_rows() == [0]
    other = fig.RowsPanel(("row",), tuple((str(at),) for at in range(9)), "which", 0)
    table.show_panel(other)
    assert table.selected_rows() == [0]
    assert len(chosen) == 1, "what is shown is not chosen again"
    plane = shown("plane")
    dots = replace(PANEL_OF["plane"].layers[1], setting="which", chosen=4)
    plane.show_panel(fig.PlanePanel((dots,)))
    plane.item_chosen.connect(lambda name, number: chosen.append((name, number)))
    plane.press(QPointF(*plane.on_screen(POINTS[[7]])[0].tolist()))
    assert chosen[-1] == ("which", 8)


def test_a_table_has_words_at_the_left_and_figures_at_the_right(shown):
    view = shown("table")
    view.show_panel(fig.TablePanel(("", "PCA"), (("<b>near</b>", "83 %"),)))
    assert "&lt;b&gt;near" in view.text()  # no mark-up
    assert '<td align="right"' in view.text()
    low = view.heightForWidth(320)
    view.show_panel(fig.TablePanel(("", "PCA"), (("near " * 20, "83 %"),)))
    assert view.heightForWidth(320) > low  # what is too long has more lines


def test_shares_fill_the_bar_and_have_their_mark(shown):
    bar = shown("shares", (400, 100))
    assert bar.places() == (300, 350)
    assert "together 4" in bar.accessibleDescription()
