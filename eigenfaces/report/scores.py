"""Every comparison as a line of a score file that other biometrics tools read."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Set

import numpy as np

from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.report.relative_paths import with_relative_paths

Score = tuple[str, str, str, float]
"""Claimed identity, real identity, label of the probe, score."""


def four_columns(record: Record) -> Iterator[str]:
    """Yield every comparison as ``claimed_id real_id probe_label score``, one a line.

    The format is that of Bob, documented at ``bob.bio.base.score.load.four_column`` in its manual:
    columns apart by blanks, a line that begins with ``#`` is a comment, and a higher score is more
    alike. The score is minus the distance. The claimed identity is an enrolled person, the real
    one whoever is on the probe, also where that person is a stranger to the gallery. The label is
    the probe's file; a probe searched for in several folds has the number of the fold before it, so
    that no tool takes two searches for one. Of a pair, both files are the label.

    Blanks in names become ``_``; where that makes two names the same, the later gets a number.
    """
    record = with_relative_paths(record)
    evaluation = record.evaluation
    people = _words(evaluation.people)
    files = _words(photo.path.as_posix() for photo in evaluation.photos)
    if evaluation.searches is not None:
        lines = _of_searches(evaluation.searches, people, files)
    else:
        assert evaluation.pairs is not None
        named = dict(zip(evaluation.people, people, strict=True))
        who = [named[photo.person or ""] for photo in evaluation.photos]
        lines = _of_pairs(evaluation.pairs, who, files)
    return (f"{claimed} {real} {label} {score!r}\n" for claimed, real, label, score in lines)


def _of_searches(searches: Searches, people: list[str], files: list[str]) -> Iterator[Score]:
    labels, own = _labels(searches, files), searches.people.tolist()
    for place, compared in enumerate(searches.compared):
        claimed = np.flatnonzero(compared)
        distances = searches.distances[place, claimed].tolist()
        for who, distance in zip(claimed.tolist(), distances, strict=True):
            yield people[who], people[own[place]], labels[place], -distance


def _labels(searches: Searches, files: list[str]) -> list[str]:
    """Return what to call each search: its file, and its fold where the file comes in several."""
    folds = searches.fold.tolist()
    asked = list(zip(folds, searches.probes.tolist(), strict=True))
    times = Counter(probe for _, probe in set(asked))
    return [
        f"fold{fold + 1}/{files[probe]}" if times[probe] > 1 else files[probe]
        for fold, probe in asked
    ]


def _of_pairs(pairs: PairScores, who: list[str], files: list[str]) -> Iterator[Score]:
    for (first, second), distance in zip(
        pairs.pairs.tolist(), pairs.distances.tolist(), strict=True
    ):
        yield who[second], who[first], f"{files[first]},{files[second]}", -distance


def _words(names: Iterable[str]) -> list[str]:
    """Make one word of each name, and of names that differ words that differ."""
    words: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        if name not in words:
            words[name] = _free(_word(name), used)
            used.add(words[name])
    return list(words.values())


def _word(name: str) -> str:
    word = "_".join(name.split()) or "_"
    return f"_{word[1:]}" if word.startswith("#") else word


def _free(word: str, used: Set[str]) -> str:
    numbered = (f"{word}~{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([word], numbered) if each not in used)
