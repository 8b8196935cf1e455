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
    rows, distances
        Rows of all enrolled faces, nearest first, and the distance of each.
    coordinates
        (k,) the probe in face space.
    distance_from
        Distance *from* face space: what the compared components cannot express.
    """

    ranking: tuple[Match, ...]
    rows: NDArray[np.intp]
    distances: NDArray[np.float64]
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

    @property
    def nearest(self) -> tuple[tuple[int, float], ...]:
        """Rows of all enrolled faces with their distances, nearest first."""
        return tuple(zip(self.rows.tolist(), self.distances.tolist(), strict=True))

    def sentence(self) -> str:
        """Say the result in words, runner-up included."""
        closest, second = self.closest, self.runner_up
        scale = 1.0 if second is None else abs(second.distance)
        rounding = abs(closest.distance) < 1e-5 * scale  # a photograph compared with itself
        text = f"Closest: {closest.person}, at a distance of "
        text += "0" if rounding else f"{closest.distance:.4g}"
        if second is None:
            return f"{text}. Nobody else is enrolled."
        if second.distance >= closest.distance > 1e-3 * abs(second.distance):
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
    """Do what `identify` does for faces (m, d)."""
    training = gallery.trained
    rows = np.array(gallery.enrolled, np.intp)
    if not rows.size:
        raise EigenfacesError("Nobody is enrolled: give the photographs names first.")
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face holds values that are not numbers.")
    space = training.space.first(gallery.k)
    coordinates = training.project(faces)
    probes = gallery.compared(coordinates)
    enrolled = gallery.compared(training.coordinates[rows])
    compare = distance_named(gallery.recipe.distance)
    distances = compare(probes, enrolled, space.variances)
    from_space = space.distance_from(training.features(faces))
    names = list(gallery.people)
    place = {name: i for i, name in enumerate(names)}
    people = np.array([place[gallery.faces.photos[row].person or ""] for row in rows])
    to_means = None
    if gallery.recipe.rule == "class mean":
        present = np.unique(people)
        means = np.stack([enrolled[people == person].mean(axis=0) for person in present])
        to_means = np.full((len(faces), len(names)), np.inf)
        to_means[:, present] = compare(probes, means, space.variances)
    verdicts = []
    for m, line in enumerate(distances):
        order = np.argsort(line, kind="stable")
        nearest = _Nearest(rows[order], line[order], people[order], names)
        if to_means is None:
            ranking = _by_votes(nearest, gallery.recipe.neighbours)
        else:
            ranking = _by_means(nearest, to_means[m])
        verdicts.append(
            Verdict(ranking, nearest.rows, nearest.distances, coordinates[m], float(from_space[m]))
        )
    return verdicts


@dataclass(frozen=True, eq=False)
class _Nearest:
    """All enrolled faces from the nearest to the farthest; ``people`` are places in ``names``."""

    rows: NDArray[np.intp]
    distances: NDArray[np.float64]
    people: NDArray[np.intp]
    names: list[str]

    def firsts(self) -> list[tuple[int, int]]:
        """Return each person with the place of their nearest face, nearest first."""
        people, places = np.unique(self.people, return_index=True)
        by_place = np.argsort(places)
        return list(zip(people[by_place].tolist(), places[by_place].tolist(), strict=True))


def _by_votes(nearest: _Nearest, neighbours: int) -> tuple[Match, ...]:
    """Order people by votes, then by summed distance of their votes, then by nearest distance."""
    voters, size = nearest.people[:neighbours], len(nearest.names)
    votes = np.bincount(voters, minlength=size).tolist()
    summed = np.bincount(voters, nearest.distances[:neighbours], size).tolist()
    firsts = sorted(nearest.firsts(), key=lambda first: (-votes[first[0]], summed[first[0]]))
    return tuple(
        Match(
            nearest.names[person],
            float(nearest.distances[place]),
            int(nearest.rows[place]),
            votes[person],
        )
        for person, place in firsts
    )


def _by_means(nearest: _Nearest, to_means: NDArray[np.float64]) -> tuple[Match, ...]:
    """Order people by the distance to their mean."""
    firsts = sorted(nearest.firsts(), key=lambda first: to_means[first[0]])
    return tuple(
        Match(nearest.names[person], float(to_means[person]), int(nearest.rows[place]), 0)
        for person, place in firsts
    )


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
