"""A lesson: its settings, what is computed from them, and its words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.subjects import Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, OneOf, YesOrNo, as_number

Ready = TypeVar("Ready")
Settings = Mapping[str, Any]
"""The values of the settings, by their names."""


@dataclass(frozen=True, eq=False)
class Slide(Field):
    """A number from ``least`` to ``most`` in steps, moved by a slider."""

    name: str
    label: str
    about: str
    least: float
    most: float
    step: float = 1.0
    _: KW_ONLY
    default: float
    unit: str = ""
    powers: bool = False  # each step is a power of ten; the slider ends at 0 if ``least`` < 1
    plays: bool = False  # a button plays it
    whole: bool = False  # the number is a count

    @property
    def ends_at_zero(self) -> bool:
        """Whether 0 is one step beyond the least power."""
        return self.powers and self.least < 1

    def checked(self, value: object) -> float:
        """Return the number if it is in the range."""
        number = as_number(value)
        if self.ends_at_zero and number == 0:
            return 0
        if not self.least <= number <= self.most or (self.whole and number % 1):
            kind = "whole number" if self.whole else "number"
            raise EigenfacesError(
                f"{self.label} is a {kind} from {self.least:g} to {self.most:g}{self.unit}."
            )
        return int(number) if self.whole else number

    def read(self, text: str) -> float:
        """Return the number in a text."""
        try:
            return self.checked(float(text))
        except ValueError:
            return self.checked(text)

    def numbers(self) -> Doubles:
        """Return the increasing numbers (p,) at the places of the slider.

        For powers of ten, the first may be 0.
        """
        if not self.powers:
            steps = np.arange(round((self.most - self.least) / self.step) + 1)
            return np.minimum(np.round(self.least + steps * self.step, 10), self.most)
        steps = np.arange(round(math.log10(self.most / self.least) / self.step), -1, -1)
        powers = [float(f"{power:.3g}") for power in self.most / 10 ** (steps * self.step)]
        return np.array([0.0] * self.ends_at_zero + powers[self.ends_at_zero :])


@dataclass(frozen=True, eq=False)
class Choice(OneOf):
    """One of a few names; any name until the choices are known."""

    name: str
    label: str
    about: str
    choices: Mapping[str, str]
    _: KW_ONLY
    default: str

    def checked(self, value: object) -> str:
        """Return the name."""
        return super().checked(value) if self.choices else str(value)


@dataclass(frozen=True, eq=False)
class Flag(YesOrNo):
    """A setting that is on or off."""

    name: str
    label: str
    about: str
    _: KW_ONLY
    default: bool
    choices: Mapping[str, str] = field(default_factory=dict)
    refusal: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "refusal", f"“{self.label}” is yes or no.")


Control = Slide | Choice | Flag


@dataclass(frozen=True)
class Button:
    """A button: its effect in words, and the settings that it changes.

    ``change`` has the new settings, or computes them from the prepared values and the settings.
    """

    about: str
    change: Settings | Callable[[Any, Settings], Settings]


@dataclass(frozen=True)
class Step:
    """One thing to try in a lesson: a sentence, and the settings for it.

    ``settings`` replace defaults; ``subject`` is a key of `SUBJECTS`, "" for the first one.
    """

    words: str
    settings: Settings = field(default_factory=dict)
    subject: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", with_markup(self.words))


@dataclass(frozen=True)
class Question:
    """The question asked before a lesson: three answers, and the number of the right one."""

    words: str
    answers: tuple[str, str, str]
    right: int  # from 0

    def reply(self, answer: int) -> str:
        """Return the reply to an answer, in one sentence.

        >>> Question("How many?", ("one", "two", "three"), 1).reply(0)
        'No: the answer is “two”.'
        """
        verdict = "Yes" if answer == self.right else "No"
        return f"{verdict}: the answer is “{self.answers[self.right]}”."


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson(Generic[Ready]):
    """One idea: a picture that changes with a few settings, and the words that belong to it.

    Texts may have *letters*, **what matters**, <sup> and <sub>, and ``{name}`` for a word of the
    picture. They are stored with <i> and <b>.
    """

    name: str  # as the user types it
    title: str
    line: str  # a line about it
    group: str
    see: tuple[str, ...]  # three sentences
    formula: str
    why: str  # why it is true
    steps: tuple[Step, ...]  # two to four things to try, in their order
    subjects: tuple[str, ...]  # keys of `SUBJECTS`, “gallery” or “opened”; the first is the default
    controls: tuple[Control, ...]  # a control for each setting
    # computes what is needed before a slider moves, from a subject, a tick and the settings in
    # ``slow_settings`` by their names
    prepare: Callable[..., Ready]
    # makes the picture, from the prepared values and the settings by their names. Fast enough to
    # follow a slider
    picture: Callable[..., LessonPicture]
    # 5 to 20 lines of NumPy, from ``x`` (n, d) and the settings to the numbers of the picture
    listing: str
    buttons: Mapping[str, Button] = field(default_factory=dict)  # by their titles
    # for each control that depends on the subject, its largest value or its choices; None if it is
    # absent. A larger value counts as the largest
    limits: Callable[[Ready], Mapping[str, int | Mapping[str, str] | None]] = lambda _ready: {}
    picture_only: tuple[str, ...] = ()  # settings of the picture that the program does not read
    slow_settings: tuple[str, ...] = ()  # settings that take longer than a slider can wait
    question: Question | None = None  # the question asked first; the laboratory has none
    # the part of a subject that the program is about, by the settings
    shown: Callable[[Any, Settings], Subject] = lambda subject, _settings: subject
    # the settings that do not change the picture, by the current settings
    unused_settings: Callable[[Settings], tuple[str, ...]] = lambda _settings: ()

    def __post_init__(self) -> None:
        for name in ("formula", "why"):
            object.__setattr__(self, name, with_markup(getattr(self, name)))
        object.__setattr__(self, "see", tuple(map(with_markup, self.see)))

    def after_button(self, title: str, ready: Ready, settings: Settings) -> Settings:
        """Return the settings after a button was pressed."""
        change = self.buttons[title].change
        return {**settings, **(change(ready, settings) if callable(change) else change)}

    @cached_property
    def default_settings(self) -> Settings:
        """The default settings."""
        return {control.name: control.default for control in self.controls}

    def controls_for(self, ready: Ready) -> tuple[Control, ...]:
        """Return the controls for a prepared subject."""
        limits, controls = self.limits(ready), list[Control]()
        for control in self.controls:
            limit = limits.get(control.name, control)
            if isinstance(control, Choice) and isinstance(limit, Mapping):
                controls.append(replace(control, choices=limit))
            elif isinstance(control, Slide) and isinstance(limit, int):
                controls.append(replace(control, most=limit))
            elif limit is not None:
                controls.append(control)
        return tuple(controls)

    def is_instant(self, subject: Subject) -> bool:
        """Return whether `prepare` is too quick to be noticed."""
        return isinstance(subject, Cloud) and not self.slow_settings

    def show(self, subject: Subject, **settings: Any) -> LessonPicture:
        """Return the picture of a subject, with the default settings unless others are given."""
        ready = self.prepared(subject, {**self.default_settings, **settings})
        return self.draw(ready, **settings)

    def draw(self, ready: Ready, **settings: Any) -> LessonPicture:
        """Return the picture of prepared values, with default settings unless others are given."""
        return self.picture(ready, **{**self.default_settings, **settings})

    def prepared(self, subject: Subject, settings: Settings, tick: Tick = no_tick) -> Ready:
        """Return the prepared values for a subject and these settings."""
        return self.prepare(subject, tick, **{name: settings[name] for name in self.slow_settings})

    def read_by_program(self, settings: Settings) -> Settings:
        """Return the settings that the program reads; the others change only the picture."""
        return {n: value for n, value in settings.items() if n not in self.picture_only}

    def code(self, subject: Subject, settings: Settings) -> str:
        """Return a program that makes the subject, and computes the numbers of the picture."""
        used = self.read_by_program(settings)
        values = "".join(f"{name} = {value!r}\n" for name, value in used.items())
        return (
            f"import numpy as np\n\n{self.shown(subject, settings).code}\n{values}\n{self.listing}"
        )


def with_markup(text: str) -> str:
    """Return the text with *letters* in <i> and **what matters** in <b>.

    >>> with_markup("*w* has **length** 1")
    '<i>w</i> has <b>length</b> 1'
    """
    text = re.sub(r"\*\*(.+?)\*\*(?!\*)", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)


_LOWER = dict(zip("0123456789+ijkn", "₀₁₂₃₄₅₆₇₈₉₊ᵢⱼₖₙ", strict=True))
_RAISED = dict(zip("0123456789−½", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻½", strict=True))


def without_markup(text: str) -> str:
    """Return a text of a lesson without its mark-up.

    >>> without_markup("<i>w</i>ᵀΣ<i>w</i> is <b>greatest</b>")
    'wᵀΣw is greatest'
    >>> without_markup("λ<sub>k+1</sub> + … + λ<sub>d</sub>")
    'λₖ₊₁ + … + λ_d'
    """

    def small(words: str, letters: Mapping[str, str], sign: str) -> str:
        if letters.keys() >= set(words):
            return "".join(letters[letter] for letter in words)
        return f"{sign}{words}" if len(words) == 1 else f"{sign}({words})"

    text = re.sub(r"<sub>(.+?)</sub>", lambda match: small(match[1], _LOWER, "_"), text)
    text = re.sub(r"<sup>(.+?)</sup>", lambda match: small(match[1], _RAISED, "^"), text)
    return re.sub(r"</?(b|i)>", "", text)
