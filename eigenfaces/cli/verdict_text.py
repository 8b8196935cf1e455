"""Verdicts for people, in plain text: who is on photographs, and what that is worth."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from eigenfaces.cli.plaintext import shown, table
from eigenfaces.evaluation.calibration_report import Kept, naming_words, near_duplicates
from eigenfaces.recognition.calibration import ENOUGH_PEOPLE, ENOUGH_PHOTOS
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import GROUPS, Answer, promised
from eigenfaces.text import capital, count, number, percent

_WORDS = {"sure": "sure", "likely": "likely", "ask": "not sure enough"}


def answers_text(gallery: Gallery, answers: Sequence[Answer], width: int) -> str:
    """Return the verdict on each face, a summary of several, and what that is worth."""
    blocks = [_answer_text(each, width) for each in answers]
    if len(answers) > 1:
        blocks.append(summary_text(answers))
    return "\n\n".join([*blocks, worth_text(gallery)])


def worth_text(gallery: Gallery) -> str:
    """Return what is promised about strangers, and how often names were right, or why neither."""
    calibration = gallery.calibrated
    if calibration is None:
        return ""
    promise = f"{capital(promised(calibration.promise, gallery.share))}."
    return f"{calibration.reason or promise} {naming_words(calibration, near_duplicates(gallery))}"


def summary_text(answers: Sequence[Answer]) -> str:
    """Return how many faces got which verdict."""
    photos = count(len({each.photo for each in answers}), "photograph")
    groups = Counter(GROUPS[each.verdict] for each in answers)
    said = [f"{title.lower()} {groups[title]:,}" for title in dict.fromkeys(GROUPS.values())]
    of_each = ", ".join(each for each in said if not each.endswith(" 0"))
    return f"{count(len(answers), 'face')} on {photos}: {of_each}."


def kept_text(file: Path, gallery: Gallery, found: Kept, width: int) -> str:
    """Return what a calibration promises, and what held."""
    photos, people = count(found.photos, "photograph"), count(found.people, "person")
    assert gallery.calibrated is not None
    heading = (
        f"{shown(file)}: {photos} of {people}, each held out, by the recipe "
        f"{shown(gallery.recipe.name)}.\n{naming_words(gallery.calibrated, found.near_duplicates)}"
    )
    if found.reason:
        return f"{heading}\n\n{found.reason}"
    return "\n\n".join([heading, *_promises(gallery, found, width)])


def _promises(gallery: Gallery, found: Kept, width: int) -> list[str]:
    assert gallery.calibrated is not None
    asked = capital(promised(gallery.calibrated.promise, found.asked))
    rows = [
        (
            f"{100 * each.asked:g} %",
            number(each.limit),
            each.refused.words(),
            each.named.words(),
            percent(each.promised),
        )
        for each in found.marks
    ]
    heading = ("Asked", "Mark", "Enrolled, but refused", "Strangers named", "Promised")
    said = [
        f"{asked}.\n{table(heading, rows, width)}\n"
        "Strangers named: people left out, by the mark of the others."
    ]
    if found.error is not None:
        said.append(_certainty_text(found, found.error, width))
    if found.face_limit is not None and found.faces is not None:
        said.append(
            f"A face leaves at most {percent(found.face_limit, 0)} of its contrast over: "
            f"{found.faces.count:,} of {found.faces.of:,} enrolled ones do."
        )
    return said


def _certainty_text(found: Kept, error: float, width: int) -> str:
    rows = [
        (
            _WORDS[each.word],
            f"{each.right.of:,}",
            f"{each.right.count:,}: {each.right.words()}" if each.right.of else "–",
            f"{each.strangers.count:,} of {each.strangers.of:,}",
        )
        for each in found.words
    ]
    rough = (
        f"With fewer than {ENOUGH_PEOPLE} people, or {ENOUGH_PHOTOS} photographs of each, these "
        "words are rough."
        if found.rough
        else "There are enough people, and photographs of each, for these words."
    )
    return (
        f"{table(('Word', 'Photos of enrolled', 'Right', 'Strangers'), rows, width)}\n"
        f"Expected calibration error of the probabilities: {error:.3f}, with half of the faces "
        f"strangers. {rough}"
    )


def _answer_text(given: Answer, width: int) -> str:
    lines = [given.photo + _which_text(given), f"{given.headline} ({given.certainty})"]
    lines += [given.sentence, _figures(given), *_attention(given)]
    rows = [
        (str(each.rank), each.person, number(each.distance), each.nearest_photo)
        for each in given.ranking
    ]
    heading = ("", "Person", "Distance in", "Nearest photograph")
    return "\n".join([*map(shown, lines), table(heading, rows, width)])


def _figures(given: Answer) -> str:
    """Return the distances, with the marks that there are."""
    at = "" if given.threshold is None else f" (the mark is at {number(given.threshold)})"
    said = [f"Distance in face space: {number(given.distance_in)}{at}."]
    if given.left_over is not None and given.left_over_limit is not None:
        mark = percent(given.left_over_limit, 0)
        said.append(
            f"Cannot be made of faces: {percent(given.left_over, 0)} (the mark is at {mark})."
        )
    return " ".join([*said, f"Distance from face space: {number(given.distance_from)}."])


def _attention(given: Answer) -> list[str]:
    """Return how it was cut, what needs attention in the photograph, and what in the verdict."""
    cautions = " ".join(each.sentence for each in given.cautions)
    return [each for each in (given.cut, *(one.reason for one in given.concerns), cautions) if each]


def _which_text(given: Answer) -> str:
    """Return which face of a photograph this is."""
    if given.box is None:
        return ""
    left, top, size = given.box
    which = "" if given.faces == 1 else f"face {given.face} of {given.faces} from the left, "
    return f": {which}{size:.0f} pixels wide at ({left:.0f}, {top:.0f})"
