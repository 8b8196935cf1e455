"""The verdict on a photo: the nearest people, what is decided, and the words and values for it.

Two questions are asked (M. Turk and A. Pentland, *Eigenfaces for recognition*, 1991): is it near
face space, and is it near somebody in it? They have four answers. The two nearest people decide,
by the limits of a calibration. Window, terminal and tables say the same of it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces import network
from eigenfaces.faces.face_set import file_key
from eigenfaces.faces.quality import Concern
from eigenfaces.recognition.calibration import (
    ENOUGH_PEOPLE,
    LIKELY,
    PERHAPS,
    SURE,
    USUAL_SHARE,
    Calibration,
    Guarantee,
)
from eigenfaces.recognition.gallery import NOTHING, Gallery
from eigenfaces.recognition.neighbours import NOT_FINITE, Match, Neighbours
from eigenfaces.recognition.probes import Probe, row_of
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.arrays import Doubles, Flags, Floats, Numbers
from eigenfaces.text import apart, as_line, as_table, capital, count, number, percent

TOP = 3  # people whom an answer ranks, if nothing else is said
_SOON = 5  # people who are asked about as soon as there is a verdict
_ALL_OF = 5  # nearest faces: if one person is on all of them, it is perhaps that one

Kind = Literal[
    "sure", "likely", "ask", "perhaps", "unknown", "near but no face", "no face", "not calibrated"
]
"""What is decided: somebody is named (sure, likely), it is asked who it is (ask, perhaps), or
nobody is named, and why."""

KINDS: dict[Kind, str] = {
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
    "ask": ("you decide", "{0} is nearest, but not certain enough."),
    "perhaps": ("perhaps", "Too far to be sure, but rather right than wrong."),
    "unknown": ("unknown", "Too far from everybody you know."),
    "near but no face": ("perhaps no face", "Near {0}, but hardly like a face."),
    "no face": ("not a face", "It does not look like a face."),
    "not calibrated": ("not measured yet", "It is not measured yet how near is near."),
}
"""Every kind in a word or three, and why in a short sentence, without figures."""

GROUPS: dict[Kind, str] = {
    **{kind: capital(kind) for kind in KINDS},
    "ask": "Ask me",
    **dict.fromkeys(("near but no face", "no face"), "Not a face"),
}
"""The group of answers that each kind belongs to, in the order in which groups are listed."""

NOT_CALIBRATED = (
    "What distances mean in this gallery is not measured yet: this is the nearest known person, "
    "not a claim that it is them. A stranger has a nearest person too."
)

_CLOSE = 1.1  # times the distance: nearer to each other than that, two are too close to call
_FAR = 10.0  # times the distance, and farther: the distances say more than their ratio


@dataclass(frozen=True)
class Decision:
    """What is decided about a face, and the words for it; None is what is not known."""

    kind: Kind
    nearest: tuple[str, float]  # the nearest person, and the distance
    runner_up: tuple[str, float] | None
    probability: float | None = None  # that the nearest person is the right one
    limit: float | None = None  # the distance within which somebody is named …
    left_over: float | None = None  # share of the contrast that is no face
    share: float = USUAL_SHARE  # … so that at most so many strangers are
    calibration: Calibration | None = None  # from which these follow, where one holds

    __repr__ = as_line

    @property
    def person(self) -> str | None:
        """The person it names; None unless sure or likely."""
        return self.nearest[0] if self.kind in ("sure", "likely") else None

    @property
    def face_limit(self) -> float | None:
        """The share of the contrast within which it is a face; None where there is no limit."""
        by = None if self.limit is None else self.calibration
        return None if by is None else by.likeness.limit

    @property
    def reason(self) -> str:
        """Why there is no threshold for strangers; empty where there is one."""
        if self.limit is not None:
            return ""
        return self.calibration.reason if self.calibration else NOT_CALIBRATED

    @property
    def headline(self) -> str:
        """Who it is, in as few words as possible."""
        return self._words[0]

    @property
    def label(self) -> str:
        """Who it is, as it fits on the box of a face."""
        short = {"near but no face": "Perhaps no face", "ask": self.headline.removesuffix("?")}
        return short.get(self.kind, self.headline.partition(" · ")[0])

    @property
    def sentence(self) -> str:
        """The decision in plain English, with its figures and the runner-up."""
        return self._words[1]

    @property
    def _words(self) -> tuple[str, str]:
        name, other = self.nearest[0], self.runner_up
        match self.kind:
            case "sure":
                return name, f"This is {name}. {self._next}"
            case "likely":
                return name, f"This is probably {name}. {self._next}"
            case "ask":
                either = f"{name} or {apart(name, other[0])}?" if other else f"{name}?"
                return either, self._question
            case "perhaps":
                if (sure := self.probability) is None:
                    at = f"{_ALL_OF} nearest faces are {name}’s, at a distance of {self._distance}"
                    said = f"All of the {at} or more, but no limit is measured."
                else:
                    such = f"{int(100 * sure)} in 100 such names are right"
                    said = f"This is perhaps {name}: farther than the limit, but {such}."
                return f"Perhaps {name}", f"{said} {self._next} You decide."
            case "unknown":
                far = "This is a face, but farther from everybody than the limit."
                return f"Unknown · nearest is {name}", f"{far} Nearest is {name}{self._as_far}."
            case "near but no face":
                near = f"It is nearest to {name}, and within the limit, but {self._not_a_face}."
                return f"Near {name}, but perhaps no face", near
            case "no face":
                return "Not a face", f"{capital(self._not_a_face)}."
            case "not calibrated":
                said = f"{name} is nearest, at a distance of {self._distance}. {self._next}"
                return f"Closest: {name}", said

    @property
    def word(self) -> str:
        """How sure that is, in a word or three, without figures."""
        return SHORT[self.kind][0]

    @property
    def short(self) -> str:
        """Why, in a short sentence without figures."""
        if self.kind == "ask" and self._too_close and self.runner_up:
            return f"{self.nearest[0]} is only a little nearer than {self.runner_up[0]}."
        if self.kind == "perhaps" and self.limit is None:
            return f"The nearest faces are all {self.nearest[0]}’s; nothing is measured yet."
        return SHORT[self.kind][1].format(self.nearest[0])

    @property
    def chip(self) -> str:
        """How sure that is, in a few words; where these are rough, it says so."""
        if self.kind == "ask" and self._too_close:
            return "too close to call"
        if self.kind == "perhaps" and self.probability is None:
            return KINDS["not calibrated"]
        if self.person is None:
            return KINDS[self.kind]
        if self.calibration is None or not self.calibration.certainty.rough:
            return f"{self.kind}: {KINDS[self.kind]}"
        people, photos = self.calibration.held.count, len(self.calibration.held.people)
        if people < ENOUGH_PEOPLE:
            return f"{self.kind}, but roughly: only {count(people, 'person')} to learn from"
        return f"{self.kind}, but roughly: only {photos / people:.1f} photos of each person"

    @property
    def unlike_a_face(self) -> str:
        """How much of it is no face, with the limit below which it is one; empty if unknown."""
        left, limit = self.left_over, self.face_limit
        if left is None or limit is None:
            return ""
        digits = 0 if round(100 * left) != round(100 * limit) else 2
        return f"unlike a face: {percent(left, digits)} (limit {percent(limit, digits)})"

    @property
    def limits(self) -> str:
        """What the two limits mean; why there are none, where that is so."""
        if self.calibration is None or self.limit is None or self.face_limit is None:
            return self.reason
        face, held = percent(self.face_limit, 0), self._passing
        if self.kind == "no face":
            return f"{held} stay below the limit of {face}. Who it is, is not asked."
        through = promised(self.calibration.guarantee, self.share)
        return (
            f"Up to {face} unlike a face it counts as one: {held} do. Nearer than "
            f"{number(self.limit)} somebody is named, which lets through {through}."
        )

    @property
    def caveat(self) -> str:
        """What the limit for strangers cannot do, as a sentence; empty where it holds."""
        if self.calibration is None or self.limit is None:
            return self.reason
        return self.calibration.caveat(self.share)

    @property
    def _ratio(self) -> float | None:
        """How many times the nearest distance the runner-up's is; None if that says nothing."""
        if self.runner_up is None:
            return None
        nearest, following = self.nearest[1], self.runner_up[1]
        return following / nearest if following >= nearest > following / _FAR > 0 else None

    @property
    def _too_close(self) -> bool:
        return self._ratio is not None and self._ratio < _CLOSE

    @property
    def _distance(self) -> str:
        scale = 1.0 if self.runner_up is None else abs(self.runner_up[1])
        return "0" if abs(self.nearest[1]) < 1e-5 * scale else number(self.nearest[1])

    @property
    def _next(self) -> str:
        if self.runner_up is None:
            return "There is nobody else to compare with."
        at = f"at {number(self.runner_up[1])} instead of {self._distance}"
        if self._ratio is not None:
            at = f"at {self._ratio:.{2 if self._ratio < 2 else 1}f} × the distance"
        return f"Next is {self.runner_up[0]}, {at}."

    @property
    def _question(self) -> str:
        name = self.nearest[0]
        if self._ratio is not None and self.runner_up and self._too_close:
            more = percent(self._ratio - 1)
            following = f"the distance to {self.runner_up[0]} is only {more} more"
            return f"{name} is nearest, but {following}. You decide."
        if self.probability is None:
            such = "nobody has two photographs, so it is not known how often names are right"
        else:
            such = f"only {int(100 * self.probability)} in 100 such names are right"
        return f"{name} comes first, but {such}. {self._next} You decide."

    @property
    def _as_far(self) -> str:
        held = self.calibration.held if self.calibration else None
        if held is None or not held.mated.any():
            return ""
        as_far = how_many(held.member.distance[held.mated] >= self.nearest[1])
        return f"; {as_far} photos of known people, held out, are this far from everybody"

    @property
    def _not_a_face(self) -> str:
        return f"{self.unlike_a_face}; {self._passing} stay below"

    @property
    def _passing(self) -> str:
        if self.calibration is None:
            return ""
        left, of = self.calibration.left_over, len(self.calibration.left_over)
        passing = int(np.count_nonzero(left <= (self.face_limit or 0.0)))
        if of > 100:
            passing, of = 100 * passing // of, 100
        return f"{passing} of {of} held-out faces"


def decide(
    calibration: Calibration | None,
    share: float,
    nearest: tuple[str, float],
    runner_up: tuple[str, float] | None,
    left_over: float | None,
    *,
    all_of: bool = False,
) -> Decision:
    """Return the decision; ``all_of``: the nearest person is on all of the five nearest faces."""
    limit = calibration.limit(share) if calibration else None
    known = Decision("not calibrated", nearest, runner_up, share=share, calibration=calibration)
    if calibration is None or limit is None or left_over is None:
        return replace(known, kind="perhaps") if all_of else known
    known = replace(known, limit=limit, left_over=left_over)
    near = nearest[1] < limit
    if left_over > calibration.likeness.limit and not (near and calibration.outside):
        return replace(known, kind="near but no face" if near else "no face")
    if calibration.outside or calibration.held.mated.any():
        next_distance = runner_up[1] if runner_up else float("inf")
        probability = calibration.probability(nearest[1], next_distance)
        known = replace(known, probability=probability)
    sure = known.probability or 0.0
    close = network.TOO_CLOSE * nearest[1] if calibration.outside else -np.inf
    if near and runner_up is not None and runner_up[1] < close:
        return replace(known, kind="ask")
    if not near:
        return replace(known, kind="perhaps" if sure >= PERHAPS else "unknown")
    return replace(known, kind="sure" if sure >= SURE else "likely" if sure >= LIKELY else "ask")


def how_many(those: Flags) -> str:
    """Return in words how many of some are meant.

    >>> few, most = np.arange(280) < 1, np.arange(280) < 244
    >>> how_many(few), how_many(most), how_many(few & ~most), how_many(most | ~most)
    ('1 in 100', '87 in 100', 'none of 280', 'all 280')
    """
    count, whole = int(those.sum()), len(those)
    if count in (0, whole):
        return f"all {whole:,}" if count else f"none of {whole:,}"
    return f"{min(max(round(100 * count / whole), 1), 99)} in 100"


def promised(promise: Guarantee | None, share: float) -> str:
    """Return what a share of strangers asked for means with so many people, as a clause.

    ``promise``: None where the limit was learnt from other people than those of the gallery.

    >>> promised(Guarantee(35, 8), 0.01)
    'at most 1 % of strangers; with 35 people no less than 4.0 % can be promised'
    >>> promised(Guarantee(35, 8, 2), 0.1)
    'at most 10 % of strangers; with 35 people and 2 strangers met 17.6 % can be promised'
    """
    asked = f"at most {100 * share:g} % of strangers"
    if promise is None:
        return f"{asked}, by a limit learnt from other people’s photos"
    people = count(promise.people, "person")
    people += f" and {count(promise.met, 'stranger')} met" if promise.met else ""
    if share < promise.minimum:
        return f"{asked}; with {people} no less than {percent(promise.minimum)} can be promised"
    return f"{asked}; with {people} {percent(promise.upper_bound(share))} can be promised"


@dataclass(frozen=True, eq=False)
class Verdict:
    """The nearest person, and all values that it follows from."""

    first: tuple[Match, ...]  # the nearest few people, nearest first
    coordinates: Floats  # (k,) in face space
    distance_from: float  # from face space, which these cannot express
    farthest: float  # the largest distance from an enrolled face, without its sign
    decision: Decision
    neighbours: Neighbours  # with which it was compared
    never: frozenset[str] = frozenset()  # people out of the question
    __repr__ = as_line

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

    @property
    def rows(self) -> Numbers:
        """Rows of all enrolled faces, nearest first."""
        return self._faces[0]

    @property
    def distances(self) -> Doubles:
        """The distance of each of them, by `rows`."""
        return self._faces[1]

    @cached_property
    def _faces(self) -> tuple[Numbers, Doubles]:
        known = self.neighbours
        (line,) = known.of(self.coordinates[None]).to_photos
        gone = [number for number, name in enumerate(known.names) if name in self.never]
        order = np.argsort(line, kind="stable")
        order = order[~np.isin(known.people[order], gone)]
        return known.rows[order], line[order]


def identify(gallery: Gallery, face: Floats) -> Verdict:
    """Return the enrolled people nearest to a face, by the recipe of a trained gallery.

    ``face``: (h, w) or (d,), prepared like the gallery's faces: grey values 0…1.

    Raises `EigenfacesError` where it is not trained or nobody is enrolled, for a face of another
    size, grey values beyond 0…1, and a distance that is not a finite number.
    """
    return identify_all(gallery, np.asarray(face)[None])[0]


def identify_all(
    gallery: Gallery, faces: Floats, never: Sequence[Collection[str]] = ()
) -> list[Verdict]:
    """Return the verdicts for faces (m, h, w) or (m, d); ``never``: people out of the question."""
    height, width = gallery.faces.shape
    try:
        faces = np.asarray(faces, np.float32)
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
    faces = faces.reshape(len(faces), height * width)
    if not np.isfinite(faces).all():
        raise EigenfacesError("The face holds values that are not numbers.")
    if len(faces) and not 0 <= faces.min() <= faces.max() <= 1:
        raise EigenfacesError("The grey values must lie between 0 (black) and 1 (white).")
    with np.errstate(all="ignore"):  # values that are not finite raise an error
        coordinates, from_space = gallery.trained.project_with_residual(faces, gallery.k)
    if not np.isfinite(from_space).all():
        raise EigenfacesError(NOT_FINITE)
    calibration, left_over = gallery.calibrated, [None] * len(faces)
    if calibration is not None:
        left_over = calibration.likeness.left_over(faces.reshape(-1, height, width)).tolist()
    most, verdicts = _SOON + max(map(len, never), default=0), []
    for m, (ranked, farthest, all_of) in enumerate(_nearest(gallery, coordinates, most)):
        out, known = frozenset(never[m] if never else ()), gallery.neighbours
        left = tuple(match for match in ranked if match.person not in out)
        first, out = (left[:_SOON], out) if left else (ranked[:_SOON], frozenset())
        nearest, runner_up, *_ = [*_nearest_two(gallery, first, coordinates[m]), None]
        alone = all_of and left[:1] == ranked[:1]
        share, unlike = gallery.share, left_over[m]
        decision = decide(calibration, share, nearest, runner_up, unlike, all_of=alone)
        far = float(from_space[m])
        verdicts.append(Verdict(first, coordinates[m], far, farthest, decision, known, out))
    return verdicts


def _nearest_two(gallery: Gallery, first: Sequence[Match], face: Floats) -> list[tuple[str, float]]:
    """Return the first two people, with the distances by which it is decided.

    By Network also the mean of a person's photographs counts, where it is nearer; but not where the
    limit is measured on strangers: their distances are those to photographs.
    """
    two, by = [(match.person, match.distance) for match in first[:2]], gallery.calibrated
    usual = gallery.recipe.matcher == RECIPES["Network"].matcher
    if by is None or by.guarantee or by.met or not usual:
        return two
    known, least = gallery.neighbours, 0.0
    for at, (name, distance) in enumerate(two):
        photos = known.photos[known.people == known.names.index(name)]
        least = max(least, min(distance, network.distance_to_mean(photos, face)))
        two[at] = name, least  # the second is never nearer than the first
    return two


def _nearest(
    gallery: Gallery, coordinates: Floats, most: int
) -> Iterator[tuple[tuple[Match, ...], float, bool]]:
    """Yield who is nearest to each of the coordinates (m, k), and how far the farthest face is.

    And whether the nearest person, of several, is on all of the nearest faces.
    """
    if not gallery.enrolled:
        raise EigenfacesError("Nobody is known yet: give the photographs names first.")
    if not np.isfinite(coordinates).all():
        raise EigenfacesError(NOT_FINITE)
    with np.errstate(all="ignore"):  # what is not finite, or is all the same, is refused
        found = gallery.neighbours.of(coordinates)
        ranked = gallery.neighbours.ranked(found, most)
    farthest = np.abs(found.to_photos).max(axis=1)
    soon = np.argsort(found.to_photos, axis=1, kind="stable")[:, :_ALL_OF]
    alike = np.ptp(gallery.neighbours.people[soon], axis=1) == 0
    alike &= soon.shape[1] == _ALL_OF
    for first, far, all_of in zip(ranked, farthest, alike.tolist(), strict=True):
        if len(first) > 1 and far == 0:
            raise EigenfacesError(
                "All distances come out as 0, so nobody can be told apart. Train again; if that "
                "does not help, choose another distance or whitening."
            )
        yield first, float(far), all_of and len(first) > 1


def verdicts_on(gallery: Gallery, probes: Sequence[Probe]) -> list[Verdict]:
    """Return the verdict on each probe, without the people whom it is answered not to show."""
    if not probes:
        return []
    pixels = np.stack([probe.image.ravel() for probe in probes])
    never = [gallery.answers.get(probe.photo.key, NOTHING).never for probe in probes]
    return identify_all(gallery, pixels, never)


def nearest_other(gallery: Gallery, row: int) -> Match | None:
    """Return the person nearest to a gallery face, not its own; the face is not read."""
    asked = gallery.trained.compared[row : row + 1, : gallery.k]
    ((nearest, *_),) = _nearest(gallery, asked, 2)
    own = gallery.index.photos[row].person
    return next((match for match in nearest if match.person != own), None)


@dataclass(frozen=True)
class Caution:
    """A reason why a verdict is less reliable than it seems: of what kind the probe is."""

    kind: Literal["itself", "not compared", "fitted"]
    sentence: str


def cautions(gallery: Gallery, probe: Probe, verdict: Verdict) -> tuple[Caution, ...]:
    """Return the reasons why a verdict is less reliable than it seems."""
    row, what = row_of(gallery, probe.photo), "photograph" if probe.faces == 1 else "face"
    if row is None:
        gone = gallery.trained.keys - gallery.index.places.keys()
        if file_key(probe.photo.key) not in map(file_key, gone):
            return ()
        of = "a face of this photograph" if probe.faces > 1 else "this photograph"
        return (Caution("fitted", f"The face space was fitted to {of}."),)
    photo = gallery.index.photos[row]
    fitted = photo.key in gallery.trained.keys
    if photo.person is None:
        sentence = f"This {what} is in the gallery without a name, so it is not compared."
        found = Caution("not compared", sentence)
    elif photo.excluded:
        trained = "." if fitted else " and not trained on."
        sentence = f"This {what} is {photo.person} in the gallery, but excluded: not compared"
        found = Caution("not compared", f"{sentence} with itself{trained}")
    else:
        rounding = abs(verdict.closest.distance) <= 1e-4 * verdict.farthest
        zero = " is 0 and" if rounding else ""
        sentence = f"This {what} is in the gallery as “{photo.person}”, so its distance{zero}"
        found = Caution("itself", f"{sentence} proves nothing.")
    return (found, Caution("fitted", "The face space was fitted to it, too."))[: 1 + fitted]


@dataclass(frozen=True)
class RankedPerson:
    """One line of a ranking: a person, the distance in face space, the nearest photograph."""

    rank: int
    person: str
    distance: float
    votes: int
    nearest_photo: str


@dataclass(frozen=True)
class Answer:
    """The answer for a probe, in words and values: the keys of ``recognise --json``, in this order.

    Distances are rounded to meaningful digits. From ``verdict`` on they are of the `Decision`.
    """

    photo: str
    face: int  # its number among the faces of the photograph, from the left
    faces: int
    box: tuple[float, float, float] | None  # left, top, size; None: the photograph is the face
    concerns: tuple[Concern, ...]  # about the photograph
    cautions: tuple[Caution, ...]  # about the verdict
    closest: str
    distance_in: float
    distance_from: float | None
    in_gallery: bool  # whether the gallery has this face of the same file …
    filed_as: str | None  # … and as whom
    sentence: str
    ranking: tuple[RankedPerson, ...]
    cut: str  # how it was cut to fit the crops of the gallery, or ""
    verdict: Kind
    headline: str
    certainty: str
    person: str | None
    probability: float | None
    threshold: float | None
    left_over: float | None
    left_over_limit: float | None
    recipe: str
    calibrated: bool


def answer(gallery: Gallery, probe: Probe, verdict: Verdict, top: int = TOP) -> Answer:
    """Return one verdict in words and values, with the ``top`` people of its ranking."""
    row, photos = row_of(gallery, probe.photo), gallery.index.photos
    closest, farthest, limit = verdict.closest, verdict.farthest, verdict.decision.limit
    (person, nearest), next_one = verdict.decision.nearest, verdict.decision.runner_up
    decision = replace(  # its words have distances rounded as those of the ranking are
        verdict.decision,
        nearest=(person, rounded(nearest, farthest)),
        runner_up=next_one and (next_one[0], rounded(next_one[1], farthest)),
        limit=None if limit is None else rounded(limit, farthest),
    )
    sentence, matcher = decision.sentence, gallery.recipe.matcher
    if matcher.rule == "nearest" and matcher.neighbours > 1:
        of = min(matcher.neighbours, len(gallery.enrolled))
        show = "shows" if closest.votes == 1 else "show"
        sentence += f" {closest.votes} of the {of} nearest photos {show} {closest.person}."
    outside = gallery.trained.recipe.features.LEARNT_OUTSIDE  # whose axes leave nothing out
    whole = math.hypot(verdict.distance_from, float(np.linalg.norm(verdict.coordinates)))
    probability, left_over, left_over_limit = (
        None if value is None else round(value, 4)
        for value in (decision.probability, decision.left_over, decision.face_limit)
    )
    nearest_people = verdict.first if top <= len(verdict.first) else verdict.ranking
    ranking = []
    for rank, one in enumerate(nearest_people[:top], start=1):
        away, path = rounded(one.distance, farthest), str(photos[one.row].path)
        ranking.append(RankedPerson(rank, one.person, away, one.votes, path))
    return Answer(
        photo=str(probe.photo.path),
        face=probe.number,
        faces=probe.faces,
        box=probe.box,
        concerns=probe.concerns,
        cautions=cautions(gallery, probe, verdict),
        closest=closest.person,
        distance_in=decision.nearest[1],
        distance_from=None if outside else rounded(verdict.distance_from, whole),
        in_gallery=row is not None,
        filed_as=None if row is None else photos[row].person,
        sentence=sentence,
        ranking=tuple(ranking),
        cut=probe.cut,
        verdict=decision.kind,
        headline=decision.headline,
        certainty=decision.chip,
        person=decision.person,
        probability=probability,
        threshold=decision.limit,
        left_over=left_over,
        left_over_limit=left_over_limit,
        recipe=gallery.recipe.name,
        calibrated=not decision.reason,
    )


def rounded(distance: float, scale: float) -> float:
    """Return a distance rounded to some hundred-thousandths of a scale, as far as it is precise."""
    if scale <= 0:
        return distance
    return round(distance, 5 - math.floor(math.log10(scale))) + 0.0


COLUMNS = (
    *("photo", "face", "rank", "person", "distance_in", "votes", "nearest_photo", "distance_from"),
    *("in_gallery", "verdict", "named", "probability", "threshold", "left_over", "left_over_limit"),
    *("recipe", "left", "top", "size"),
)
"""Of the table of answers, a line a candidate."""


def answers_csv(answers: Sequence[Answer]) -> str:
    """Return a line for each candidate of each probe, under `COLUMNS`."""
    rows = []
    for each in answers:
        values = [each.distance_from, str(each.in_gallery).lower(), each.verdict, each.person]
        values += [each.probability, each.threshold, each.left_over, each.left_over_limit]
        for one in each.ranking:
            place = each.box or (None, None, None)
            line = (each.photo, each.face, *astuple(one), *values, each.recipe, *place)
            rows.append(["" if value is None else value for value in line])
    return as_table(COLUMNS, rows)
