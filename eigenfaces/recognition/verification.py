"""Is this the person who is claimed? Yes, no, or it cannot be told.

**Yes**: the verdict names that person, as sure or likely. So it is a face, within the threshold for
strangers, and at least 90 in 100 such names are right.

**No**: the verdict names somebody else as sure; or the face is beyond the threshold of the claimed
person, and of the photographs of enrolled people, each held out, at most one in ten is as far from
its own. The threshold alone is no reason: a strict one refuses many photographs of the right
person, and to these “no” would be a wrong answer.

**Cannot tell**: everything else. Also what is no face, what is compared with itself, and every
face in a gallery that has no threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.certainty import LIKELY
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import Verdict
from eigenfaces.recognition.written_verdict import Answer, rounded
from eigenfaces.wording import number, percent

Outcome = Literal["yes", "no", "cannot tell"]


@dataclass(frozen=True)
class Verification:
    """Whether a face shows the person who is claimed.

    Parameters
    ----------
    outcome
        Yes, no, or it cannot be told.
    claimed
        The person.
    sentence
        The outcome with its figures.
    distance
        From the face to the claimed person, rounded as in the answer; None where no face was
        compared.
    answer
        The verdict it follows from; None where there is none.
    """

    outcome: Outcome
    claimed: str
    sentence: str
    distance: float | None = None
    answer: Answer | None = None


def check_claim(gallery: Gallery, person: str) -> None:
    """Raise `EigenfacesError` where nobody of this name is compared with."""
    if person not in gallery.people:
        raise EigenfacesError(
            f"Nobody in the gallery is called “{person}”.{_alike(gallery, person)}"
        )
    if all(gallery.index.photos[row].person != person for row in gallery.enrolled):
        raise EigenfacesError(
            f"All photographs of “{person}” are left out, so nothing can be compared with them."
        )


def _alike(gallery: Gallery, person: str) -> str:
    """Return a sentence with the names that are nearly so; "" where there are none."""
    folded = {name.casefold(): name for name in gallery.people}
    near = get_close_matches(person.casefold(), folded)
    return f" Names like it: {', '.join(f'“{folded[each]}”' for each in near)}." if near else ""


def cannot_tell(person: str, reason: str) -> Verification:
    """Return that it cannot be told, where no face was compared."""
    return Verification("cannot tell", person, f"It cannot be told. {reason}")


def verify_claim(gallery: Gallery, person: str, verdict: Verdict, answer: Answer) -> Verification:
    """Return whether a face shows somebody.

    Parameters
    ----------
    gallery
        A trained gallery; without a calibration that holds nothing can be told.
    person
        Who is claimed: somebody enrolled.
    verdict, answer
        The verdict on the face, and the same in words.

    Raises
    ------
    EigenfacesError
        Nobody of this name is enrolled.
    """
    check_claim(gallery, person)
    distance = verdict.search.distance_to(verdict.coordinates, person)
    outcome, sentence = _outcome(gallery.calibrated, person, distance, verdict, answer)
    return Verification(outcome, person, sentence, rounded(distance, verdict.farthest), answer)


def _outcome(
    calibration: Calibration | None,
    person: str,
    distance: float,
    verdict: Verdict,
    answer: Answer,
) -> tuple[Outcome, str]:
    decided = verdict.decision
    if answer.compared_with_itself:
        said = " ".join(each.sentence for each in answer.cautions)
        return "cannot tell", f"It cannot be told. {said}"
    if decided.group == "Not a face":
        return "cannot tell", f"It cannot be told. {answer.sentence}"
    if calibration is None or decided.limit is None or decided.probability is None:
        return "cannot tell", f"It cannot be told. {decided.reason}"
    right = f"at least {int(100 * decided.probability)} in 100 such names are right"
    # Written as in the answer:
    at, limit = (number(rounded(one, verdict.farthest)) for one in (distance, decided.limit))
    away, mark = f"At {at}, {person} is", f"the mark of {limit}"
    if decided.person == person:
        return "yes", f"Yes, this is {person}: {right}. {away} within {mark}."
    if decided.kind == "sure":
        return "no", f"No, this is {decided.person}: {right}. {person} is at {at}."
    if distance < decided.limit:
        return "cannot tell", f"It cannot be told. {away} within {mark}, but: {answer.sentence}"
    if not calibration.held.mated.any():
        unknown = "nobody has two photos, so how far one may be from its own person is not known"
        return "cannot tell", f"It cannot be told. {away} beyond {mark}, but {unknown}."
    as_far = calibration.as_far(distance)
    own = f"{percent(as_far)} of photos of enrolled people, held out, may be so far from their own"
    if as_far <= 1 - LIKELY:
        return "no", f"No, this is not {person}. {away} beyond {mark}, and at most {own}."
    return "cannot tell", f"It cannot be told. {away} beyond {mark}, but up to {own}."
