"""A table that is put in order by its headings."""

import pytest
from PySide6.QtCore import Qt

from gui.widgets.text_table import SortedTable, TableLine
from tests.gui import seen

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder

LINES = [
    TableLine("a", ("Ada", "9 %"), ("Ada", 0.09)),
    TableLine("b", ("Grace", "100 %"), ("Grace", 1.0)),
    TableLine("c", ("Hedy", "20 %"), ("Hedy", 0.2)),
]


@pytest.fixture
def table(qtbot):
    made = SortedTable("People", ("Person", "Right"), 0, frozenset({1}))
    qtbot.addWidget(made)
    made.show_lines(LINES)
    made.show()
    return made


def test_figures_are_sorted_as_figures_and_not_as_words(table):
    table.sortByColumn(1, UP)
    assert table.keys() == ["a", "c", "b"]
    table.sortByColumn(1, DOWN)
    assert table.keys() == ["b", "c", "a"]
    assert [row[1] for row in seen.rows(table)] == ["100 %", "20 %", "9 %"]


def test_the_order_stays_when_other_lines_come(table):
    table.sortByColumn(1, DOWN)
    table.show_lines([*LINES, TableLine("d", ("Mary", "50 %"), ("Mary", 0.5))])
    assert table.keys() == ["b", "d", "c", "a"]


def test_a_choice_tells_which_line_it_was(table):
    chosen = []
    table.chosen.connect(chosen.append)
    table.sortByColumn(1, DOWN)
    table.selectRow(1)
    assert chosen == ["c"]
    table.show_lines(LINES)
    assert chosen == ["c"]
