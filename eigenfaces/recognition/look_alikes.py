"""Look-alikes: two names that may belong to one person, or one name that may cover two people.

The user has to decide, using `Gallery.merge`, `Gallery.move` or `Gallery.settle`. Until then, two
names that may be one person do not count as strangers to each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.limits import USUAL_SHARE
from eigenfaces.space.arrays import Numbers
from eigenfaces.text import count

TWO_PEOPLE = 0.65  # with Network, groups of photographs this far apart on average are two people
_FEWEST = 2  # the smallest number of photographs in such a group


Kind = Literal["one person", "two people", "photo", "nearer", "same picture", "single", "near"]


@dataclass(frozen=True)
class Finding:
    """A finding about the people in a gallery, for the user to review."""

    kind: Kind
    people: tuple[str, str]  # the name and the other name, or the same name twice
    faces: tuple[FaceId, ...] = ()  # the faces in question
    named: str = ""  # the file name of the first face

    @property
    def sentence(self) -> str:
        """The finding as a sentence."""
        one, other = self.people
        some = count(len(self.faces))
        match self.kind:
            case "one person":
                return f"“{one}” and “{other}” look like one person."
            case "photo":
                return f"“{self.named}” is filed as “{one}” but looks like “{other}”."
            case "nearer":
                return f"“{self.named}” is unlike other photos of “{one}” and nearer to “{other}”."
            case "two people":
                return f"“{one}” looks like two people: {some} differ from the others."
            case "same picture" if one == other:
                return f"{some} of “{one}” are nearly the same picture."
            case "same picture":
                return f"{some} are nearly the same picture, but of “{one}” and of “{other}”."
            case "single":
                return f"There is only one photo of “{one}”."
            case "near":
                return (
                    f"“{one}” and “{other}” are easily mistaken for each other. More photos of "
                    "both help to tell them apart."
                )

    @property
    def remedy(self) -> str:
        """A sentence that says what the user can do about the finding."""
        match self.kind:
            case "one person" | "near":
                return "Merge them, or say that they are two people."
            case "two people":
                return "Give another name to the photos that differ, or say that it is one person."
            case "photo" | "nearer":
                return f"Move it to “{self.people[1]}”, or say that its name is correct."
            case "same picture":
                return "Keep one of them, or say that all are wanted."
            case "single":
                return "Add another one: several photos describe a person better."

    def is_open(self, gallery: Gallery) -> bool:
        """Return whether the finding still holds in a gallery and has not been settled."""
        rows = [gallery.index.row_of(face) for face in self.faces]
        photos = [None if row is None else gallery.index.photos[row] for row in rows]
        filed = {None if photo is None else photo.person for photo in photos}
        owners = {*self.people} if self.kind == "same picture" else {self.people[0]}
        if not ({*self.people} <= {*gallery.people} and filed <= owners):
            return False
        if self.kind in ("nearer", "same picture", "single"):
            alone = self.kind != "single" or len(gallery.index.rows_of(self.people[0])) == 1
            return alone and not all(photo is None or photo.right for photo in photos)
        return tuple(sorted(self.people)) not in gallery.settled


def find_look_alikes(gallery: Gallery) -> tuple[Finding, ...]:
    """Return the look-alikes in a gallery, the most certain first; none before calibration."""
    if gallery.calibrated is None:
        return ()
    return (*_alike(gallery), *_two_in_one(gallery), *_near(gallery))


def _alike(gallery: Gallery) -> Iterator[Finding]:
    """Yield pairs of names that may be one person, then photographs that may show somebody else."""
    known = gallery.calibrated
    if known is None:
        return
    names, photos = gallery.measured_names, gallery.index.photos
    enrolled = [row for row in gallery.calibration_rows if photos[row].person is not None]
    points = gallery.distance.standardised(gallery.trained.matching_coordinates)
    means = [points[gallery.index.enrolled_of(name)].mean(axis=0)[None] for name in names]

    def by_likeness(pair: tuple[int, int, int]) -> tuple[bool, float]:
        one, other, place = pair
        return place >= 0, float(gallery.distance.between(means[one], means[other])[0, 0])

    found = [(one, other, place) for one, other, place in known.held_out.alike.tolist()]
    for one, other, place in sorted(found, key=by_likeness):
        people = names[one], names[other]
        if place < 0:
            yield Finding("one person", people)
            continue
        photo = photos[enrolled[place]]
        yield Finding("photo", people, (photo.id,), photo.path.name)


def _two_in_one(gallery: Gallery) -> Iterator[Finding]:
    """With Network, yield names whose photographs fall into two groups, and the smaller group."""
    if not gallery.matching_recipe.has_general_limit:
        return
    from scipy.cluster.hierarchy import fcluster, linkage  # slow: a third of `recognise`

    photos = gallery.index.photos
    for name in gallery.people:
        rows = gallery.index.enrolled_of(name)
        if len(rows) < 2 * _FEWEST or (name, name) in gallery.settled:
            continue
        joined = linkage(gallery.trained.matching_coordinates[rows].astype(np.float64), "average")
        groups = fcluster(joined, 2, "maxclust")
        sizes = np.bincount(groups)[1:]
        if joined[-1, 2] > TWO_PEOPLE and min(sizes) >= _FEWEST:
            smaller = 1 + int(sizes.argmin())
            some = [row for row, group in zip(rows, groups, strict=True) if group == smaller]
            faces = tuple(photos[row].id for row in some)
            yield Finding("two people", (name, name), faces, photos[some[0]].path.name)


def _near(gallery: Gallery) -> Iterator[Finding]:
    """Yield other pairs of people in which each has a photograph within the limit of the other."""
    known = gallery.calibrated
    if known is None or not known.general:
        return
    held = known.held_out
    near = held.stranger.distance < known.strangers.law(USUAL_SHARE)
    pairs: Numbers = np.stack([held.people[near], held.stranger.person[near]], axis=1)
    found = {(one, other) for one, other in pairs.tolist()}
    for one, other in sorted(found):
        names = gallery.measured_names[one], gallery.measured_names[other]
        if one < other and (other, one) in found and tuple(sorted(names)) not in gallery.settled:
            yield Finding("near", names)
