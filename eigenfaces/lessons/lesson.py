"""The `Lesson` class: one idea with its settings, its picture, its program and its text."""

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
"""Values of the settings, by name."""


@dataclass(frozen=True, eq=False)
class Slide(Field):
    """Slider for a number from ``least`` to ``most``, which is whole if the default is an int."""

    name: str
    label: str
    about: str
    default: float
    least: float
    most: float
    step: float = 1.0
    _: KW_ONLY
    unit: str = ""
    powers: bool = False  # a step multiplies by 10**step; 0 takes the place of a ``least`` < 1
    plays: bool = False  # the first one to be played, by the space bar and in the hall

    @property
    def whole(self) -> bool:
        """Whether the number must be a whole number."""
        return isinstance(self.default, int)

    @property
    def ends_at_zero(self) -> bool:
        """Whether 0 replaces the smallest power of ten."""
        return self.powers and self.least < 1

    def checked(self, value: object) -> float:
        """Return the number, or raise `EigenfacesError` if it is out of range or not whole."""
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
        """Check the number that the user typed, and return it."""
        try:
            return self.checked(float(text))
        except ValueError:
            return self.checked(text)

    def numbers(self) -> Doubles:
        """Return the numbers (p,) for the positions of the slider, in increasing order.

        If the slider has powers of ten, the first number may be 0.
        """
        if not self.powers:
            steps = np.arange(round((self.most - self.least) / self.step) + 1)
            return np.minimum(np.round(self.least + steps * self.step, 10), self.most)
        steps = np.arange(round(math.log10(self.most / self.least) / self.step), -1, -1)
        powers = [float(f"{power:.3g}") for power in self.most / 10 ** (steps * self.step)]
        return np.array([0.0] * self.ends_at_zero + powers[self.ends_at_zero :])


@dataclass(frozen=True, eq=False)
class Choice(OneOf):
    """Choice between a few names. Any name is accepted until the choices are known."""

    name: str
    label: str
    about: str
    choices: Mapping[str, str]
    _: KW_ONLY
    default: str

    def checked(self, value: object) -> str:
        """Return the name, or raise `EigenfacesError` if it is not one of the choices."""
        return super().checked(value) if self.choices else str(value)


@dataclass(frozen=True, eq=False)
class Flag(YesOrNo):
    """Setting that is either on or off."""

    name: str
    label: str
    about: str
    _: KW_ONLY
    default: bool
    choices: Mapping[str, str] = field(default_factory=dict)
    refusal: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "refusal", f"“{self.label}” must be yes or no.")


Control = Slide | Choice | Flag


@dataclass(frozen=True)
class Button:
    """Button that changes settings, with a sentence about its effect.

    ``change`` holds the new settings, or computes them from prepared values and current settings.
    """

    about: str
    change: Settings | Callable[[Any, Settings], Settings]


@dataclass(frozen=True)
class Step:
    """Something to try in a lesson: a sentence, and the settings that it needs.

    ``settings`` replace the defaults. ``subject`` is a key of `SUBJECTS`, or "" for the first
    subject of the lesson.
    """

    words: str
    settings: Settings = field(default_factory=dict)
    subject: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", with_markup(self.words))


@dataclass(frozen=True)
class Question:
    """Question to ask before a lesson, with three answers and the index of the right one."""

    words: str
    answers: tuple[str, str, str]
    right: int  # from 0

    def reply(self, answer: int) -> str:
        """Return the reply to an answer as one sentence.

        >>> Question("How many?", ("one", "two", "three"), 1).reply(0)
        'No: the answer is “two”.'
        """
        verdict = "Yes" if answer == self.right else "No"
        return f"{verdict}: the answer is “{self.answers[self.right]}”."


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson(Generic[Ready]):
    """One idea, shown in a picture that changes with a few settings, and explained in a text.

    Texts may contain *letters*, **emphasis**, <sup>, <sub>, and ``{name}`` where the picture
    supplies a word. Asterisks are stored as <i> and <b>.
    """

    name: str  # as typed on the command line
    title: str
    line: str  # a subtitle
    group: str
    see: tuple[str, ...]  # three sentences
    formula: str
    why: str  # why it is true
    steps: tuple[Step, ...]  # two to four things to try, in order
    subjects: tuple[str, ...]  # keys of `SUBJECTS`, “gallery” or “opened”; the first is the default
    controls: tuple[Control, ...]  # a control for each setting
    # computes all that does not change with a slider, from a subject, a tick and the slow settings
    prepare: Callable[..., Ready]
    # makes the picture from the prepared values and all settings, fast enough to follow a slider
    picture: Callable[..., LessonPicture]
    # 5 to 20 lines of NumPy that compute the numbers of the picture from ``x`` (n, d) and settings
    listing: str
    buttons: Mapping[str, Button] = field(default_factory=dict)  # by title
    # the largest value or the choices of each control that depends on the subject, or None to hide
    # the control. A larger value is treated as the largest
    limits: Callable[[Ready], Mapping[str, int | Mapping[str, str] | None]] = lambda _ready: {}
    picture_only: tuple[str, ...] = ()  # settings that the program does not read
    slow_settings: tuple[str, ...] = ()  # settings too slow to follow a slider
    question: Question | None = None  # asked first, except in the laboratory
    # the part of a subject that the program works on
    shown: Callable[[Any, Settings], Subject] = lambda subject, _settings: subject
    # the settings that have no effect while the others are as they are
    unused_settings: Callable[[Settings], tuple[str, ...]] = lambda _settings: ()

    def __post_init__(self) -> None:
        for name in ("formula", "why"):
            object.__setattr__(self, name, with_markup(getattr(self, name)))
        object.__setattr__(self, "see", tuple(map(with_markup, self.see)))

    def after_button(self, title: str, ready: Ready, settings: Settings) -> Settings:
        """Return the settings after the button with this title has been clicked."""
        change = self.buttons[title].change
        return {**settings, **(change(ready, settings) if callable(change) else change)}

    @cached_property
    def default_settings(self) -> Settings:
        """Default value of each setting."""
        return {control.name: control.default for control in self.controls}

    def controls_for(self, ready: Ready) -> tuple[Control, ...]:
        """Return the controls, with limits and choices that fit a prepared subject."""
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
        """Return whether `prepare` takes no noticeable time."""
        return isinstance(subject, Cloud) and not self.slow_settings

    def show(self, subject: Subject, **settings: Any) -> LessonPicture:
        """Return the picture of a subject, with defaults for settings that are not given."""
        ready = self.prepared(subject, {**self.default_settings, **settings})
        return self.draw(ready, **settings)

    def draw(self, ready: Ready, **settings: Any) -> LessonPicture:
        """Return the picture for prepared values, with defaults for settings that are not given."""
        return self.picture(ready, **{**self.default_settings, **settings})

    def prepared(self, subject: Subject, settings: Settings, tick: Tick = no_tick) -> Ready:
        """Return the values that `picture` needs, prepared from a subject and the slow settings."""
        return self.prepare(subject, tick, **{name: settings[name] for name in self.slow_settings})

    def read_by_program(self, settings: Settings) -> Settings:
        """Return the settings that the program uses. The others affect only the picture."""
        return {n: value for n, value in settings.items() if n not in self.picture_only}

    def code(self, subject: Subject, settings: Settings) -> str:
        """Return a program that creates the subject and computes the numbers in the picture."""
        used = self.read_by_program(settings)
        values = "".join(f"{name} = {value!r}\n" for name, value in used.items())
        return (
            f"import numpy as np\n\n{self.shown(subject, settings).code}\n{values}\n{self.listing}"
        )


def with_markup(text: str) -> str:
    """Return the text with *letters* in <i> and **emphasis** in <b>.

    >>> with_markup("*w* has **length** 1")
    '<i>w</i> has <b>length</b> 1'
    """
    text = re.sub(r"\*\*(.+?)\*\*(?!\*)", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)


_LOWER = dict(zip("0123456789+ijkn", "₀₁₂₃₄₅₆₇₈₉₊ᵢⱼₖₙ", strict=True))
_RAISED = dict(zip("0123456789−½", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻½", strict=True))


def without_markup(text: str) -> str:
    """Return the text of a lesson as plain text, with indices and powers in Unicode if possible.

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
