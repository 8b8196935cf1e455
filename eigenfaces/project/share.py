"""Share a project: faces and names for somebody else, without the photographs or their paths.

The shared project recognises people as the original does. It contains no paths or file names, no
file hashes (SHA-256, which would tell anyone who has a photograph that it is in the project), no
dates, no answers, no unused photographs, and no evaluations.

Alternatively, it contains only names and the 128 numbers that describe each face, and recognises
people with the Network recipe. It then has no grey or colour pictures, and no face space from which
faces could be drawn. The numbers tell people apart, so they are still personal data.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.photographs.decode import content_hash
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Bytes

_GREY = 128  # grey level of the picture that replaces a face …
_BITS = 128  # … with this many random lowest bits, so that no two are the same


def for_others(gallery: Gallery) -> Gallery:
    """Return the gallery with a plain number in place of each photograph's path.

    Faces, names and crops are kept, so the training and the calibration remain valid.
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


def for_recognising(gallery: Gallery, tick: Tick = no_tick) -> Gallery:
    """Return a gallery that contains only names and face descriptors.

    Raises
    ------
    EigenfacesError
        Nobody has been named, or the model files of the network are not installed.
    """
    if not gallery.enrolled:
        raise EigenfacesError("Nobody here has been named yet, so nobody could be recognised.")
    recipe = RECIPES["Network"]
    known = gallery.faces.select(gallery.enrolled)
    recipe.features.read_photographs(known, part_of(tick, 0, 3))
    numbers = recipe.features.of_all(known.pixels, known.shape, part_of(tick, 1, 3)).array
    cuts = []
    for at, photo in enumerate(known.index.photos, start=1):
        nowhere = Photograph(Path(f"{at}"), secrets.token_hex(32), known.shape)
        cuts.append((FacePhoto(nowhere, photo.person, pictured=False), _no_picture(known.shape)))
    faces = FaceSet.of(cuts, known.shape)
    described = zip((photo.crop for photo in faces.index.photos), numbers, strict=True)
    DESCRIPTORS.add(dict(described))
    people = {*faces.index.people}
    settled = frozenset(pair for pair in gallery.settled if {*pair} <= people)
    made = Gallery(faces, gallery.preparation, recipe, share=gallery.share, settled=settled)
    return made.train().calibrate(part_of(tick, 2, 3))


def _no_picture(shape: tuple[int, int]) -> Bytes:
    """Return a grey picture (h, w) to use in place of a face."""
    levels = np.full(shape[0] * shape[1], _GREY, np.uint8)
    bits = np.unpackbits(np.frombuffer(secrets.token_bytes(_BITS // 8), np.uint8))
    some = min(_BITS, len(levels))
    levels[:some] += bits[:some]
    return levels.reshape(shape)
