"""The Lessons page: a list, the picture of a lesson with its controls, and its words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog

from eigenfaces.errors import EigenfacesError
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Slide
from eigenfaces.space.arrays import Doubles
from gui.pages.lessons.lesson_list import LessonsCard
from gui.pages.lessons.pictured import PictureCards
from gui.pages.lessons.study import CANCELLED, OPENED, Studies
from gui.pages.lessons.subject_choice import SubjectChoice
from gui.pages.lessons.words import WordsColumn
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import PageHeader
from gui.widgets.controls import Button
from gui.widgets.fields import DropDown
from gui.widgets.page import Page
from gui.widgets.words import label

_LIST, _CHOICE = 280, 150
_WIDE, _TALL = 1180, 700
"""From these sizes of the page on, there is room for the list, and for both figures."""

_SETTLED = 400
"""Milliseconds after which a setting that takes long is no longer moved."""


class LessonsPage(Page):
    """One idea at a time; no gallery is needed."""

    key, title, icon = "lessons", "Lessons", "lessons"
    stands_alone = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.studies = Studies(session)
        self.studies.setParent(self)
        self.studies.changed.connect(self._show_study)
        self.picture: LessonPicture | None = None
        self.lessons = LessonsCard(LESSONS)
        self.pictured = PictureCards()
        self.controls = self.pictured.controls
        self.words = WordsColumn()
        self.choice = DropDown()
        self.subjects = SubjectChoice()
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._draw)
        self._renewal = QTimer(self, singleShot=True, interval=_SETTLED)
        self._renewal.timeout.connect(self._renew)
        self._lay_out()
        self._connect()
        self._opened, self._alone = "", False

    def _lay_out(self) -> None:
        header = self._header = PageHeader(self.title, "One idea at a time")
        self.choice.setAccessibleName("Lesson")
        self.choice.view().setAccessibleName("Lesson")
        self.choice.setMinimumWidth(theme.pixels(_CHOICE))
        self.lessons.setFixedWidth(theme.pixels(_LIST))
        for number, lesson in enumerate(LESSONS, 1):
            self.choice.addItem(f"{number} · {lesson.title}", lesson.name)
        self._data = label("Data", "caption")
        self._export = Button("Export picture…", "export", name="Export picture…")
        self._back = Button("", "back", name="Lesson before (PgUp)")
        self._forward = Button("", "forward", name="Next lesson (PgDn)")
        self._number = label("", "caption")
        actions = (self.choice, self._data, self.subjects, self._export)
        for part in (*actions, self._back, self._number, self._forward):
            header.add_action(part)
        row = in_row(self.lessons, (self.pictured, 1), self.words, spacing=12)
        in_column(header, (row, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        studies, pictured, controls = self.studies, self.pictured, self.controls
        self.lessons.list.chosen.connect(self.show_lesson)
        self.choice.currentIndexChanged.connect(
            lambda: self.show_lesson(str(self.choice.currentData()))
        )
        self.subjects.chosen.connect(lambda key: self._change(lambda: studies.choose(key)))
        self.subjects.folder_wanted.connect(self._open_folder)
        self.subjects.file_wanted.connect(self._open_file)
        controls.edited.connect(self._set)
        controls.suggested.connect(self._suggest)
        controls.drawn_anew.connect(lambda: self._change(studies.draw_anew))
        controls.reset.connect(lambda: self._change(studies.reset))
        pictured.turned.connect(self._turn)
        pictured.moved.connect(self._move)
        pictured.added.connect(lambda at: self._change(lambda: studies.add(at)))
        pictured.removed.connect(lambda number: self._change(lambda: studies.remove(number)))
        self.words.next_wanted.connect(lambda: self.go(1))
        self._back.clicked.connect(lambda: self.go(-1))
        self._forward.clicked.connect(lambda: self.go(1))
        self._export.clicked.connect(self.export)
        for keys, by in (("PgUp", -1), ("PgDown", 1)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda by=by: self.go(by))

    # Which lesson

    def show_lesson(self, name: str) -> None:
        """Open a lesson."""
        self._renewal.stop()
        lesson = next(each for each in LESSONS if each.name == name)
        self._opened = name
        self.session.settings.see_lesson(name)
        following = LESSONS[LESSONS.index(lesson) + 1 :][:1]
        self.words.show_lesson(lesson, following[0].title if following else "")
        self.studies.open(lesson)
        self._show_place()
        self._show_study(fresh=True)
        if self._alone:
            self.setFocus()  # so that the arrow keys go on

    def go(self, by: int) -> None:
        """Go to the next lesson, or to the one before."""
        names = [lesson.name for lesson in LESSONS]
        at = names.index(self.studies.now.lesson.name) + by
        if 0 <= at < len(names):
            self.show_lesson(names[at])

    def _show_place(self) -> None:
        names = [lesson.name for lesson in LESSONS]
        at = names.index(self._opened)
        self.lessons.show_lesson(self._opened, self.session.settings.seen_lessons)
        with QSignalBlocker(self.choice):
            self.choice.setCurrentIndex(at)
        self._number.setText(f"{at + 1} of {len(names)}")
        self._back.setEnabled(at > 0)
        self._forward.setEnabled(at < len(names) - 1)

    def _refresh(self) -> None:
        if not self._opened:
            self.show_lesson(LESSONS[0].name)
        elif self.studies.look():
            self._show_study()
        self._show_subjects()

    # What is shown

    def _show_study(self, *, fresh: bool = False) -> None:
        """Show the lesson that is open; ``fresh``: what is on the screen belongs to another."""
        before = QApplication.focusWidget()
        inside = before is not None and self.content.isAncestorOf(before)
        self._show_state(fresh=fresh)
        after = QApplication.focusWidget()
        if inside and after is not before and not (after and self.controls.isAncestorOf(after)):
            self.scrolled.setFocus()  # what had it was replaced: it would go to the navigation

    def _show_state(self, *, fresh: bool) -> None:
        now = self.studies.now
        self._show_subjects()
        if now.is_ready:
            self._show_controls()
            self._draw()
            return
        self._step.stop()
        if now.error:
            self._show_error(now.error)
            return
        if fresh:
            self._show_nothing()
            self._show_controls()
        self.controls.setEnabled(False)
        self.pictured.show_busy(now.lesson.title, keeps=not fresh)

    def _show_subjects(self) -> None:
        studies = self.studies
        self.subjects.show_study(studies.now, studies.opened, studies.no_gallery())

    def _show_controls(self) -> None:
        now = self.studies.now
        lesson = now.lesson
        fields = self.studies.fields()
        self.controls.show_controls(fields, lesson.presses)
        self.controls.show_settings(now.settings, drawn=now.drawn)
        self.controls.setEnabled(now.is_ready)

    def _draw(self) -> None:
        """Draw the lesson with its settings as they are now."""
        self._step.stop()
        now = self.studies.now
        if not now.is_ready or now.subject is None:
            return
        try:
            self.picture = now.lesson.picture(now.ready, **now.settings)
        except EigenfacesError as error:
            self._show_error(str(error))
            return
        self.pictured.show_picture(self.picture)
        self.words.show_words(now.lesson, self.picture.words)
        self.words.show_code(now.lesson.code(now.subject, now.settings))
        self._export.setEnabled(True)

    def _show_error(self, why: str) -> None:
        self._show_nothing()
        lesson, open_again = self.studies.now.lesson, self.studies.open
        again = (lambda: self._change(lambda: open_again(lesson))) if why == CANCELLED else None
        self.pictured.show_error(why, lesson.title, again)
        self.controls.setEnabled(self.studies.now.is_ready or bool(self.studies.now.subject))

    def _show_nothing(self) -> None:
        """There is no picture of this lesson, so nothing of it can be copied or exported."""
        self.picture = None
        self.words.show_code("")
        self._export.setEnabled(False)

    # What changes

    def _set(self, name: str, value: object) -> None:
        self.studies.set(name, value)
        renewed = name in self.studies.now.lesson.renewed_by
        (self._renewal if renewed else self._step).start()

    def _renew(self) -> None:
        """Have computed what a setting needs, once it is no longer moved."""
        self._change(self.studies.renew)

    def _turn(self, name: str, degrees: float) -> None:
        """Set the direction to which a ring was dragged, within the range of its control."""
        now = self.studies.now
        field = next(each for each in now.lesson.controls if each.name == name)
        assert isinstance(field, Slide)
        steps = round((degrees - field.least) % (field.most - field.least) / field.step)
        self.studies.set(name, min(field.least + steps * field.step, field.most))
        self.controls.show_settings(now.settings, drawn=now.drawn)
        self._draw()

    def _suggest(self, title: str) -> None:
        before, now = self.studies.now.settings, self.studies.now
        self.studies.press(title)
        self.controls.show_settings(now.settings, drawn=now.drawn)
        renewed_by = now.lesson.renewed_by
        if any(before[name] != now.settings[name] for name in renewed_by):
            self._renew()
        else:
            self._draw()

    def _move(self, number: int, at: Doubles) -> None:
        self._change(lambda: self.studies.move(number, at))

    def _open_folder(self) -> None:
        start = str(self.session.settings.last_folder)
        chosen = QFileDialog.getExistingDirectory(self, "Open a folder of pictures", start)
        if chosen:
            self.take_paths([Path(chosen)])

    def _open_file(self) -> None:
        start = str(self.session.settings.last_folder)
        chosen, _ = QFileDialog.getOpenFileName(self, "Open a file of pictures", start)
        if chosen:
            self.take_paths([Path(chosen)])

    def take_paths(self, paths: list[Path]) -> bool:
        """Show the lesson on a folder or file, if it can be shown on pictures."""
        if len(paths) != 1 or OPENED not in self.studies.now.lesson.subjects:
            return False
        (path,) = paths
        self.session.settings.last_folder = path if path.is_dir() else path.parent
        self._change(lambda: self.studies.open_pictures(path))
        return True

    def _change(self, change: Callable[[], None]) -> None:
        """Change what the lesson is shown on; what cannot be done is said."""
        try:
            change()
        except EigenfacesError as error:
            self.session.say(str(error), "error")
        self._show_study()

    # Size and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the list, both figures and the words on buttons where there is room."""
        width, height = self.width(), self.height()
        wide = width >= theme.pixels(_WIDE) and not self._alone
        tall = height >= theme.pixels(_TALL)
        self.lessons.setVisible(wide)
        self.choice.setVisible(not wide)
        self._data.setVisible(wide)
        self._number.setVisible(wide)
        self._export.setText("Export picture…" if wide else "")
        self.words.set_short(not tall)
        self.pictured.set_in_tabs(not tall)

    def set_alone(self, alone: bool) -> None:
        self._alone = alone
        self._header.setVisible(not alone)
        self.words.setVisible(not alone)
        self._fit()
        self.pictured.make_anew()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.controls.toggle_play():
            return
        if self._alone and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.go(1 if event.key() == Qt.Key.Key_Right else -1)
            return
        super().keyPressEvent(event)

    def export(self) -> None:
        """Offer the picture, and the program, as files."""
        from gui.pages.lessons.exports import export_menu

        now = self.studies.now
        if self.picture is None or now.subject is None:
            self.session.say("There is nothing to export yet: there is no picture.")
            return
        code = now.lesson.code(now.subject, now.settings)
        menu = export_menu(self, self.picture, now.lesson, code)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._export.mapToGlobal(QPoint(0, self._export.height() + 2)))
