"""A family names its photographs without a word of the mathematics."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QWidget,
)

from eigenfaces import Gallery
from eigenfaces.faces.identity import FaceId
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition import recognised
from eigenfaces.recognition.automatic import RecipeChoice
from eigenfaces.recognition.decision import KIND_MEANINGS
from eigenfaces.recognition.probes import Probe
from gui.pages.recognise.page import try_own_photos
from gui.widgets.labels import ElidedLabel
from gui.widgets.skipped_list import SkippedList
from gui.window.main_window import MainWindow
from tests.gui import seen
from tests.synthetic import on_file

ROOT = Path(__file__).resolve().parents[2]

NEVER = re.compile(
    r"\bheld[ -]out\b|\bh[oe]ld\w* .{0,20}\bout\b|\bNetwork\b|\bthe network\b|\bcomponents?\b|"
    r"\bface space\b|\b(?:re)?train(?:s|ed|ing)?\b|\bmean\b|\brecipes?\b|\bk = \d|"
    r"\bfaces? already\b|\bcut faces\b|\balike faces\b|\bunlike a face\b|\bphotos that wait\b|"
    r"\bneeds? you\b|\btake \d+ choice|\bexcluded? from\b|\binspector\b",
    re.IGNORECASE,
)
"""What a family never reads on its way, written large or small."""

FILES = (
    *("gui/pages/recognise/page.py", "gui/pages/recognise/queue.py"),
    *("gui/pages/recognise/face_card.py", "gui/widgets/named_photo.py"),
    *("gui/widgets/messages.py", "gui/widgets/skipped_list.py", "gui/widgets/face_list.py"),
    *(f"gui/pages/people/{name}.py" for name in ("page", "entries", "people_list", "photos")),
    *(f"gui/pages/people/{name}.py" for name in ("photo_details", "look_alikes")),
    *(f"gui/album/{name}.py" for name in ("large_view", "photo_grid", "dates")),
    *("gui/widgets/saving.py", "gui/pages/welcome.py", "eigenfaces/recognition/answers.py"),
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "gui/photos").glob("*.py"))),
    *(f"eigenfaces/importing/{name}.py" for name in ("correct", "entries", "load", "review")),
    *(
        "eigenfaces/importing/scan.py",
        "eigenfaces/faces/quality.py",
        "eigenfaces/project/unused.py",
    ),
)
"""What says something on the way import, names, Recognise, export."""

NAMES = {"bind", "bind_each", "bind_button", "command", "with_key", "show_page"}
"""Functions whose words name something in the code, and are not read."""


def said(root: QWidget) -> Iterator[str]:
    """Yield every text of what is visible in a window: also what is read aloud, tips, menus."""
    for part in [root, *root.findChildren(QWidget)]:
        if isinstance(part, QMenu) or not part.isVisibleTo(root):
            continue
        yield from (part.toolTip(), part.accessibleName(), part.accessibleDescription())
        yield from (part.windowTitle(), part.whatsThis(), str(getattr(part, "caption", "")))
        if isinstance(part, ElidedLabel):
            yield part.full_text
        elif isinstance(part, QLabel | QAbstractButton):
            yield part.text()
        if isinstance(part, QLineEdit):
            yield part.placeholderText()
        if isinstance(part, QComboBox):
            yield from (part.itemText(at) for at in range(part.count()))
        if isinstance(part, QAbstractItemView):
            yield from lines(part)
        if isinstance(part, QPushButton) and part.menu() is not None:
            yield from entries(part.menu())


def lines(view: QAbstractItemView) -> Iterator[str]:
    """Yield what a list or a table says."""
    model, roles = view.model(), Qt.ItemDataRole
    for row in range(model.rowCount()):
        for column in range(1 if isinstance(view, QListView) else model.columnCount()):
            for role in (roles.DisplayRole, roles.ToolTipRole, roles.AccessibleTextRole):
                yield str(model.index(row, column).data(role) or "")


def entries(menu: QMenu) -> Iterator[str]:
    """Yield the entries of a menu, as it is when it is opened."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        yield from (action.text(), action.toolTip())
        if (inner := action.menu()) is not None:
            yield from entries(inner)


def wrong(texts: Iterator[str]) -> list[str]:
    return sorted({text for text in texts if NEVER.search(text)})


def test_the_words_are_found() -> None:
    for words in ("Try held-out photos", "Train first", "k = 71", "Show the inspector", "Recipes"):
        assert NEVER.search(words)
    for words in ("Right on 98 % of your photos", "What does it mean to you?"[:12], "a train of"):
        assert (NEVER.search(words) is not None) == ("train" in words)


def test_one_apostrophe_is_used_in_all_that_is_read() -> None:
    """As in the manual, “’”. What the command line and lessons print in code is left out."""
    folders = (ROOT / "gui", *(ROOT / "eigenfaces").iterdir())
    files = [
        path
        for folder in folders
        for path in ([folder] if folder.suffix == ".py" else folder.rglob("*.py"))
        if folder.name not in ("cli", "lessons") and path.name != "published.py"
    ]
    straight = re.compile(r"[A-Za-z]'[A-Za-z]")
    assert [text for path in files for text in literals(path) if straight.search(text)] == []


def test_the_window_says_photo() -> None:
    folders = ("faces", "importing", "photographs", "laboratory")  # whose sentences it shows
    files = [path for path in (ROOT / "gui").rglob("*.py") if path.name != "app.py"]
    files += [path for name in folders for path in (ROOT / "eigenfaces" / name).rglob("*.py")]
    long = re.compile(r"\bphotographs?\b", re.IGNORECASE)
    texts = [text for path in files for text in literals(path) if " " in text]  # no mere keys
    assert [text for text in texts if long.search(text)] == []


def literals(path: Path) -> Iterator[str]:
    """Yield the texts in a file, without those that only explain it or name something in it."""
    tree = ast.parse(path.read_text("utf-8"))
    unread = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            unread.add(node.value)  # a docstring
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            unread |= {*node.args[:1]} if called in NAMES else set()
        if isinstance(node, ast.Dict):
            unread |= {key for key in node.keys if key is not None}
        if isinstance(node, ast.Compare):
            unread |= {*node.comparators}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in unread:
            yield node.value


@pytest.mark.parametrize("name", FILES)
def test_no_file_on_the_way_has_a_word_of_the_mathematics(name: str) -> None:
    assert wrong(literals(ROOT / name)) == []


@pytest.fixture
def told(trained_session) -> list[str]:
    """All messages, and what undo is called."""
    heard: list[str] = []
    session = trained_session
    session.message_changed.connect(lambda: heard.append(session.message.text))
    session.gallery_changed.connect(lambda: heard.append(session.history.undo_title or ""))
    return heard


@pytest.fixture
def window(qtbot, trained_session) -> MainWindow:
    session = trained_session
    shares = {"Network": 0.98, "Eigenfaces": 0.4}
    measured = replace(session.gallery.calibrate(), automatic=RecipeChoice("Network", shares))
    session.apply("", lambda _: measured)
    return seen.show(qtbot, MainWindow(session), (1467, 943))


def spoken(window: MainWindow) -> list[str]:
    """Return what is wrong on the page, in its messages and in the menus."""
    parts = (window.page, window.messages, window.inspector, window.top_bar)
    texts = [text for part in parts if part.isVisible() for text in said(part)]
    menus = (window.commands.project_menu, window.commands.add_menu)
    return wrong(iter([*texts, *(text for menu in menus for text in entries(menu))]))


def kinds_of(gallery: Gallery) -> list[Probe]:
    """Return a face for every kind of verdict."""
    probe = seen.probe_of(gallery, 0)
    return [
        replace(probe, photo=on_file(probe.photo, Path(f"/p/{kind}.png"), kind))
        for kind in KIND_MEANINGS
    ]


def test_recognise_speaks_of_photos_and_people(qtbot, window, told, do, monkeypatch, tmp_path):
    session, page = window.session, None
    do(session.show_page, "recognise")
    assert spoken(window) == [], "nothing to recognise yet"
    found = recognised.identify_all

    def decided(gallery, faces, never=(), without=None):
        verdicts = found(gallery, faces, never, without)
        kinds = iter([*KIND_MEANINGS] * len(verdicts))
        return [
            replace(one, decision=replace(one.decision, kind=next(kinds), limit=10.0))
            for one in verdicts
        ]

    monkeypatch.setattr(recognised, "identify_all", decided)
    do(session.put_probes, kinds_of(session.gallery), [Path("/photos/sea.png")])
    page = window.page
    for line in (*map(FaceId, KIND_MEANINGS), Path("/photos/sea.png")):
        do(page._choose, [line])
        assert spoken(window) == [], line
        page.face.open_menu(page.mapToGlobal(QPoint(9, 9)))
        menu = page.face.findChildren(QMenu)[-1]
        assert wrong(entries(menu)) == []
        menu.close()
    do(page._choose, [FaceId("sure"), FaceId("likely")])
    assert spoken(window) == [], "several at once"
    for feedback in ("nobody", "no face", "not", "right"):
        do(page._choose, [FaceId("sure")])
        do(page.answer, feedback, ("Ada",) if feedback in ("not", "right") else ())
        do(page._choose, [FaceId("sure")])
        assert spoken(window) == [], feedback
    own = session.gallery.index.photos[3]
    do(session.put_probes, [Probe(own, session.gallery.faces.image(3))])
    assert spoken(window) == [], "in the gallery"
    do(session.undo)
    do(session.redo)
    assert wrong(iter(told)) == []


def test_recognise_without_names_and_its_messages(qtbot, window, told, do):
    session = window.session
    do(session.show_page, "recognise")
    page = window.page
    for act in (page.export, window.toggle_inspector):
        do(act)
    everybody = [photo.id for photo in session.gallery.index.photos]
    do(session.apply, "moving", lambda now: now.move(everybody, None))
    assert spoken(window) == []
    assert wrong(iter(told)) == []
    told.clear()
    do(session.undo)
    do(session.show_message, "One file was skipped.", "warn", (Skipped(Path("/a.png"), "Why."),))
    sheet = seen.show(qtbot, SkippedList(session.message.skipped, window))
    assert wrong(said(sheet)) == []
    sheet.close()


def test_people_speaks_of_photos_and_people(window, told, do):
    session = window.session
    do(session.show_page, "people")
    page = window.page
    for key in page.entries:
        do(page._choose, key)
        assert spoken(window) == [], key
    everybody = [photo.id for photo in session.gallery.index.photos[:4]]
    do(session.apply, "taking names away", lambda now: now.move(everybody, None))
    for key in page.entries:
        do(page._choose, key)
        assert spoken(window) == [], key
    do(session.undo)
    assert wrong(iter(told)) == []


def test_own_photos_to_try_it_with(window, told, do):
    do(window.session.show_page, "recognise")
    do(try_own_photos, window.session)
    assert len(window.session.probes) == 5
    assert spoken(window) == []
    assert wrong(iter(told)) == []
