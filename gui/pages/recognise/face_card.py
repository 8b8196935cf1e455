"""Card for the chosen face: who it shows, with what certainty, and the possible answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from eigenfaces.faces.identity import FaceId
from eigenfaces.manual.keys import command, with_key
from eigenfaces.recognition.answers import ProbeFace
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recognised import Recognition
from eigenfaces.text import count
from ...style import theme
from ...style.images import person_image
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import Card, PageScroll
from ...widgets.controls import Button, LinkButton, literal, open_at
from ...widgets.face_list import FaceGrid, FaceItem
from ...widgets.face_view import FaceView
from ...widgets.fields import PersonField
from ...widgets.flow import FlowLayout
from ...widgets.labels import Chip, Elide, label
from .queue import named

_LEAST, _WIDE = 270, 304  # px, before the text scale: the narrowest and the widest card
_TALL, _THREE = 182, 126  # px, before the text scale: the height of two pictures, and of three
_NEAREST = QSize(66, 80)
_SHOWN = 9  # nearest faces


class AnswerAction(NamedTuple):
    """An answer with its feedback and label, the command that gives it, and the people it names."""

    feedback: str
    text: str
    command: str = ""
    people: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key that gives this answer; "" if there is none."""
        return command(self.command).keys if self.command else ""


IT_IS = AnswerAction("it is…", "It is…", "it is…")  # asks for a name
NOBODY = AnswerAction("nobody", "Nobody I know", "nobody")
NO_FACE_ANSWER = AnswerAction("no face", "Not a face", "no face")
KEYS = ("yes", "it is…", "other", "nearest", "not", "nobody", "no face")
"""The names of the commands that give an answer."""
BACK = AnswerAction("back", "Take it back")


def answer_actions(face: ProbeFace) -> tuple[list[AnswerAction], list[AnswerAction]]:
    """Return the answers that get buttons (besides “It is…”) and the answers under More."""
    if feedback := face.answered.said:
        return [BACK], [
            action for action in (NOBODY, NO_FACE_ANSWER) if action.feedback != feedback
        ]
    if not face.is_open or face.recognition is None:
        return [], []
    decision = face.recognition.verdict.decision
    first, other = decision.nearest[0], decision.runner_up[0] if decision.runner_up else ""
    yes = AnswerAction("it is", f"It is {first}", "yes", (first,))
    more = [AnswerAction("not", "Not this person", "not", (first,)), NOBODY, NO_FACE_ANSWER]
    match decision.kind:
        case "sure" | "likely":
            return [AnswerAction("right", "Right", "yes", (first,))], more
        case "ask" if other:
            more[0] = AnswerAction("not", "Neither of them", "not", (first, other))
            return [yes, AnswerAction("it is", f"It is {other}", "other", (other,))], more
        case "unknown":  # not Enter, so that one Enter too many names no stranger
            return [yes._replace(command="nearest")], more
        case "no face":
            return [NO_FACE_ANSWER._replace(command="yes")], [NO_FACE_ANSWER, NOBODY]
    return [yes], more


class FaceCard(Card):
    """Card with a face and its nearest faces, the verdict, and the possible answers."""

    answered = Signal(str, tuple)
    """The user gave an answer: its feedback, and the people it names."""
    closed = Signal()
    """The user left the name field."""

    def __init__(self, commands: Mapping[str, Callable[[], object]]) -> None:
        """Create the card; ``commands`` maps titles of further menu entries to their actions."""
        super().__init__()
        self._commands = commands
        least, names = QSize(84, 84), ("This face", "First", "Second")  # they grow with the room
        self.pictures = [FaceView("", least, grows=True, name=name) for name in names]
        self.title = label("", "title", wrap=True)
        self.chip = Chip("")
        self.sentence = label("", "secondary", wrap=True)
        self.buttons = [Button(""), Button("")]
        self.it_is, self.more = Button(IT_IS.text), Button("More")
        self.it_is.setToolTip(with_key(IT_IS.command, IT_IS.text))
        self.name = PersonField("Who is in this photo")
        self.name.hide()
        self.heading = label("Nearest faces", "heading")
        self.nearest = FaceGrid("Nearest faces", _NEAREST, widest=1)
        self.nearest.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.nearest.setMinimumHeight(theme.pixels(104))
        self.why = LinkButton("Why?", "info")
        self.why.setToolTip(with_key("why"))
        self.show_face = Button("Show the face…", primary=True)
        self._actions: tuple[list[AnswerAction], list[AnswerAction]] = ([], [])
        self._about: list[FaceId] = []  # the faces shown
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(lambda: self._fill(self.menu, self._actions[1]))
        self.more.setMenu(self.menu)
        for index, button in enumerate(self.buttons):
            button.clicked.connect(lambda _=False, i=index: self._trigger(self._actions[0][i]))
        self.it_is.clicked.connect(lambda: self._trigger(IT_IS))
        self.name.named.connect(lambda name: self._answer("it is", (name,)))
        self.name.cancelled.connect(self.close_name)
        self.show_face.clicked.connect(next(iter(commands.values())))
        self._pair, self._row, last, inside = QWidget(), QWidget(), QWidget(), QWidget()
        in_row(*((view, 1) for view in self.pictures), inside=self._pair, spacing=8)
        in_row(self.it_is, self.more, inside=last, spacing=8)  # so that neither is alone on a line
        FlowLayout(self._row, 8).add(*self.buttons, last)
        parts = (self.title, in_row(self.chip, STRETCH), self.sentence, self.show_face)
        below = (self._row, self.name, self.heading, (self.nearest, 1000), STRETCH)
        column = in_column((self._pair, 1500), *parts, *below, inside=inside, spacing=8)
        column.addWidget(self.why, 0, Qt.AlignmentFlag.AlignLeft)
        inside.setAccessibleName("The chosen face")
        scroll = PageScroll(inside, "panel")  # in a low window only this part scrolls
        scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.body.addWidget(scroll)
        self.setMinimumWidth(theme.pixels(_LEAST))
        self.setMaximumWidth(theme.pixels(_WIDE))

    # Display

    def show_one(self, face: ProbeFace) -> None:
        """Show a single face with its verdict and answers."""
        recognition = face.recognition
        tone = named(face).style.tone if recognition else "neutral"
        self._show_words([face.id], *face.words, tone, answer_actions(face))
        self.why.setVisible(recognition is not None)
        if recognition is None:
            self._show_pictures([(_picture_of(face.probe), "This face")])
            self._show_faces("", [])
            return
        recognition = recognition.among_others  # the face itself would be the nearest
        self._show_pictures(_pictures(recognition))
        faces, known = recognition.gallery.faces, recognition.gallery.index.photos
        rows = recognition.verdict.rows[:_SHOWN].tolist()
        near = [
            FaceItem(
                known[row].id,
                partial(person_image, known[row], faces.image(row)),
                known[row].person or "",
            )
            for row in rows
        ]
        self._show_faces("Nearest faces", near)
        ranking = [match.person for match in recognition.verdict.ranking]
        people = dict.fromkeys([*ranking, *recognition.gallery.people])
        self.name.set_suggestions([*people], ranking[0])

    def show_faces(self, faces: Sequence[ProbeFace], people: Sequence[str]) -> None:
        """Show several faces, which will all be given the same answer."""
        answers = [AnswerAction("right", "All are correct", "yes")]
        answers *= all(face.proposed_person for face in faces)
        words = count(len(faces), "face"), "", "Give one answer for all of them."
        about = [face.id for face in faces]
        self._show_words(about, *words, "neutral", (answers, [NOBODY, NO_FACE_ANSWER]))
        self._show_pictures([])
        self._show_faces(
            "Chosen faces",
            [FaceItem(face.id, partial(_picture_of, face.probe), face.name) for face in faces],
        )
        self.name.set_suggestions(people)

    def show_none(self) -> None:
        """Show that no face was found in the photograph."""
        words = "No face found", "", "Show where the face is so that it can be compared."
        self._show_words([], *words, "neutral", ([], []))
        self._show_pictures([])
        self._show_faces("", [])
        self.show_face.show()

    def _show_words(
        self,
        about: list[FaceId],
        title: str,
        chip: str,
        sentence: str,
        tone: theme.Tone,
        actions: tuple[list[AnswerAction], list[AnswerAction]],
    ) -> None:
        self.title.setText(title)
        self.chip.setText(chip)
        self.chip.setVisible(bool(chip))
        self.chip.set_tone(tone)
        self.sentence.setText(sentence)
        self.show_face.hide()
        self.why.hide()
        self._actions = actions
        if self.name.isHidden() or about != self._about or not actions[1]:
            self.close_name()  # otherwise typed text stays
        self._about = about
        room = theme.pixels(_WIDE) - 2 * theme.CARD_PADDING - 34
        for button, action in zip(self.buttons, [*actions[0], None, None], strict=False):
            button.setVisible(action is not None)
            if action is not None:
                cut = button.fontMetrics().elidedText(action.text, Elide.ElideRight, room)
                button.setText(cut)
                button.setAccessibleName(action.text)
                button.set_primary(action.command == "yes")
                keyed = with_key(action.command, action.text) if action.command else action.text
                button.setToolTip(keyed)

    def _show_pictures(self, pictures: Sequence[tuple[QImage, str]]) -> None:
        self._pair.setVisible(bool(pictures))
        self._pair.setMaximumHeight(theme.pixels(_THREE if len(pictures) > 2 else _TALL))
        for index, view in enumerate(self.pictures):
            view.setVisible(index < len(pictures))
            if index < len(pictures):
                view.set_image(pictures[index][0])
                view.set_caption(pictures[index][1])
                view.setToolTip(pictures[index][1])

    def _show_faces(self, title: str, faces: Sequence[FaceItem]) -> None:
        self.heading.setText(title)
        self.heading.setVisible(bool(faces))
        self.nearest.setVisible(bool(faces))
        self.nearest.show_faces(faces)

    # Answers

    def open_menu(self, at: QPoint) -> None:
        """Open a menu of all answers at a point on the screen."""
        menu = QMenu(self)
        self._fill(menu, self._all_actions())
        open_at(menu, at)

    def _fill(self, menu: QMenu, actions: Sequence[AnswerAction]) -> None:
        menu.clear()
        for action in actions:
            key = f"\t{action.key}" if action.key else ""
            menu.addAction(literal(action.text) + key, partial(self._trigger, action))
        menu.addSeparator()
        for text, act in self._commands.items():
            menu.addAction(text, act)

    def press(self, name: str) -> bool:
        """Give the answer assigned to this command; return whether there is one."""
        action = next((action for action in self._all_actions() if action.command == name), None)
        if action is None or self.name.isVisible() or not self.isVisible():
            return False
        self._trigger(action)
        return True

    def close_name(self) -> bool:
        """Close the name field and show the buttons; return whether the field was open."""
        was, left = not self.name.isHidden(), self.name.hasFocus()
        self.name.hide()
        self._row.setVisible(bool(self._all_actions()))
        if left:
            self.closed.emit()
        return was

    def _all_actions(self) -> list[AnswerAction]:
        buttons, more = self._actions
        return [*buttons, IT_IS, *more] if buttons or more else []

    def _trigger(self, action: AnswerAction) -> None:
        if action is IT_IS:
            self._row.hide()
            self.name.show()
            self.name.ask()
        else:
            self._answer(action.feedback, action.people)

    def _answer(self, feedback: str, people: tuple[str, ...]) -> None:
        self.close_name()
        self.answered.emit(feedback, people)


def _picture_of(probe: Probe) -> QImage:
    return person_image(probe.photo, probe.image)


def _pictures(recognition: Recognition) -> list[tuple[QImage, str]]:
    """Return captioned images of the face, and of the nearest face of each likely person."""
    verdict, faces = recognition.verdict, recognition.gallery.faces
    two = verdict.decision.kind == "ask" and verdict.runner_up is not None
    nearest = verdict.ranking[: 1 + two] if verdict.decision.kind != "no face" else ()
    pictures = [(_picture_of(recognition.probe), "This face")]
    for match in nearest:
        photo = recognition.gallery.index.photos[match.row]
        pictures.append((person_image(photo, faces.image(match.row)), match.person))
    return pictures
