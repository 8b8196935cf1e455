"""A lesson: what can be set, what is computed from it, and the words around it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import dedent
from typing import Any, Generic, TypeVar

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.text import Field, OneOf, Whole, YesOrNo, as_number

Ready = TypeVar("Ready")
Settings = Mapping[str, Any]
"""The values of what can be set, by their names."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Slide(Field):
    """A number from ``least`` to ``most`` in steps, moved by a slider.

    ``powers``: the slider moves the power of ten of the number, in steps of ``step`` powers; its
    end is 0 where ``least`` is below 1.
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

    @property
    def ends_at_zero(self) -> bool:
        """Whether 0 is beyond the least power."""
        return self.powers and self.least < 1

    def checked(self, said: object) -> float:
        """Return a number in the range."""
        number = as_number(said)
        if self.ends_at_zero and number == 0:
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


# What a setting is *about* is said in the words of the lesson, what it is at first by `picture`.


def slide(
    name: str, label: str, least: float, most: float, step: float = 1.0, **more: Any
) -> Slide:
    """Return a setting that is moved by a slider."""
    return Slide(name=name, label=label, about="", least=least, most=most, step=step, **more)


def whole(name: str, label: str, least: int, most: int, called: str) -> Whole:
    """Return a setting that is a typed whole number; ``called``: its name in a sentence."""
    refusal = f"{called} is a whole number from {least} to {most}."
    return Whole(name=name, label=label, about="", least=least, most=most, refusal=refusal)


def flag(name: str, label: str) -> YesOrNo:
    """Return a setting that is on or off."""
    refusal = f"“{label}” is yes or no."
    return YesOrNo(name=name, label=label, about="", choices={}, refusal=refusal)


def choice(name: str, label: str, choices: Mapping[str, str]) -> LessonChoice:
    """Return a setting that is one of a few names."""
    return LessonChoice(name=name, label=label, about="", choices=choices)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson(Generic[Ready]):
    """One idea: a picture that moves with a few settings, and the words that belong to it.

    Texts may hold <b>, <i>, <sup> and <sub>, and ``{name}`` for a word of the picture.
    """

    name: str  # how it is typed. ``title``; ``line``: a line about it; ``group``: its section
    title: str
    line: str
    group: str
    # three sentences on what is seen; ``formula``, and ``why`` it holds; ``tries``: what to try;
    # ``about``: what each setting is; ``presses``: what each button does. All are `told` at once
    see: tuple[str, ...]
    formula: str
    why: str
    tries: tuple[str, ...]
    about: Mapping[str, str]
    presses: Mapping[str, str]
    # what it can be shown on, keys of the table of subjects; the first to begin with
    subjects: tuple[str, ...]
    fields: tuple[Field, ...]  # what can be set
    # what is shown, from what was prepared and the settings, by their names, whose defaults are
    # what they are at first; fast enough to follow a slider
    picture: Callable[..., LessonPicture]
    # 5 to 20 lines of NumPy, from ``x`` (n, d) and the settings by their names to the numbers of
    # the picture by theirs
    listing: str
    prepare: Callable[[Any, Tick], Ready]  # what has to be computed once for a subject
    # by their titles, what they change: to settings worth seeing, like the best direction
    buttons: Mapping[str, Settings | Callable[[Ready, Settings], Settings]] = field(
        default_factory=dict
    )
    slow: bool = False  # whether `prepare` takes long even for a few points
    # by the names of controls that depend on the subject, how far each goes, as k to the rank, or
    # its choices; None if it is not there. What is set beyond counts as the last that there is
    fitted: Callable[[Ready], Mapping[str, int | Mapping[str, str] | None]] = lambda _ready: {}
    renewed_by: tuple[str, ...] = ()
    # what has to be computed besides, for the settings ``renewed_by``: at first, and when one of
    # them has changed
    renew: Callable[[Ready, Settings, Tick], Ready] = lambda ready, _settings, _tick: ready

    def pressed(self, title: str, ready: Ready, settings: Settings) -> Settings:
        """Return the settings after a button."""
        changes = self.buttons[title]
        return {**settings, **(changes(ready, settings) if callable(changes) else changes)}

    @cached_property
    def settings(self) -> Settings:
        """The settings as they are at first."""
        parameters = inspect.signature(self.picture).parameters
        return {each.name: parameters[each.name].default for each in self.fields}

    @cached_property
    def controls(self) -> tuple[Field, ...]:
        """What can be set, with what it is about."""
        return tuple(replace(each, about=self.about[each.name]) for each in self.fields)

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

    def show(self, subject: Subject, **settings: Any) -> LessonPicture:
        """Return the picture of a subject."""
        chosen = {**self.settings, **settings}
        return self.picture(self.prepared(subject, chosen), **chosen)

    def prepared(self, subject: Subject, settings: Settings, tick: Tick = no_tick) -> Ready:
        """Return what has to be computed for a subject and these settings."""
        return self.renew(self.prepare(subject, tick), settings, tick)

    def code(self, subject: Subject, settings: Settings) -> str:
        """Return a program that makes the subject, and the numbers of the picture from it."""
        used = [name for name in settings if re.search(rf"\b{name}\b", self.listing)]
        chosen = "".join(f"{each} = {settings[each]!r}\n" for each in used)
        return f"import numpy as np\n\n{subject.code}\n{chosen}\n{self.listing}"


def told(words: str) -> dict[str, Any]:
    """Return the words of a lesson by their parts, from lines that begin with which it is.

    They are “title”, “line”, “group”, “see”, “formula”, “why”, “try”, “set” with the name of a
    setting, and “press” with that of a button; a long one goes on below, four blanks in. *Letters*
    are marked, and **what matters**.
    """
    lists = {"see": "see", "try": "tries"}
    told: dict[str, Any] = {"see": (), "tries": (), "about": {}, "presses": {}}
    words = re.sub(r"\*\*(.+?)\*\*(?!\*)", r"<b>\1</b>", words.replace("\n    ", " "))
    words = re.sub(r"\*(.+?)\*", r"<i>\1</i>", words)
    for line in words.strip().splitlines():
        part, _, text = line.partition(": ")
        kind, _, name = part.partition(" ")
        if name:
            told["about" if kind == "set" else "presses"][name] = text
        elif kind in lists:
            told[lists[kind]] += (text,)
        else:
            told[kind] = text
    return told


def source(computed: Callable[..., object], last: str) -> str:
    """Return the lines of a function but for its words and what it returns, and one after them."""
    body = inspect.getsource(computed).partition('"""\n')[2].rpartition("    return ")[0]
    return f"{dedent(body)}{last}\n"


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
