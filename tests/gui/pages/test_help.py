"""The Help page: every page explained, search, keys."""

import re
from typing import get_args

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QShortcut, QTextDocument
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from eigenfaces.faces.detect import DOUBTFUL, ENLARGED, LIKELY_SCORE, LONGEST_SIDE, SMALLEST
from eigenfaces.faces.lighting import LIGHTING, Lighting
from eigenfaces.manual.keys import COMMANDS
from eigenfaces.manual.sections import glossary, read, sections
from eigenfaces.space.distances import DISTANCES
from gui.pages.help import LARGE_PICTURE, HelpPage, HelpText
from gui.photos.review import ReviewPanel
from gui.style import theme
from gui.window.main_window import MainWindow
from gui.window.navigation import NAVIGATION_ITEMS
from tests.gui import seen

KEYS = re.findall(r"^\| ([^|]+) \|", read("using_the_program"), re.MULTILINE)


@pytest.fixture
def page(trained_session, open_page) -> HelpPage:
    return open_page(HelpPage, (1000, 700))


def listed(page: HelpPage) -> list[str]:
    items = (page.contents.item(at) for at in range(page.contents.count()))
    return [item.text() for item in items if item.flags() & Qt.ItemFlag.ItemIsEnabled]


def at_the_top(page: HelpPage) -> str:
    return page.text.cursorForPosition(page.text.viewport().rect().topLeft()).block().text()


def test_a_page_and_a_link_lead_to_a_section_at_the_top_of_the_view(page):
    for place in NAVIGATION_ITEMS:
        page.show_topic(place.key)
        expected = "People" if place.key == "help" else place.title
        assert page.contents.currentItem().text() == expected
    page.show_topic("the-gram-trick")
    assert at_the_top(page) == "The Gram trick"
    page.text.anchorClicked.emit(QUrl("mathematics.md#in-and-from-face-space"))
    assert page.contents.currentItem().text() == at_the_top(page) == "In and from face space"


def test_a_new_theme_never_writes_the_text_within_itself(page, monkeypatch, qtbot):
    """Where pictures just fit, a scroll bar that came and went would: the process ended."""
    under_way, write = [0], HelpText.write

    def counted(text: HelpText) -> None:
        assert not under_way[0]
        under_way[0] += 1
        write(text)
        under_way[0] -= 1

    monkeypatch.setattr(HelpText, "write", counted)
    beside = page.width() - page.text.viewport().width()
    bar = page.text.verticalScrollBar().sizeHint().width()
    for number, room in enumerate(range(LARGE_PICTURE - bar, LARGE_PICTURE + 12, 3)):
        page.resize(beside + room, 700)
        theme.apply(QApplication.instance(), ("dark", "light")[number % 2])
        qtbot.wait(1)
    assert page.text.viewport().width() >= LARGE_PICTURE  # both sides of the limit were tried


TOLD = (
    *(words for way in DISTANCES.values() for words in (way.name, way.meaning, way.formula)),
    *get_args(Lighting),
    *LIGHTING.choices.values(),
    "28/96 and 68/96 of the width, and at 42/112 of the height",
    f"reduced to {LONGEST_SIDE} pixels",
    f"scores above {LIKELY_SCORE:.0f} is taken for a face",
    f"above {DOUBTFUL}".replace("-", "−"),
    f"less than {SMALLEST // ENLARGED} pixels wide",
    f"smaller than 1/{LONGEST_SIDE // SMALLEST} of the longer side",
    *("no authentication", "printed photograph", "deep networks", "AT&T Laboratories"),
    *("Face Research Lab London Set", "DeBruine", "5047666", "CC BY 4.0", "OpenCV"),
    *("Why by person?", "against k", "Confusion matrix", "Face covered"),
    *glossary(),
    *KEYS,
)


def test_what_the_program_shows_is_told_with_its_own_words_and_figures(page):
    assert len(KEYS) > 20
    text = " ".join(page.text.toPlainText().split()).casefold()
    assert [words for words in TOLD if " ".join(words.split()).casefold() not in text] == []


def test_searching_lists_and_finds(page, qtbot):
    qtbot.keyClicks(page.finder, "VARIANCE")
    assert "Components" in listed(page)
    assert "Keyboard" not in listed(page)
    assert page.text.textCursor().selectedText().casefold() == "variance"
    page.show_topic("map")  # a section may not be among those found
    assert page.finder.text() == ""
    assert len(listed(page)) == len(sections())
    assert not page.text.textCursor().hasSelection()
    page.finder.setText("xyzzy")
    assert listed(page) == []
    assert page.nothing.isVisible()
    assert "xyzzy" in page.nothing.text()
    page.finder.setText("names export")
    assert "Recognise" in listed(page)[:3], "the best come first, whatever the order of the words"
    assert not page.nothing.isVisible()
    assert page.text.textCursor().selectedText().casefold() in ("names", "export")


def test_it_follows_the_theme_and_stays_where_it_is(page, qapp, qtbot, light_again):
    page.show_topic("the-gram-trick")
    for colours in (theme.DARK, theme.LIGHT):
        theme.apply(qapp, colours.name)
        qtbot.waitUntil(lambda its=colours: its.accent.lower() in page.text.toHtml())
        assert at_the_top(page) == "The Gram trick"


def bound(widget: QWidget) -> list[tuple[str, QAction]]:
    """Return every key of a widget and all in it, with what it does."""
    parts = [widget, *widget.findChildren(QWidget)]
    actions = {action for part in parts for action in part.actions()}
    return [(key.toString(), action) for action in actions for key in action.shortcuts()]


def counts_everywhere(action: QAction) -> bool:
    owners = (owner for owner in action.associatedObjects() if not isinstance(owner, QMenu))
    in_window = action.shortcutContext() == Qt.ShortcutContext.WindowShortcut
    return in_window and any(owner.isVisible() and owner.isEnabled() for owner in owners)


def test_what_is_bound_is_the_table_and_on_no_page_a_key_means_two_things(qtbot, trained_session):
    trained_session.put_probes([seen.probe_of(trained_session.gallery, 0)])
    window = seen.show(qtbot, MainWindow(trained_session), (1467, 943))
    window.activateWindow()
    keys = set[str]()
    for place in NAVIGATION_ITEMS:
        trained_session.show_page(place.key)
        seen.settle(qtbot, trained_session)
        here = bound(window)
        keys |= {key for key, _ in here} | {*window.page.content.keys()}
        everywhere = [key for key, action in here if counts_everywhere(action)]
        parts = {
            key
            for key, action in bound(window.page)
            if action.shortcutContext() != Qt.ShortcutContext.WindowShortcut
        }
        assert len(everywhere) == len({*everywhere})
        assert parts.isdisjoint(everywhere)
    told = {key for each in COMMANDS if each.name for key in each.sequences}
    assert keys == told


def test_what_the_photo_editor_binds_is_told(qtbot, trained_session):
    review = ReviewPanel(trained_session)
    qtbot.addWidget(review)
    made = {key.key().toString() for key in review.findChildren(QShortcut)}
    told = (each for each in COMMANDS if each.page in ("", "Adding photos"))
    assert made <= {key for each in told for key in each.sequences}


def test_a_picture_of_the_manual_is_shown_as_wide_as_a_line_at_most(page):
    kind = QTextDocument.ResourceType.ImageResource.value
    image = page.text.loadResource(kind, QUrl("pictures/variance.webp"))
    assert "](pictures/variance.webp)" in read("lessons")
    assert image.deviceIndependentSize().width() == theme.pixels(620)
    assert image.height() > 100
    small = page.text.loadResource(kind, QUrl("pictures/limit.webp"))
    assert small.deviceIndependentSize().width() == 562, "no picture is made larger"
    block = page.text.document().begin()
    while block.text() != "\N{OBJECT REPLACEMENT CHARACTER}":
        block = block.next()
    assert block.blockFormat().lineHeight() == 100, "no gap below a picture"
    assert page.text.document().idealWidth() <= page.text.lineWrapColumnOrWidth() + 1
