"""The Lessons page: a list, the picture of a lesson with its controls, and its text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QStandardItemModel,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QListWidget, QListWidgetItem, QMenu

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.points import is_table
from eigenfaces.lessons.catalogue import LESSONS, every_picture, numbered_title
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Slide
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.manual.keys import with_key
from eigenfaces.report.figure import Suffix
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import shortened
from ...state.session import Session
from ...style import theme
from ...widgets.box_layouts import in_column, in_row
from ...widgets.cards import Card, PageHeader
from ...widgets.commands import bind
from ...widgets.controls import Button, open_below
from ...widgets.fields import Choice, DropDown
from ...widgets.labels import label
from ...widgets.page import Page
from ...widgets.saving import save
from .figure import PictureCards
from .hall import LessonHall
from .state import GALLERY, OPENED, TABLE, LessonStates
from .words import WordsColumn

_LIST, _CHOICE, _LONGEST = 240, 150, 32  # px, px, characters
_WIDE = 1140  # px, the least width of a page with the list
_SETTLED = 400  # ms without a change, after which a slow setting takes effect
_FOLDER, _FILE, _CSV = "folder", "file", "csv"
_TITLES = {
    GALLERY: "The open gallery",
    _FOLDER: "Open a folder of pictures…",
    _FILE: "Open a file of pictures…",
    _CSV: "Open a table (CSV)…",
}


class LessonsPage(Page):
    """Page that explains one idea at a time. It works without a gallery."""

    key, title, icon = "lessons", "Lessons", "lessons"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.states = LessonStates(session)
        self.states.setParent(self)
        self.states.changed.connect(self._show_state)
        self.picture: LessonPicture | None = None
        self._opened = ""
        self._hall: LessonHall | None = None
        self.lessons, self.list = Card("Lessons"), LessonList()
        self.lessons.body.addWidget(self.list)
        self.pictured = PictureCards()
        self.controls = self.pictured.controls
        self.words = WordsColumn(session.settings)
        lessons = [Choice(numbered_title(lesson), lesson.name) for lesson in LESSONS]
        self.choice, self.subjects = DropDown("Lesson", lessons), DropDown("Data")
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self._settled = QTimer(self, singleShot=True, interval=_SETTLED)
        self._settled.timeout.connect(lambda: self._apply(self.states.prepare))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        for box in (self.choice, self.subjects):
            box.setMinimumWidth(theme.pixels(_CHOICE))
        self.subjects.setMaximumWidth(theme.pixels(270))
        self.lessons.setFixedWidth(theme.pixels(_LIST))
        self._data = label("Data", "caption")
        self._export = Button("Export picture…", "export", name="Export picture…")
        self.back = Button("", "back", name=with_key("lesson before"))
        self.next = Button("", "forward", name=with_key("next lesson"))
        self.large = Button("", "screen", name=with_key("hall"))
        steps = (self.choice, self.back, self.next)
        actions = (*steps, self._data, self.subjects, self.large, self._export)
        self._header = PageHeader(self.title, "One idea at a time", *actions)
        row = in_row(self.lessons, (self.pictured, 1), self.words, spacing=12)
        in_column(self._header, (row, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        states, controls = self.states, self.controls
        self.back.clicked.connect(lambda: self.go(-1))
        self.next.clicked.connect(lambda: self.go(1))
        self.large.clicked.connect(self.hall_wanted)
        self.words.step_chosen.connect(self._show_step)
        self.list.currentItemChanged.connect(lambda item: self.show_lesson(item.data(_NAME)))
        self.choice.currentIndexChanged.connect(lambda: self.show_lesson(self.choice.value()))
        self.subjects.activated.connect(lambda: self._choose_subject(self.subjects.value()))
        controls.edited.connect(self._set)
        controls.button_pressed.connect(self._press)
        controls.resample_requested.connect(
            lambda: self._apply(lambda: states.show_on(states.current.key, states.current.seed + 1))
        )
        controls.reset.connect(lambda: self._apply(states.reset))
        for figure in (self.pictured.first, self.pictured.second):
            figure.direction_dragged.connect(self._set_direction)
            figure.point_dragged.connect(self._move_point)
            figure.item_chosen.connect(self._set)
        self._export.clicked.connect(self.export)
        for name, by in (("lesson before", -1), ("next lesson", 1)):
            go = partial(self.go, by)
            bind(name, self, go, self.lessons, self.choice, self.pictured)
            self.content.bind_unused(name, go)
        self.content.bind_unused("play lesson", controls.toggle_play)

    # Which lesson

    def show_lesson(self, name: str) -> None:
        """Open a lesson."""
        self._settled.stop()
        row = [lesson.name for lesson in LESSONS].index(name)
        lesson, self._opened = LESSONS[row], name
        self.words.show_words(lesson, {})
        self.words.verticalScrollBar().setValue(0)
        self._header.set_subtitle(lesson.line)
        self.states.open(lesson)
        self.list.show_lesson(name)
        self.choice.show_value(name)
        self.back.setEnabled(row > 0)
        self.next.setEnabled(row + 1 < len(LESSONS))
        self._show_state(fresh=True)

    def go(self, by: int) -> None:
        """Go to the next or previous lesson."""
        row = LESSONS.index(self.states.current.lesson) + by
        if 0 <= row < len(LESSONS):
            self.show_lesson(LESSONS[row].name)

    def _show_step(self, number: int) -> None:
        """Apply the settings of one of the lesson's steps."""
        self._apply(lambda: self.states.show_step(number))

    def _turn(self, by: int) -> None:
        """Go to the next or previous step, crossing into the adjacent lesson at either end."""
        if by > 0 and self._hall is not None and self._hall.pass_over():
            return
        lesson, step = self.states.current.lesson, self.states.current.step + by
        if 0 <= step < len(lesson.steps):
            self._show_step(step)
            return
        row = LESSONS.index(lesson) + by
        if 0 <= row < len(LESSONS):
            self.show_lesson(LESSONS[row].name)
            self._show_step(0 if by > 0 else len(LESSONS[row].steps) - 1)

    def _refresh(self) -> None:
        if not self._opened:
            self.show_lesson(LESSONS[0].name)
        elif self.states.sync_gallery():
            self._show_state()
        self._show_subjects()

    # Display

    def _show_state(self, *, fresh: bool = False) -> None:
        """Show the open lesson; ``fresh`` means that the page still shows another lesson."""
        if self._hall is not None:
            self._draw()
            return
        before, state = QApplication.focusWidget(), self.states.current
        inside = before is not None and self.content.isAncestorOf(before)
        self._show_subjects()
        if state.is_ready or state.error:
            self._draw()
        else:
            self._step.stop()
            if fresh:
                self._show_nothing()
                self._show_controls()
                self.pictured.clear(state.lesson.title)
            self.controls.setEnabled(False)
        after = QApplication.focusWidget()
        if inside and after is not before and not (after and self.controls.isAncestorOf(after)):
            self.content.setFocus()  # otherwise the navigation would get the focus

    def _show_subjects(self) -> None:
        """List the data sets that the lesson can use."""
        state, opened = self.states.current, self.states.opened
        problem = self.states.gallery_problem()
        brought = {OPENED, TABLE} & {*state.lesson.subjects}
        keys = [key for key in state.lesson.subjects if key not in {OPENED, TABLE} - opened.keys()]
        keys += [_FOLDER, _FILE] * (OPENED in brought) + [_CSV] * (TABLE in brought)
        choices = []
        for key in keys:
            known = SUBJECTS.get(key)
            title = known.title if known else _TITLES.get(key) or opened[key].name
            title = state.subject.title if key == state.key and state.subject else title
            refused = problem if key == GALLERY else ""
            choices.append(Choice(shortened(title, _LONGEST), key, refused or title))
        self.subjects.set_items(choices)
        self.subjects.show_value(state.key)
        self.subjects.setEnabled(len(keys) > 1)
        if GALLERY in keys:
            model = self.subjects.model()
            assert isinstance(model, QStandardItemModel)
            model.item(keys.index(GALLERY)).setEnabled(not problem)

    def _show_controls(self) -> None:
        state = self.states.current
        buttons = {title: button.about for title, button in state.lesson.buttons.items()}
        self.controls.show_controls(state.fields(), buttons, state.lesson.slow_settings)
        self.controls.show_settings(state.settings, is_random=state.is_random)
        self.controls.setEnabled(state.is_ready)

    def _draw(self) -> None:
        """Draw the lesson with its current settings, and show the result."""
        self._step.stop()
        state = self.states.current
        picture, why = None, state.error
        try:
            if state.is_ready:
                picture = state.lesson.picture(state.ready, **state.settings)
        except EigenfacesError as error:
            why = str(error)
        if self._hall is not None:
            self._hall.show_lesson(state, picture, why)
        elif picture is not None:
            self._show_picture(picture)
        elif why:
            self._show_error(why)

    def _show_picture(self, picture: LessonPicture) -> None:
        state, self.picture = self.states.current, picture
        assert state.subject is not None
        self._show_controls()
        self.pictured.show_picture(picture)
        self.words.show_words(state.lesson, picture.words)
        self.words.show_code(state.lesson.code(state.subject, state.settings))
        self._export.setEnabled(True)

    def _show_error(self, why: str) -> None:
        self._step.stop()
        self._show_nothing()
        self.pictured.clear(self.states.current.lesson.title, why)
        self._show_controls()  # the old controls may belong to another lesson
        self.controls.setEnabled(True)

    def _show_nothing(self) -> None:
        """Clear the picture of the lesson, so that nothing can be copied or exported."""
        self.picture = None
        self.words.show_code("")
        self._export.setEnabled(False)

    # Changes

    def _set(self, name: str, value: object) -> None:
        self.states.current.set(name, value)
        slow = name in self.states.current.lesson.slow_settings
        (self._settled if slow else self._step).start()

    def _set_direction(self, name: str, degrees: float) -> None:
        """Set the angle to which a ring was dragged, rounded to a value that its control allows."""
        state = self.states.current
        field = next(field for field in state.lesson.controls if field.name == name)
        assert isinstance(field, Slide)
        steps = round((degrees - field.least) % (field.most - field.least) / field.step)
        state.set(name, min(field.least + steps * field.step, field.most))
        self._draw()

    def _press(self, title: str) -> None:
        self.states.current.press(title)
        self._draw()

    def _move_point(self, number: int, place: Doubles) -> None:
        self.states.change_points(lambda cloud: cloud.with_point(number, place))
        self._show_state()

    def _choose_subject(self, key: str) -> None:
        if key not in (_FOLDER, _FILE, _CSV):
            if key != self.states.current.key:
                self._apply(lambda: self.states.show_on(key))
            return
        self._show_subjects()  # unchanged until the new data is read
        start = str(self.session.settings.last_folder)
        if key == _FOLDER:
            path = QFileDialog.getExistingDirectory(self, "Open a folder of pictures", start)
        else:
            title = _TITLES[key].removesuffix("…")
            path, _ = QFileDialog.getOpenFileName(self, title, start)
        if path:
            self._open(TABLE if key == _CSV else OPENED, Path(path))

    def accept_paths(self, paths: list[Path]) -> bool:
        """Use a dropped folder, picture file or table as data, if the lesson accepts it."""
        subjects = self.states.current.lesson.subjects
        key = TABLE if TABLE in subjects and is_table(paths[0]) else OPENED
        if len(paths) != 1 or key not in subjects:
            return False
        self._open(key, paths[0])
        return True

    def _open(self, key: str, path: Path) -> None:
        self.session.settings.last_folder = path if path.is_dir() else path.parent
        self._apply(lambda: self.states.open_file(key, path))

    def _apply(self, change: Callable[[], None]) -> None:
        """Change the data or the settings of the lesson, and show the result."""
        change()
        self._show_state()

    # Size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the list of lessons and the button labels only if there is enough room."""
        wide = self.width() >= theme.pixels(_WIDE)
        for part in (self.lessons, self._data):
            part.setVisible(wide)
        self.choice.setVisible(not wide)
        self._export.setText("Export picture…" if wide else "")

    # The full-screen view

    def open_hall(self) -> LessonHall:
        """Show the lesson in full screen; if its settings are unchanged, apply its first step."""
        hall = self._hall = LessonHall(self.session.settings)
        hall.edited.connect(self._set)
        hall.drawing.direction_dragged.connect(self._set_direction)
        hall.drawing.point_dragged.connect(self._move_point)
        hall.drawing.item_chosen.connect(self._set)
        hall.turned.connect(self._turn)
        hall.step_chosen.connect(self._show_step)
        if self.states.current.is_untouched:
            self.states.show_step(0)
        self._draw()
        return hall

    def close_hall(self) -> None:
        """Discard the full-screen view, and bring the page up to date."""
        self._hall = None
        self._show_state(fresh=True)

    # Files

    def export(self) -> None:
        """Open a menu for saving the picture, the program, and handouts for all lessons."""
        state = self.states.current
        if self.picture is None or state.subject is None:
            self.session.show_message("There is no picture to export yet.")
            return
        menu = self.export_menu(self.picture, state.lesson.code(state.subject, state.settings))
        open_below(self._export, menu)

    def export_menu(self, picture: LessonPicture, code: str) -> QMenu:
        """Return a menu with an entry for each file that can be exported."""
        from eigenfaces.report.handout import answer_sheet, booklet, question_sheet
        from eigenfaces.report.lesson_figure import lesson_file

        menu, lesson = QMenu("Export", self), self.states.current.lesson.name

        def add(title: str, name: str, content: Callable[[], bytes]) -> None:
            def write(path: Path) -> None:
                path.write_bytes(content())

            action = menu.addAction(title)
            action.triggered.connect(lambda: save(self.session, self, name, write))

        for suffix in get_args(Suffix):
            content = partial(lesson_file, picture, suffix)
            add(f"Picture ({suffix.upper()})…", f"{lesson}.{suffix}", content)
        wide = partial(lesson_file, picture, "png", wide=True)
        add("Picture, 16:9 (PNG, 1920 × 1080)…", f"{lesson}-wide.png", wide)
        add("All lessons (PDF)…", "lessons.pdf", lambda: booklet(every_picture()))
        add("Questions (PDF)…", "questions.pdf", question_sheet)
        add("Questions and answers (PDF)…", "answers.pdf", lambda: answer_sheet(every_picture()))
        add("NumPy listing (.py)…", f"{lesson}.py", code.encode)
        return menu


_NAME = Qt.ItemDataRole.UserRole


class LessonList(QListWidget):
    """List of all lessons, grouped into sections."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Lessons")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for lesson, before in zip(LESSONS, (None, *LESSONS), strict=False):
            if before is None or lesson.group != before.group:
                heading = QListWidgetItem(lesson.group.upper(), self)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
            item = QListWidgetItem(lesson.title, self)
            item.setData(_NAME, lesson.name)
            item.setToolTip(lesson.line)
        self._look: theme.Tokens | None = None
        self._colour()

    def show_lesson(self, name: str) -> None:
        """Select the lesson that is open."""
        items = map(self.item, range(self.count()))
        with QSignalBlocker(self):
            self.setCurrentItem(next(item for item in items if item.data(_NAME) == name))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._look != theme.tokens():
            self._colour()

    def _colour(self) -> None:
        self._look = look = theme.tokens()
        for item in map(self.item, range(self.count())):
            if not item.data(_NAME):
                item.setFont(theme.font(theme.SMALL_FONT, 600))
                item.setForeground(QColor(look.tertiary))
        self.setStyleSheet(
            "QListWidget::item { padding: 5px 6px; border-radius: 6px; }"
            f"QListWidget::item:selected {{ background: {look.soft}; color: {look.accent}; }}"
        )
