"""The photograph that is looked at, with its faces; and the photo editor, opened on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from eigenfaces.errors import PhotoError
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import as_levels
from eigenfaces.importing.correct import IncomingPhoto, ShownFace
from eigenfaces.photographs.decode import colours, read_bytes
from eigenfaces.photographs.photos import Photo
from eigenfaces.recognition.probes import Probe, faceless_key, mended_probe, with_gallery_keys
from gui.pages.recognise.photos import Shot
from gui.photos.dialog import mend
from gui.state.jobs import SHOW_PHOTO, Jobs
from gui.state.session import Session
from gui.style.images import grey_image, rgb_image
from gui.widgets.named_photo import NamedPhoto

_LARGEST = 2400  # px of the longer side that are read: enough for a large screen, and to zoom


class ShownPhoto(NamedPhoto):
    """Reads a photograph and shows it; where its file is gone, the face that was read from it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        # Of its own: a photograph does not wait until all faces are compared.
        self._reading = Jobs(lambda sentence: session.say(sentence, "error"), self)
        self.destroyed.connect(self._reading.close)
        self._file: tuple[Path, int] | None = None
        self._gone = False
        self._shot = Shot(Path())
        self.reply = ""
        """What the last answer has changed: it stands below the photograph."""
        self.keys: tuple[str, ...] = ()
        """The keys of the faces that have names on it."""
        self.setMinimumSize(240, 200)

    def show_shot(self, shot: Shot, meant: Collection[str]) -> None:
        """Show a photograph; ``meant`` are the keys of the faces that are chosen."""
        self._shot, probe = shot, shot.items[0].probe if shot.items else None
        file = shot.path, probe.photo.placement.turned if probe else 0
        if file != self._file:
            self._file, self._gone = file, False
            self.show_photo(None, probe.photo.size if probe else (3, 4))
            self._read(*file)
        self._show_faces(meant)

    def _show_faces(self, meant: Collection[str]) -> None:
        gone = f"“{self._shot.path.name}” is not there any more: this is its face."
        self.set_caption(self.reply or (gone if self._gone else ""))
        items = self._shot.items
        named = [item.named for item in items]
        if self._gone and items:
            item = next((each for each in items if each.key in meant), items[0])
            items, named = (item,), [replace(item.named, eyes=None)]
            self.show_photo(grey_image(item.probe.image), item.probe.image.shape)
        self.keys = tuple(item.key for item in items)
        self.show_named(named, [at for at, key in enumerate(self.keys) if key in meant])

    def _read(self, path: Path, turned: int) -> None:
        def work(_tick: object) -> NDArray[np.uint8] | None:
            try:
                return colours(read_bytes(path), _LARGEST, turned)
            except PhotoError:  # the file is gone; its face was read before
                return None

        def done(picture: NDArray[np.uint8] | None) -> None:
            if self._file != (path, turned):
                return
            if picture is None:
                self._gone = True
                self._show_faces([self.keys[at] for at in self.picked])
                return
            faces = self._shot.items
            height, width = faces[0].probe.photo.size if faces else picture.shape[:2]
            self.show_photo(rgb_image(picture), (height, width))

        self._reading.start(SHOW_PHOTO, f"Opening {path.name}", work, done)


def mend_probe(parent: QWidget, session: Session, key: str | None) -> None:
    """Open the photo editor on a probe, or on a photograph without a face, by its key."""
    probes, faceless = session.probes, sorted(session.faceless)
    keys = [probe.photo.key for probe in probes] + [faceless_key(path) for path in faceless]
    if key not in keys:
        return
    shown = [
        ShownFace(
            Photo(each.photo.path, None, each.photo.placement),
            each.photo.key,
            as_levels(each.image),
        )
        for each in probes
    ]
    shown += [ShownFace(Photo(path)) for path in faceless]

    def save(mended: Mapping[int, IncomingPhoto], frame: CropFrame | None) -> None:
        """Replace probes by what was cut again; they are then compared anew."""
        made: list[Probe] = []
        new: list[Probe] = []
        try:
            for at, reading in mended.items():
                old = probes[at] if at < len(probes) else None
                probe = mended_probe(old, shown[at], reading, frame)
                (new if old is None else made).append(probe)
        except PhotoError as error:
            session.say(str(error), "error")
            return
        session.put_probes([*made, *with_gallery_keys(session.gallery, new)], verb="mending")

    mend(parent, session, shown, keys.index(key), save)
