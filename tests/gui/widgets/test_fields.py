"""Lists that open below a field look like the menus and show every row whole, once."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.style import theme
from gui.widgets.fields import Choice, DropDown, PersonField
from tests.gui import seen


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=lambda look: look.name)
def test_the_list_opens_below_as_wide_as_its_words_its_choice_softly_coloured(
    qapp, qtbot, light_again, look
):
    theme.apply(qapp, look.name)
    long = "a distance with a very long name that nobody can make shorter"
    page, box = QWidget(), DropDown("Distance", ["L1", long, "cosine"])
    box.setParent(page)
    box.setCurrentIndex(1)
    box.resize(90, 30)
    seen.show(qtbot, page)
    box.showPopup()
    view = box.view()
    qapp.processEvents()
    row = view.visualRect(view.model().index(1, 0))
    right = view.viewport().grab().toImage().pixelColor(row.right() - 2, row.center().y())
    soft = QColor(look.soft)
    for of in (QColor.red, QColor.green, QColor.blue):  # drawn smoothly, it may be 1 off
        assert of(right) == pytest.approx(of(soft), abs=2)
    assert row.height() >= view.fontMetrics().height() + 8, "rows have air between them"
    assert view.window().y() >= box.mapToGlobal(box.rect().bottomLeft()).y() - 1
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    box.hidePopup()


def test_its_name_is_read_with_what_is_chosen_and_what_that_means(qtbot: QtBot) -> None:
    cosine = Choice("cosine", "cosine", "The angle between two faces.")
    box = seen.show(qtbot, DropDown("Distance", ["L1", cosine]))
    box.setCurrentIndex(1)
    for words in ("Distance", "cosine", "The angle between two faces."):
        assert words in seen.spoken(box)


def test_words_without_room_are_cut_by_an_ellipsis(qtbot: QtBot) -> None:
    box = DropDown("Data")
    qtbot.addWidget(box)

    def drawn(text: str, width: int) -> QImage:
        box.set_items([text])
        box.resize(width, 30)
        return box.grab().toImage()

    whole, longer = "A cloud of 70 points", "A cloud of 70 pebbles"
    assert drawn(whole, 110) == drawn(longer, 110), "both are cut before they differ"
    assert drawn(whole, 400) != drawn(longer, 400)


def test_a_drop_down_has_a_name_and_says_what_is_chosen_and_what_that_means(qtbot: QtBot) -> None:
    box = DropDown("Distance", [Choice("L1", "l1", "the sum"), Choice("L2", "l2", "the length")])
    qtbot.addWidget(box)
    assert box.accessibleName() == box.view().accessibleName() == "Distance"
    assert (box.value(), box.toolTip()) == ("l1", "the sum")
    seen.choose(box, "L2")
    assert (box.value(), box.toolTip()) == ("l2", "the length")
    changes = seen.told(box.currentIndexChanged)
    box.set_items([Choice("L0", "l0"), Choice("L2", "l2", "as before")])
    assert (box.value(), box.toolTip()) == ("l2", "as before"), "what was chosen stays so"
    box.set_items(["cosine"])
    assert box.value() == "cosine"
    box.show_value("unknown")
    assert (box.value(), box.currentText(), box.toolTip()) == (None, "", "")
    assert changes == [], "only a person chooses"


def test_every_choice_on_the_pages_is_a_drop_down() -> None:
    files = (Path(__file__).parents[3] / "gui").rglob("*.py")
    assert [file.name for file in files if "QComboBox()" in file.read_text("utf-8")] == []


@pytest.fixture
def field(qtbot: QtBot) -> PersonField:
    made = seen.show(qtbot, PersonField("Who"), (200, 30))
    made.set_suggestions(["Rosemary", "Mary", "Ada"])
    return made


@pytest.mark.parametrize(
    ("typed", "offered", "named"),
    [
        ("", ["Rosemary", "Mary", "Ada"], ""),
        ("m", ["Mary", "Rosemary", "New person: “m”"], "Mary"),
        ("MARY", ["Mary", "Rosemary"], "Mary"),
        (" Eve ", ["New person: “Eve”"], "Eve"),
    ],
)
def test_known_people_are_offered_first_and_enter_takes_the_first(
    qtbot: QtBot, field: PersonField, typed: str, offered: list[str], named: str
) -> None:
    heard = seen.told(field.named)
    qtbot.keyClicks(field, typed)
    assert field.suggestions() == offered
    qtbot.keyClick(QApplication.activePopupWidget() or field, Qt.Key.Key_Return)
    assert heard == [named] * bool(named)
    assert QApplication.activePopupWidget() is None


def test_what_is_offered_can_be_chosen_and_a_new_name_as_well(qtbot, field):
    heard = seen.told(field.named)
    for keys in ((Qt.Key.Key_Down,), (Qt.Key.Key_Down, Qt.Key.Key_Down)):
        field.clear()
        qtbot.keyClicks(field, "mar")
        for key in (*keys, Qt.Key.Key_Return):
            qtbot.keyClick(QApplication.activePopupWidget(), key)
    assert heard == ["Rosemary", "mar"]


def test_where_nothing_is_marked_a_name_stays_as_it_is_typed(qtbot, field):
    field.prefers_known = False
    field.set_suggestions(["Adam", "Grace"])
    qtbot.keyClicks(field, "Ada")
    qtbot.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    assert (field.text(), field.name()) == ("Ada", "Ada")
    for typed, meant in (("gRACE", "Grace"), ("Zoe\u0308 ", "Zo\u00eb"), (" ", "")):
        field.setText(typed)
        assert field.name() == meant
