"""People who look alike: what is asked about them, their faces, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QFrame

from eigenfaces.faces.identity import FaceId
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery_quality import PeopleOverview
from eigenfaces.recognition.look_alikes import LookAlike, find_look_alikes
from eigenfaces.space.arrays import Floats
from gui.state.jobs import JobKind
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.box_layouts import STRETCH, in_column, in_row
from gui.widgets.controls import Button, LinkButton
from gui.widgets.face_view import FaceView
from gui.widgets.labels import IconLabel, label

_MOST_FACES = 4  # shown of a group
_WIDTH, _HEIGHT = 46, 56  # pixels of a face
_WIDEST = 150  # pixels of the words on a button


@dataclass(frozen=True)
class Face:
    """A face of the card: its picture (h, w), and what it is called."""

    id: FaceId
    image: Floats
    name: str


@dataclass(frozen=True)
class Answer:
    """A button of the card: its words, what follows from it, and that itself."""

    words: str
    hint: str
    act: Callable[[], object]


class LookAlikeCard(QFrame):
    """One question about people who look alike, or a warning; others follow."""

    chosen = Signal(object)
    """The face that was clicked is to be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName("People who look alike")
        self._icon = IconLabel(17)
        self.text = label(wrap=True)
        self.first, self.second = Button(""), Button("")
        self.buttons = [self.first, self.second]
        self.place = label("", "caption")
        self.next = LinkButton("Next")
        self.next.setToolTip("Answer this one later")
        self.faces = [_ClickedFace() for _ in range(_MOST_FACES)]
        self._answers: Sequence[Answer] = ()
        for view in self.faces:
            view.clicked.connect(self.chosen)
        for at, button in enumerate(self.buttons):
            button.clicked.connect(lambda _=False, at=at: self._answers[at].act())
        said = in_row(self._icon, (self.text, 1), spacing=9)
        line = in_row(*self.buttons, STRETCH, self.place, self.next, spacing=8)
        words = in_column(STRETCH, said, line, STRETCH, spacing=8)
        in_row(
            in_row(*self.faces, spacing=6),
            (words, 1),
            inside=self,
            spacing=14,
            margins=(10, 8, 10, 8),
        )
        self.hide()

    def hasHeightForWidth(self) -> bool:
        return False  # else the page would scroll rather than shrink its other parts

    def event(self, event: QEvent) -> bool:
        layout = self.layout()
        changes = event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest)
        if changes and layout is not None and layout.hasHeightForWidth():
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
        return super().event(event)

    def show_alike(
        self,
        alike: LookAlike,
        faces: Sequence[Face],
        answers: Sequence[Answer],
        place: int,
        amount: int,
    ) -> None:
        """Show one of an ``amount``; of many faces the first."""
        warns = alike.kind == "near"
        self._icon.show_icon("info" if warns else "warning", "accent" if warns else "warn")
        self.text.setText(alike.sentence)
        for view in self.faces:
            view.setVisible(self.faces.index(view) < len(faces))
        for view, face in zip(self.faces, faces, strict=False):
            view.show_face(face)
        self._answers = answers
        for button in self.buttons:
            button.setVisible(self.buttons.index(button) < len(answers))
        width = theme.pixels(_WIDEST)
        for button, answer in zip(self.buttons, answers, strict=False):
            metrics = QFontMetrics(button.font())
            button.setText(metrics.elidedText(answer.words, Qt.TextElideMode.ElideMiddle, width))
            button.setAccessibleName(answer.words)
            button.setToolTip(answer.hint)
        self.place.setText(f"{place + 1} of {amount}")
        for widget in (self.place, self.next):
            widget.setVisible(amount > 1)


class _ClickedFace(FaceView):
    """A face that is chosen by a click."""

    clicked = Signal(object)

    def __init__(self) -> None:
        super().__init__("", QSize(theme.pixels(_WIDTH), theme.pixels(_HEIGHT)))
        self._id: FaceId | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_face(self, face: Face) -> None:
        """Show a face."""
        self._id = face.id
        self.set_image(grey_image(face.image))
        self.setAccessibleName(face.name)
        self.setToolTip(face.name)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self._id)


@dataclass(frozen=True)
class AnswerEdits:
    """What an answer does: it makes two people one, knows them as two, moves, or asks whose."""

    merge: Callable[[str, str], object]
    settle: Callable[[str, str], object]
    move: Callable[[Sequence[FaceId], str], object]
    ask_who_else: Callable[[Sequence[FaceId]], object]


class LookAlikeQuestions(QObject):
    """Finds who look alike, and asks about them, one after another."""

    found = Signal()
    """Others were found."""

    def __init__(self, session: Session, card: LookAlikeCard, edits: AnswerEdits) -> None:
        super().__init__(card)
        self.session = session
        self._card, self._edits = card, edits
        self._seen = PeopleOverview(session.gallery.index)
        self.alike: tuple[LookAlike, ...] = ()  # as they were found: some may be answered by now
        self._place = 0  # of the one that is shown, among those not answered
        self._measured: tuple[Project | None, str] | None = None  # where and by what they were
        card.next.clicked.connect(self._show_next)

    def find(self) -> None:
        """Find who look alike in a job, again when distances are measured anew.

        Until then what was found stands, unless it is answered.
        """
        gallery, project = self.session.gallery, self.session.project
        if self._measured is not None and self._measured[0] is not project:
            self.alike, self._measured = (), None
        if gallery.calibrated is None or self._measured == (project, gallery.calibration_key):
            return
        self._measured = project, gallery.calibration_key

        def done(found: tuple[LookAlike, ...]) -> None:
            self.alike = found
            self.found.emit()

        work, failed = lambda _: find_look_alikes(gallery), self.session.show_error
        self.session.run(
            JobKind.LOOK_ALIKES, "Looking for people who look alike", work, done, failed
        )

    def show(self, seen: PeopleOverview) -> None:
        """Show one of those who look alike that nobody has answered."""
        self._seen = seen
        gallery = self.session.gallery
        trained = gallery.training is not None
        some = [alike for alike in self.alike if trained and alike.is_open(gallery)]
        self._card.setVisible(bool(some))
        if some:
            place = self._place % len(some)
            alike = some[place]
            faces, answers = self._faces_of(alike), self._answers_to(alike)
            self._card.show_alike(alike, faces, answers, place, len(some))

    def _show_next(self) -> None:
        self._place += 1
        self.show(self._seen)

    def _faces_of(self, alike: LookAlike) -> list[Face]:
        """Return the faces in question, then one of each of two people, with their names."""
        index, shown = self._seen.index, list[tuple[int, str]]()
        for face in alike.faces:
            row = index.row_by_id[face]
            shown.append((row, index.photos[row].path.name))
        for person in dict.fromkeys(alike.people):
            rest = [row for row in index.rows_of(person) if index.photos[row].id not in alike.faces]
            if alike.kind != "two people" and rest:
                shown.append((self._seen.best_row(rest), person))
        pictures = self.session.gallery.faces
        return [Face(index.photos[row].id, pictures.image(row), name) for row, name in shown]

    def _answers_to(self, alike: LookAlike) -> list[Answer]:
        """Return what can be answered: words, what follows from them, and the edit."""
        one, other = alike.people
        settle = partial(self._edits.settle, one, other)
        match alike.kind:
            case "one person":
                amounts = {name: len(self._seen.index.rows_of(name)) for name in alike.people}
                kept = max(alike.people, key=lambda name: amounts[name])
                gone = other if kept == one else one
                merge = partial(self._edits.merge, gone, kept)
                hint = f"Give all photos of {gone} to {kept} (Ctrl+Z undoes it)"
                return [
                    Answer("The same", hint, merge),
                    Answer("Two people", "Do not ask about them again", settle),
                ]
            case "photo":
                move = partial(self._edits.move, alike.faces, other)
                return [
                    Answer(f"It is {other}", f"Move the photo to {other}", move),
                    Answer(f"It is {one}", f"{one} and {other} are two people", settle),
                ]
            case "two people":
                part = partial(self._edits.ask_who_else, alike.faces)
                return [
                    Answer("Two people…", "Give the photos that differ another name", part),
                    Answer("One person", f"All photos of {one} are right", settle),
                ]
            case "near":
                return [Answer("OK", "Do not mention this again", settle)]
