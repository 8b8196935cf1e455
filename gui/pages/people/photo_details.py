"""Panel for the photograph selected on the People page: people, date, file and actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from eigenfaces.faces.identity import FacePhoto
from eigenfaces.project.album import AlbumPhoto
from eigenfaces.text import count
from ...album.dates import day_words, time_words
from ...style import theme
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import PageScroll
from ...widgets.controls import Button, LinkButton
from ...widgets.face_view import FaceView
from ...widgets.labels import ElidedLabel, Facts, label
from ...widgets.named_photo import NamedFace, NamedFacesView, VerdictStyle

_HEIGHT = 210  # px of the photo, before the text scale
_FACE = QSize(34, 34)
_MOST_LISTED = 12  # faces; the large view shows the other faces of a group
_STYLES = {True: VerdictStyle("ok", "check"), False: VerdictStyle("accent", "question")}


class PhotoDetails(QWidget):
    """Panel with the selected photograph, the people in it, facts about it, and actions."""

    name_wanted = Signal(object)
    """The user wants to name the face with this `FaceId`."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Selected photo")
        self.title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.view = NamedFacesView()
        self.view.setToolTip("")
        self.view.setFixedHeight(theme.pixels(_HEIGHT))
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.gone = label("", "secondary", wrap=True)
        self.who = QWidget()
        self._who = QVBoxLayout(self.who)
        self._who.setContentsMargins(0, 0, 0, 0)
        self._who.setSpacing(4)
        self._lines: list[QWidget] = []
        self.on_it = label("In this photo", "caption")
        self.facts = Facts()
        self.open = Button("Open", "image")
        self.folder = Button("Show in folder", "folder")
        self.find_folder = Button("Find the folder…", "folder")
        self.move_button = Button("Move to person…", "move")
        self.take_away = Button("Remove the name", "person")
        facts, whole, empty = QWidget(), QWidget(), QWidget()
        in_column(
            self.title,
            self.view,
            self.gone,
            self.on_it,
            self.who,
            self.facts,
            STRETCH,
            inside=facts,
            spacing=10,
            margins=(14, 14, 14, 8),
        )
        scroll = PageScroll(facts, "panel")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = (self.open, self.folder, self.find_folder, self.move_button, self.take_away)
        foot = in_column(*buttons, spacing=8, margins=(14, 8, 14, 14))
        in_column((scroll, 1), foot, inside=whole, spacing=0)
        hint = label("Select a photo to see who is in it.", "secondary", wrap=True)
        in_column(hint, STRETCH, inside=empty, margins=(14, 18, 14, 14))
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(whole)
        in_column(self._stack, inside=self)

    def show_nothing(self) -> None:
        """Show that no photograph is selected."""
        self._stack.setCurrentIndex(0)

    def show_photos(
        self,
        photos: Sequence[AlbumPhoto],
        image: QImage | None,
        portraits: Sequence[QImage],
        *,
        gone: str,
    ) -> None:
        """Show the first of the selected photographs, with ``portraits`` of the faces in it.

        ``gone`` says why the photograph cannot be shown; "" if it can.
        """
        photo = photos[0]
        amount = f", one of {len(photos):,} selected" if len(photos) > 1 else ""
        self._stack.setCurrentIndex(1)
        self.title.set_full_text(f"{day_words(photo.taken)}{amount}")
        self.view.show_photo(image, photo.photograph.size)
        self.view.show_named([_named(face) for face in photo.faces])
        self.gone.setText(gone)
        self.gone.setVisible(bool(gone))
        self.find_folder.setVisible(bool(gone))
        self.folder.setVisible(not gone)
        self._list_faces(photo, portraits)
        path = photo.photograph.path
        taken = time_words(photo.taken)
        facts: list[tuple[str, str]] = [("Taken", taken)] if taken else []
        if photo.favourite:
            facts.append(("Marked", "Favourite"))
        self.facts.set_rows([*facts, ("File", path.name), ("Folder", path.parent)])
        faces = sum(len(one.faces) for one in photos)
        named = sum(face.person is not None for one in photos for face in one.faces)
        self.move_button.setVisible(faces > 0)
        self.take_away.setVisible(named > 0)

    def _list_faces(self, photo: AlbumPhoto, portraits: Sequence[QImage]) -> None:
        for line in self._lines:
            line.hide()
            line.deleteLater()
        self._lines = []
        shown = list(zip(photo.faces, portraits, strict=True))[:_MOST_LISTED]
        for face, image in shown:
            self._add_line(face, image)
        more = len(photo.faces) - len(shown)
        if more > 0:
            self._add(label(f"and {count(more, 'more face', 'more faces')}", "caption"))
        self.on_it.setText("In this photo" if photo.faces else "No faces in the gallery")

    def _add_line(self, face: FacePhoto, image: QImage) -> None:
        picture = FaceView("", _FACE, name=face.person or "Unnamed face")
        picture.set_image(image)
        line = QWidget()
        if face.person is not None:
            name = ElidedLabel("", "", Qt.TextElideMode.ElideRight)
            name.set_full_text(face.person)
            in_row(picture, (name, 1), inside=line, spacing=8)
        else:
            ask = LinkButton("Add a name…")
            ask.clicked.connect(lambda: self.name_wanted.emit(face.id))
            in_row(picture, ask, STRETCH, inside=line, spacing=8)
        self._add(line)

    def _add(self, line: QWidget) -> None:
        self._who.addWidget(line)
        self._lines.append(line)
        line.show()


def _named(face: FacePhoto) -> NamedFace:
    name = face.person or "Who is this?"
    return NamedFace(face.placement.eyes, name, _STYLES[face.person is not None])
