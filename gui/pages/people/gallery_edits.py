"""The edits of the People page: each has a name for undo, and sets the selection after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import as_levels
from eigenfaces.importing.correct import IncomingPhoto, ShownFace, mended_faces
from eigenfaces.photographs.photos import Photo
from eigenfaces.project.history import AT_ONCE
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.text import count, were
from gui.state.session import Edit, Session


class GalleryEdits:
    """Edits of people and photographs; all can be undone."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def rename(self, person: str, name: str) -> None:
        title = f"rename {person} to {name}"
        self._make(title, lambda gallery: gallery.rename(person, name), self._of(person))

    def merge(self, person: str, into: str) -> None:
        """Move all photographs of a person to another one."""
        done = f"{person} and {into} are now one. {_UNDO}"
        self._make(
            f"merge {person} into {into}",
            lambda gallery: gallery.merge(person, into),
            self._of(person),
            lambda: self._session.say(done, "ok"),
        )

    def remove_person(self, person: str, following: str | None) -> None:
        """Remove a person, and show the next one."""

        def done() -> None:
            self._session.select_person(following)
            self._session.say(f"{person} was taken out of the gallery. {_UNTOUCHED} {_UNDO}")

        edit = lambda gallery: gallery.remove_person(person)  # noqa: E731
        self._make(f"remove {person}", edit, len(self._session.gallery.faces), done)

    def remove_photos(self, keys: Sequence[str], following: str | None) -> None:
        """Remove photographs, and select the next one."""
        if not keys:
            return
        photos, verb = self.counted(keys), were(len(keys))

        def done() -> None:
            self._session.select(following)
            self._session.say(f"{photos} {verb} taken out of the gallery. {_UNTOUCHED} {_UNDO}")

        edit = lambda gallery: gallery.remove(keys)  # noqa: E731
        self._make(f"remove {photos}", edit, len(self._session.gallery.faces), done)

    def move(self, keys: Sequence[str], person: str | None, following: str | None) -> None:
        """Move photographs to a person, known or new, or (None) to nobody."""
        index = self._session.gallery.index
        held = [row for row in map(index.places.get, keys) if row is not None]
        rows = [row for row in held if index.photos[row].person != person]
        moving = [index.photos[row].key for row in rows]
        if not moving:
            return
        what, verb = index.words_of(rows), "is" if len(rows) == 1 else "are"

        def done() -> None:
            self._session.select(following or moving[0])
            self._session.say(f"{what} {verb} now with {person or 'Unknown'}. {_UNDO}", "ok")

        edit = lambda gallery: gallery.move(moving, person)  # noqa: E731
        self._make(f"move {what} to {person or 'Unknown'}", edit, len(moving), done)

    def exclude(self, keys: Sequence[str], excluded: bool) -> None:
        """Exclude photographs from training and matching, or include them again."""
        photos = self.counted(keys)
        title = f"exclude {photos} from training" if excluded else f"include {photos} again"
        self._make(title, lambda gallery: gallery.exclude(keys, excluded), len(keys))

    def confirm(self, keys: Sequence[str]) -> None:
        """Note that photographs are right, so that they are not asked about again."""
        title = f"{self.counted(keys)} {'is' if len(keys) == 1 else 'are'} right"
        self._make(title, lambda gallery: gallery.confirm(keys), len(keys))

    def _make(
        self, title: str, edit: Edit, photos: int, done: Callable[[], None] = lambda: None
    ) -> None:
        """Make an edit; in a thread where it touches so many photographs that one would wait."""
        session, before = self._session, self._session.gallery

        def finish() -> None:
            session.select(session.photo)  # its person may have another name now
            done()

        def written() -> None:
            session.remember(title, before)
            finish()

        if photos > AT_ONCE:
            session.write("Saving the change", edit, written)
        elif session.apply(title, edit):
            finish()

    def _of(self, person: str) -> int:
        return len(self._session.gallery.index.rows_by_person.get(person, ()))

    def mend(
        self,
        faces: Sequence[ShownFace],
        mended: Mapping[int, IncomingPhoto],
        frame: CropFrame | None = None,
    ) -> None:
        """Replace faces by what was cut again from their photographs."""
        del frame  # they are cut already
        session, before = self._session, self._session.gallery
        readings = {faces[place].key: reading for place, reading in mended.items()}
        what = count(len(readings), "face")

        def edit(gallery: Gallery) -> Gallery:
            again = mended_faces(gallery.index, readings, gallery.faces.shape)
            return gallery.enrol(again, {key: key for key in readings})

        def done() -> None:
            session.remember(f"mending {what}", before)
            verb = were(len(readings))
            session.say(f"{what} {verb} cut again from the photograph. {_UNDO}", "ok")

        session.write("Saving the photos", edit, done)

    def counted(self, keys: Sequence[str]) -> str:
        """Return in words how many faces these are, and on how many photos."""
        index = self._session.gallery.index
        return index.words_of([index.places[key] for key in keys if key in index.places])


def shown_face(gallery: Gallery, row: int) -> ShownFace:
    """Return a face of the gallery as the photo editor takes it."""
    photo = gallery.index.photos[row]
    levels = as_levels(gallery.faces.image(row))
    return ShownFace(Photo(photo.path, photo.person, photo.placement), photo.key, levels)


_UNDO = "Ctrl+Z takes it back."
_UNTOUCHED = "The photos on disk are not touched."
