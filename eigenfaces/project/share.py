"""A project for somebody else: faces and names, but neither the photographs nor where they are.

It recognises people as the project does that it was made of. What it does not have: the places and
names of files, their SHA-256 (by which somebody who has a photograph could tell that it is in the
project), days, what was answered, what was left out, and evaluations.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FaceId
from eigenfaces.photographs.decode import content_hash
from eigenfaces.recognition.gallery import Gallery


def for_others(gallery: Gallery) -> Gallery:
    """Return a gallery whose photographs are mere numbers.

    Each keeps its faces, their names and crops; so training and what distances mean still hold.
    """
    salt = secrets.token_hex(16)
    number = {sha: at for at, sha in enumerate(gallery.index.rows_by_sha, start=1)}
    photos = []
    now = dict[FaceId, FaceId]()
    for photo in gallery.index.photos:
        old = photo.photograph
        name = content_hash(f"{salt}{old.sha}".encode())
        anonymous = replace(old, path=Path(f"{number[old.sha]}"), sha=name)
        shared = replace(photo, photograph=anonymous, lost=False)
        photos.append(shared)
        now[photo.id] = shared.id
    training = gallery.training and gallery.training.with_ids(now)
    faces = replace(gallery.faces, index=PhotoIndex(tuple(photos)), skipped=())
    made = replace(gallery, faces=faces, training=training, calibration=None, answers={})
    known = gallery.calibrated
    if known is not None and made.training is not None:
        made = replace(made, calibration=replace(known, state_key=made.calibration_key))
    return made
