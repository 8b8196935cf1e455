"""The decision about a face, based on the two nearest people, and how it is worded.

There are two questions (M. Turk and A. Pentland, *Eigenfaces for recognition*, 1991): is the image
near face space, and is it near a known person within it? The limits of a calibration decide between
the four possible outcomes. The window, the command line and all tables use the same wording.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.certainty import ENOUGH_PEOPLE, LIKELY, PERHAPS, SURE
from eigenfaces.recognition.limits import USUAL_SHARE, Guarantee
from eigenfaces.space.arrays import Flags
from eigenfaces.text import capital, count, four_digits, percent, short_repr

Kind = Literal[
    "sure", "likely", "ask", "perhaps", "unknown", "near but no face", "no face", "not calibrated"
]
"""The kind of decision: somebody is named (sure, likely), the user is asked who it is (ask,
perhaps), or nobody is named."""


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
"""The meaning of each kind of decision, in a few words."""

SHORT: dict[Kind, tuple[str, str]] = {
    "sure": ("sure", "Names this certain are nearly always right."),
    "likely": ("likely", "Names this certain are usually right."),
    "ask": ("you decide", "{0} is nearest, but not clearly enough."),
    "perhaps": ("perhaps", "Too far to be sure, but more likely right than wrong."),
    "unknown": ("unknown", "Too far from everybody you know."),
    "near but no face": ("unclear", "Near {0}, but it hardly looks like a face."),
    "no face": ("unclear", "It does not look like a face."),
    "not calibrated": ("not measured yet", "How near is near enough has not been measured yet."),
}
"""A name of one to three words for each kind, and a sentence without figures giving the reason."""

TOO_CLOSE = 1.05  # somebody within this many times the nearest person's score is a rival

NOT_CALIBRATED = (
    "The meaning of distances in this gallery has not been measured yet. Even a stranger has a "
    "nearest person, so nobody is named."
)


@dataclass(frozen=True)
class Decision:
    """The decision about a face, and its wording. Unknown values are None."""

    kind: Kind
    nearest: tuple[str, float]  # the nearest person and the distance
    runner_up: tuple[str, float] | None
    probability: float | None = None  # the probability that the nearest person is right
    limit: float | None = None  # the distance within which somebody is named
    face_residual: float | None = None  # the share of the contrast that faces do not explain
    share: float = USUAL_SHARE  # the largest share of strangers within the limit
    calibration: Calibration | None = None  # the source of these values, if it is up to date

    __repr__ = short_repr

    @property
    def person(self) -> str | None:
        """The person named; None unless the decision is sure or likely."""
        return self.nearest[0] if self.kind in ("sure", "likely") else None

    @property
    def face_limit(self) -> float | None:
        """The largest residual at which a crop counts as a face; None if residuals are not used."""
        known = self.calibration
        if known is None or self.limit is None or known.general:
            return None
        return known.likeness.limit

    @property
    def reason(self) -> str:
        """The reason why there is no limit for strangers; empty if there is one."""
        if self.limit is not None:
            return ""
        return self.calibration.reason if self.calibration else NOT_CALIBRATED

    @property
    def headline(self) -> str:
        """The answer in as few words as possible."""
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
                return f"Near {name}, but unclear"
            case "no face":
                return "Unclear"
            case "not calibrated":
                return f"Closest: {name}"

    @property
    def label(self) -> str:
        """The answer, short enough to label the box around a face."""
        if self.kind in ("unknown", "near but no face"):
            return "Unknown" if self.kind == "unknown" else "Unclear"
        return self.headline.removesuffix("?" if self.kind == "ask" else "")

    @property
    def sentence(self) -> str:
        """The decision in full sentences, with figures and the runner-up."""
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
                    f"{name} is nearest, but not clearly enough. {such}. {self._next} You decide."
                )
            case "ask":
                why = "Nobody has two photos, so it is not known how often names are right."
                return f"{name} is nearest. {why} {self._next} You decide."
            case "perhaps":
                far = f"This is perhaps {name}. It is farther than the limit, but {such}."
                return f"{far} {self._next} You decide."
            case "unknown":
                return f"This is a face, but nobody is within the limit. {self._next}"
            case "near but no face":
                return f"It is nearest to {name}, and within the limit. But {self._no_face}."
            case "no face":
                return f"{capital(self._no_face)}."
            case "not calibrated":
                at = f"at a distance of {four_digits(self.nearest[1])}"
                return f"{name} is nearest, {at}. {self._next}"

    @property
    def word(self) -> str:
        """The certainty of the answer, in one to three words without figures."""
        return SHORT[self.kind][0]

    @property
    def short(self) -> str:
        """The reason for the decision, in a short sentence without figures."""
        if self._near_enough:
            return "Near enough for a name."
        return SHORT[self.kind][1].format(self.nearest[0])

    @property
    def _near_enough(self) -> bool:
        """Whether the name is given on the basis of the limit alone, as with Network."""
        known = self.calibration
        return self.kind == "likely" and known is not None and known.general

    @property
    def badge(self) -> str:
        """The certainty of the answer in a few words, with a warning if it is only approximate."""
        if self.person is None:
            return KIND_MEANINGS[self.kind]
        if self._near_enough:
            return f"{self.kind}: near enough for a name"
        if self.calibration is not None and self.calibration.certainty.rough:
            return f"{self.kind}, but roughly: few people or photos to learn from"
        return f"{self.kind}: {KIND_MEANINGS[self.kind]}"

    @property
    def _no_face(self) -> str:
        """A clause that explains why the crop does not count as a face."""
        if self.unlike_a_face:
            return f"{self.unlike_a_face}. {self._passing} stay below"
        return "the network takes it for a picture without a face"

    @property
    def unlike_a_face(self) -> str:
        """A clause stating how unlike a face the crop is, and the limit; empty if unknown."""
        share, limit = self.face_residual, self.face_limit
        if share is None or limit is None:
            return ""
        return f"it is unlike a face: {percent(share, 0)} (limit {percent(limit, 0)})"

    @property
    def limits(self) -> str:
        """Sentences that explain the two limits, or the reason why there are none."""
        if self.calibration is None or self.limit is None:
            return self.reason
        strangers = guarantee_text(self.calibration.guarantee(self.share), self.share)
        within = four_digits(self.limit)
        named = f"A face nearer than {within} is named. That lets through {strangers}."
        if self.face_limit is None:
            return f"The network says whether it is a face. {named}"
        face = percent(self.face_limit, 0)
        if self.kind == "no face":
            below = f"{self._passing} stay below the limit of {face}."
            return f"{below} This one is above it, so nobody is named."
        return f"A crop up to {face} unlike a face counts as a face. {self._passing} do. {named}"

    @property
    def caveat(self) -> str:
        """A warning if the limit lets nobody be named or guarantees too little; usually empty."""
        if self.calibration is None or self.limit is None:
            return self.reason
        held, guarantee = self.calibration.held_out, self.calibration.guarantee(self.share)
        members = held.member.distance[held.mated]
        if len(members) and (members >= self.limit).all():
            return (
                f"The limit is {four_digits(self.limit)}, so nobody is named: strangers are just "
                "as near. Allow more strangers to be named, or choose another recipe."
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
        """A sentence that names the second-nearest person and states the distance."""
        if self.runner_up is None:
            return "There is nobody else to compare with."
        nearest = self.nearest[1]
        (name, following) = self.runner_up
        if following / 10 < nearest <= following:  # a larger ratio says little
            ratio = following / nearest
            return f"Next is {name}, at {ratio:.{2 if ratio < 2 else 1}f} × the distance."
        nearest = round_distance(nearest, following)
        return f"Next is {name}, at {four_digits(following)} instead of {four_digits(nearest)}."

    @property
    def _passing(self) -> str:
        """How many held-out faces count as faces, in words such as “98 of 100 held-out faces”."""
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
    *,
    is_face: bool = True,
) -> Decision:
    """Return the decision about a face, given the two nearest people and a calibration.

    With the Network recipe, ``is_face`` says whether the crop is a face. With other recipes,
    ``face_residual`` decides. With Network, anybody who is within the limit and has no rival is
    named, as the limit was fitted to enough people to be valid for anybody.
    """
    limit = calibration.limit(share) if calibration else None
    decision = Decision("not calibrated", nearest, runner_up, share=share, calibration=calibration)
    if calibration is None or limit is None or face_residual is None:
        return decision
    decision = replace(decision, limit=limit, face_residual=face_residual)
    is_near = nearest[1] < limit
    if not calibration.general:
        is_face = face_residual <= calibration.likeness.limit
    if not is_face:
        return replace(decision, kind="near but no face" if is_near else "no face")
    probability = None
    if calibration.general or calibration.held_out.mated.any():
        probability = calibration.probability(nearest[1], runner_up[1] if runner_up else np.inf)
    certain = probability or 0.0
    kind: Kind = "ask"
    if not is_near:
        if calibration.general:
            certain = calibration.probability_beyond(share, nearest[1])
        kind = "unknown"
        if certain >= PERHAPS:
            kind = "perhaps"
            probability = certain
    elif calibration.general and runner_up and runner_up[1] < TOO_CLOSE * nearest[1]:
        kind = "ask"
    elif certain >= SURE:
        kind = "sure"
    elif certain >= LIKELY or calibration.general:
        kind = "likely"
    return replace(decision, kind=kind, probability=probability)


def count_phrase(those: Flags) -> str:
    """Return the share of True values in a mask as text, such as “87 in 100”.

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
    """Return what a limit for this share of strangers guarantees, as text without a full stop.

    ``guarantee``: None if the limit was fitted to people who are not in the gallery.

    >>> guarantee_text(Guarantee(35, 8), 0.01)
    'at most 1 % of strangers. With 35 people, no share below 4.0 % can be guaranteed'
    >>> guarantee_text(Guarantee(35, 8), 0.1)
    'at most 10 % of strangers. With 35 people, 17.7 % can be guaranteed'
    """
    strangers = f"at most {100 * share:g} % of strangers"
    if guarantee is None:
        return f"{strangers}, with a limit learnt from other people’s photos"
    people = count(guarantee.people, "person")
    if share < guarantee.minimum:
        least = percent(guarantee.minimum)
        return f"{strangers}. With {people}, no share below {least} can be guaranteed"
    return f"{strangers}. With {people}, {percent(guarantee.upper_bound(share))} can be guaranteed"


def round_distance(distance: float, scale: float) -> float:
    """Return a distance rounded to its precision, about a hundred-thousandth of ``scale``."""
    if scale <= 0:
        return distance
    return round(distance, 5 - math.floor(math.log10(scale))) + 0.0
