"""Who is on a photograph: the nearest people in face space, and why. No threshold yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eigenfaces.distances import distance_named
from eigenfaces.errors import EigenfacesError
from eigenfaces.gallery import Gallery

NOT_CALIBRATED = (
    "Distances are not calibrated yet: this is the nearest enrolled person, not a claim that it "
    "is them. A stranger has a nearest person too."
)


@dataclass(frozen=True)
class Match:
    """One enrolled person as a candidate.

    ``distance`` is *in* face space, lower is nearer: to the nearest of the person's photographs,
    or to the person's mean where the recipe compares means. ``row`` is the person's nearest
    photograph in the gallery; ``votes`` counts it among the recipe's k neighbours.
    """

    person: str
    distance: float
    row: int
    votes: int


@dataclass(frozen=True, eq=False)
class Verdict:
    """Who is nearest, and everything that led to it.

    Parameters
    ----------
    ranking
        Every enrolled person once, nearest first.
    nearest
        Rows of all enrolled faces, nearest first, with their distances.
    coordinates
        (k,) the probe in face space.
    distance_from
        Distance *from* face space: what the compared components cannot express.
    """

    ranking: tuple[Match, ...]
    nearest: tuple[tuple[int, float], ...]
    coordinates: NDArray[np.float32]
    distance_from: float

    @property
    def closest(self) -> Match:
        """The first of the ranking."""
        return self.ranking[0]

    @property
    def runner_up(self) -> Match | None:
        """The second person, where there is one."""
        return self.ranking[1] if len(self.ranking) > 1 else None

    def sentence(self) -> str:
        """Say the result in words, runner-up included."""
        closest, second = self.closest, self.runner_up
        text = f"Closest: {closest.person}, at a distance of {closest.distance:.4g}"
        if second is None:
            return f"{text}. Nobody else is enrolled."
        if closest.distance > 0 and second.distance >= closest.distance:
            ratio = second.distance / closest.distance
            return f"{text}; next is {second.person}, {ratio:.2f} × as far."
        return f"{text}; next is {second.person}, at {second.distance:.4g}."


def identify(gallery: Gallery, face: NDArray[np.float32]) -> Verdict:
    """Find the enrolled people nearest to a face, by the gallery's recipe.

    Parameters
    ----------
    gallery
        A trained gallery with at least one named face.
    face
        (h, w) or (d,), prepared as the gallery's faces were.

    Raises
    ------
    EigenfacesError
        Not trained, nobody enrolled, or a face of another size.
    """
    return identify_all(gallery, np.asarray(face, np.float32).reshape(1, -1))[0]


def identify_all(gallery: Gallery, faces: NDArray[np.float32]) -> list[Verdict]:
    """Do what `identify` does for faces (m, d)."""
    training = gallery.trained
    rows = gallery.enrolled
    if not rows:
        raise EigenfacesError("Nobody is enrolled: give the photographs names first.")
    space = training.space.first(gallery.k)
    probes = training.project(faces)
    enrolled = gallery.compared(training.coordinates[rows])
    compare = distance_named(gallery.recipe.distance)
    distances = compare(gallery.compared(probes), enrolled, space.variances)
    from_space = space.distance_from(training.recipe.features(faces))
    neighbours = gallery.recipe.neighbours
    people = np.array([gallery.faces.photos[row].person for row in rows], object)
    by_mean: list[dict[str, float]] | None = None
    if gallery.recipe.rule == "class mean":
        names = list(dict.fromkeys(people))
        means = np.stack([enrolled[people == name].mean(axis=0) for name in names])
        to_means = compare(gallery.compared(probes), means, space.variances)
        by_mean = [dict(zip(names, line, strict=True)) for line in to_means]
    return [
        Verdict(
            ranking=_rank(rows, people, line, neighbours, by_mean[m] if by_mean else None),
            nearest=tuple((rows[i], float(line[i])) for i in np.argsort(line, kind="stable")),
            coordinates=probes[m],
            distance_from=float(from_space[m]),
        )
        for m, line in enumerate(distances)
    ]


def _rank(
    rows: list[int],
    people: NDArray[np.object_],
    distances: NDArray[np.float64],
    neighbours: int,
    means: dict[str, float] | None,
) -> tuple[Match, ...]:
    """Order people by votes, then by summed distance of their votes, then by nearest distance."""
    order = np.argsort(distances, kind="stable")
    votes: dict[str, int] = {}
    summed: dict[str, float] = {}
    nearest: dict[str, Match] = {}
    for place, i in enumerate(order):
        person, distance = people[i], float(distances[i])
        if place < neighbours:
            votes[person] = votes.get(person, 0) + 1
            summed[person] = summed.get(person, 0.0) + distance
        if person not in nearest:
            nearest[person] = Match(person, distance, rows[i], 0)
    if means is not None:
        matches = [Match(p, float(means[p]), m.row, 0) for p, m in nearest.items()]
        return tuple(sorted(matches, key=lambda match: match.distance))
    matches = [Match(p, m.distance, m.row, votes.get(p, 0)) for p, m in nearest.items()]
    return tuple(sorted(matches, key=lambda m: (-m.votes, summed.get(m.person, 0.0), m.distance)))


def contributions(gallery: Gallery, verdict: Verdict, row: int) -> NDArray[np.float64]:
    """Return what each component adds to the squared distance between the probe and a face, (k,).

    In the units that the recipe's distance sees: divided by √λ for Mahalanobis, scaled to unit
    length for cosine (‖u − v‖² = 2 (1 − cos)). City-block distances are shown by the same squares.
    """
    training, k, name = gallery.trained, gallery.k, gallery.recipe.distance
    pair = np.stack([verdict.coordinates, training.coordinates[row]])[:, :k].astype(np.float64)
    space = training.space.first(k)
    if gallery.recipe.whitening != "none":
        pair = pair / np.sqrt(space.variances + gallery.recipe.smoothing)
    if name.startswith(("Mahalanobis", "Yambor")):
        pair = pair / np.sqrt(space.variances)
    if name.endswith("cosine"):
        pair = pair / np.maximum(np.linalg.norm(pair, axis=1, keepdims=True), 1e-300)
    return (pair[0] - pair[1]) ** 2


def consistency(gallery: Gallery, person: str) -> tuple[list[int], NDArray[np.float64]]:
    """Return a person's rows, and the distance in face space (L2) of each to the person's mean."""
    rows = gallery.faces.rows_of(person)
    coordinates = gallery.trained.coordinates[rows][:, : gallery.k].astype(np.float64)
    return rows, np.linalg.norm(coordinates - coordinates.mean(axis=0), axis=1)


def nearest_other(gallery: Gallery, row: int) -> Match | None:
    """Return the person nearest to a gallery face apart from its own, or None."""
    verdict = identify(gallery, gallery.faces.pixels[row])
    own = gallery.faces.photos[row].person
    return next((match for match in verdict.ranking if match.person != own), None)
