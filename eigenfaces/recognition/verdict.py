"""The verdict on a probe: the nearest people in face space, and what is decided.

The two nearest people decide. Whatever else somebody may want to know is computed when they ask.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.comparison import NOT_FINITE
from eigenfaces.recognition.decision import Decision, decide
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Match, Neighbours
from eigenfaces.space.arrays import Doubles, Numbers

_SOON = 5  # people who are asked about as soon as there is a verdict
_AT_ONCE = 64  # probes whose distances are held at the same time


@dataclass(frozen=True, eq=False)
class Verdict:
    """The nearest person, and all values that it follows from.

    Parameters
    ----------
    first
        The nearest few people, nearest first; one where there is nobody else.
    coordinates
        (k,) the probe in face space, for the compared components.
    distance_from
        Distance *from* face space: what the compared components cannot express.
    farthest
        The largest distance from an enrolled face, without its sign.
    decision
        Who it is, how sure; or nobody.
    neighbours
        What it was compared with: whoever wants to know about more people asks it then.
    never
        People who are out of the question.
    """

    first: tuple[Match, ...]
    coordinates: NDArray[np.float32]
    distance_from: float
    farthest: float
    decision: Decision
    neighbours: Neighbours
    never: frozenset[str] = frozenset()

    @property
    def closest(self) -> Match:
        """The first of the ranking."""
        return self.first[0]

    @property
    def runner_up(self) -> Match | None:
        """The second person, if there is one."""
        return self.first[1] if len(self.first) > 1 else None

    @property
    def ranking(self) -> tuple[Match, ...]:
        """Every enrolled person once, nearest first."""
        known = self.neighbours
        (found,) = known.ranked(known.of(self.coordinates[None]), len(known.names))
        return tuple(match for match in found if match.person not in self.never)

    def top(self, count: int) -> tuple[Match, ...]:
        """Return so many of the nearest people, nearest first."""
        return (self.first if count <= len(self.first) else self.ranking)[:count]

    def nearest(self, count: int) -> list[tuple[int, float]]:
        """Return the rows of so many of the nearest faces with their distances, nearest first."""
        rows, distances = self._faces
        return list(zip(rows[:count].tolist(), distances[:count].tolist(), strict=True))

    @property
    def rows(self) -> Numbers:
        """Rows of all enrolled faces, nearest first."""
        return self._faces[0]

    @property
    def distances(self) -> Doubles:
        """The distance of each of them, by `rows`."""
        return self._faces[1]

    @property
    def _faces(self) -> tuple[Numbers, Doubles]:
        known = self.neighbours
        (line,) = known.of(self.coordinates[None]).to_photos
        gone = [number for number, name in enumerate(known.names) if name in self.never]
        order = np.argsort(line, kind="stable")
        order = order[~np.isin(known.people[order], gone)]
        return known.rows[order], line[order]


def identify(gallery: Gallery, face: NDArray[np.float32]) -> Verdict:
    """Return the enrolled people nearest to a face, by the gallery's recipe.

    Parameters
    ----------
    gallery
        A trained gallery with at least one named face.
    face
        (h, w) or (d,), prepared like the gallery's faces: grey values 0…1.

    Raises
    ------
    EigenfacesError
        Not trained, nobody enrolled, a face of another size, grey values beyond 0…1, or a distance
        that is not a finite number.
    """
    probe = np.asarray(face, np.float32)
    height, width = gallery.faces.shape
    if probe.shape not in ((height, width), (height * width,)):  # 92 × 112 is not 112 × 92
        size = " × ".join(str(side) for side in reversed(probe.shape))
        raise EigenfacesError(
            f"The face has {size} pixels and the gallery's have {width} × {height}: "
            "prepare it as they were."
        )
    return identify_all(gallery, probe.reshape(1, -1))[0]


def identify_all(gallery: Gallery, faces: NDArray[np.float32]) -> list[Verdict]:
    """Return the verdicts for faces (m, d): see `identify`."""
    faces, known = np.asarray(faces, np.float32), gallery.calibrated
    coordinates, from_space = _projected(gallery, faces)
    left_over: list[float | None] = [None] * len(faces)
    if known is not None:
        crops = faces.reshape(-1, *gallery.faces.shape)
        left_over = known.likeness.left_over(crops).tolist()
    nearest = _nearest(gallery, coordinates)
    return [
        Verdict(
            first=first,
            coordinates=coordinates[m],
            distance_from=float(from_space[m]),
            farthest=farthest,
            decision=_decision(gallery, first, left_over[m]),
            neighbours=gallery.neighbours,
        )
        for m, (first, farthest) in enumerate(nearest)
    ]


def _projected(gallery: Gallery, faces: NDArray[np.float32]) -> tuple[NDArray[np.float32], Doubles]:
    """Return the coordinates of faces (m, d), and their distances from face space.

    Raises what `identify` does.
    """
    _refuse_nobody(gallery)
    height, width = gallery.faces.shape
    if faces.ndim != 2 or faces.shape[1] != height * width:
        raise EigenfacesError(
            f"Give the faces in rows of {height * width:,} pixels, (m, d), as faces of "
            f"{width} × {height} have them: not in the shape {faces.shape}."
        )
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face holds values that are not numbers.")
    if len(faces) and not 0 <= faces.min() <= faces.max() <= 1:
        raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
    with np.errstate(all="ignore"):  # values that are not finite raise an error
        coordinates, from_space = gallery.trained.in_and_from(faces, gallery.k)
    if not np.isfinite(from_space).all():
        raise EigenfacesError(NOT_FINITE)
    return coordinates, from_space


def _refuse_nobody(gallery: Gallery) -> None:
    if not gallery.enrolled:
        raise EigenfacesError("Nobody is enrolled: give the photographs names first.")


def _nearest(
    gallery: Gallery, coordinates: NDArray[np.float32]
) -> Iterator[tuple[tuple[Match, ...], float]]:
    """Yield who is nearest to each of the coordinates (m, k), and how far the farthest face is.

    Raises `EigenfacesError` if distances say nothing.
    """
    if not np.isfinite(coordinates).all():
        raise EigenfacesError(NOT_FINITE)
    for start in range(0, len(coordinates), _AT_ONCE):
        probes = coordinates[start : start + _AT_ONCE]
        with np.errstate(all="ignore"):  # what is not finite, or is all the same, is refused
            found = gallery.neighbours.of(probes)
        farthest = np.abs(found.to_photos).max(axis=1)
        for at, first in enumerate(gallery.neighbours.ranked(found, _SOON)):
            if len(first) > 1 and farthest[at] == 0:
                raise EigenfacesError(
                    "All distances come out as 0, so nobody can be told apart. Train again; if "
                    "that does not help, choose another distance or whitening."
                )
            yield first, float(farthest[at])


def without(gallery: Gallery, verdict: Verdict, people: Collection[str]) -> Verdict:
    """Return a verdict in which some people are out of the question, unless that leaves nobody."""
    never = verdict.never.union(people)
    if never == verdict.never:
        return verdict
    first = replace(verdict, never=never).ranking[:_SOON]
    if not first:
        return verdict
    decision = _decision(gallery, first, verdict.decision.left_over)
    return replace(verdict, never=never, first=first, decision=decision)


def _decision(gallery: Gallery, matches: tuple[Match, ...], left_over: float | None) -> Decision:
    nearest, runner_up, *_ = [*((match.person, match.distance) for match in matches), None]
    return decide(gallery.calibrated, gallery.share, nearest, runner_up, left_over)


def consistency(gallery: Gallery, person: str) -> tuple[list[int], NDArray[np.float64]]:
    """Return a person's rows, and the distance in face space (L2) of each to the person's mean."""
    rows = gallery.index.rows_of(person)
    coordinates = gallery.trained.compares.of(rows)[:, : gallery.k].astype(np.float64)
    return rows, np.linalg.norm(coordinates - coordinates.mean(axis=0), axis=1)


def nearest_other(gallery: Gallery, row: int) -> Match | None:
    """Return the person nearest to a gallery face, not its own, or None; nothing is decided.

    Raises what `identify` does. Its coordinates are known, but for what lies outside where people
    are few: only then the face is read.
    """
    _refuse_nobody(gallery)
    asked = gallery.trained.compared[row : row + 1, : gallery.k]
    if gallery.trained.has_outside:
        asked, _ = gallery.trained.in_and_from(gallery.faces.pixels[row : row + 1], gallery.k)
    ((nearest, _),) = _nearest(gallery, asked)
    own = gallery.index.photos[row].person
    return next((match for match in nearest if match.person != own), None)
