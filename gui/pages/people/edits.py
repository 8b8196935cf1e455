"""Edits on the People page, each with a title for undo and, where needed, a message."""

from __future__ import annotations

from collections.abc import Sequence

from eigenfaces.faces.identity import FaceId
from eigenfaces.text import was_or_were
from ...state.session import Edit, Session

_UNTOUCHED = "The photos on disk are not touched."


class PeopleEdits:
    """Edits to people and faces. ``then``, if given, is the face to select afterwards.

    Faces that are no longer in the gallery are skipped.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def words_of(self, faces: Sequence[FaceId]) -> str:
        """Return the numbers of these faces and their photographs as text."""
        return self._session.gallery.index.words_of(self._rows(faces))

    def person_of(self, face: FaceId) -> str | None:
        """Return the person this face belongs to; None if unnamed or no longer in the gallery."""
        row = self._session.gallery.index.row_of(face)
        return None if row is None else self._session.gallery.index.photos[row].person

    # People

    def rename(self, person: str, name: str) -> None:
        """Give a person a different name."""
        if name != person:
            self._apply(f"rename {person} to {name}", lambda gallery: gallery.rename(person, name))

    def merge(self, person: str, into: str) -> None:
        """Merge one person into another."""
        sentence = f"{person} and {into} are now one person."
        self._apply(f"merge {person} into {into}", lambda now: now.merge(person, into), sentence)

    def settle(self, one: str, other: str) -> None:
        """Record that look-alikes are two people, or that a name stands for only one person."""
        title = f"{one} is one person" if one == other else f"{one} and {other} are two people"
        self._apply(title, lambda now: now.settle(one, other), f"Noted: {title}.")

    def remove_person(self, person: str, then: FaceId | None) -> None:
        """Remove a person and all their faces from the gallery."""
        sentence = f"{person} was removed from the gallery. {_UNTOUCHED}"
        self._apply(f"remove {person}", lambda now: now.remove_person(person), sentence, then)

    def take_person_away(self, person: str) -> None:
        """Remove the name from all faces of a person."""
        sentence = f"The faces of {person} are unnamed again."
        title = f"remove the name {person}"
        self._apply(title, lambda now: now.take_person_away(person), sentence)

    # Faces

    def move(self, faces: Sequence[FaceId], person: str | None, then: FaceId | None = None) -> None:
        """Move faces to an existing or new person, or make them unnamed (None)."""
        moving = [face for face in self._there(faces) if self.person_of(face) != person]
        if moving:
            number, whom = self.words_of(moving), person or "Unknown"
            sentence = f"{number} {was_or_were(len(moving))} moved to {whom}."
            edit = lambda now: now.move(moving, person)  # noqa: E731
            self._apply(f"move {number} to {whom}", edit, sentence, then or moving[0])

    def take_name_away(self, faces: Sequence[FaceId], then: FaceId | None) -> None:
        """Remove the names from faces, and do not suggest those names for them again."""
        named = [face for face in self._there(faces) if self.person_of(face) is not None]
        if named:
            number, names = self.words_of(named), {self.person_of(face) for face in named}
            whose = next(iter(names)) if len(names) == 1 else "these people"
            sentence = (
                f"{number} {_is_or_are(named)} unnamed again, and will not be taken for {whose}."
            )
            edit = lambda now: now.take_name_away(named)  # noqa: E731
            self._apply(f"remove the name of {number}", edit, sentence, then)

    def remove(self, faces: Sequence[FaceId], then: FaceId | None = None) -> None:
        """Remove faces from the gallery."""
        if there := self._there(faces):
            number, edit = self.words_of(there), lambda now: now.remove(there)
            sentence = f"{number} {was_or_were(len(there))} removed from the gallery. {_UNTOUCHED}"
            self._apply(f"remove {number}", edit, sentence, then)

    def hide(self, faces: Sequence[FaceId], hidden: bool) -> None:
        """Stop asking about faces, or start asking about them again."""
        if there := self._there(faces):
            number, verb = self.words_of(there), "will not be" if hidden else "will be"
            title = f"not interested in {number}" if hidden else f"ask about {number} again"
            done = "asked about any more" if hidden else "asked about again"
            edit = lambda now: now.hide(there, hidden)  # noqa: E731
            self._apply(title, edit, f"{number} {verb} {done}.")

    def use_as_key(self, face: FaceId) -> None:
        """Use a face as the key photo of its person."""
        if (person := self.person_of(face)) is not None:
            sentence = f"This face now represents {person}."
            title = f"new key photo of {person}"
            self._apply(title, lambda now: now.with_key(face), sentence)

    def exclude(self, faces: Sequence[FaceId]) -> None:
        """Exclude faces from comparison, or include them again if the first one is excluded."""
        if there := self._there(faces):
            index, number = self._session.gallery.index, self.words_of(there)
            out = not index.photos[index.row_by_id[there[0]]].excluded
            title = f"leaving out {number}" if out else f"including {number} again"
            self._apply(title, lambda gallery: gallery.exclude(there, out))

    def confirm(self, faces: Sequence[FaceId]) -> None:
        """Confirm that faces are named correctly, so that the program stops asking about them."""
        if there := self._there(faces):
            title = f"confirm {self.words_of(there)}"
            self._apply(title, lambda gallery: gallery.confirm(there))

    def _rows(self, faces: Sequence[FaceId]) -> list[int]:
        by_id = self._session.gallery.index.row_by_id
        return [by_id[face] for face in faces if face in by_id]

    def _there(self, faces: Sequence[FaceId]) -> list[FaceId]:
        photos = self._session.gallery.index.photos
        return [photos[row].id for row in self._rows(faces)]

    def _apply(
        self, title: str, edit: Edit, sentence: str = "", then: FaceId | None = None
    ) -> None:
        if self._session.apply(title, edit):
            # The person may have a different name by now.
            self._session.select(then or self._session.photo)
            if sentence:
                self._session.show_message(f"{sentence} Ctrl+Z undoes it.", "ok")


def _is_or_are(faces: Sequence[FaceId]) -> str:
    return "is" if len(faces) == 1 else "are"
