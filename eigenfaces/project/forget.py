"""Forget a person: remove everything about the person from a project, except the photographs.

Deleted data in the project file is overwritten, and the file is rewritten (VACUUM). The paths of
other people's photographs are kept, even if a folder has the person's name. On request, the
photograph and position of each face are kept, so that the program does not ask about these faces
again. It still asks about faces in new photographs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.known import WatchedFolder
from eigenfaces.photographs.placement import WHOLE_PHOTO, Placement
from eigenfaces.project.content import Content, ForgottenFace, KeptRun
from eigenfaces.recognition.gallery import restrict_answers
from eigenfaces.text import name_key


def forgotten_faces(content: Content, person: str) -> list[FacePhoto]:
    """Return all faces of a person: those in the gallery, and probes that the user identified."""
    gallery = content.gallery
    index = gallery.index
    faces = {index.photos[row].id: index.photos[row] for row in index.rows_of(person)}
    for probe in content.probe_list.probes:
        answered = gallery.answers.get(probe.photo.id)
        if answered is not None and answered.person == person:
            faces.setdefault(probe.photo.id, probe.photo)
    return [*faces.values()]


def without_person(
    content: Content, person: str, runs: Iterable[KeptRun], *, remember: bool
) -> Content:
    """Return the project without a person. Raise `EigenfacesError` if nobody has this name.

    The face space is also removed, because it was fitted to the person's faces; it has to be
    trained again. ``runs`` are the evaluations that do not name the person. With ``remember``,
    only the photograph and position of each face are kept.
    """
    name = content.gallery.known_name(person)
    faces = forgotten_faces(content, name)
    ids = {face.id for face in faces}
    gallery = content.gallery.remove_person(name)
    answers = {face: said for face, said in gallery.answers.items() if face not in ids}
    gallery = replace(
        gallery,
        training=None,
        calibration=None,
        answers=restrict_answers(answers, gallery.people),
    )
    probes = tuple(one for one in content.probe_list.probes if one.photo.id not in ids)
    left = {photo.photograph.sha for photo in gallery.index.photos}
    left |= {probe.photo.photograph.sha for probe in probes}
    gone = {face.photograph.sha for face in faces} - left
    key = name_key(name)
    unused = [
        file
        for file in content.unused
        if name_key(file.person or "") != key and f"“{name}”" not in file.reason
    ]
    folders = (folder for folder in content.folders if not _is_named_after(folder, key))
    kept = tuple(_remembered(face) for face in faces) if remember else ()
    return replace(
        content,
        gallery=gallery,
        probe_list=replace(content.probe_list, probes=probes),
        files=tuple(file for file in content.files if file.sha not in gone),
        unused=tuple(unused),
        runs=tuple(runs),
        folders=tuple(folders),
        forgotten=tuple(dict.fromkeys((*content.forgotten, *kept))),
    )


def _is_named_after(folder: WatchedFolder, key: str) -> bool:
    """Return whether a watched folder names a person, in its path or in its settings."""
    names = (*folder.path.parts, *folder.events, folder.person or "")
    return any(name_key(name) == key for name in names)


def _remembered(face: FacePhoto) -> ForgottenFace:
    return ForgottenFace(face.photograph.sha, face.photograph.unturned_size, _unturned(face).eyes)


def _unturned(face: FacePhoto) -> Placement:
    """Return the placement of a face in its photograph before the photograph was turned."""
    plain = replace(face.photograph, size=face.photograph.unturned_size, turned=0)
    return face.moved_to(plain).placement


def without_forgotten(faces: FaceSet, forgotten: Collection[ForgottenFace]) -> FaceSet:
    """Return the faces, except those that the program should not ask about again."""
    photos = faces.index.photos
    rows = [row for row, photo in enumerate(photos) if not is_forgotten(photo, forgotten)]
    return faces if len(rows) == len(faces) else faces.select(rows)


def is_forgotten(face: FacePhoto, forgotten: Collection[ForgottenFace]) -> bool:
    """Return whether a face is one that the program should not ask about again."""
    for one in forgotten:
        if one.sha == face.photograph.sha:
            place = WHOLE_PHOTO if one.eyes is None else Placement(one.eyes)
            photograph = Photograph(Path(one.sha), one.sha, one.size)
            if FacePhoto(photograph, None, placement=place).is_same_face(face):
                return True
    return False
