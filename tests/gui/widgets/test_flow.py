"""Layouts that adapt to the width: lines wrap, and nothing overlaps."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from gui.widgets.flow import ColumnsLayout, FlowLayout, SidePanelLayout


def holder(qtbot, layout_of, parts: list[QWidget]) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    layout = layout_of(made)
    for part in parts:
        layout.addWidget(part)
    made.show()
    return made


def buttons(*words: str) -> list[QWidget]:
    made: list[QWidget] = [QPushButton(word) for word in words]
    for button in made:
        button.setMinimumSize(100, 30)
    return made


def apart(parts: list[QWidget]) -> bool:
    rects = [part.geometry() for part in parts if part.isVisible()]
    return not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])


@pytest.mark.parametrize("width", [120, 240, 330, 700])
def test_controls_wrap_and_stay_inside(qtbot, width):
    parts = buttons("one", "two", "three", "four", "five")
    made = holder(qtbot, FlowLayout, parts)
    made.resize(width, made.layout().heightForWidth(width))
    assert apart(parts)
    assert all(made.rect().contains(part.geometry()) for part in parts)
    lines = {part.geometry().top() for part in parts}
    assert len(lines) == {120: 5, 240: 3, 330: 2, 700: 1}[width]
    for part in parts[1:]:
        part.hide()
    assert made.layout().heightForWidth(130) == 30, "what is hidden takes no room"


@pytest.mark.parametrize(("width", "columns"), [(1000, 4), (600, 2), (200, 1)])
def test_cells_are_of_equal_width_and_fill_the_line(qtbot, width, columns):
    parts = buttons("one", "two", "three", "four")
    policy = QSizePolicy.Policy.Expanding
    for part in parts:
        part.setSizePolicy(policy, policy)
    made = holder(qtbot, lambda parent: ColumnsLayout((4, 2, 1), 200, parent), parts)
    height = made.layout().heightForWidth(width)
    made.resize(width, height + 41)
    assert apart(parts)
    first = [part for part in parts if part.geometry().top() == 0]
    assert len(first) == columns
    assert first[-1].geometry().right() == width - 1
    widths = {part.width() for part in parts}
    assert max(widths) - min(widths) <= 1
    assert max(part.geometry().bottom() for part in parts) == height + 40


def test_side_by_side_or_under_one_another(qtbot):
    main, side = QLabel("words that wrap " * 20), QLabel("side")
    main.setWordWrap(True)
    made = holder(qtbot, lambda parent: SidePanelLayout(150, 500, parent), [main, side])
    made.resize(600, made.layout().heightForWidth(600))
    assert side.geometry().right() == 599
    assert side.width() == 150
    assert side.height() == main.height() == made.height()
    made.resize(300, made.layout().heightForWidth(300))
    assert side.width() == main.width() == 300
    assert side.geometry().top() == 0
    assert apart([main, side])
