"""What a face on this page can begin as: the mean, a person, a photo, a probe."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice

from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace
from eigenfaces.text import count
from gui.state.session import Session

MEAN = ""
"""The key of the mean face; other keys are those of photos and probes, and `person_key`."""

_PERSON = "\0"  # no key of a photo begins with it


@dataclass(frozen=True, eq=False)
class StartingFace:
    """A face to begin with, or an end of a morph: its key, its name, and one in two words."""

    key: str
    name: str
    short: str
    face: SyntheticFace


def person_key(person: str) -> str:
    """Return the key of the mean of somebody's photos."""
    return f"{_PERSON}{person}"


def start_of(session: Session, real: RealFaces, key: str) -> StartingFace | None:
    """Return the start with this key; None where it is gone."""
    if key == MEAN:
        return StartingFace(MEAN, "The mean face", "Mean", SyntheticFace.mean(real.space))
    if key.startswith(_PERSON):
        person = key.removeprefix(_PERSON)
        photos = len(real.places.get(person, ()))
        if not photos:
            return None
        name = f"{person}, mean of {count(photos)}"
        return StartingFace(key, name, person, real.mean_of(person))
    return _start_of_photo(session, real, key)


def _start_of_photo(session: Session, real: RealFaces, key: str) -> StartingFace | None:
    found, gallery = session.face(key), session.gallery
    if found is None:
        return None
    photo, image = found
    row = gallery.index.row_of(key)
    if row is None:
        coordinates = gallery.trained.project(image.ravel())
    else:
        coordinates = gallery.trained.coordinates[row]
    name = photo.path.name
    if photo.person is not None and row is not None:
        number = gallery.index.rows_of(photo.person).index(row) + 1
        name = f"{photo.person}, photo {number}"
    short = photo.person or photo.path.name
    return StartingFace(key, name, short, SyntheticFace.at(real.space, coordinates))


def other_end(session: Session, start: str) -> str:
    """Return the first photo of somebody else, for the end of a morph; or the last photo."""
    index = session.gallery.index
    row = index.row_of(start)
    person = index.photos[row].person if row is not None else start.removeprefix(_PERSON)
    at = row or 0
    later = chain(islice(index.photos, at, None), islice(index.photos, at))
    others = (photo.key for photo in later if photo.person not in (None, person))
    return next(others, index.photos[-1].key)
