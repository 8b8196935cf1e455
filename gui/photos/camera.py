"""Camera window, which names the faces in live pictures and takes photographs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError, PhotoError, reason_of
from eigenfaces.faces.detect import FoundFace, find_faces, main_face
from eigenfaces.faces.read import Picture
from eigenfaces.files import atomic_write
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.names import safe_name
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import probe_preparation
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.space.pca import as_grey
from eigenfaces.text import count
from ..state import actions, importing
from ..state.jobs import JobKind, Jobs
from ..state.session import Session
from ..state.settings import draft_path
from ..style import theme
from ..style.images import rgb_array
from ..widgets.box_layouts import STRETCH, Gap, add_parts, in_column, in_row
from ..widgets.cards import Card, EmptyState
from ..widgets.controls import Button
from ..widgets.fields import PersonField
from ..widgets.labels import ElidedLabel, label
from ..widgets.named_photo import NamedFace, NamedFacesView, VerdictStyle, named_face

if TYPE_CHECKING:
    from .multimedia import Camera

_QUALITY = 95  # of JPEG
_ASKED = "Who is this"
_SEARCHED = 320  # pixels, the longer side of the searched copy: small, so that marks keep up
_PATIENCE = 8000  # ms to wait for the first picture
PAUSE = 0.5  # seconds between two searches for faces
_AROUND = QSize(24, 24)  # px of the window that stay visible around the dialog
_MOST = 4  # only this many faces are named, the largest ones
_NOBODY = VerdictStyle("neutral", "person")
_SILENT = (
    "There is no picture from the camera. Close other programs that may be using it, or reconnect "
    "it, and try again."
)


def photos_folder(session: Session) -> Path:
    """Return the folder for camera photographs, beside the current or future project file."""
    path = session.project.path if session.project else draft_path(session.name)
    return path.with_name(f"{path.stem} photos")


def save_photo(picture: QImage, folder: Path, person: str = "") -> Path:
    """Save a photograph in a folder, or in a person's sub-folder, without overwriting any file.

    Raises
    ------
    EigenfacesError
        The folder cannot be written to.
    """
    name = safe_name(person) if person else _ASKED
    place = folder / name if person else folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        number = 1
        while (path := place / f"{name} {number}.jpg").exists():
            number += 1
    except OSError as error:
        raise EigenfacesError(
            f"The photo cannot be saved in “{place}”: {reason_of(error)}. Save the project in a "
            "folder that you can write to, then try again."
        ) from error
    with atomic_write(path) as part:
        Image.fromarray(rgb_array(picture)).save(part, "JPEG", quality=_QUALITY)
    return path


def make_camera(parent: QObject) -> Camera:
    """Create the camera without starting it. Raise `EigenfacesError` if a library is missing."""
    try:
        from .multimedia import Camera
    except ImportError as error:
        raise EigenfacesError(
            f"A library that the camera needs is missing: {error}. Install Qt Multimedia with “pip "
            "install eigenfaces[camera]” and, on Debian or Ubuntu, the rest with “apt install "
            "libpulse0”. Then try again."
        ) from error
    return Camera(parent)


def show_camera(session: Session, parent: QWidget) -> None:
    """Open the camera window, or bring it to the front if it is already open."""
    window = parent.window()
    dialogs = (child for child in window.findChildren(CameraDialog) if child.isVisible())
    dialog = next(dialogs, None) or CameraDialog(session, window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def detect_in_frame(image: QImage) -> tuple[FoundFace, ...]:
    """Find faces in a smaller copy of a picture, and return them in full-size coordinates."""
    size = QSize(_SEARCHED, _SEARCHED).boundedTo(image.size())
    small = image.scaled(
        size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    levels = rgb_array(small.convertToFormat(QImage.Format.Format_Grayscale8))[..., 0]
    scale = image.width() / small.width()
    faces = find_faces(levels.astype(np.float32) / np.float32(255))
    return tuple(face.scaled(scale) for face in faces)


def recognise(image: QImage, faces: Sequence[FoundFace], gallery: Gallery) -> tuple[NamedFace, ...]:
    """Return the faces in a picture, with the gallery's decisions about the largest faces."""
    unnamed = {face.eyes: NamedFace(face.eyes, "", _NOBODY) for face in faces}
    if gallery.training is None or not gallery.enrolled or not faces:
        return tuple(unnamed.values())
    content = BytesIO()
    Image.fromarray(rgb_array(image)).save(content, "BMP")
    picture, preparation = Picture(content.getvalue()), probe_preparation(gallery)
    cut = {}
    for face in sorted(faces, key=lambda face: -face.eyes.distance)[:_MOST]:
        with suppress(PhotoError):  # a face at the edge
            cut[face.eyes] = as_grey(picture.crop(face.eyes, preparation))
    verdicts = identify_all(gallery, np.array([*cut.values()])) if cut else []
    decisions = (verdict.decision for verdict in verdicts)
    named = {
        eyes: named_face(eyes, decision) for eyes, decision in zip(cut, decisions, strict=True)
    }
    return tuple((unnamed | named).values())


class CameraDialog(QDialog):
    """Dialog that shows live pictures and takes photographs. Closing it releases the camera."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Camera")
        self.setAccessibleName("Camera")
        self._session = session
        self._camera: Camera | None = None
        self._picture: QImage | None = None
        self._faces: tuple[FoundFace, ...] = ()
        self._looked = 0.0  # time of the last search for faces
        self.jobs = Jobs(self)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(lambda: self._show_failure(_SILENT))
        self.view = NamedFacesView()
        self.view.setAccessibleName("What the camera sees, with the faces found")
        self.view.setToolTip("Scroll to zoom; press 0 to show the whole picture")
        self.person = PersonField("Who is in front of the camera")
        self.take = Button("Take a photo", "camera", primary=True)
        self.ask = Button("Keep for Recognise", "recognise")
        self.place = ElidedLabel("", "caption", Qt.TextElideMode.ElideLeft)
        self._failure = EmptyState("camera", "No picture", "", ("Try again", self.start))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self._failure)
        live, enrol, narrow = Card(), Card("Who is it?"), QWidget()
        live.body.addWidget(self.stack, 1)
        add_parts(enrol.body, self.person, self.take, Gap(8), self.ask)
        narrow.setFixedWidth(theme.pixels(236))
        caption = label("Photos are saved on this computer, in", "caption", wrap=True)
        in_column(enrol, STRETCH, caption, self.place, inside=narrow, spacing=2)
        in_row((live, 1), narrow, inside=self, spacing=10, margins=(16, 16, 16, 16))
        size = QSize(theme.pixels(860), theme.pixels(520))
        self.resize(size if parent is None else size.boundedTo(parent.size() - _AROUND))
        self.take.clicked.connect(self.take_photo)
        self.ask.clicked.connect(self.save_for_recognise)
        self.person.textChanged.connect(self._refresh)
        session.gallery_changed.connect(self._refresh)
        session.jobs.changed.connect(self._refresh)
        self.finished.connect(self._drop_camera)
        self.finished.connect(self.jobs.abandon)
        if parent is not None:
            parent.installEventFilter(self)
        self.start()

    # The camera

    def start(self) -> None:
        """Start the camera, or show why that is not possible."""
        self._drop_camera()
        self._picture, self._faces = None, ()
        self._refresh()
        self.view.show_photo(None, (1, 1))
        self.view.show_named(())
        self.stack.setCurrentWidget(self.view)
        try:
            self._camera = make_camera(self)
        except EigenfacesError as error:
            self._show_failure(str(error))
            return
        self._camera.arrived.connect(self._show_picture)
        self._camera.failed.connect(self._show_failure)
        self._patience.start()
        self._camera.start()

    def _drop_camera(self) -> None:
        self._patience.stop()
        if self._camera is not None:
            self._camera.arrived.disconnect(self._show_picture)
            self._camera.failed.disconnect(self._show_failure)
            self._camera.stop()
            self._camera.deleteLater()
            self._camera = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and watched is self.parentWidget():
            self.close()
        return super().eventFilter(watched, event)

    def _show_failure(self, sentence: str) -> None:
        self._drop_camera()
        self._picture = None
        self._failure.set_sentence(sentence)
        self.stack.setCurrentWidget(self._failure)
        self._refresh()

    def _show_picture(self, picture: QImage) -> None:
        self._picture = picture
        self._patience.stop()
        self.view.show_photo(picture, (picture.height(), picture.width()))
        if self.jobs.current is not None or time.monotonic() - self._looked < PAUSE:
            return
        self._looked, gallery = time.monotonic(), self._session.gallery

        def look(_tick: object) -> tuple[tuple[FoundFace, ...], tuple[NamedFace, ...]]:
            faces = detect_in_frame(picture)
            return faces, recognise(picture, faces, gallery)

        def show(seen: tuple[tuple[FoundFace, ...], tuple[NamedFace, ...]]) -> None:
            self._faces, named = seen
            target = main_face(self._faces)
            selected = [at for at, face in enumerate(named) if target and face.eyes == target.eyes]
            self.view.show_named(named, selected)
            self._refresh()

        self.jobs.start(
            *(JobKind.FIND_FACES, "Looking for faces", look, show),
            lambda error: self._show_failure(str(error)),
        )

    # Actions

    def take_photo(self) -> None:
        """Save the latest picture as a photograph of the named person, and enrol it."""
        name = self.person.name()
        path = self._save_picture(name)
        if path is not None:
            # A camera picture is never a cropped face, even if the other photos are.
            preparation = replace(self._session.gallery.preparation, already_cropped=False)
            importing.import_photos(self._session, FoundPhotos((Photo(path, name),)), preparation)

    def save_for_recognise(self) -> None:
        """Save the latest picture, and add it to the list on the Recognise page."""
        path = self._save_picture()
        if path is not None:
            self._session.show_page("recognise")
            actions.add_probes(self._session, [path])
            self._session.show_message(f"“{path.name}” was saved and is listed on Recognise.", "ok")

    def _save_picture(self, person: str = "") -> Path | None:
        """Save the latest picture in the project's folder, or show why that is not possible."""
        if self._picture is None:
            return None
        try:
            return save_photo(self._picture, photos_folder(self._session), person)
        except EigenfacesError as error:
            self._show_failure(str(error))  # shown here, because the dialog covers the message bar
            return None

    def _refresh(self) -> None:
        """Describe the faces in the picture, and enable the buttons that apply."""
        session, faces, seen = self._session, self._faces, self._picture is not None
        self.person.set_suggestions(session.gallery.people)
        busy = session.jobs.is_busy(JobKind.IMPORT)
        one = seen and main_face(faces) is not None
        self.take.setEnabled(one and bool(self.person.name()) and not busy)
        self.ask.setEnabled(seen and bool(faces) and bool(session.gallery.enrolled))
        with suppress(EigenfacesError):  # an error is shown when a photo is saved there
            self.place.set_full_text(str(photos_folder(session)))
        if not seen:
            words = "Waiting for the camera…"
        elif not faces:
            words = "No face in view. Come closer, look at the camera, and turn towards the light."
        elif one:
            words = f"{count(len(faces), 'face')} found. The face in the white box is used."
        else:
            words = f"{len(faces)} faces are in view. Add people one at a time."
        self.view.set_caption(words)
