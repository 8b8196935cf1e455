"""Collection checks: find everything that needs the user's attention, most important first.

The findings are pairs of names that may be one person, names that may be two people, photographs
that fit another person better, near-duplicates, and people with only one photograph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.recognition.duplicates import find_duplicates
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.gallery_quality import PhotoChecks, held_apart, standing_out
from eigenfaces.recognition.look_alikes import Finding, Kind, find_look_alikes

_ORDER: tuple[Kind, ...] = (
    *("one person", "two people", "photo", "nearer", "same picture", "single"),
)


def check_collection(gallery: Gallery, tick: Tick = no_tick) -> tuple[Finding, ...]:
    """Return the findings that need the user's attention, most important first.

    The gallery is calibrated first if necessary. If it has not been trained, people cannot be
    compared, and only the other findings are returned. Findings already settled are left out.
    """
    found = list[Finding]()
    step = part_of(tick, 0, 2)
    if gallery.training is not None and gallery.enrolled:
        gallery = gallery.calibrate(step)
        found += [alike for alike in find_look_alikes(gallery) if alike.kind != "near"]
        found += _nearer(gallery, {face for alike in found for face in alike.faces})
    found += _same_pictures(gallery, part_of(tick, 1, 2))
    found += _single(gallery)
    opened = [finding for finding in found if finding.is_open(gallery)]
    return tuple(sorted(opened, key=lambda finding: _ORDER.index(finding.kind)))


def _nearer(gallery: Gallery, known: Collection[FaceId]) -> Iterator[Finding]:
    """Yield photographs that stand out among a person's own and are nearer to somebody else."""
    index = gallery.index
    apart, _ = held_apart(gallery, PhotoChecks(), no_tick)
    checks = PhotoChecks(apart=apart)
    for person in gallery.people:
        times = standing_out(index.rows_of(person), index, checks)
        for row in sorted(times, key=lambda row: -times[row]):
            photo = index.photos[row]
            if photo.id not in known:
                people = person, apart[photo.id][1]
                yield Finding("nearer", people, (photo.id,), photo.path.name)


def _same_pictures(gallery: Gallery, tick: Tick) -> Iterator[Finding]:
    """Yield groups of near-duplicates; the first in each group is the photograph to keep."""
    faces = gallery.faces.select(gallery.enrolled)
    group_of = {row: {row} for row in range(len(faces))}
    for pair in find_duplicates(faces, tick):
        joined = group_of[pair.first] | group_of[pair.second]
        group_of |= dict.fromkeys(joined, joined)
    groups = {min(group): group for group in group_of.values() if len(group) > 1}
    for _, group in sorted(groups.items()):
        photos = sorted((faces.index.photos[row] for row in group), key=_not_worth_keeping)
        owners = [*dict.fromkeys(photo.person or "" for photo in photos)]
        people = owners[0], owners[1] if len(owners) > 1 else owners[0]
        same = [photo for photo in photos if photo.person in people]
        yield Finding("same picture", people, tuple(p.id for p in same), same[0].path.name)


def _not_worth_keeping(photo: FacePhoto) -> tuple[bool, int]:
    """Return a sort key that puts the photo to keep first: the key photo or else the largest."""
    height, width = photo.size
    return not photo.key, -height * width


def _single(gallery: Gallery) -> Iterator[Finding]:
    for person in gallery.people:
        rows = gallery.index.rows_of(person)
        if len(rows) == 1:
            photo = gallery.index.photos[rows[0]]
            yield Finding("single", (person, person), (photo.id,), photo.path.name)
