"""Explanations: why somebody is nearest, with the distance split by component and over the face.

Let δ be the difference between two faces' coordinates, which are divided by √λ if the distance
whitens and scaled to length 1 if it is an angle. The squares δᵢ² add up to d² or, for an angle, to
2 (1 − cos). If the components are pictures (orthonormal rows of U), δU is one too, and the squares
of its pixels have the same sum. Otherwise, the cosine is a sum over features, each with a position
on the face. This module also puts explanations into words and rebuilds faces from components.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eigenfaces.faces.identity import FacePhoto
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.decision import Decision, count_phrase
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Candidate
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.training import Training
from eigenfaces.recognition.verdict import Verdict
from eigenfaces.space.arrays import Bytes, Doubles, Floats
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_grey
from eigenfaces.text import four_digits, percent, with_minus

MOST_BARS = 18
GREY_LEVELS = 255


@dataclass(frozen=True, eq=False)
class DistanceSplit:
    """The distance d from a probe to a person's nearest photograph or mean, split into parts."""

    match: Candidate
    distance: float
    squares: Doubles  # (k,) the part of d² from each component; 0 for dropped ones
    face_map: Doubles | None
    """(h, w) The part of d² at each pixel, or of 1 − d if the components are not pictures."""

    added: float = 0.0  # added to d² for a mean of several photographs: `Recipe.mean_scatter`

    @property
    def map_caption(self) -> str:
        """A caption that states the sum of the map; empty if there is no map."""
        return (
            "" if self.face_map is None else f"adds up to {term_text(float(self.face_map.sum()))}"
        )


@dataclass(frozen=True, eq=False)
class Explanation:
    """An explanation of the distances to the two nearest people, or to the only person enrolled.

    Explanations are returned by `explain`.

    Attributes
    ----------
    recipe
        How the face was compared.
    splits
        The distance to each person, nearest first. Each split has a ``match``, a ``distance``, the
        ``squares`` (k,) that the components contribute to the squared distance, and a ``face_map``
        (h, w) that shows how it is spread over the face, or None.
    pictures
        Whether the components are pictures of faces.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Preparation, Recipe, explain, identify
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> explanation = explain(gallery, images[2], identify(gallery, images[2]))
    >>> explanation.labels, explanation.unit
    (('1', '2', '3'), 'component')
    """

    recipe: Recipe
    splits: tuple[DistanceSplit, ...]
    pictures: bool

    @property
    def _starts(self) -> range:
        """The first component in each bar. The components are split evenly into at most 18 bars."""
        k = len(self.splits[0].squares)
        return range(0, k, math.ceil(k / MOST_BARS))

    def bars(self, split: DistanceSplit) -> Doubles:
        """Return the part of d² in each bar (a group of components); the bars add up to d²."""
        return np.add.reduceat(split.squares, self._starts)

    @property
    def unit(self) -> str:
        """What a bar stands for, such as “component” or “axes, 4 to a bar”."""
        one, several = ("component", "components") if self.pictures else ("axis", "axes")
        size = self._starts.step
        return one if size == 1 else f"{several}, {size} to a bar"

    @property
    def labels(self) -> tuple[str, ...]:
        """The component numbers in each bar, counting from 1, such as “1–8”."""
        ends = [*self._starts[1:], len(self.splits[0].squares)]
        pairs = zip(self._starts, ends, strict=True)
        return tuple(f"{a + 1}–{b}" if b > a + 1 else f"{b}" for a, b in pairs)

    @property
    def bars_words(self) -> str:
        """Sentences that explain what each person's bars add up to."""
        name = self.recipe.matcher.distance
        rule = self.recipe.matcher.rule
        sentences = []
        distance = DISTANCES[name]
        for split in self.splits:
            total = term_text(float(split.squares.sum()))
            length = four_digits(split.distance)
            if distance.kind == "euclidean":
                equal = f"{total} = {length}², the squared distance"
                if split.added:
                    score = f"{four_digits(split.match.distance)}², the squared score"
                    added = f"With {term_text(split.added)} for a mean of several photos"
                    equal = f"{equal}. {added}, it is {score}"
            elif distance.kind == "angle":
                equal = f"{total} = 2 × {length}, twice the {name} distance"
            else:
                squared = "Mahalanobis L2" if distance.whitens else "L2"
                equal = (
                    f"{total}, the squared {squared} distance; {name}, here {length}, is not a sum"
                )
                equal = f"{equal} of squares"
            sentences.append(f"{split.match.person}: the bars add up to {equal}.")
        if rule == "class mean":
            sentences.append("The distance is measured to the mean of each person’s photos.")
        if rule == "mean distance":
            sentences.append(
                "This is the distance to the nearest photo; the verdict uses the average."
            )
        return "\n".join(sentences)

    @property
    def map_words(self) -> str:
        """A sentence or two explaining what the maps show, or why there are none."""
        if self.recipe.features.PRETRAINED:
            return "There is no map: a network’s numbers cannot be drawn as faces."
        if self.splits[0].face_map is None:
            return (
                f"There is no map: {self.recipe.name} compares along axes that are not faces. "
                "For such axes, only an angle can be split over the face."
            )
        if self.pictures:
            return "Bright areas show where the two faces differ in face space."
        return "These are the parts of the cosine, 1 − the distance, for or against the person."


def explain(
    gallery: Gallery, face: Bytes | Floats, verdict: Verdict, without: int | None = None
) -> Explanation:
    """Return an explanation of the distances from a face to the two nearest people.

    Parameters
    ----------
    gallery
        The gallery in which the face was compared.
    face
        (h, w) or (d,), cropped like the gallery's faces: grey values 0…1, or bytes 0…255.
    verdict
        The verdict that `identify` returned for this face in this gallery.
    without
        The gallery row that was left out of the comparison; None if there was none.

    Returns
    -------
    Explanation
        The distance to each person, split into components and over the face.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Preparation, Recipe, explain, identify
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> face = 0.9 * images[2]
    >>> nearest, next_one = explain(gallery, face, identify(gallery, face)).splits
    >>> nearest.match.person, next_one.match.person
    ('Grace', 'Ada')
    >>> bool(np.isclose(nearest.squares.sum(), nearest.distance**2))
    True
    """
    trained = gallery.trained
    crop = np.asarray(as_grey(face), np.float32).reshape(1, *gallery.faces.shape)
    return Explanation(
        recipe=gallery.matching_recipe,
        splits=tuple(
            _split(gallery, crop, verdict, match, without) for match in verdict.ranking[:2]
        ),
        pictures=trained.in_face_space,
    )


def _split(
    gallery: Gallery, crop: Floats, verdict: Verdict, match: Candidate, without: int | None
) -> DistanceSplit:
    by = gallery.distance
    rows = [match.row]
    if gallery.recipe.matcher.rule == "class mean":
        rows = [row for row in gallery.index.enrolled_of(match.person) if row != without]
    added = gallery.matching_recipe.mean_scatter * (1 - 1 / len(rows))
    person = gallery.trained.matching_coordinates[rows, : gallery.k].astype(np.float64).mean(axis=0)
    pair = by.standardised(np.stack([verdict.coordinates, person]))
    distance = float(by.between(pair[:1], pair[1:])[0, 0])
    length = float(np.linalg.norm(pair[0]))
    if by.kind == "angle":
        pair = pair / np.maximum(np.linalg.norm(pair, axis=1, keepdims=True), 1e-300)
    difference = pair[0] - pair[1]
    squares = difference**2
    space = gallery.trained.matching_space
    features = gallery.trained.recipe.features
    if isinstance(space, FaceSpace):
        parts = np.einsum("k,kd->d", difference, space.components[: gallery.k]) ** 2
    elif features.SCATTER is not None and by.kind == "angle":
        scales = by.standardised(np.ones((1, gallery.k)))[0]
        weights = np.zeros(len(space))
        weights[: gallery.k] = scales * pair[1] / max(length, 1e-300)
        views = features.views(crop.reshape(1, -1), gallery.faces.shape)[:, 0]
        parts = space.contributions(views, weights) / len(views)
    else:
        return DistanceSplit(match, distance, squares, None, added)
    face_map = features.contribution_map(parts, gallery.faces.shape)
    return DistanceSplit(match, distance, squares, face_map)


def held_out_points(calibration: Calibration) -> tuple[Doubles, Doubles]:
    """Return two arrays of held-out photographs' nearest distances and face residuals.

    The first array (m, 2) is for photographs whose person remains enrolled. The second (s, 2) is
    for all photographs, each with its person left out to act as a stranger.
    """
    held, unlike = calibration.held_out, calibration.face_residual
    members, strangers = (
        np.stack([near.distance, unlike], axis=1) for near in (held.member, held.stranger)
    )
    return members[held.mated], strangers[np.isfinite(held.stranger.distance)]


def question_words(decision: Decision) -> str:
    """Return the question that the explanation answers, such as “Why Ada?”."""
    match decision.kind:
        case "unknown":
            return "Why nobody?"
        case "near but no face" | "no face":
            return "Why no name?"
        case "not calibrated":
            return f"Why is {decision.nearest[0]} nearest?"
    return f"Why {decision.headline.removesuffix('?')}?"


def closeness_words(decision: Decision) -> str:
    """Return a sentence comparing a distance with those of held-out photographs, if any."""
    if decision.calibration is None:
        return ""
    distance = decision.nearest[1]
    (members, strangers) = held_out_points(decision.calibration)
    both = ("photos of known people", members), ("photos of strangers", strangers)
    shares = [f"{count_phrase(some[:, 0] > distance)} {of}" for of, some in both if len(some)]
    farther = " and ".join(shares)
    return f"Held out, {farther} are farther than {four_digits(distance)}." if len(members) else ""


def error_rates_words(decision: Decision) -> str:
    """Return a sentence on each of the two error rates; empty if there are no limits."""
    limit, face_limit = decision.limit, decision.face_limit
    if decision.calibration is None or limit is None:
        return ""
    if face_limit is None:  # the network decides what is a face
        face_limit = np.inf
    members, strangers = held_out_points(decision.calibration)
    passed, named = (
        np.count_nonzero((points[:, 0] < limit) & (points[:, 1] <= face_limit))
        for points in (members, strangers)
    )
    clauses = []
    if len(members):
        refused = percent((len(members) - passed) / len(members), 0)
        clauses.append(f"{refused} of known people’s photos are refused")
    if len(strangers):
        are = "is" if named == 1 else "are"
        clauses.append(f"{named} of {len(strangers):,} strangers {are} named")
    return f"With these limits, {'. '.join(clauses)}." if clauses else ""


def term_text(value: float) -> str:
    """Return a term of a sum as text, with four digits and at most four decimal places."""
    if abs(value) >= 0.1 or abs(value) < 5e-5:
        return four_digits(value)
    return with_minus(f"{value:.4f}")


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """A face rebuilt as a sum of components."""

    photo: FacePhoto
    original: Floats  # (h, w) after the lighting correction of the recipe
    training: Training
    coordinates: Floats  # (k,)
    energy: Doubles  # (k + 1,) the share kept by 0, 1 … k components

    @classmethod
    def of(cls, gallery: Gallery, photo: FacePhoto, image: Bytes | Floats) -> Reconstruction:
        """Return the reconstruction of a face of the same size as the gallery's faces."""
        training = gallery.trained
        space = gallery.trained.space
        features = training.features(image.reshape(1, -1))
        known = space.project(features)[0], space.energy_kept(features)[0]
        return cls(photo, features.reshape(image.shape), training, *known)

    @property
    def in_training(self) -> bool:
        """Whether the face space was fitted to this face."""
        return self.photo.id in self.training.faces

    @property
    def most(self) -> int:
        """The largest possible number of components."""
        return len(self.coordinates)

    @property
    def errors(self) -> Doubles:
        """The relative errors (k + 1,) of the faces rebuilt from 0, 1 … k components."""
        return np.sqrt(1 - self.energy)

    @property
    def milestones(self) -> tuple[int, ...]:
        """The numbers of components to show: 0, 1, 2, 5, then doubling from 10, and finally all."""
        steps = (0, 1, 2, 5, *(10 * 2**step for step in range(12)))
        return (*(k for k in steps if k < 0.8 * self.most), self.most)

    @property
    def name(self) -> str:
        """The person's name, if there is one, and the file name of the photograph."""
        return " · ".join(filter(None, [self.photo.person, self.photo.path.name]))

    @property
    def seen_as(self) -> str:
        """The title for the original picture: “Original”, “Evened out” or “In a window”."""
        pixels = self.training.recipe.pixels
        if pixels.lighting != "none":
            return "Evened out"
        return "Original" if pixels.window == "none" else "In a window"

    def rebuilt(self, k: int) -> Floats:
        """Return the face (h, w) rebuilt from the mean and the first k components, unclipped."""
        pixels = self.training.space.first(k).reconstruct(self.coordinates[:k])
        return pixels.reshape(self.original.shape)

    def rmse(self, rebuilt: Floats) -> float:
        """Return the root mean square difference from a rebuilt face, in grey levels 0…255."""
        residual = (self.original - rebuilt).ravel()
        return GREY_LEVELS * math.sqrt(float(residual @ residual) / residual.size)
