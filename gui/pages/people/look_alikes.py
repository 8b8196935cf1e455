"""Questions to the user, with faces and possible answers, mainly about people who look alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QImage, QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from eigenfaces.faces.identity import FaceId
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery_quality import PeopleOverview
from eigenfaces.recognition.look_alikes import Finding, find_look_alikes
from ...state.jobs import JobKind
from ...state.session import Session
from ...style import theme
from ...style.images import person_image
from ...widgets.box_layouts import STRETCH, Stretch, in_column, in_row
from ...widgets.controls import Button, LinkButton
from ...widgets.face_view import FaceView
from ...widgets.labels import IconLabel, label
from .edits import PeopleEdits

_MOST_FACES = 4  # faces shown of a group
_WIDTH, _HEIGHT = 46, 56  # px of a face
_WIDEST = 150  # px, the greatest width of a button's label


@dataclass(frozen=True)
class Face:
    """A face on a card, with its picture and label."""

    id: FaceId
    image: QImage
    name: str


@dataclass(frozen=True)
class Answer:
    """A button on a card, with its label, a tooltip that describes its effect, and its action."""

    words: str
    hint: str
    act: Callable[[], object]


class FindingCard(QFrame):
    """Card for one finding, with its faces, a sentence, and a button for each answer."""

    chosen = Signal(object)
    """The user clicked this face."""

    def __init__(self, *beside: QWidget | Stretch) -> None:
        """Lay out the card, with the widgets ``beside`` after the buttons."""
        super().__init__()
        self.setProperty("role", "card")
        self._icon = IconLabel(17)
        self.text = label(wrap=True)
        self.buttons = [Button(""), Button("")]
        self.faces = [_ClickedFace() for _ in range(_MOST_FACES)]
        self._answers: Sequence[Answer] = ()
        for view in self.faces:
            view.clicked.connect(self.chosen)
        for at, button in enumerate(self.buttons):
            button.clicked.connect(lambda _=False, at=at: self._answers[at].act())
        said = in_row(self._icon, (self.text, 1), spacing=9)
        line = in_row(*self.buttons, *(beside or (STRETCH,)), spacing=8)
        words = in_column(STRETCH, said, line, STRETCH, spacing=8)
        in_row(
            in_row(*self.faces, spacing=6),
            (words, 1),
            inside=self,
            spacing=14,
            margins=(10, 8, 10, 8),
        )

    def hasHeightForWidth(self) -> bool:
        return False  # otherwise the page would scroll instead of shrinking its other parts

    def event(self, event: QEvent) -> bool:
        layout = self.layout()
        changes = event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest)
        if changes and layout is not None and layout.hasHeightForWidth():
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
        return super().event(event)

    def show_finding(
        self, finding: Finding, faces: Sequence[Face], answers: Sequence[Answer]
    ) -> None:
        """Show a finding with its answers, and the first few of its faces."""
        warns = finding.kind in ("near", "single")
        self._icon.show_icon("info" if warns else "warning", "accent" if warns else "warn")
        self.text.setText(finding.sentence)
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


class LookAlikeCard(FindingCard):
    """Card that shows one question or warning at a time about people who look alike."""

    def __init__(self) -> None:
        place, following = label("", "caption"), LinkButton("Next")
        super().__init__(STRETCH, place, following)
        self.place, self.next = place, following
        self.next.setToolTip("Answer this question later")
        self.setAccessibleName("People who look alike")
        self.hide()

    def show_place(self, place: int, amount: int) -> None:
        """Show the position of this question among all questions."""
        self.place.setText(f"{place + 1} of {amount}")
        for widget in (self.place, self.next):
            widget.setVisible(amount > 1)


class _ClickedFace(FaceView):
    """Face that the user can click."""

    clicked = Signal(object)

    def __init__(self) -> None:
        super().__init__("", QSize(theme.pixels(_WIDTH), theme.pixels(_HEIGHT)))
        self._id: FaceId | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_face(self, face: Face) -> None:
        """Show a face."""
        self._id = face.id
        self.set_image(face.image)
        self.setAccessibleName(face.name)
        self.setToolTip(face.name)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self._id)


@dataclass(frozen=True)
class AnswerEdits:
    """Actions that answers can trigger: an edit, a question on the page, or an import."""

    edits: PeopleEdits
    ask_who_else: Callable[[Sequence[FaceId]], object]
    add_photos: Callable[[], object]


def faces_of(finding: Finding, session: Session, seen: PeopleOverview) -> list[Face]:
    """Return the faces in question and, where two people are compared, one face per person."""
    index, shown = seen.index, list[tuple[int, str]]()
    for face in finding.faces:
        row = index.row_by_id[face]
        shown.append((row, index.photos[row].path.name))
    if finding.kind in ("one person", "photo", "nearer", "near"):
        for person in finding.people:
            rows = index.rows_of(person)
            rest = [row for row in rows if index.photos[row].id not in finding.faces]
            if rest:
                shown.append((seen.best_row(rest), person))
    faces = []
    for row, name in shown:
        photo = index.photos[row]
        image = person_image(photo, session.gallery.faces.image(row))
        faces.append(Face(photo.id, image, name))
    return faces


def answers_to(finding: Finding, seen: PeopleOverview, answers: AnswerEdits) -> list[Answer]:
    """Return the possible answers to a finding, each with its label, tooltip and action."""
    one, other = finding.people
    faces, edits = finding.faces, answers.edits
    settle = partial(edits.settle, one, other)
    confirm = partial(edits.confirm, faces)
    match finding.kind:
        case "one person":
            amounts = {name: len(seen.index.rows_of(name)) for name in finding.people}
            kept = max(finding.people, key=lambda name: amounts[name])
            gone = other if kept == one else one
            merge = partial(edits.merge, gone, kept)
            hint = f"Move all photos of {gone} to {kept} (Ctrl+Z undoes it)"
            return [
                Answer("One person", hint, merge),
                Answer("Two people", "Do not ask about them again", settle),
            ]
        case "photo" | "nearer":
            move = Answer(
                f"It is {other}", f"Move the photo to {other}", partial(edits.move, faces, other)
            )
            if finding.kind == "nearer":
                return [move, Answer(f"It is {one}", "Do not ask about it again", confirm)]
            return [move, Answer(f"It is {one}", f"{one} and {other} are two people", settle)]
        case "two people":
            part = partial(answers.ask_who_else, faces)
            return [
                Answer("Two people…", "Give another name to the photos that differ", part),
                Answer("One person", f"All photos of {one} are correctly named", settle),
            ]
        case "same picture":
            rest = partial(edits.remove, faces[1:])
            first = seen.index.photos[seen.index.row_by_id[faces[0]]]
            hint = f"Keep “{first.path.name}” and remove the others from the gallery"
            keep_all = Answer("Keep all", "Do not ask about them again", confirm)
            return [Answer("Keep one", hint, rest), keep_all] if one == other else [keep_all]
        case "single":
            return [
                Answer(
                    "Add photos…", f"Choose a folder with more photos of {one}", answers.add_photos
                ),
                Answer("Leave it", "Don’t show this again", confirm),
            ]
        case "near":
            return [Answer("OK", "Don’t show this again", settle)]


class LookAlikeQuestions(QObject):
    """Questions about people who look alike, shown to the user one pair at a time."""

    found = Signal()
    """The findings have changed."""

    def __init__(self, session: Session, card: LookAlikeCard, edits: AnswerEdits) -> None:
        super().__init__(card)
        self.session = session
        self._card, self._edits = card, edits
        self._seen = PeopleOverview(session.gallery.index)
        self.alike: tuple[Finding, ...] = ()  # some may have been answered since
        self._place = 0  # of the question shown, among the unanswered ones
        self._measured: tuple[Project | None, str] | None = None  # project and calibration
        card.next.clicked.connect(self._show_next)

    def find(self) -> None:
        """After each new calibration, start a background search for people who look alike.

        Until it ends, the old findings remain, unless the user answers them.
        """
        gallery, project = self.session.gallery, self.session.project
        if self._measured is not None and self._measured[0] is not project:
            self.alike, self._measured = (), None
        if gallery.calibrated is None or self._measured == (project, gallery.calibration_key):
            return
        self._measured = project, gallery.calibration_key

        def done(found: tuple[Finding, ...]) -> None:
            self.alike = found
            self.found.emit()

        work, failed = lambda _: find_look_alikes(gallery), self.session.show_error
        self.session.run(
            JobKind.LOOK_ALIKES, "Looking for people who look alike", work, done, failed
        )

    def show(self, seen: PeopleOverview) -> None:
        """Show one unanswered question about people who look alike, if there is any."""
        self._seen = seen
        gallery = self.session.gallery
        trained = gallery.training is not None
        some = [alike for alike in self.alike if trained and alike.is_open(gallery)]
        self._card.setVisible(bool(some))
        if some:
            place = self._place % len(some)
            alike = some[place]
            faces = faces_of(alike, self.session, self._seen)
            self._card.show_finding(alike, faces, answers_to(alike, self._seen, self._edits))
            self._card.show_place(place, len(some))

    def _show_next(self) -> None:
        self._place += 1
        self.show(self._seen)
