"""Who is on a photograph, by the name of its file."""

from __future__ import annotations

import re

from eigenfaces.errors import EigenfacesError

_LONGEST_PATTERN = 1000


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the person in a file name by a pattern, or None if it does not match.

    >>> person_from_name("subject01.happy.gif", "{person}.*")
    'subject01'
    """
    check_pattern(pattern)
    person = _between(name, [part for part in re.split(r"(\{person\}|\*+)", pattern) if part])
    return person.strip() or None if person is not None else None


def check_pattern(pattern: str) -> None:
    """Raise `EigenfacesError`, a sentence, if a pattern cannot name anybody."""
    if pattern.count("{person}") != 1:
        raise EigenfacesError(
            f"The pattern “{pattern}” must contain {{person}} once, as in “{{person}}.*”."
        )
    if len(pattern) > _LONGEST_PATTERN:
        raise EigenfacesError(
            f"The pattern has {len(pattern)} letters: write one of at most {_LONGEST_PATTERN}."
        )


def _between(name: str, parts: list[str]) -> str | None:
    """Return the part of a name at ``{person}``; None if the name does not match.

    Each ``*`` matches as much as possible, the person as little as possible but at least one
    letter; earlier parts go first. Matches are computed from the end, once for each part and
    letter: so the time is at most the product of their numbers, for any pattern.
    """
    fits = [[place == len(name) for place in range(len(name) + 1)]]
    for part in reversed(parts):
        after, here = fits[-1], [False] * (len(name) + 1)
        later = False  # whether the rest matches somewhere behind this position
        for place in range(len(name), -1, -1):
            if part == "{person}":
                here[place] = later
            elif part.startswith("*"):
                here[place] = later or after[place]
            else:
                here[place] = name.startswith(part, place) and after[place + len(part)]
            later = later or after[place]
        fits.append(here)
    if not fits[-1][0]:
        return None
    place, person = 0, ""
    for number, part in enumerate(parts, start=1):
        after = fits[len(parts) - number]
        if part == "{person}":
            end = after.index(True, place + 1)
            person = name[place:end]
        elif part.startswith("*"):
            end = len(name) - after[::-1].index(True)
        else:
            end = place + len(part)
        place = end
    return person


def suggest_pattern(names: list[str]) -> str | None:
    """Return the first common pattern that matches every name and gives a few people.

    At least two people, one of them with two files: `IMG_1` and `IMG_2` have no person.

    >>> suggest_pattern(["subject01.happy.gif", "subject01.sad.gif", "subject02.sad.gif"])
    '{person}.*.*'
    """
    for pattern in ("{person}.*.*", "{person}_*", "{person}-*", "{person} *"):
        people = [person_from_name(name, pattern) for name in names]
        if None not in people and 1 < len(set(people)) < len(people):
            return pattern
    return None
