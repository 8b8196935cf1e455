"""The photographs of a project as people look at them: whole, by day, and who is on each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.known import KnownFile
from eigenfaces.project.content import Content


@dataclass(frozen=True)
class AlbumPhoto:
    """A photograph of a project, when it was taken, and the faces of the gallery on it.

    ``taken``: ISO 8601, local time, as of `KnownFile`; "" where it is not known.
    """

    photograph: Photograph
    taken: str
    faces: tuple[FacePhoto, ...]
    favourite: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Who is on it, from left to right."""
        return tuple(dict.fromkeys(face.person for face in self.faces if face.person is not None))


def album(content: Content, people: Collection[str] = ()) -> tuple[AlbumPhoto, ...]:
    """Return the photographs of a project, the newest first; those not dated come last.

    ``people``: only those on which all of these people are. Each photograph is there once, with a
    face or without one; what is no photograph that can be read, or a copy, is not.
    """
    index = content.gallery.index
    known = {file.path: file for file in content.files}
    wanted = frozenset(people)
    found = list[AlbumPhoto]()
    for rows in index.rows_by_sha.values():
        faces = [index.photos[row] for row in rows]
        if wanted.issubset(face.person for face in faces):
            found.append(_with_faces(faces, known.get(faces[0].path)))
    if not wanted:
        there = {*index.rows_by_sha}
        found += (_without_faces(file) for file in _shown_without_faces(content, there))
    return tuple(sorted(found, key=lambda photo: (photo.taken, *photo.photograph.path.parts)))[::-1]


def _with_faces(faces: list[FacePhoto], file: KnownFile | None) -> AlbumPhoto:
    ordered = sorted(faces, key=_left_of)
    taken, favourite = ("", False) if file is None else (file.taken, file.favourite)
    return AlbumPhoto(faces[0].photograph, taken, tuple(ordered), favourite)


def _left_of(face: FacePhoto) -> float:
    """Return how far from the left of its photograph a face lies, in pixels."""
    return 0.0 if face.placement.eyes is None else face.placement.eyes.middle.real


def _shown_without_faces(content: Content, there: Collection[str]) -> Iterable[KnownFile]:
    """Yield the files that can be shown though no face of the gallery is on them, each once."""
    unused = {file.path for file in content.unused if file.kind not in ("unreadable", "duplicate")}
    seen = {*there, ""}
    for file in content.files:
        if file.path in unused and file.sha not in seen and min(file.shape) > 0:
            seen.add(file.sha)
            yield file


def _without_faces(file: KnownFile) -> AlbumPhoto:
    return AlbumPhoto(Photograph(file.path, file.sha, file.shape), file.taken, (), file.favourite)
