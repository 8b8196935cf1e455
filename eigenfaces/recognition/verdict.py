"""The verdict on a probe: the nearest people in face space, what is decided, and why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.comparison import order_of_people
from eigenfaces.recognition.decision import Decision, decide
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.representation import own


@dataclass(frozen=True)
class Match:
    """One enrolled person as a candidate.

    ``distance`` is *in* face space, lower is nearer: to the nearest of the person's photographs,
    to their mean, or the mean of the distances to them, as the recipe says. ``row`` is the person's
    nearest photograph in the gallery; ``votes`` counts the person's among the k neighbours.
    """

    person: str
    distance: float
    row: int
    votes: int


@dataclass(frozen=True, eq=False)
class Verdict:
    """The nearest person, and all values that it follows from.

    Parameters
    ----------
    ranking
        Every enrolled person once, nearest first.
    rows, distances
        Rows of all enrolled faces, nearest first, and the distance of each.
    coordinates
        (k,) the probe in face space, for the compared components.
    distance_from
        Distance *from* face space: what the compared components cannot express.
    decision
        Who it is, how sure; or nobody.
    """

    ranking: tuple[Match, ...]
    rows: NDArray[np.intp]
    distances: NDArray[np.float64]
    coordinates: NDArray[np.float32]
    distance_from: float
    decision: Decision

    @property
    def closest(self) -> Match:
        """The first of the ranking."""
        return self.ranking[0]

    @property
    def runner_up(self) -> Match | None:
        """The second person, if there is one."""
        return self.ranking[1] if len(self.ranking) > 1 else None

    @property
    def nearest(self) -> tuple[tuple[int, float], ...]:
        """Rows of all enrolled faces with their distances, nearest first."""
        return tuple(zip(self.rows.tolist(), self.distances.tolist(), strict=True))


def identify(gallery: Gallery, face: NDArray[np.float32]) -> Verdict:
    """Return the enrolled people nearest to a face, by the gallery's recipe.

    Parameters
    ----------
    gallery
        A trained gallery with at least one named face.
    face
        (h, w) or (d,), prepared like the gallery's faces.

    Raises
    ------
    EigenfacesError
        Not trained, nobody enrolled, a face of another size, or a distance that is not a finite
        number.
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
    rule = gallery.recipe.matcher.rule
    rows = np.array(gallery.enrolled, np.intp)
    if not rows.size:
        raise EigenfacesError("Nobody is enrolled: give the photographs names first.")
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face holds values that are not numbers.")
    names = gallery.people
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        coordinates, from_space = gallery.trained.in_and_from(faces, gallery.k)
        matching = gallery.matching(coordinates)
        distances = matching.to_photos
    _refuse_meaningless(distances, from_space, len(np.unique(matching.enrolled.people)))
    # At equal distances, the photograph enrolled first names the person: it has the vote.
    voting = matching.votes if rule == "nearest" else ()
    to_people = matching.to_people
    order = order_of_people(to_people, *voting)
    nearest = matching.enrolled.nearest_photos(distances)
    counted = voting[0] if voting else np.zeros(order.shape, np.intp)
    calibrated, left_over = gallery.calibrated, None
    if calibrated is not None:
        left_over = calibrated.likeness.left_over(faces.reshape(-1, *gallery.faces.shape))
    verdicts = []
    for m, line in enumerate(distances):
        ranking = tuple(
            Match(names[i], float(to_people[m, i]), int(rows[nearest[m, i]]), int(counted[m, i]))
            for i in order[m]
            if nearest[m, i] >= 0
        )
        by_distance = np.argsort(line, kind="stable")
        verdicts.append(
            Verdict(
                ranking,
                rows[by_distance],
                line[by_distance],
                coordinates[m],
                float(from_space[m]),
                _decision(gallery, ranking, None if left_over is None else left_over[m]),
            )
        )
    return verdicts


def without(gallery: Gallery, verdict: Verdict, people: Collection[str]) -> Verdict:
    """Return a verdict in which some people are out of the question, unless that leaves nobody."""
    ranking = tuple(match for match in verdict.ranking if match.person not in people)
    if not ranking or len(ranking) == len(verdict.ranking):
        return verdict
    photos = gallery.index.photos
    stay = np.array([photos[row].person not in people for row in verdict.rows], bool)
    return replace(
        verdict,
        ranking=ranking,
        rows=verdict.rows[stay],
        distances=verdict.distances[stay],
        decision=_decision(gallery, ranking, verdict.decision.left_over),
    )


def _decision(gallery: Gallery, ranking: tuple[Match, ...], left_over: float | None) -> Decision:
    nearest, *others = [(match.person, match.distance) for match in ranking[:2]]
    runner_up = others[0] if others else None
    return decide(gallery.calibrated, gallery.share, nearest, runner_up, left_over)


def _refuse_meaningless(
    distances: NDArray[np.float64], from_space: NDArray[np.float64], people: int
) -> None:
    """Raise `EigenfacesError` for invalid distances (m, n) in and (m,) from face space."""
    if not (np.isfinite(distances).all() and np.isfinite(from_space).all()):
        raise EigenfacesError(
            "Some distances come out as no finite numbers, so nobody is named. Train again; if "
            "that does not help, choose another distance or whitening."
        )
    if people > 1 and not distances.any(axis=1).all():
        raise EigenfacesError(
            "All distances come out as 0, so nobody can be told apart. Train again; if that does "
            "not help, choose another distance or whitening."
        )


def consistency(gallery: Gallery, person: str) -> tuple[list[int], NDArray[np.float64]]:
    """Return a person's rows, and the distance in face space (L2) of each to the person's mean."""
    rows = gallery.index.rows_of(person)
    coordinates = own(gallery.trained.compared[rows])[:, : gallery.k].astype(np.float64)
    return rows, np.linalg.norm(coordinates - coordinates.mean(axis=0), axis=1)


def nearest_other(gallery: Gallery, row: int) -> Match | None:
    """Return the person nearest to a gallery face, not its own, or None."""
    verdict = identify(gallery, gallery.faces.pixels[row])
    own = gallery.index.photos[row].person
    return next((match for match in verdict.ranking if match.person != own), None)
