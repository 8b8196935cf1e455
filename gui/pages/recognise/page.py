"""The Recognise page: a photograph with a name on every face, and the user's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from eigenfaces.errors import PhotoError
from eigenfaces.faces.identity import FaceId
from eigenfaces.importing.correct import ReviewReading
from eigenfaces.manual.keys import command
from eigenfaces.photographs.decode import PICTURES
from eigenfaces.project.content import Content
from eigenfaces.project.exports import recognised
from eigenfaces.recognition.answers import (
    SURE_GROUP,
    ProbeFace,
    ProbePhoto,
    next_to_answer,
    probe_photos,
)
from eigenfaces.recognition.gallery import NO_ANSWER, Answers
from eigenfaces.recognition.probes import (
    Line,
    corrected_probes,
    editable_faces,
    probes_to_hold_out,
)
from eigenfaces.text import count
from ...photos.dialog import correct_photo
from ...state import actions
from ...state.session import Session
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import EmptyState, PageScroll
from ...widgets.commands import bind, bind_each
from ...widgets.controls import Button, DropArea, LinkButton, open_below
from ...widgets.export_menu import export_menu
from ...widgets.face_menu import install_face_menu
from ...widgets.labels import ElidedLabel, label
from ...widgets.page import Page
from .face_card import KEYS, FaceCard
from .queue import BackgroundRecogniser, PhotoList, PhotosCard, ProbePhotoView
from .why import WhyView

_TRY = "Up to 5 photos will be set aside so that you can name them. Use Undo to bring them back."
_NONE_TO_SPARE = "Nobody has more than 2 photos, so none can be set aside."
_PICTURES = f"Photos ({' '.join(f'*.{ending}' for ending in PICTURES)})"


class RecognisePage(Page):
    """Page with the photographs on the left, one of them large, and its chosen face on the right.

    The page keeps its own selection. If the user chooses one of the nearest faces, the other pages
    select that face, but the photograph stays in view.
    """

    key, title, icon = "recognise", "Recognise", "recognise"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.recogniser = BackgroundRecogniser(session)
        self.recogniser.changed.connect(self._mark_stale)
        self.all_photos: list[ProbePhoto] = []
        self._lines: tuple[Line, ...] = ()  # the faces that an answer is for; the first is shown
        self._seen: FaceId | None = None  # the selection at the last refresh
        self._answers: Answers = session.gallery.answers  # at that refresh, with those given since
        self._explains = self._taken_back = False  # an explanation, or an undone answer, is shown
        self._project = session.project
        self.photos, self.photo = PhotosCard(self.recogniser), ProbePhotoView(session)
        commands: dict[str, Callable[[], object]] = {
            f"Correct the box…\t{command('correct').keys}": self.open_editor,
            "Reconstruct this face": self._reconstruct,
            f"Remove from the list\t{command('take off').keys}": self._remove,
        }
        self.face, self.why = FaceCard(commands), WhyView(session)
        self._lay_out()
        self._connect()

    # Actions

    def accept_paths(self, paths: list[Path]) -> bool:
        actions.add_probes(self.session, paths)
        return True

    def kept_free(self) -> QRect:
        """Return the area below the photograph that shows the effect of the last answer."""
        line = self.photo.caption_rect() if self.photo.isVisible() else QRect()
        return line.translated(self.photo.viewport().mapTo(self, QPoint(0, 0)))

    def open_photos(self) -> None:
        """Ask for photographs to recognise, and open them."""
        start = str(self.session.settings.last_folder)
        kinds = f"{_PICTURES};;All files (*)"
        files, _ = QFileDialog.getOpenFileNames(self, "Open photos to recognise", start, kinds)
        if files:
            self.session.settings.last_folder = Path(files[0]).parent
            self.accept_paths([Path(path) for path in files])

    def export(self) -> None:
        """Open the export menu for the photographs in the list (Ctrl+E)."""
        project = self.session.project
        if project is None or not project.probe_list.probes:
            self.session.show_message("There is nothing to export yet: open photos first.")
            return
        photos = {probe.photo.photograph.sha for probe in project.probe_list.probes}
        find = partial(recognised, project.content)
        menu = export_menu(self.session, self, find, count(len(photos)))
        open_below(self.exports, menu)

    def answer(self, feedback: str, people: tuple[str, ...] = ()) -> None:
        """Give an answer for the chosen faces as one undo step, and move on to the next face."""
        self._answer(self._chosen_faces(), feedback, people)

    def confirm_sure(self) -> None:
        """Answer “Right” for all faces with a sure verdict, as one undo step."""
        items = [
            item for photo in self.all_photos for item in photo.faces if item.to_do == SURE_GROUP
        ]
        self._answer(items, "right")

    def _answer(
        self, items: Sequence[ProbeFace], feedback: str, people: tuple[str, ...] = ()
    ) -> None:
        replies = [reply for item in items if (reply := item.answer(feedback, people))]
        if not replies:
            return
        after = self._lines_after(items) if feedback not in ("back", "not") else self._lines[:1]

        def show_reply(sentence: str) -> None:
            self.photo.reply = f"{sentence} Ctrl+Z undoes it."

        if actions.answer(self.session, replies, show_reply):
            if feedback != "back":
                self._answers = self.session.gallery.answers
            self._go_to_faces(after)
        self.photos.list.setFocus()

    def open_editor(self) -> None:
        """Open the photograph in the photo editor."""
        session, probe_list = self.session, self.session.probe_list
        faces = editable_faces(probe_list)
        lines: list[Line] = [face.face or face.photo.path for face in faces]
        if not self._lines or self._lines[0] not in lines:
            return
        index = lines.index(self._lines[0])

        def save(reading: ReviewReading) -> bool:
            """Replace the face with a new crop, which is then compared again."""
            try:
                made = corrected_probes(session.gallery, probe_list, {index: reading})
            except PhotoError as error:
                session.show_message(str(error), "error")
                return False
            return session.put_probes(made, verb="correcting")

        correct_photo(self, session, faces[index], save)

    def step(self, by: int) -> None:
        """Show the next or previous photograph in the list."""
        order, photo = self.photos.order(), self._current_photo()
        if photo is not None:
            index = min(max(order.index(photo.line) + by, 0), len(order) - 1)
            self._choose_photos([order[index]])

    # Display

    def _refresh(self) -> None:
        session = self.session
        if session.project is not self._project:
            self._project, self._explains, self.photo.reply = session.project, False, ""
            self._answers = session.gallery.answers
        self._choose_current()
        photo = self._current_photo()
        # An explained or undone verdict is exact; others do not change while they are shown.
        exact = self._explains or self._taken_back
        self.recogniser.update(photo.lines if photo else {*self._lines}, exact=exact)
        self.all_photos = probe_photos(session.gallery, session.probe_list, self.recogniser.by_face)
        if not session.gallery.enrolled:
            self._show_parts(self._nobody)
        elif not self.all_photos:
            spare = bool(probes_to_hold_out(session.gallery))
            self._hold_out.setEnabled(spare)
            self._hold_out.setToolTip(_TRY if spare else _NONE_TO_SPARE)
            self._show_parts(self.zone)
            if QApplication.focusWidget() is None:  # the list had the focus
                self.zone.setFocus()
        else:
            self._show_photo()
            if isinstance(QApplication.focusWidget(), QStackedWidget | QScrollArea | None):
                self.photos.list.setFocus()  # its keys give the answers

    def _choose_current(self) -> None:
        """Choose the selected face, or one whose answer was undone; otherwise change nothing."""
        session = self.session
        faces = {probe.photo.id for probe in session.probes}
        before, self._answers = self._answers, session.gallery.answers
        now = {face: self._answers.get(face, NO_ANSWER) for face in faces}
        back = [
            face
            for face, answer in now.items()
            if face in before and (answer == NO_ANSWER or (before[face].said and not answer.said))
        ]
        if back:
            self._lines, self._taken_back, self.photo.reply = (min(back),), True, ""
        said = (face for face, answer in now.items() if answer.said)
        redone = [face for face in said if not before.get(face, NO_ANSWER).said]
        looked_at = [item for item in self._chosen_faces() if item.id in redone]
        if looked_at:  # as after the answer itself, “Redo” shows the next face
            self._go_to_faces(self._lines_after(looked_at))
        elif redone:
            self._go_to_faces([min(redone)])
        if session.photo != self._seen:
            self._seen = session.photo
            if self._seen in faces:
                self._lines, self._taken_back = (self._seen,), False

    def _show_photo(self) -> None:
        photo = self._current_photo()
        if photo is None:  # the photographs have just been added
            photo, self._lines = self.all_photos[0], (self.all_photos[0].line,)
        faces = self._chosen_faces()
        lines = [photo.line for photo in self.all_photos if photo.lines & {*self._lines}]
        self.photos.show_photos(self.all_photos, lines)
        by = self.session.gallery.automatic
        self._rightly.set_full_text(by.rightly if by else "")
        self._how.setVisible(bool(by and by.rightly))
        self.photo.show_probe_photo(photo, self._lines)
        item = next((face for face in photo.faces if face.id == self._lines[0]), None)
        if len(faces) > 1:
            self.face.show_faces(faces, self.session.gallery.people)
        elif item is not None:
            self.face.show_one(item)
        else:
            self.face.show_none()
        recognition = item.recognition if item else None
        self._explains = self._explains and recognition is not None
        if self._explains and recognition is not None:
            self.why.show_recognition(recognition)
            self._show_parts(self._header, self.photos, self._why)
        else:
            self._show_parts(self._header, self.photos, self.photo, self.face)

    def _show_parts(self, *parts: QWidget) -> None:
        focus = QApplication.focusWidget()
        for part in self._parts:
            if part not in parts and focus and (part is focus or part.isAncestorOf(focus)):
                focus.clearFocus()  # otherwise the navigation gets it, and Enter leaves the page
            part.setVisible(part in parts)
        # The keys still work after a click on the background or on a disabled button.
        self.content.set_home(self.photos.list if self.photos in parts else self.zone)

    def _current_photo(self) -> ProbePhoto | None:
        """Return the photograph that is shown."""
        return next((photo for photo in self.all_photos if photo.lines & {*self._lines[:1]}), None)

    def _chosen_faces(self) -> list[ProbeFace]:
        """Return the faces that an answer applies to."""
        return [item for photo in self.all_photos for item in photo.faces if item.id in self._lines]

    def _lines_after(self, items: Sequence[ProbeFace], *, left: bool = False) -> Sequence[Line]:
        """Return the face to show after these have been answered or, if ``left``, skipped.

        All faces in a photograph come before those in the next photograph.
        """
        photo = None if left else self._current_photo()
        answered = {item.id for item in items}
        after = next_to_answer(self.all_photos, answered, photo.lines if photo else ())
        return [after] if after else self._lines[:1]

    # Selection

    def _choose_face(self, index: int) -> None:
        """Choose a face in the photograph by its index."""
        if index < len(self.photo.faces):
            self._choose([self.photo.faces[index]])

    def _choose_face_by_key(self, index: int) -> None:
        if self.face.isVisible():  # not while an explanation is open
            self._choose_face(index)

    def _choose_photos(self, lines: Sequence[Line]) -> None:
        """Show one photograph, or choose all unanswered faces in several photographs."""
        photos = [photo for photo in self.all_photos if photo.line in lines]
        meant: list[Line] = [item.id for photo in photos for item in photo.open_faces]
        if photos:
            self._choose(meant[: None if len(photos) > 1 else 1] or [photos[0].line])

    def _choose(self, lines: Sequence[Line]) -> None:
        self.photo.reply = ""
        self._go_to_faces(lines)

    def _go_to_faces(self, lines: Sequence[Line]) -> None:
        """Show the chosen faces, and select the first of them on all pages."""
        self._lines, self._taken_back = tuple(lines), False
        self._mark_stale()
        if lines and isinstance(face := lines[0], FaceId):
            self._seen = face
            self.session.select(face)

    def _remove(self, lines: Sequence[Line] = ()) -> None:
        """Remove photographs from the list, and show the next one."""
        photo = self._current_photo()
        lines = lines or ([photo.line] if photo else [])
        removed = [photo for photo in self.all_photos if photo.line in lines]
        order, rest = self.photos.order(), [s.line for s in self.all_photos if s not in removed]
        index = order.index(lines[0]) if lines else 0
        after = [line for line in order[index:] + order[index::-1] if line in rest][:1]
        self.session.remove_probes([line for photo in removed for line in photo.lines])
        self._go_to_faces(after)

    def _reconstruct(self) -> None:
        if self._lines and isinstance(face := self._lines[0], FaceId):
            self._show_page("reconstruct", face)

    def _show_page(self, page: str, face: FaceId) -> None:
        self._seen = face  # keeps the photograph in view, even if another one has this face
        self.session.select(face)
        self.session.show_page(page)

    # The explanation, and the keys

    def explain(self) -> None:
        """Explain the verdict in place of the photograph, until the user closes the explanation."""
        if self._lines and self._lines[0] in self.recogniser.by_face:
            self._explains, self._lines = True, self._lines[:1]
            self.face.close_name()
            self._refresh_shown()
            self.why.back.setFocus()  # Esc also closes the explanation

    def close_why(self) -> bool:
        """Show the photograph again; return whether the explanation was open."""
        was, self._explains = self._explains, False
        if was:
            self._refresh_shown()
            self.photos.list.setFocus()
        return was

    def _give_answer(self, name: str) -> None:
        """Give the answer assigned to a command; if Enter has none, go on to the next face."""
        if self.face.isVisible() and not self.face.press(name) and name == "yes":
            self._go_to_faces(self._lines_after(self._chosen_faces(), left=True))

    def _close_what_is_open(self) -> bool:
        return self.close_why() or self.face.close_name()

    def _open_camera(self) -> None:
        from ...photos.camera import show_camera

        show_camera(self.session, self)

    def _open_menu(self, view: PhotoList | ProbePhotoView, pos: QPoint) -> None:
        """Open the context menu for the face under the pointer, or for the chosen faces."""
        face = view.face_at(pos.toPointF()) if isinstance(view, ProbePhotoView) else None
        if face is not None and face not in self.photo.selected:
            self._choose_face(face)
        self._refresh_shown()
        if self.face.isVisible():
            self.face.open_menu(view.viewport().mapToGlobal(pos))

    # Layout

    def _connect(self) -> None:
        photos, photo, face, lines = self.photos, self.photo, self.face, self.photos.list
        for area in (photos.area, self.zone):
            area.dropped.connect(self.photos_wanted)  # a project may also be dropped there
            area.clicked.connect(self.open_photos)
        photos.confirm.clicked.connect(self.confirm_sure)
        lines.chosen.connect(lambda key: self._choose_photos([key]))
        lines.several_chosen.connect(self._choose_photos)
        lines.doubleClicked.connect(self.open_editor)
        photo.chosen.connect(self._choose_face)
        photo.opened.connect(self.open_editor)
        for view in (lines, photo):
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._open_menu, view))
        install_face_menu(face.nearest, self.session, face.nearest.face_at)
        face.answered.connect(self.answer)
        face.closed.connect(lines.setFocus)
        face.why.clicked.connect(self.explain)
        face.nearest.chosen.connect(partial(self._show_page, "recognise"))
        face.nearest.activated_face.connect(partial(self._show_page, "people"))
        self.why.back.clicked.connect(self.close_why)
        bind("correct", photos, self.open_editor)
        keys: dict[str, Callable[[], object]] = {
            "why": self.explain,
            "photo before": lambda: self.step(-1),
            "next photo": lambda: self.step(1),
            "take off": lambda: self._remove(lines.selected_keys()),
            **{name: partial(self._give_answer, name) for name in KEYS},
        }
        for name, act in keys.items():
            bind(name, photos, act, lines, photo)
        bind_each("face", photos, self._choose_face_by_key, lines, photo)
        self.content.bind_unused("back", self._close_what_is_open)

    def _lay_out(self) -> None:
        self._header, self._why = QWidget(), PageScroll(self.why)
        self._rightly = ElidedLabel("", "secondary", Qt.TextElideMode.ElideRight)
        self._how = LinkButton("How is that measured?")
        self._how.clicked.connect(lambda: self.session.show_page("evaluate"))
        camera = Button("", "camera", name="Use the camera")
        camera.clicked.connect(self._open_camera)
        self.exports = Button("Export", "export")
        self.exports.clicked.connect(self.export)
        opening = Button("Open photos…", "image")
        opening.clicked.connect(self.open_photos)
        parts = (label("Recognise", "title"), self._rightly, self._how, STRETCH)
        in_row(*parts, camera, self.exports, opening, inside=self._header, spacing=10)
        self._nobody = EmptyState(
            "people",
            "Nobody has been named yet",
            "Faces are recognised by comparing them with photos of named people. Name some people "
            "on the People page first.",
            ("Go to People", lambda: self.session.show_page("people")),
        )
        self.zone = DropArea("", name="Drop photos here to recognise them, or open some")
        state = EmptyState(
            "recognise",
            "Who is in this photo?",
            "Drop a photo or a folder to see who is in it. If you have no new photos, "
            "try some that you have already added.",
            ("Open photos…", self.open_photos),
            ("Try my own photos", lambda: try_own_photos(self.session)),
        )
        self._hold_out, filming = state.buttons[1], LinkButton("Use the camera…", "camera")
        filming.clicked.connect(self._open_camera)
        state.body.addWidget(filming, 0, Qt.AlignmentFlag.AlignHCenter)
        self.zone.column.insertWidget(1, state, 100)
        for part in (self.photo, self._why):  # in a low window, the page itself should not scroll
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        large = (self.photo, self._why, self.zone, self._nobody)
        row = in_row(self.photos, *((part, 1) for part in large), self.face, spacing=12)
        in_column(self._header, (row, 1), inside=self.content, spacing=12)
        self._parts = (self._header, self.photos, self.face, *large)


def try_own_photos(session: Session) -> None:
    """Set aside a few photographs from the gallery, and open them for recognition."""
    probes = probes_to_hold_out(session.gallery)
    faces = [probe.photo.id for probe in probes]

    def edit(now: Content) -> Content:
        gallery = now.gallery.exclude(faces)
        return replace(now, gallery=gallery, probe_list=now.probe_list.add(probes))

    if faces and session.change(f"setting {count(len(faces))} aside", edit):
        session.select(faces[0])
