"""View of one large photograph, on the page or in full screen, with a slideshow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.photographs.decode import colours, read_bytes
from eigenfaces.project.album import AlbumPhoto
from eigenfaces.space.arrays import Bytes
from ..state.jobs import JobKind
from ..state.session import Session
from ..style.images import rgb_image
from ..widgets.box_layouts import STRETCH, in_row
from ..widgets.controls import Button
from ..widgets.fields import PersonField
from ..widgets.named_photo import NamedFace, NamedFacesView, VerdictStyle
from .dates import day_words

SECONDS = 5  # per photograph in a slideshow

_LARGEST = 2400  # px of the longer side that are read for zooming, or more on a larger screen
_KEPT = 5  # photographs kept in memory: the current one and its neighbours
_NAMED, _NAMELESS = VerdictStyle("ok", "check"), VerdictStyle("accent", "question")
_HELP = "← →: browse · F: full screen · N: names · I: name a face · Space: slideshow · Esc: close"


class LargeView(QWidget):
    """View that shows the photographs of an album one at a time, with names on the faces."""

    closed = Signal(str)
    """Emitted when the view closes, with the SHA-256 of the photograph that it showed."""
    named = Signal(object, str)
    """Emitted with a `FaceId` and the name that the user has given to this face."""
    favourite_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.photos: Sequence[AlbumPhoto] = ()
        self.place = 0
        self.shows_names = True
        self._home: tuple[QBoxLayout, int] | None = None  # where to return after full screen
        self._pictures: dict[str, Bytes] = {}
        self._failed: dict[str, str] = {}
        self.view = NamedFacesView()
        self.view.setToolTip("")
        self.view.chosen.connect(self._choose)
        self.view.installEventFilter(self)
        self.field = PersonField("Name of this face")
        self.field.named.connect(self._name)
        self.field.cancelled.connect(self._stop_asking)
        self.field.hide()
        self.show_button = Button("Slideshow", "play")
        self.show_button.clicked.connect(self.toggle_show)
        self.full_button = Button("Full screen", "image")
        self.full_button.clicked.connect(self.toggle_full_screen)
        self.close_button = Button("Close", "cross")
        self.close_button.clicked.connect(self.leave)
        self.bar = QWidget()
        buttons = (self.show_button, self.full_button, self.close_button)
        in_row((self.field, 1), STRETCH, *buttons, inside=self.bar, spacing=8, margins=(8, 8, 8, 8))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.bar)
        self._next = QTimer(self, interval=1000 * SECONDS)
        self._next.timeout.connect(lambda: self.go(1, around=True))

    @property
    def photo(self) -> AlbumPhoto | None:
        """The current photograph, or None if there is none."""
        return self.photos[self.place] if self.place < len(self.photos) else None

    @property
    def is_full_screen(self) -> bool:
        return self.isWindow()

    @property
    def plays(self) -> bool:
        """Whether a slideshow is running."""
        return self._next.isActive()

    def show_photos(self, photos: Sequence[AlbumPhoto], sha: str = "") -> None:
        """Show these photographs, starting at ``sha`` or, if it is "", at the current one."""
        wanted = sha or (self.photo.photograph.sha if self.photo else "")
        places = {photo.photograph.sha: at for at, photo in enumerate(photos)}
        if wanted not in places and not sha:
            self.place = min(self.place, max(len(photos) - 1, 0))
        else:
            self.place = places.get(wanted, 0)
        self.photos = photos
        self._show()

    def go(self, by: int, *, around: bool = False) -> None:
        """Move ``by`` photographs forwards or back; if ``around``, the first follows the last."""
        if not self.photos:
            return
        place = self.place + by
        if around:
            place %= len(self.photos)
        if 0 <= place < len(self.photos) and place != self.place:
            self.place = place
            self._stop_asking()
            self._show()

    def toggle_show(self) -> None:
        """Start a slideshow in full screen, or stop the one that is running."""
        if self.plays:
            self._stop_show()
            return
        self._next.start()
        self.show_button.setText("Pause")
        if not self.is_full_screen:
            self.toggle_full_screen()

    def _stop_show(self) -> None:
        self._next.stop()
        self.show_button.setText("Slideshow")

    def toggle_full_screen(self) -> None:
        """Switch to full screen, or return to the window and stop any slideshow."""
        if self.is_full_screen:
            self._stop_show()
            self.setWindowState(Qt.WindowState.WindowNoState)
            if self._home is not None:
                home, place = self._home
                home.insertWidget(place, self)
            self.show()
        else:
            parent = self.parentWidget()
            layout = None if parent is None else parent.layout()
            if isinstance(layout, QBoxLayout):
                self._home = layout, layout.indexOf(self)
            self.setParent(None)
            self.setWindowTitle("Photo")
            self.showFullScreen()
        self.full_button.setText("Exit full screen" if self.is_full_screen else "Full screen")
        self.view.setFocus()

    def leave(self) -> None:
        """Close the view and return to the grid."""
        self._stop_show()
        if self.is_full_screen:
            self.toggle_full_screen()
        photo = self.photo
        self.closed.emit("" if photo is None else photo.photograph.sha)

    # The view

    def _show(self) -> None:
        photo = self.photo
        if photo is None:
            self.view.show_photo(None, (3, 4))
            self.view.show_named(())
            return
        sha = photo.photograph.sha
        picture = self._pictures.get(sha)
        image = None if picture is None else rgb_image(picture)
        self.view.show_photo(image, photo.photograph.size)
        self._show_faces()
        where = f"{self.place + 1:,} of {len(self.photos):,}"
        star = " · Favourite" if photo.favourite else ""
        reason = self._failed.get(sha, "")
        words = reason or f"{day_words(photo.taken)} · {photo.photograph.path.name}{star} · {where}"
        self.view.set_caption(words if reason or self.plays else f"{words}      {_HELP}")
        self._read([0, 1, -1])

    def _show_faces(self) -> None:
        photo = self.photo
        faces = photo.faces if photo is not None and self.shows_names else ()
        named = [_named(face) for face in faces]
        self.view.show_named(named, [at for at in self.view.selected if at < len(named)])

    def _read(self, steps: Sequence[int]) -> None:
        """Read the current photograph and then its neighbours in background jobs."""
        for step in steps:
            place = self.place + step
            if not 0 <= place < len(self.photos):
                continue
            photo = self.photos[place]
            sha = photo.photograph.sha
            if sha not in self._pictures and sha not in self._failed:
                self._read_one(photo)
                return  # the next photograph is read when this one is ready

    def _read_one(self, photo: AlbumPhoto) -> None:
        sha = photo.photograph.sha
        largest = max(_LARGEST, self.view.pixels_of_screen())

        def work(_: Tick) -> Bytes:
            content = read_bytes(photo.photograph.path)
            return colours(content, largest, photo.photograph.turned)

        def done(picture: Bytes) -> None:
            self._pictures[sha] = picture
            while len(self._pictures) > _KEPT:
                del self._pictures[next(iter(self._pictures))]
            self._came(sha)

        def failed(error: EigenfacesError) -> None:
            self._failed[sha] = str(error)
            self._came(sha)

        title = f"Opening {photo.photograph.path.name}"
        self.session.run(JobKind.SHOW_PHOTO, title, work, done, failed, key="large")

    def _came(self, sha: str) -> None:
        if not self.isVisible():
            return
        if self.photo is not None and self.photo.photograph.sha == sha:
            self._show()
        else:
            self._read([0, 1, -1])

    # Actions

    def _choose(self, place: int) -> None:
        self.view.show_named(self.view.named, {place})

    def ask_who(self) -> None:
        """Ask for the name of the selected face, or of the first face without a name."""
        photo = self.photo
        if photo is None or not photo.faces:
            return
        nameless = [at for at, face in enumerate(photo.faces) if face.person is None]
        chosen = [*self.view.selected] or nameless or [0]
        if not self.shows_names:
            self.shows_names = True
            self._show_faces()
        self._choose(chosen[0])
        self._stop_show()
        self.field.set_suggestions(self.session.gallery.people)
        self.field.show()
        self.field.ask()

    def _name(self, name: str) -> None:
        photo = self.photo
        chosen = [*self.view.selected]
        self._stop_asking()
        if photo is not None and chosen and name:
            self.named.emit(photo.faces[chosen[0]].id, name)

    def _stop_asking(self) -> None:
        if not self.field.isHidden():
            self.field.hide()
            self.field.setText("")
            self.view.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key
        keys = {
            key.Key_Left: lambda: self.go(-1),
            key.Key_Right: lambda: self.go(1),
            key.Key_Home: lambda: self.go(-self.place),
            key.Key_End: lambda: self.go(len(self.photos) - 1 - self.place),
            key.Key_F: self.toggle_full_screen,
            key.Key_N: self._toggle_names,
            key.Key_I: self.ask_who,
            key.Key_Space: self.toggle_show,
            key.Key_S: self._want_favourite,
            key.Key_Escape: self.toggle_show if self.plays else self.leave,
        }
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        act = keys.get(Qt.Key(event.key())) if plain else None
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def eventFilter(self, watched: object, event: object) -> bool:
        """Handle keys before the photo view does, because its arrow keys would select faces."""
        if watched is self.view and isinstance(event, QKeyEvent):
            is_press = event.type() == QKeyEvent.Type.KeyPress
            if is_press and event.key() in _TAKEN:
                self.keyPressEvent(event)
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _toggle_names(self) -> None:
        self.shows_names = not self.shows_names
        self._show_faces()

    def _want_favourite(self) -> None:
        if self.photo is not None:
            self.favourite_wanted.emit(self.photo.photograph.sha)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.photo is not None:
            self.menu_wanted.emit(self.photo.photograph.sha, event.globalPos())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.is_full_screen:  # closed by the desktop: return to the window
            event.ignore()
            self.leave()


_TAKEN = {
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Space),
    *(Qt.Key.Key_F, Qt.Key.Key_N, Qt.Key.Key_I, Qt.Key.Key_S, Qt.Key.Key_Escape),
}


def _named(face: FacePhoto) -> NamedFace:
    """Return a face labelled with its name, or with “Who is this?” if it has none."""
    if face.person is None:
        return NamedFace(face.placement.eyes, "Who is this?", _NAMELESS)
    return NamedFace(face.placement.eyes, face.person, _NAMED)
