"""Mending probes: another face of the photograph, or one where none was found."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from eigenfaces.errors import PhotoError
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import as_levels
from eigenfaces.importing.correct import IncomingPhoto, ShownFace
from eigenfaces.photographs.photos import Photo
from eigenfaces.recognition.probes import Probe, faceless_key, mended_probe, with_gallery_keys
from gui.photo_editor.dialog import mend
from gui.state.session import Session


def mend_probe(parent: QWidget, session: Session, key: str | None) -> None:
    """Open the photo editor on a probe, or on a photograph without a face, by its key."""
    probes = session.probes
    faceless = sorted(session.faceless)
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
        keep(session, probes, shown, mended, frame)

    mend(parent, session, shown, keys.index(key), save)


def keep(
    session: Session,
    probes: tuple[Probe, ...],
    shown: list[ShownFace],
    mended: Mapping[int, IncomingPhoto],
    frame: CropFrame | None,
) -> None:
    """Replace probes by what was cut again; the page then compares them anew."""
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
