"""The verdict on a photo: the nearest people, what is decided, and the words and values for it.

Two questions are asked (M. Turk and A. Pentland, *Eigenfaces for recognition*, 1991): is it near
face space, and is it near somebody in it? They have four answers. The two nearest people decide,
by the limits of a calibration. Window, terminal and tables say the same of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces import network
from eigenfaces.recognition.calibration import (
    ENOUGH_PEOPLE,
    LIKELY,
    PERHAPS,
    SURE,
    USUAL_SHARE,
    Calibration,
    Guarantee,
)
from eigenfaces.recognition.gallery import NO_ANSWER, Gallery
from eigenfaces.recognition.neighbours import NOT_FINITE, Candidate
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats, Numbers
from eigenfaces.space.pca import as_grey
from eigenfaces.text import capital, count, csv_text, number, percent, short_repr

TOP = 3  # people whom a record ranks, if nothing else is said
Kind = Literal[
    "sure", "likely", "ask", "perhaps", "unknown", "near but no face", "no face", "not calibrated"
]
"""What is decided: somebody is named (sure, likely), it is asked who it is (ask, perhaps), or
nobody is named, and why."""


KIND_MEANINGS: dict[Kind, str] = {
    "sure": "over 99 in 100 such names are right",
    "likely": "over 90 in 100 such names are right",
    "ask": "not sure enough for a name",
    "perhaps": "more often right than wrong",
    "unknown": "a face, but too far from everybody",
    "near but no face": "no name is given",
    "no face": "no name is given",
    "not calibrated": "not calibrated",
}
"""Every kind, and what it means in a few words."""

SHORT: dict[Kind, tuple[str, str]] = {
    "sure": ("sure", "Names this certain are nearly always right."),
    "likely": ("likely", "Names this certain are mostly right."),
    "ask": ("you decide", "{0} is nearest, but not clearly enough."),
    "perhaps": ("perhaps", "Too far to be sure, but more likely right than wrong."),
    "unknown": ("unknown", "Too far from everybody you know."),
    "near but no face": ("perhaps no face", "Near {0}, but hardly like a face."),
    "no face": ("not a face", "It does not look like a face."),
    "not calibrated": ("not measured yet", "How near is near enough is not measured yet."),
}
"""Every kind in a word or three, and why in a short sentence, without figures."""

NOT_CALIBRATED = (
    "What distances mean in this gallery is not measured yet: this is the nearest known person, "
    "not a claim that it is them. A stranger has a nearest person too."
)


@dataclass(frozen=True)
class Decision:
    """What is decided about a face, and the words for it; None is what is not known."""

    kind: Kind
    nearest: tuple[str, float]  # the nearest person, and the distance
    runner_up: tuple[str, float] | None
    probability: float | None = None  # that the nearest person is the right one
    limit: float | None = None  # the distance within which somebody is named …
    face_residual: float | None = None  # share of the contrast that is no face
    share: float = USUAL_SHARE  # … so that at most so many strangers are
    calibration: Calibration | None = None  # from which these follow, where one holds

    __repr__ = short_repr

    @property
    def person(self) -> str | None:
        """The person it names; None unless sure or likely."""
        return self.nearest[0] if self.kind in ("sure", "likely") else None

    @property
    def face_limit(self) -> float | None:
        """The share of the contrast within which it is a face; None where there is no limit."""
        known = None if self.limit is None else self.calibration
        return None if known is None else known.likeness.limit

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.limit is not None:
            return ""
        return self.calibration.reason if self.calibration else NOT_CALIBRATED

    @property
    def headline(self) -> str:
        """Who it is, in as few words as possible."""
        name = self.nearest[0]
        match self.kind:
            case "sure" | "likely":
                return name
            case "ask":
                other = self.runner_up
                return f"{name} or {other[0]}?" if other else f"{name}?"
            case "perhaps":
                return f"Perhaps {name}"
            case "unknown":
                return f"Unknown · nearest is {name}"
            case "near but no face":
                return f"Near {name}, but perhaps no face"
            case "no face":
                return "Not a face"
            case "not calibrated":
                return f"Closest: {name}"

    @property
    def label(self) -> str:
        """Who it is, as it fits on the box of a face."""
        if self.kind in ("unknown", "near but no face"):
            return "Unknown" if self.kind == "unknown" else "Perhaps no face"
        return self.headline.removesuffix("?" if self.kind == "ask" else "")

    @property
    def sentence(self) -> str:
        """The decision in plain English, with its figures and the runner-up."""
        name = self.nearest[0]
        such = ""
        if self.probability is not None:
            such = f"{int(100 * self.probability)} in 100 such names are right"
        match self.kind:
            case "sure":
                return f"This is {name}. {self._next}"
            case "likely":
                return f"This is probably {name}. {self._next}"
            case "ask" if such:
                return (
                    f"{name} is nearest, but not clearly enough: {such}. {self._next} You decide."
                )
            case "ask":
                why = "nobody has two photographs, so it is not known how often names are right"
                return f"{name} is nearest, but {why}. {self._next} You decide."
            case "perhaps":
                far = f"This is perhaps {name}: farther than the limit, but {such}."
                return f"{far} {self._next} You decide."
            case "unknown":
                return f"This is a face, but farther from everybody than the limit. {self._next}"
            case "near but no face":
                unlike = f"{self.unlike_a_face}; {self._passing} stay below"
                return f"It is nearest to {name}, and within the limit, but {unlike}."
            case "no face":
                return f"{capital(self.unlike_a_face)}; {self._passing} stay below."
            case "not calibrated":
                at = f"at a distance of {number(self.nearest[1])}"
                return f"{name} is nearest, {at}. {self._next}"

    @property
    def word(self) -> str:
        """How sure that is, in a word or three, without figures."""
        return SHORT[self.kind][0]

    @property
    def short(self) -> str:
        """Why, in a short sentence without figures."""
        return SHORT[self.kind][1].format(self.nearest[0])

    @property
    def badge(self) -> str:
        """How sure that is, in a few words; where these are rough, it says so."""
        if self.person is None:
            return KIND_MEANINGS[self.kind]
        if self.calibration is not None and self.calibration.certainty.rough:
            return f"{self.kind}, but roughly: few people or photos to learn from"
        return f"{self.kind}: {KIND_MEANINGS[self.kind]}"

    @property
    def unlike_a_face(self) -> str:
        """How much of it is no face, with the limit below which it is one; empty if unknown."""
        share, limit = self.face_residual, self.face_limit
        if share is None or limit is None:
            return ""
        return f"unlike a face: {percent(share, 0)} (limit {percent(limit, 0)})"

    @property
    def limits(self) -> str:
        """What the two limits mean; why there are none, where that is so."""
        if self.calibration is None or self.limit is None or self.face_limit is None:
            return self.reason
        face = percent(self.face_limit, 0)
        if self.kind == "no face":
            return f"{self._passing} stay below the limit of {face}. Who it is, is not asked."
        strangers = guarantee_text(self.calibration.guarantee, self.share)
        return (
            f"What is up to {face} unlike a face counts as one: {self._passing} do. A face nearer "
            f"than {number(self.limit)} is named, which lets through {strangers}."
        )

    @property
    def caveat(self) -> str:
        """What the limit for strangers cannot do: name anybody, or promise so little; mostly ""."""
        if self.calibration is None or self.limit is None:
            return self.reason
        held, guarantee = self.calibration.held_out, self.calibration.guarantee
        members = held.member.distance[held.mated]
        if len(members) and (members >= self.limit).all():
            return (
                f"The limit is {number(self.limit)}, so nobody is named: strangers are as near as "
                "that. Let more strangers be named, or choose another recipe."
            )
        if guarantee is None or self.share >= guarantee.minimum:
            return ""
        more = replace(guarantee, people=max(ENOUGH_PEOPLE, 5 * guarantee.people))
        now = 100 * guarantee.minimum
        then = max(100 * more.minimum, 1)
        return (
            f"With {count(guarantee.people, 'person')}, up to {now:.0f} in 100 strangers may be "
            f"named; with {more.people:,} people, {then:.0f}."
        )

    @property
    def _next(self) -> str:
        """Who is nearest after that person, and how far."""
        if self.runner_up is None:
            return "There is nobody else to compare with."
        nearest = self.nearest[1]
        (name, following) = self.runner_up
        if following / 10 < nearest <= following:  # beyond, the ratio says little
            ratio = following / nearest
            return f"Next is {name}, at {ratio:.{2 if ratio < 2 else 1}f} × the distance."
        nearest = round_distance(nearest, following)
        return f"Next is {name}, at {number(following)} instead of {number(nearest)}."

    @property
    def _passing(self) -> str:
        """How many of the gallery's own faces pass for faces, of at most 100."""
        if self.calibration is None:
            return ""
        passing = self.calibration.face_residual <= (self.face_limit or 0.0)
        whole = min(len(passing), 100)
        return f"{whole * np.count_nonzero(passing) // len(passing)} of {whole} held-out faces"


def decide(
    calibration: Calibration | None,
    share: float,
    nearest: tuple[str, float],
    runner_up: tuple[str, float] | None,
    face_residual: float | None,
) -> Decision:
    """Return the decision about a face with these two nearest people, by a calibration."""
    limit = calibration.limit(share) if calibration else None
    decision = Decision("not calibrated", nearest, runner_up, share=share, calibration=calibration)
    if calibration is None or limit is None or face_residual is None:
        return decision
    decision = replace(decision, limit=limit, face_residual=face_residual)
    is_near = nearest[1] < limit
    if face_residual > calibration.likeness.limit and not (is_near and calibration.pretrained):
        return replace(decision, kind="near but no face" if is_near else "no face")
    probability = None
    if calibration.pretrained or calibration.held_out.mated.any():
        probability = calibration.probability(nearest[1], runner_up[1] if runner_up else np.inf)
    certain = probability or 0.0
    kind: Kind = "ask"
    if not is_near:
        kind = "perhaps" if certain >= PERHAPS else "unknown"
    elif calibration.pretrained and runner_up and runner_up[1] < network.TOO_CLOSE * nearest[1]:
        kind = "ask"
    elif certain >= SURE:
        kind = "sure"
    elif certain >= LIKELY:
        kind = "likely"
    return replace(decision, kind=kind, probability=probability)


def count_phrase(those: Flags) -> str:
    """Return in words how many of some are meant.

    >>> few, most = np.arange(280) < 1, np.arange(280) < 244
    >>> count_phrase(few), count_phrase(most), count_phrase(few & ~most), count_phrase(most | ~most)
    ('1 in 100', '87 in 100', 'none of 280', 'all 280')
    """
    count = int(those.sum())
    whole = len(those)
    if count in (0, whole):
        return f"all {whole:,}" if count else f"none of {whole:,}"
    return f"{min(max(round(100 * count / whole), 1), 99)} in 100"


def guarantee_text(guarantee: Guarantee | None, share: float) -> str:
    """Return what a share of strangers asked for means with so many people, as a clause.

    ``guarantee``: None where the limit was learnt from other people than those of the gallery.

    >>> guarantee_text(Guarantee(35, 8), 0.01)
    'at most 1 % of strangers; with 35 people no less than 4.0 % can be promised'
    >>> guarantee_text(Guarantee(35, 8), 0.1)
    'at most 10 % of strangers; with 35 people 17.7 % can be promised'
    """
    strangers = f"at most {100 * share:g} % of strangers"
    if guarantee is None:
        return f"{strangers}, by a limit learnt from other people’s photos"
    people = count(guarantee.people, "person")
    if share < guarantee.minimum:
        least = percent(guarantee.minimum)
        return f"{strangers}; with {people} no less than {least} can be promised"
    return f"{strangers}; with {people} {percent(guarantee.upper_bound(share))} can be promised"


@dataclass(frozen=True, eq=False)
class Verdict:
    """The people nearest to a face, what is decided, and all values that it follows from.

    `identify` makes it.

    Attributes
    ----------
    ranking
        Every enrolled person once, nearest first.
    rows
        (r,) the rows of all enrolled faces in the gallery, nearest first.
    distances
        (r,) the distances to these faces.
    coordinates
        (k,) of the face in the space in which faces are matched.
    distance_from
        How far the face is from that space: the length of what the coordinates cannot express.
    decision
        Who is named, if anybody, how sure that is, and the words for it.

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
        """The first of the ranking."""
        return self.ranking[0]

    @property
    def runner_up(self) -> Candidate | None:
        """The second person, if there is one."""
        return self.ranking[1] if len(self.ranking) > 1 else None

    @property
    def farthest(self) -> float:
        """The largest distance from an enrolled face."""
        return float(self.distances.max())


def identify(gallery: Gallery, face: Bytes | Floats) -> Verdict:
    """Return the verdict on a face: the enrolled people nearest to it, and what is decided.

    Nobody is named by the decision until the gallery is calibrated: see `Gallery.calibrate`.

    Parameters
    ----------
    gallery
        A trained gallery, by whose recipe the face is compared.
    face
        (h, w) or (d,), cut as the gallery's faces are: grey values 0…1, or bytes 0…255.

    Returns
    -------
    Verdict
        Every enrolled person, nearest first, all distances, and the decision.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        Nobody is enrolled, the face has another size or grey values beyond 0…1, or a distance is no
        finite number.

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
    gallery: Gallery, faces: Bytes | Floats, never: Sequence[Collection[str]] = ()
) -> list[Verdict]:
    """Return the verdict on each of m faces, as `identify` does on one.

    Parameters
    ----------
    gallery
        A trained gallery, by whose recipe the faces are compared.
    faces
        (m, h, w) or (m, d), cut as the gallery's faces are: grey values 0…1, or bytes 0…255.
    never
        (m,) the people who are out of the question for each face; empty: nobody is. Where it is
        everybody, they count all the same.

    Returns
    -------
    list of Verdict
        One for each face, in their order.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        Nobody is enrolled, the faces have another size or grey values beyond 0…1, or a distance is
        no finite number.

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
    if not gallery.enrolled:
        raise EigenfacesError("Nobody is known yet: give the photographs names first.")
    with np.errstate(all="ignore"):  # what is not finite is refused
        coordinates, residuals = gallery.trained.project_with_residual(
            crops.reshape(len(crops), -1), gallery.k
        )
        matching = gallery.match(coordinates)
        to_photos, to_people, people = matching.to_photos, matching.to_people, matching.ranking
    if not (np.isfinite(residuals).all() and np.isfinite(to_photos).all()):
        raise EigenfacesError(NOT_FINITE)
    there = len(np.unique(matching.people))
    rows = np.array(gallery.enrolled)
    if there > 1 and not to_photos.any(axis=1).all():
        raise EigenfacesError(
            "All distances come out as 0, so nobody can be told apart. Train again; if that "
            "does not help, choose another distance."
        )
    unlike: Sequence[float | None] = [None] * len(crops)
    if calibration is not None:
        unlike = calibration.likeness.face_residual(crops).tolist()
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
        nearest_two = _nearest_two(gallery, ranking, coordinates[face])
        decision = decide(calibration, gallery.share, *nearest_two, unlike[face])
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
            f"gallery's have {width} × {height}: prepare it as they were."
        )
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face holds values that are not numbers.")
    if len(faces) and not 0 <= faces.min() <= faces.max() <= 1:
        raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
    return faces.reshape(-1, height, width)


def _nearest_two(
    gallery: Gallery, ranking: Sequence[Candidate], face: Floats
) -> tuple[tuple[str, float], tuple[str, float] | None]:
    """Return the first two people, with the distances by which it is decided.

    By Network also the mean of a person's photographs counts, where it is nearer; but not where the
    limit is measured on strangers: their distances are those to photographs.
    """
    nearest, *others = [(match.person, match.distance) for match in ranking[:2]]
    measured = gallery.calibrated
    usual = gallery.recipe.matcher == RECIPES["Network"].matcher
    if measured and usual and not measured.guarantee:
        least = 0.0
        pairs = []
        for name, distance in (nearest, *others):
            photos = gallery.trained.matching_coordinates[
                gallery.index.enrolled_of(name), : gallery.k
            ]
            least = max(least, min(distance, network.distance_to_mean(photos, face)))
            pairs.append((name, least))  # the second is never nearer than the first
        nearest, *others = pairs
    return nearest, others[0] if others else None


@dataclass(frozen=True)
class Caution:
    """A reason why a verdict is less reliable than it seems: of what kind the probe is."""

    kind: Literal["itself", "not compared", "fitted", "twice"]
    sentence: str


@dataclass(frozen=True, eq=False)
class Recognition:
    """A face that is compared with a gallery, and the verdict on it."""

    gallery: Gallery
    probe: Probe
    verdict: Verdict
    twice: bool = False  # whether another face of the photograph is surely the same person, too

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """Why the verdict is less reliable than it seems."""
        if not self.twice:
            return self._cautions_of_gallery
        sentence = (
            f"Two faces on this photograph are surely “{self.verdict.decision.person}”: one of the "
            "answers is wrong, unless it shows a picture or a mirror."
        )
        return (Caution("twice", sentence), *self._cautions_of_gallery)

    @property
    def _cautions_of_gallery(self) -> tuple[Caution, ...]:
        """What follows from the gallery having this very face."""
        gallery, row = self.gallery, self.row
        if row is None:
            gone = gallery.trained.faces - gallery.index.places.keys()
            fitted = self.probe.photo.photograph.sha in {face.sha for face in gone}
            return (Caution("fitted", "The face space was fitted to this photograph."),) * fitted
        photo = gallery.index.photos[row]
        if photo.person is None or photo.excluded:
            why = "without a name" if photo.person is None else f"as “{photo.person}”, but excluded"
            sentence = f"This face is in the gallery {why}, so it is not compared."
            caution = Caution("not compared", sentence)
        else:
            sentence = f"This face is in the gallery as “{photo.person}”"
            caution = Caution("itself", f"{sentence}, so its distance proves nothing.")
        fitted = photo.id in gallery.trained.faces
        return (caution, Caution("fitted", "The face space was fitted to it, too."))[: 1 + fitted]

    @property
    def is_self_match(self) -> bool:
        """Whether the verdict is no evidence: the face is one of those it is compared with."""
        return any(caution.kind == "itself" for caution in self.cautions)

    @cached_property
    def row(self) -> int | None:
        """The row of this face in the gallery, if it is there."""
        return self.gallery.index.row_of_face(self.probe.photo)

    @property
    def filed_as(self) -> str | None:
        """Who the gallery says that this face is."""
        return None if self.row is None else self.gallery.index.photos[self.row].person

    def record(self, top: int = TOP) -> dict[str, Any]:
        """Return words and values, with so many people: the keys of ``recognise --json``.

        Distances are rounded to meaningful digits.
        """
        probe = self.probe
        verdict = self.verdict
        decision = self.verdict.decision
        photos = self.gallery.index.photos
        ranking = [
            {
                "rank": rank,
                "person": match.person,
                "distance": round_distance(match.distance, verdict.farthest),
                "nearest_photo": str(photos[match.row].path),
            }
            for rank, match in enumerate(verdict.ranking[:top], start=1)
        ]
        outside = self.gallery.trained.recipe.features.PRETRAINED  # axes leave nothing out
        length = math.hypot(verdict.distance_from, float(np.linalg.norm(verdict.coordinates)))
        probability, face_residual, face_residual_limit = (
            None if value is None else round(value, 4)
            for value in (decision.probability, decision.face_residual, decision.face_limit)
        )
        limit = decision.limit
        return {
            "photo": str(probe.photo.path),
            "face": probe.number,
            "faces": probe.faces,
            "box": probe.box,
            "concerns": [asdict(concern) for concern in probe.concerns],
            "cautions": [asdict(caution) for caution in self.cautions],
            "closest": verdict.closest.person,
            "distance_in": round_distance(decision.nearest[1], verdict.farthest),
            "distance_from": None if outside else round_distance(verdict.distance_from, length),
            "in_gallery": self.row is not None,
            "filed_as": self.filed_as,
            "sentence": decision.sentence,
            "ranking": ranking,
            "verdict": decision.kind,
            "headline": decision.headline,
            "certainty": decision.badge,
            "person": decision.person,
            "probability": probability,
            "threshold": None if limit is None else round_distance(limit, verdict.farthest),
            "face_residual": face_residual,
            "face_residual_limit": face_residual_limit,
            "recipe": self.gallery.recipe.name,
            "calibrated": not decision.reason,
        }


def recognise_probes(gallery: Gallery, probes: Sequence[Probe]) -> list[Recognition]:
    """Return the verdict on each probe, without the people whom it is answered not to show."""
    if not probes:
        return []
    pixels = np.stack([probe.image.ravel() for probe in probes])
    never = [gallery.answers.get(probe.photo.id, NO_ANSWER).never for probe in probes]
    verdicts = identify_all(gallery, pixels, never)
    pairs = zip(probes, verdicts, strict=True)
    return with_doubles([Recognition(gallery, probe, verdict) for probe, verdict in pairs])


def with_doubles(recognitions: Sequence[Recognition]) -> list[Recognition]:
    """Return recognitions that know whether another face of their photograph is surely the same."""
    places = [
        (one.probe.photo.id.sha, one.verdict.decision.person)
        if one.verdict.decision.kind == "sure"
        else None
        for one in recognitions
    ]
    times = Counter(places)
    twice = [place is not None and times[place] > 1 for place in places]
    return [
        one if one.twice == is_twice else replace(one, twice=is_twice)
        for one, is_twice in zip(recognitions, twice, strict=True)
    ]


def round_distance(distance: float, scale: float) -> float:
    """Return a distance rounded to some hundred-thousandths of a scale, as far as it is precise."""
    if scale <= 0:
        return distance
    return round(distance, 5 - math.floor(math.log10(scale))) + 0.0


VERDICT_COLUMNS = (
    "photo",
    "face",
    "rank",
    "person",
    "distance_in",
    "nearest_photo",
    "distance_from",
    "in_gallery",
    "verdict",
    "named",
    "probability",
    "threshold",
    "face_residual",
    "face_residual_limit",
    "recipe",
    "left",
    "top",
    "size",
)
"""Of the table of answers, a line a candidate."""


def records_csv(records: Iterable[dict[str, Any]]) -> str:
    """Return a line for each candidate of each record of a probe, under `VERDICT_COLUMNS`."""
    rows = []
    for record in records:
        values = dict(zip(("left", "top", "size"), record["box"] or (None,) * 3, strict=True))
        values |= record | {
            "named": record["person"],
            "in_gallery": f"{record['in_gallery']}".lower(),
        }
        for match in record["ranking"]:
            line = values | match | {"distance_in": match["distance"]}
            rows.append(["" if line[name] is None else line[name] for name in VERDICT_COLUMNS])
    return csv_text(VERDICT_COLUMNS, rows)
