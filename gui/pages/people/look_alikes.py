"""People who look alike: what is asked about them, their faces, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QFrame

from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition.look_alikes import LookAlike
from eigenfaces.space.arrays import Floats
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
