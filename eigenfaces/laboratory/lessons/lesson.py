"""A lesson: what can be set, what is computed from it, and the words around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Generic, TypeVar

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.laboratory.drawing import LessonPicture
from eigenfaces.laboratory.lessons.subjects import Cloud, Subject
from eigenfaces.text import Field, YesOrNo, as_number

Settings = TypeVar("Settings")
Ready = TypeVar("Ready")


@dataclass(frozen=True, eq=False, kw_only=True)
class Slide(Field):
    """A number from ``least`` to ``most`` in steps, moved by a slider.

    ``powers``: the slider moves the power of ten of the number, in steps of ``step`` powers, and
    its end at ``least`` is 0.
    ``plays``: a button runs through it, a step every so often.
    ``whole``: it counts something, so that there is nothing between two numbers.
    """

    least: float
    most: float
    step: float = 1.0
    unit: str = ""
    powers: bool = False
    plays: bool = False
    whole: bool = False

    def checked(self, said: object) -> float:
        """Return a number in the range."""
        number = as_number(said)
        if self.powers and number == 0:
            return 0
        if not self.least <= number <= self.most or (self.whole and number % 1):
            kind = "whole number" if self.whole else "number"
            raise EigenfacesError(
                f"{self.label} is a {kind} from {self.least:g} to {self.most:g}{self.unit}."
            )
        return int(number) if self.whole else number

    def read(self, text: str) -> float:
        """Return the number that a text writes out."""
        try:
            return self.checked(float(text))
        except ValueError:
            return self.checked(text)


def yes_or_no(name: str, label: str, about: str) -> YesOrNo:
    """Return a field that is on or off."""
    choices = {"no": f"not: {about}", "yes": about}
    refusal = f"“{label}” is yes or no."
    return YesOrNo(name=name, label=label, about=about, choices=choices, refusal=refusal)


@dataclass(frozen=True, eq=False, kw_only=True)
class Suggestion(Generic[Ready, Settings]):
    """A button that changes settings to ones worth seeing, like the best direction."""

    title: str
    about: str
    apply: Callable[[Ready, Settings], Settings]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson(Generic[Ready, Settings]):
    """One idea: a picture that moves with a few settings, and the words that belong to it.

    Texts may hold <b>, <i>, <sup> and <sub>, and ``{name}`` for a word of the picture.

    Parameters
    ----------
    name
        How it is typed. ``title``; ``line``: a line about it; ``group``: its section.
    see
        Three sentences on what is seen; ``formula``, and ``why`` it holds; ``tries``: what to try.
    subjects
        What it can be shown on, keys of the table of subjects; the first to begin with.
    settings
        A frozen value, with the settings to begin with; ``controls``: a field for each.
    prepare
        What has to be computed once for a subject.
    picture
        What is shown, from that and the settings; fast enough to follow a slider.
    listing
        5 to 20 lines of NumPy, from ``x`` (n, d) and the settings by their names to the numbers of
        the picture by theirs.
    slow
        Whether `prepare` takes long even for a few points.
    fitted
        The controls for one subject, where they depend on it: k goes no further than the rank. What
        is set beyond them counts as the last that there is.
    renew
        What has to be computed besides, for the settings ``renewed_by``: at first, and when one of
        them has changed.
    """

    name: str
    title: str
    line: str
    group: str
    see: tuple[str, ...]
    formula: str
    why: str
    tries: tuple[str, ...]
    subjects: tuple[str, ...]
    settings: Settings
    controls: tuple[Field, ...]
    prepare: Callable[[Subject, Tick], Ready]
    picture: Callable[[Ready, Settings], LessonPicture]
    listing: str
    suggestions: tuple[Suggestion[Ready, Settings], ...] = ()
    slow: bool = False
    fitted: Callable[[Ready], tuple[Field, ...]] | None = None
    renewed_by: tuple[str, ...] = ()
    renew: Callable[[Ready, Settings, Tick], Ready] | None = None

    def controls_for(self, ready: Ready) -> tuple[Field, ...]:
        """Return the controls for a subject that is prepared."""
        return self.fitted(ready) if self.fitted else self.controls

    def at_once(self, subject: Subject) -> bool:
        """Return whether `prepare` is over before anybody notices."""
        return isinstance(subject, Cloud) and not self.slow

    def show(
        self, subject: Subject, settings: Settings | None = None, tick: Tick = no_tick
    ) -> LessonPicture:
        """Return the picture of a subject."""
        chosen = self.settings if settings is None else settings
        return self.picture(self.prepared(subject, chosen, tick), chosen)

    def prepared(self, subject: Subject, settings: Settings, tick: Tick = no_tick) -> Ready:
        """Return what has to be computed for a subject and these settings."""
        return self.renewed(self.prepare(subject, tick), settings, tick)

    def renewed(self, ready: Ready, settings: Settings, tick: Tick = no_tick) -> Ready:
        """Return what was prepared, with what these settings need."""
        return self.renew(ready, settings, tick) if self.renew else ready

    def code(self, subject: Subject, settings: Settings) -> str:
        """Return a program that makes the subject, and the numbers of the picture from it."""
        known = {each.name: getattr(settings, each.name) for each in fields(settings)}  # type: ignore[arg-type]
        used = {
            name: value for name, value in known.items() if re.search(rf"\b{name}\b", self.listing)
        }
        chosen = "".join(f"{name} = {value!r}\n" for name, value in used.items())
        return f"import numpy as np\n\n{subject.code}\n{chosen}\n{self.listing}"


def filled(text: str, words: Mapping[str, str]) -> str:
    """Return a text of a lesson with the words of a picture in their places.

    >>> filled("Turn the line to {best}.", {"best": "31°"})
    'Turn the line to 31°.'
    """
    return text.format_map(words) if words else text


_LOWER = dict(zip("0123456789+ijkn", "₀₁₂₃₄₅₆₇₈₉₊ᵢⱼₖₙ", strict=True))
_RAISED = dict(zip("0123456789−½", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻½", strict=True))


def plain(text: str) -> str:
    """Return a text of a lesson without its mark-up.

    >>> plain("<i>w</i>ᵀΣ<i>w</i> is <b>greatest</b>"), plain("λ<sub>k+1</sub> + … + λ<sub>d</sub>")
    ('wᵀΣw is greatest', 'λₖ₊₁ + … + λ_d')
    """
    text = re.sub(r"<sub>(.+?)</sub>", lambda found: _letters(found[1], _LOWER, "_"), text)
    text = re.sub(r"<sup>(.+?)</sup>", lambda found: _letters(found[1], _RAISED, "^"), text)
    return re.sub(r"</?(b|i)>", "", text)


def _letters(words: str, known: Mapping[str, str], sign: str) -> str:
    """Return words in small letters, where there are such; else with a sign before them."""
    if known.keys() >= set(words):
        return "".join(known[letter] for letter in words)
    return f"{sign}{words}" if len(words) == 1 else f"{sign}({words})"
