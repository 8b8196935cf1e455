"""An explanation in words: what adds up to what, and what does not; the whole of it as text."""

from __future__ import annotations

from eigenfaces.recognition.decision import Decision
from eigenfaces.recognition.explanation import DistanceSplit, Explanation
from eigenfaces.recognition.recipe_words import recipe_words
from eigenfaces.recognition.two_questions import TwoQuestions
from eigenfaces.space.distances import DISTANCES
from eigenfaces.wording import capital, number, percent


def question(decision: Decision) -> str:
    """Return what is explained, as a question."""
    match decision.kind:
        case "sure" | "likely":
            return f"Why {decision.nearest[0]}?"
        case "ask":
            return f"Why {decision.headline}"
        case "unknown":
            return "Why nobody?"
        case "near but no face" | "no face":
            return "Why no name?"
        case "not calibrated":
            return f"Why is {decision.nearest[0]} nearest?"


def bars_sentence(found: Explanation, split: DistanceSplit) -> str:
    """Return what the bars of a person add up to."""
    name = found.recipe.matcher.distance
    distance, sum_, away = DISTANCES[name], term(split.total), number(split.distance)
    if distance.sums_squares:
        said = f"{sum_} = {away}², its distance squared"
    elif distance.is_angle:
        said = f"{sum_} = 2 × {away}, twice its {name} distance"
    else:
        squared = "Mahalanobis L2" if distance.whitens else "L2"
        said = f"{sum_}, its squared {squared} distance; {name}, here {away}, is no sum of squares"
    return f"{split.match.person}: the bars add up to {said}."


def remarks(found: Explanation) -> str:
    """Return what else has to be known of the sums, in sentences; mostly nothing."""
    said, rule = [], found.recipe.matcher.rule
    if rule == "class mean":
        said.append("It is measured to the means of people’s photos.")
    if rule == "mean distance":
        said.append("It is measured to the nearest photos, though distances were averaged.")
    if not found.pictures:
        said.append(f"Axes of {found.recipe.name} are no faces: a bar has no picture.")
    if found.span is not None:
        said.append(
            f"Photos that are enrolled have something along the first {found.span} axes only: the "
            "others make the face that is asked about less like everybody."
        )
    if found.outside:
        said.append("The last axis is what lies outside of all faces trained on.")
    return " ".join(said)


def unit(found: Explanation) -> str:
    """Return what each bar stands for.

    >>> from eigenfaces.recognition.recipe import Recipe
    >>> unit(Explanation(Recipe(), None, None, range(144), True))
    'components, 8 to a bar'
    """
    one, several = ("component", "components") if found.pictures else ("axis", "axes")
    wide = len(found.groups[0])
    return one if wide == 1 else f"{several}, {wide} to a bar"


def labels(found: Explanation) -> tuple[str, ...]:
    """Return the numbers, from 1, of the components of each bar: "1–8"."""
    return tuple(
        f"{group[0] + 1}–{group[-1] + 1}" if len(group) > 1 else f"{group[0] + 1}"
        for group in found.groups
    )


def map_caption(split: DistanceSplit) -> str:
    """Return what the map of a person adds up to; empty where there is no map."""
    over = split.over
    return "" if over is None else f"adds up to {term(float(over.sum()))}"


def map_sentences(found: Explanation) -> str:
    """Return what the maps show and what they are made of; why there are none, where that is so."""
    if not found.closest.maps:
        return (
            f"There is no map: {found.recipe.name} compares along axes that are no faces, and of "
            "such only an angle splits over the face."
        )
    if len(found.closest.maps) > 1:
        sums = [f"{split.match.person}: {_blocks(split)}." for split in found.splits]
    else:
        sums = [f"From top to bottom, thirds of the face add {_joined(found)}."]
    first = (
        "Of the cosine, 1 − the distance: what speaks for a person, and what against."
        if found.by_likeness
        else "Bright is where the two differ, as face space sees them."
    )
    return " ".join([first, *sums])


def closeness(decision: Decision) -> str:
    """Return where the nearest distance lies among those held out; why that is not known."""
    if decision.calibration is None:
        return decision.reason
    held = TwoQuestions.of(decision.calibration)
    return held.closeness(decision.nearest[1]) if len(held.members) else decision.reason


def errors(decision: Decision) -> str:
    """Return both errors of the marks that hold; why there are none."""
    if decision.calibration is None or decision.limit is None or decision.face_limit is None:
        return decision.reason
    held = TwoQuestions.of(decision.calibration)
    return held.errors(decision.limit, decision.face_limit)


def experiment(decision: Decision, limit: float, face_limit: float) -> str:
    """Return both errors of other marks than those that hold, and what these are."""
    if decision.calibration is None or decision.limit is None or decision.face_limit is None:
        return decision.reason
    held = TwoQuestions.of(decision.calibration)
    return (
        f"{held.errors(limit, face_limit)} They only try something out: those that hold are "
        f"{number(decision.limit)} and {percent(decision.face_limit, 0)}, for at most "
        f"{100 * decision.share:g} % of strangers named."
    )


def explanation_text(found: Explanation, decision: Decision) -> str:
    """Return everything that is known of why, as lines of text."""
    sums = [bars_sentence(found, split) for split in found.splits]
    columns = [list(map(term, found.bars(split))) for split in found.splits]
    heads = [f"to {split.match.person}" for split in found.splits]
    wide = [max(len(head), 8) for head in heads]
    names = [unit(found), *labels(found)]
    first = max(map(len, names))
    lines = [
        "  ".join([name.ljust(first), *(each.rjust(w) for each, w in zip(row, wide, strict=True))])
        for name, row in zip(names, [heads, *zip(*columns, strict=True)], strict=True)
    ]
    maps = [
        f"{split.match.person}: {capital(caption)}."
        for split in found.splits
        if (caption := map_caption(split))
    ]
    said = (
        (question(decision), f"{decision.headline} ({decision.chip}). {decision.sentence}"),
        (f"Compared by {recipe_words(found.recipe)}.",),
        ("Where the distance comes from", *sums, remarks(found), *lines),
        ("The same sum over the face", *maps, map_sentences(found)),
        ("Is that close?", closeness(decision)),
        ("Two questions, four answers", errors(decision), decision.marks),
    )
    return "\n\n".join("\n".join(filter(None, part)) for part in said) + "\n"


def _blocks(split: DistanceSplit) -> str:
    parts = " + ".join(f"{each.name} {term(each.total)}" for each in split.maps)
    return parts.replace("+ −", "− ")


def _joined(found: Explanation) -> str:
    return "; ".join(_thirds(split) for split in found.splits)


def _thirds(split: DistanceSplit) -> str:
    upper, middle, lower = (term(part) for part in split.maps[0].thirds)
    return f"{upper}, {middle} and {lower} for {split.match.person}"


def term(value: float) -> str:
    """Return a term of a sum: of four digits, at most four of them after the point.

    >>> term(12.5), term(0.01234), term(-0.25)
    ('12.50', '0.0123', '−0.2500')
    """
    if abs(value) >= 0.1 or abs(value) < 5e-5:
        return number(value)
    return f"{value:.4f}".replace("-", "−")
