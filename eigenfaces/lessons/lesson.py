"""A lesson: what can be set, what is computed from it, and the words around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.text import Field, OneOf, Whole, YesOrNo, as_number

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


@dataclass(frozen=True, eq=False, kw_only=True)
class LessonChoice(OneOf):
    """One of a few names; any, as long as it is not known which there are."""

    def checked(self, said: object) -> str:
        """Return the name."""
        return super().checked(said) if self.choices else str(said)


# A setting of a lesson is declared with what it is at first and how it is controlled; what it is
# *about* is said in the lesson.


def slide(
    first: float, label: str, least: float, most: float, step: float = 1.0, **more: Any
) -> Any:
    """Return a setting that is moved by a `Slide`."""
    return _setting(first, Slide, label=label, least=least, most=most, step=step, **more)


def typed_whole(first: int, label: str, least: int, most: int, called: str) -> Any:
    """Return a setting that is a typed whole number; ``called``: its name in a sentence."""
    refusal = f"{called} is a whole number from {least} to {most}."
    return _setting(first, Whole, label=label, least=least, most=most, refusal=refusal)


def flag(first: bool, label: str) -> Any:
    """Return a setting that is on or off."""

    def control(*, about: str, **more: Any) -> YesOrNo:
        choices = {"no": f"not: {about}", "yes": about}
        return YesOrNo(about=about, choices=choices, refusal=f"“{label}” is yes or no.", **more)

    return _setting(first, control, label=label)


def choice(first: str, label: str, choices: Mapping[str, str]) -> Any:
    """Return a setting that is one of a few names."""
    return _setting(first, LessonChoice, label=label, choices=choices)


def _setting(first: object, control: Callable[..., Field], **more: Any) -> Any:
    return field(default=first, metadata={"control": partial(control, **more)})


@dataclass(frozen=True, eq=False)
class Suggestion(Generic[Ready, Settings]):
    """A button that changes settings to ones worth seeing, like the best direction."""

    title: str
    about: str
    changes: Mapping[str, object] | Callable[[Ready, Settings], Mapping[str, object]]

    def apply(self, ready: Ready, settings: Settings) -> Settings:
        """Return the settings with the changes."""
        changes = self.changes(ready, settings) if callable(self.changes) else self.changes
        return replace(settings, **changes)  # type: ignore[type-var]


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
        A frozen value of settings, as they are at first; ``about``: what each is.
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
        By the names of controls that depend on the subject, how far each goes, as k to the rank, or
        its choices; None if it is not there. What is set beyond counts as the last that there is.
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
    about: Mapping[str, str]
    prepare: Callable[[Subject, Tick], Ready]
    picture: Callable[[Ready, Settings], LessonPicture]
    listing: str
    suggestions: tuple[Suggestion[Ready, Settings], ...] = ()
    slow: bool = False
    fitted: Callable[[Ready], Mapping[str, int | Mapping[str, str] | None]] = lambda _ready: {}
    renewed_by: tuple[str, ...] = ()
    renew: Callable[[Ready, Settings, Tick], Ready] | None = None

    @cached_property
    def controls(self) -> tuple[Field, ...]:
        """A control for each setting, in their order."""
        return tuple(
            each.metadata["control"](name=each.name, about=self.about[each.name])
            for each in fields(self.settings)  # type: ignore[arg-type]
        )

    def controls_for(self, ready: Ready) -> tuple[Field, ...]:
        """Return the controls for a subject that is prepared."""
        ends, found = self.fitted(ready), list[Field]()
        for each in self.controls:
            end = ends.get(each.name, each)
            if isinstance(each, OneOf) and isinstance(end, Mapping):
                found.append(replace(each, choices=end))
            elif isinstance(each, Slide | Whole) and isinstance(end, int):
                found.append(replace(each, most=end))
            elif end is not None:
                found.append(each)
        return tuple(found)

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
        names = [each.name for each in self.controls]
        used = [each for each in names if re.search(rf"\b{each}\b", self.listing)]
        chosen = "".join(f"{each} = {getattr(settings, each)!r}\n" for each in used)
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
