"""The entries of the list of people, in order: all photographs, people, unnamed faces."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import FaceCluster, PeopleOverview
from ...widgets.face_list import Key

Kind = Literal["all", "person", "group", "single", "hidden", "attention"]

ALL, UNKNOWN, LATER = "\0all", "\0unknown", "\0later"
HIDDEN, ATTENTION = "\0hidden", "\0attention"
"""Keys of entries that are not people. No person's name begins with a null character. The key of an
unnamed group is its first face."""

WHO = "\0who"
"""Key of the collapsible section that holds the unnamed groups."""


@dataclass(frozen=True)
class PeopleEntry:
    """Entry in the list of people, with its title and the gallery rows of its faces.

    ``group`` is the group to name, if the faces probably all show the same unnamed person.
    """

    title: str
    rows: list[int]
    kind: Kind
    group: FaceCluster | None = None

    @property
    def is_person(self) -> bool:
        """Whether the entry is a named person."""
        return self.kind == "person"

    @property
    def is_nameless(self) -> bool:
        """Whether the faces of the entry still need a name."""
        return self.kind in ("group", "single")

    @property
    def has_photos(self) -> bool:
        """Whether the entry can show whole photographs as well as faces."""
        return self.kind in ("all", "person")


def list_entries(
    gallery: Gallery,
    groups: Sequence[FaceCluster],
    seen: PeopleOverview,
    unused: int = 0,
    not_grouped: Collection[str] = (),
) -> dict[Key, PeopleEntry]:
    """Return all entries by key; only the people and the groups are in their final order.

    ``unused`` is the number of imported files that are not used or await a choice. ``not_grouped``
    holds the crops of faces that the grouping has not processed yet.
    """
    index = gallery.index
    entries: dict[Key, PeopleEntry] = {ALL: PeopleEntry("All photos", [*range(len(index))], "all")}
    for person in seen.people:
        entries[person] = PeopleEntry(person, index.rows_of(person), "person")
    hidden = [row for row in index.rows_of(None) if index.photos[row].hidden]
    nameless = dict.fromkeys(row for row in index.rows_of(None) if not index.photos[row].hidden)
    for group in groups:
        places = [index.row_by_id[face] for face in group.faces if face in index.row_by_id]
        if rows := [row for row in places if nameless.pop(row, row) is None]:
            known = group.perhaps in index.people
            title = f"Perhaps {group.perhaps}" if known else "Who is this?"
            question = group if known else FaceCluster(group.faces)
            entries[index.photos[rows[0]].id] = PeopleEntry(title, rows, "group", question)
    later = [row for row in nameless if index.photos[row].crop in not_grouped]
    once = [row for row in nameless if index.photos[row].crop not in not_grouped]
    entries[UNKNOWN] = PeopleEntry("Seen once", once, "single")
    entries[LATER] = PeopleEntry("Not grouped yet", later, "single")
    entries[HIDDEN] = PeopleEntry("Not interested", hidden, "hidden")
    entries[ATTENTION] = PeopleEntry("Needs attention", seen.need_attention, "attention")
    kept = {key: entry for key, entry in entries.items() if entry.rows}
    if unused:
        kept[ATTENTION] = entries[ATTENTION]
    return kept


def in_known_order(
    groups: Sequence[FaceCluster], before: Sequence[FaceCluster]
) -> tuple[FaceCluster, ...]:
    """Return the groups in their previous order, with new groups last.

    This keeps the list stable while the user names one group after another.
    """
    place = {face: at for at, group in enumerate(before) for face in group.faces}

    def rank(group: FaceCluster) -> int:
        return min((place[face] for face in group.faces if face in place), default=len(before))

    return tuple(sorted(groups, key=rank))


def arranged(entries: Mapping[Key, PeopleEntry], *, is_open: bool) -> list[Key]:
    """Return the listed keys from top to bottom; `WHO` stands for the collapsible section.

    Unnamed groups always come below the people: among a hundred groups, people are hard to find.
    If ``is_open``, the groups in the section are listed too.
    """
    people = [key for key, entry in entries.items() if entry.is_person]
    nameless = [key for key, entry in entries.items() if entry.is_nameless]
    fold: list[Key] = []
    if nameless:
        fold = [WHO, *nameless] if is_open else [WHO]
    first = [ALL] if ALL in entries else []
    last = [key for key in (HIDDEN, ATTENTION) if key in entries]
    return [*first, *people, *fold, *last]


def faces_of(entries: Mapping[Key, PeopleEntry], gallery: Gallery) -> Collection[FaceId]:
    """Return all faces that still need a name."""
    photos = gallery.index.photos
    return {photos[row].id for e in entries.values() if e.is_nameless for row in e.rows}
