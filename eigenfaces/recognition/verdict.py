"""The verdict on a face: the nearest enrolled people, and the decision."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.decision import Decision, decide
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import NOT_FINITE, Candidate
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers
from eigenfaces.space.pca import as_grey
from eigenfaces.text import short_repr


@dataclass(frozen=True, eq=False)
class Verdict:
    """The people nearest to a face, the decision, and all values on which it is based.

    Verdicts are returned by `identify`.

    Attributes
    ----------
    ranking
        Every enrolled person, nearest first.
    rows
        (r,) the rows of all enrolled faces in the gallery, nearest first.
    distances
        (r,) the distances to these faces.
    coordinates
        (k,) the coordinates of the face in the matching space.
    distance_from
        The distance of the face *from* the matching space: the norm of its residual.
    decision
        The decision: the person named, if any, how certain the name is, and how to word it.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Preparation, Recipe
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> verdict = identify(gallery, 0.9 * images[2])
    >>> [one.person for one in verdict.ranking], int(verdict.rows[0]), verdict.decision.person
    (['Grace', 'Ada'], 2, None)
    """

    ranking: tuple[Candidate, ...]
    rows: Numbers
    distances: Doubles
    coordinates: Floats
    distance_from: float
    decision: Decision
    __repr__ = short_repr

    @property
    def closest(self) -> Candidate:
        """The nearest person, who is first in the ranking."""
        return self.ranking[0]

    @property
    def runner_up(self) -> Candidate | None:
        """The second-nearest person, if there is one."""
        return self.ranking[1] if len(self.ranking) > 1 else None

    @property
    def farthest(self) -> float:
        """The largest distance to an enrolled face."""
        return float(self.distances.max())


def identify(gallery: Gallery, face: Bytes | Floats) -> Verdict:
    """Return the verdict on a face: the nearest enrolled people, and the decision.

    The decision names nobody until the gallery is calibrated; see `Gallery.calibrate`.

    Parameters
    ----------
    gallery
        A trained gallery, whose recipe is used to compare the face.
    face
        (h, w) or (d,), cropped like the gallery's faces: grey values 0…1, or bytes 0…255.

    Returns
    -------
    Verdict
        All enrolled people, nearest first, with all distances and the decision.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        Nobody is enrolled, the face has the wrong size or grey values outside 0…1, or a distance is
        not a finite number.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> verdict = identify(gallery, 0.9 * images[2])
    >>> verdict.closest.person, verdict.decision.kind
    ('Grace', 'not calibrated')
    """
    return identify_all(gallery, as_grey(face)[None])[0]


def identify_all(
    gallery: Gallery,
    faces: Bytes | Floats,
    never: Sequence[Collection[str]] = (),
    without: int | None = None,
) -> list[Verdict]:
    """Return the verdicts on m faces, as `identify` does for one face.

    Parameters
    ----------
    gallery
        A trained gallery, whose recipe is used to compare the faces.
    faces
        (m, h, w) or (m, d), cropped like the gallery's faces: grey values 0…1, or bytes 0…255.
    never
        (m,) the people to ignore for each face, or empty to ignore nobody. If that would leave
        nobody to compare a face with, nobody is ignored for that face.
    without
        A row of the gallery to ignore, as if it were not enrolled.

    Returns
    -------
    list of Verdict
        The verdict on each face, in order.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        Nobody is enrolled, the faces have the wrong size or grey values outside 0…1, or a distance
        is not a finite number.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify_all
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> [verdict.closest.person for verdict in identify_all(gallery, images[1:3])]
    ['Ada', 'Grace']
    >>> identify_all(gallery, images[:1], never=[{"Ada"}])[0].closest.person
    'Grace'
    """
    crops = _as_crops(gallery, faces)
    calibration = gallery.calibrated
    rows = np.array([row for row in gallery.enrolled if row != without], np.intp)
    if not len(rows):
        raise EigenfacesError("Nobody has been named yet: name the photos first.")
    with np.errstate(all="ignore"):  # values that are not finite are refused below
        coordinates, residuals = gallery.trained.project_with_residual(
            crops.reshape(len(crops), -1), gallery.k
        )
        matching = gallery.match(coordinates, rows.tolist())
        to_photos, to_people, people = matching.to_photos, matching.to_people, matching.ranking
    if not (np.isfinite(residuals).all() and np.isfinite(to_photos).all()):
        raise EigenfacesError(NOT_FINITE)
    there = len(np.unique(matching.people))
    if there > 1 and not to_photos.any(axis=1).all():
        raise EigenfacesError(
            "All distances are 0, so people cannot be told apart. Choose another distance."
        )
    unlike: Sequence[float | None] = [None] * len(crops)
    if calibration is not None:
        unlike = calibration.likeness.face_residual(crops).tolist()
    no_face = gallery.trained.recipe.features.no_faces(crops)
    names = gallery.people
    nearest = rows[matching.nearest_photos]
    verdicts = []
    for face in range(len(crops)):
        ranked = people[face, :there].tolist()
        if never:
            ranked = [p for p in ranked if names[p] not in never[face]] or ranked
        ranking = tuple(
            Candidate(names[p], float(to_people[face, p]), int(nearest[face, p])) for p in ranked
        )
        order = np.argsort(to_photos[face], kind="stable")
        order = order[np.isin(matching.people[order], ranked)]
        nearest_two = _nearest_two(gallery, ranking)
        decision = decide(
            calibration, gallery.share, *nearest_two, unlike[face], is_face=not no_face[face]
        )
        faces_in_order = rows[order], to_photos[face, order]
        place = coordinates[face], float(residuals[face])
        verdicts.append(Verdict(ranking, *faces_in_order, *place, decision))
    return verdicts


def _as_crops(gallery: Gallery, faces: Bytes | Floats) -> Floats:
    """Return faces as crops (m, h, w) of the gallery's size, or raise `EigenfacesError`."""
    height, width = gallery.faces.shape
    try:
        faces = np.asarray(as_grey(faces), np.float32)
    except (TypeError, ValueError):
        raise EigenfacesError(
            "A face is an array of grey values: “load_face(path, gallery.preparation)” reads one "
            "from a photograph."
        ) from None
    if faces.shape[1:] not in ((height, width), (height * width,)):  # 92 × 112 is not 112 × 92
        raise EigenfacesError(
            f"A face has {' × '.join(map(str, faces.shape[:0:-1])) or 'no'} pixels and the "
            f"gallery’s faces have {width} × {height}. Prepare it in the same way."
        )
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face contains values that are not numbers.")
    if len(faces) and not 0 <= faces.min() <= faces.max() <= 1:
        raise EigenfacesError("The grey values must be between 0 (black) and 1 (white).")
    return faces.reshape(-1, height, width)


def _nearest_two(
    gallery: Gallery, ranking: Sequence[Candidate]
) -> tuple[tuple[str, float], tuple[str, float] | None]:
    """Return the two people on whom the decision is based, with their distances.

    The second is never somebody who may be the same person as the first.
    """
    first, *others = [(match.person, match.distance) for match in ranking]
    same = gallery.alike.get(first[0], frozenset())
    return first, next((other for other in others if other[0] not in same), None)
