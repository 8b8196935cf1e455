"""Pages of the lessons, each with its text, its program, and its picture above a slider.

A page is plain HTML with a few lines of JavaScript. It needs no server and can be sent by mail,
because it contains every picture that its sliders can show.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from joblib import Parallel, delayed
from markupsafe import Markup
from PIL import Image

from eigenfaces.lessons.catalogue import LESSONS, numbered_title
from eigenfaces.lessons.catalogue import lesson as lesson_named
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson, Settings, Slide, without_markup
from eigenfaces.lessons.notebook import notebook
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.report.lesson_figure import lesson_images
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, OneOf, YesOrNo

LARGEST = 1_500_000
"""The largest size of a page, in bytes."""

FEWEST, MOST = 20, 36
"""Number of pictures for the sliders. Steps that set something else need further pictures."""

_WIDTH = 1152  # pixels: the width of the column on a screen with 120 % scaling
_QUALITIES = (70, 55, 40)  # of WebP: the first that makes the page small enough is used


@dataclass(frozen=True)
class SliderOfPage:
    """Slider with the number at each of its positions."""

    name: str
    label: str
    unit: str
    numbers: tuple[float, ...]
    start: int  # its first position

    @property
    def texts(self) -> list[str]:
        """Text beside the slider at each position."""
        return [f"{number:g}{self.unit}".replace("-", "−") for number in self.numbers]


@dataclass(frozen=True)
class StepOfPage:
    """Step of a lesson: a sentence, and the picture that it shows."""

    words: Markup
    frame: int | None  # None if the step sets nothing
    places: tuple[int, ...] = ()  # positions of the sliders, or none if no slider shows the picture
    note: str = ""  # what the step sets apart from the sliders


class _Frames:
    """Pictures of a page: first those of the sliders, then those of other steps."""

    def __init__(self, lesson: Lesson[Any]) -> None:
        self._lesson = lesson
        self._ready = dict[Any, Any]()  # by subject and slow settings
        self.pictures = list[LessonPicture]()

    def ready(self, key: str, settings: Settings) -> Any:
        """Return the prepared values for a subject, which are computed only once."""
        slow = tuple(settings[name] for name in self._lesson.slow_settings)
        if (key, slow) not in self._ready:
            subject = SUBJECTS[key].make(0)
            self._ready[key, slow] = self._lesson.prepared(subject, settings)
        return self._ready[key, slow]

    def add(self, key: str, settings: Settings) -> int:
        """Draw the lesson on a subject, and return the number of the picture."""
        self.pictures.append(self._lesson.picture(self.ready(key, settings), **settings))
        return len(self.pictures) - 1


def page(name: str) -> str:
    """Return the page of a lesson, at most `LARGEST` bytes of HTML."""
    lesson = lesson_named(name)
    frames = _Frames(lesson)
    first, usual = lesson.subjects[0], lesson.default_settings
    sliders = _sliders(lesson, lesson.controls_for(frames.ready(first, usual)))
    for numbers in product(*(slider.numbers for slider in sliders)):
        frames.add(first, {**usual, **_settings(sliders, numbers)})
    start = _frame_at(sliders, [slider.start for slider in sliders])
    words = frames.pictures[start].words
    steps = [_step(lesson, number, sliders, frames) for number in range(len(lesson.steps))]
    shown = {first, *(step.subject or first for step in lesson.steps)}
    subject = SUBJECTS[first].make(0)
    template = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("lesson_page.html")
    images = lesson_images(frames.pictures, _WIDTH)
    for quality in _QUALITIES:
        html = template.render(
            lesson=lesson,
            title=numbered_title(lesson),
            titles=[(other.name, numbered_title(other)) for other in LESSONS],
            fill=lambda text: filled(text, words),
            sliders=sliders,
            start=start,
            steps=steps,
            frames=[_webp(image, quality) for image in images],
            names=[_name(picture) for picture in frames.pictures],
            size=images[0].size,
            code=lesson.code(subject, usual),
            credit=any("load_sample" in SUBJECTS[key].code for key in shown),
        )
        if len(html.encode()) <= LARGEST:
            return html
    raise ValueError(f"The page of {lesson.name} is larger than {LARGEST:,} bytes.")


def write_pages(folder: Path, jobs: int = -1) -> None:
    """Write the page and the notebook of each lesson into a new folder, in parallel."""
    folder.mkdir()
    Parallel(n_jobs=jobs)(delayed(_write_page)(lesson.name, folder) for lesson in LESSONS)


def _write_page(name: str, folder: Path) -> None:
    """Write a page as soon as it is drawn, so that it is kept if another page fails."""
    (folder / f"{name}.html").write_text(page(name), "utf-8")
    (folder / f"{name}.ipynb").write_text(notebook(lesson_named(name)), "utf-8")


def filled(text: str, words: Mapping[str, str]) -> Markup:
    """Return a text of a lesson as HTML, with the words of a picture filled in."""
    return Markup(text.format_map({name: escape(word) for name, word in words.items()}))


def _sliders(lesson: Lesson[Any], controls: Sequence[Field]) -> list[SliderOfPage]:
    """Return the main slider, with further sliders as long as there are too few pictures."""
    usual = lesson.default_settings
    idle = {*lesson.unused_settings(usual), *lesson.slow_settings}
    slides = [part for part in controls if isinstance(part, Slide) and part.name not in idle]
    sliders, count = list[SliderOfPage](), 1
    for slide in sorted(slides, key=lambda slide: not slide.plays):
        if count >= FEWEST:
            break
        steps = [step.settings for step in lesson.steps if not step.subject]
        kept = [usual[slide.name], *(set_[slide.name] for set_ in steps if slide.name in set_)]
        numbers = _thinned(slide.numbers(), kept, MOST // count)
        start = int(np.abs(numbers - usual[slide.name]).argmin())
        values = tuple(int(number) if slide.whole else number for number in numbers.tolist())
        sliders.append(SliderOfPage(slide.name, slide.label, slide.unit, values, start))
        count *= len(values)
    return sliders


def _thinned(numbers: Doubles, kept: Sequence[float], most: int) -> Doubles:
    """Return equally spaced numbers, with the last one and those that must be kept."""
    places = {int(np.abs(numbers - number).argmin()) for number in kept} | {len(numbers) - 1}
    for apart in range(1, len(numbers) + 1):
        chosen = places.union(range(0, len(numbers), apart))
        if len(chosen) <= most:
            break
    return numbers[sorted(chosen)]


def _settings(sliders: Sequence[SliderOfPage], numbers: Sequence[float]) -> Settings:
    return {slider.name: number for slider, number in zip(sliders, numbers, strict=True)}


def _frame_at(sliders: Sequence[SliderOfPage], places: Sequence[int]) -> int:
    """Return the number of the picture for positions of the sliders, the last one fastest."""
    return int(np.ravel_multi_index(tuple(places), [len(slider.numbers) for slider in sliders]))


def _step(
    lesson: Lesson[Any], number: int, sliders: Sequence[SliderOfPage], frames: _Frames
) -> StepOfPage:
    """Return a step, and draw its picture if no slider shows it."""
    step, usual, first = lesson.steps[number], lesson.default_settings, lesson.subjects[0]
    if not step.settings and not step.subject:
        return StepOfPage(filled(step.words, frames.pictures[0].words), None)
    key, settings = step.subject or first, {**usual, **step.settings}
    moved = {slider.name for slider in sliders}
    others = {name: settings[name] for name in usual if name not in moved}
    if key == first and all(usual[name] == value for name, value in others.items()):
        places = tuple(slider.numbers.index(settings[slider.name]) for slider in sliders)
        frame = _frame_at(sliders, places)
        return StepOfPage(filled(step.words, frames.pictures[frame].words), frame, places)
    frame = frames.add(key, settings)
    words = filled(step.words, frames.pictures[frame].words)
    return StepOfPage(words, frame, note=_set_words(lesson, key, step.settings))


def _set_words(lesson: Lesson[Any], key: str, settings: Settings) -> str:
    """Return the settings of a step as text, with the names that the window uses."""
    parts = [SUBJECTS[key].title] if key != lesson.subjects[0] else []
    parts += [
        f"{control.label}: {_value(control, settings[control.name])}"
        for control in lesson.controls
        if control.name in settings
    ]
    return "; ".join(parts)


def _value(control: Field, value: Any) -> str:
    if isinstance(control, YesOrNo):
        return "yes" if value else "no"
    if isinstance(control, OneOf):
        return control.choices.get(value, str(value))
    return f"{value:g}{getattr(control, 'unit', '')}".replace("-", "−")


def _name(picture: LessonPicture) -> str:
    """Return the description of a picture for a reader who cannot see it."""
    notes = [drawing.note for drawing in picture.drawings if drawing.note]
    return without_markup("; ".join([picture.upper.heading, *notes]))


def _webp(image: Image.Image, quality: int) -> str:
    """Return a picture as a data URL."""
    content = io.BytesIO()
    image.save(content, "webp", quality=quality, method=4)
    return f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}"
