"""A project for somebody else: faces and names, but neither the photographs nor where they are.

It recognises people as the project does that it was made of. What it does not have: the places and
names of files, their SHA-256 (by which somebody who has a photograph could tell that it is in the
project), days, what was answered, what was left out, and evaluations.

Or it has names and numbers alone: the 128 that the network gives for each face. It recognises as
Network does. No picture is in it, in grey or in colour, and no face space, from which faces could
be drawn. The numbers tell people apart, so they are personal all the same.
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

_GREY = 128  # level of what stands in the place of a face
_BITS = 128  # of which it has the random lowest bits, so that none is like another


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


def for_recognising(gallery: Gallery, tick: Tick = no_tick) -> Gallery:
    """Return a gallery with names and what the network says of their faces, and nothing else.

    Raises
    ------
    EigenfacesError
        Nobody has a name, or the files of the network are not installed.
    """
    if not gallery.enrolled:
        raise EigenfacesError("Nobody has a name here yet, so nobody could be recognised.")
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
    """Return what stands in the place of a face: grey, (h, w)."""
    levels = np.full(shape[0] * shape[1], _GREY, np.uint8)
    bits = np.unpackbits(np.frombuffer(secrets.token_bytes(_BITS // 8), np.uint8))
    some = min(_BITS, len(levels))
    levels[:some] += bits[:some]
    return levels.reshape(shape)
