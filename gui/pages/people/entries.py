"""The entries of the list of people, in order: all photos, people, faces without a name."""

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
"""Keys of rows that are not people; no person's name begins like this. The key of a group of faces
without a name is its first face."""

WHO = "\0who"
"""Key of the fold above the groups without a name."""


@dataclass(frozen=True)
class PeopleEntry:
    """A row of the list: its title, and the rows of the gallery in it.

    ``group``: the faces to ask about, if they are probably one person without a name.
    """

    title: str
    rows: list[int]
    kind: Kind
    group: FaceCluster | None = None

    @property
    def is_person(self) -> bool:
        """Whether the entry is a person with a name."""
        return self.kind == "person"

    @property
    def is_nameless(self) -> bool:
        """Whether its faces wait for a name."""
        return self.kind in ("group", "single")

    @property
    def has_photos(self) -> bool:
        """Whether the entry shows whole photos, not only faces."""
        return self.kind in ("all", "person")


def list_entries(
    gallery: Gallery,
    groups: Sequence[FaceCluster],
    seen: PeopleOverview,
    unused: int = 0,
    not_grouped: Collection[str] = (),
) -> dict[Key, PeopleEntry]:
    """Return all entries by their keys; only groups and people are in order.

    ``unused``: how many imported files are not used, or wait for a choice. ``not_grouped``: the
    crops of faces that the grouping has not seen.
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
    entries[ATTENTION] = PeopleEntry("Needs a look", seen.need_attention, "attention")
    kept = {key: entry for key, entry in entries.items() if entry.rows}
    if unused:
        kept[ATTENTION] = entries[ATTENTION]
    return kept


def in_known_order(
    groups: Sequence[FaceCluster], before: Sequence[FaceCluster]
) -> tuple[FaceCluster, ...]:
    """Return groups in the order of the list so far; new groups come last.

    So the list stays as it is while the user names one group after another.
    """
    place = {face: at for at, group in enumerate(before) for face in group.faces}

    def rank(group: FaceCluster) -> int:
        return min((place[face] for face in group.faces if face in place), default=len(before))

    return tuple(sorted(groups, key=rank))


def arranged(entries: Mapping[Key, PeopleEntry], *, is_open: bool) -> list[Key]:
    """Return the keys of the list, from top to bottom; `WHO` stands for the fold.

    Groups without a name come below the people, never above or between them: among a hundred
    groups, nobody would find a person. ``is_open``: whether the fold shows them.
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
    """Return all faces that wait for a name."""
    photos = gallery.index.photos
    return {photos[row].id for e in entries.values() if e.is_nameless for row in e.rows}
