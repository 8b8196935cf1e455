"""The command ``lesson``: a lesson of principal components as words, a picture, or a program."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import is_project, open_gallery
from eigenfaces.cli.field_options import reader
from eigenfaces.cli.field_options import shown as shown_value
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.running import DONE, check_new, command, note, progress, terminal_width
from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.drawing import LessonPicture
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.catalogue import LESSONS
from eigenfaces.laboratory.lessons.catalogue import lesson as lesson_named
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, filled, plain
from eigenfaces.laboratory.lessons.subjects import SUBJECTS, Subject
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.photographs.decode import resolved
from eigenfaces.report.lesson_drawing import save, suffix_of
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import Field, OneOf, YesOrNo, one_of

_MOST_NUMBERS = 12
"""Numbers of an array that are written out."""


@command
def lesson(
    name: options.LessonName = None,
    *,
    on: options.On = None,
    settings: options.Set = None,
    seed: options.LessonSeed = None,
    output: options.Picture = None,
    code: options.AsCode = False,
    overwrite: options.Overwrite = False,
) -> int:
    """Show a lesson of principal components: its words, its picture, or the same in NumPy.

    Without NAME all lessons are listed. With -o its picture is written; with --code a program is
    printed that gives the numbers of the picture, and runs by itself.

    ```
    eigenfaces lesson variance
    eigenfaces lesson variance --set angle=39 -o variance.svg
    eigenfaces lesson variance --code > variance.py
    eigenfaces lesson whitening --on people.eigenfaces -o whitening.png
    ```
    """
    if name is None:
        if on or settings or output or code or seed is not None:
            raise typer.BadParameter("State the NAME of a lesson; lesson alone lists them.")
        typer.echo(_listed())
        return DONE
    chosen = reader(lesson_named)(name)
    values = _read(chosen, settings or ())
    if output is not None:
        suffix_of(output)
        check_new(output, overwrite)
    with progress(chosen.title) as tick:
        subject = _subject(chosen, on, seed, tick)
        ready = chosen.prepare(subject, tick)
        controls = chosen.controls_for(ready)
        setting = replace(chosen.settings, **_checked(controls, values))
        ready = chosen.renewed(ready, setting, tick)
    picture = chosen.picture(ready, setting)
    if output is not None:
        save(picture, output)
    if code:
        typer.echo(chosen.code(subject, setting), nl=False)
    elif output is not None:
        typer.echo(f"{shown(output)}: {chosen.title}.\n{_numbers(picture)}")
    else:
        typer.echo(_words(chosen, subject, controls, setting, picture))
    return DONE


def _listed() -> str:
    """Return the names, titles and lines of all lessons by group."""
    name, title = (max(len(getattr(each, part)) for each in LESSONS) for part in ("name", "title"))
    lines = []
    for group, members in groupby(LESSONS, key=lambda each: each.group):
        rows = (f"  {each.name:<{name}}  {each.title:<{title}}  {each.line}" for each in members)
        lines += [group, *rows]
    return "\n".join(lines)


def _read(chosen: Lesson[Any, Any], said: Iterable[str]) -> dict[str, object]:
    """Return the settings that were typed, by their names."""
    controls = {each.name: each for each in chosen.controls}
    first = chosen.controls[0]
    values = {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"“{each}” is no setting: write its name, =, and its value, like "
                f"{first.name}={_typed(chosen.settings, first)}."
            )
        control = controls[reader(lambda typed: one_of(controls, typed, "setting"))(name)]
        values[control.name] = reader(control.read)(value)
    return values


def _checked(controls: Iterable[Field], values: Mapping[str, object]) -> dict[str, object]:
    """Return settings as they are on this subject; `EigenfacesError` if one is not possible."""
    known = {each.name: each for each in controls}
    for name in values:
        if name not in known:
            raise EigenfacesError(f"There is no {name} to be set on this: leave it out.")
    return {name: known[name].checked(value) for name, value in values.items()}


_PLACES = {"gallery": "a project file", "opened": "a folder of pictures, an .npz, an IDX file"}
"""Of subjects that somebody brings, how they are named."""


def _subject(chosen: Lesson[Any, Any], on: str | None, seed: int | None, tick: Tick) -> Subject:
    """Return what a lesson is shown on: a subject of its own, a gallery, or pictures."""
    own = [key for key in chosen.subjects if key in SUBJECTS]
    if on is None or on in own:
        subject = SUBJECTS[on or own[0]]
        _check_drawn(seed, subject.drawn, subject.title)
        return subject.make(seed or 0)
    place = Path(on)
    choices = _choices(chosen)
    if not place.exists() and on not in SUBJECTS:
        raise EigenfacesError(f"There is no “{on}” to show this on. Choose one of: {choices}.")
    kind = on if not place.exists() else "gallery" if is_project(place) else "opened"
    if kind not in chosen.subjects:
        raise EigenfacesError(f"This lesson is not shown on “{on}”. Choose one of: {choices}.")
    if kind == "opened":
        pictures = read_pictures(resolved(place), tick, seed=seed or 0)
        for each in pictures.notes:
            note(each)
        return pictures
    _check_drawn(seed, False, place.name)
    return ImageSet.of_gallery(open_gallery(place), tick, resolved(place))


def _choices(chosen: Lesson[Any, Any]) -> str:
    return ", ".join(_PLACES.get(key, key) for key in chosen.subjects)


def _check_drawn(seed: int | None, drawn: bool, title: str) -> None:
    if seed is not None and not drawn:
        raise EigenfacesError(f"Nothing is drawn in “{title}”: leave --seed out.")


def _words(
    chosen: Lesson[Any, Any],
    subject: Subject,
    controls: Iterable[Field],
    setting: object,
    picture: LessonPicture,
) -> str:
    """Return a lesson as text, with the controls that this subject has."""
    tries = [f"{number}. {each}" for number, each in enumerate(chosen.tries, start=1)]
    text = [
        *(chosen.title, subject.title, ""),
        *(*chosen.see, ""),
        *(chosen.formula, chosen.why, ""),
        *("What to try", *tries),
    ]
    rows = [(f"{each.name}={_typed(setting, each)}", each.about, _range(each)) for each in controls]
    return "\n".join(
        [
            *(plain(filled(line, picture.words)) for line in text),
            *("", "Settings, by --set", table((), rows, terminal_width())),
            *("", "Numbers", _numbers(picture)),
            *("", f"--on: {_choices(chosen)}"),
        ]
    )


def _typed(setting: object, control: Field) -> str:
    """Return the value of a setting as it is typed: what is beyond a subject, as its last or first.

    That is how a lesson takes it.
    """
    value = getattr(setting, control.name)
    if isinstance(control, Slide):
        value = min(value, control.most)
    if isinstance(control, OneOf) and control.choices and value not in control.choices:
        value = next(iter(control.choices))
    if isinstance(control, YesOrNo):
        return "yes" if value else "no"
    return shown_value(value)


def _range(control: Field) -> str:
    """Return what can be typed for a setting."""
    if isinstance(control, YesOrNo):
        return "yes, no"
    least, most = getattr(control, "least", None), getattr(control, "most", None)
    if least is not None and most is not None:
        return f"{least:g} to {most:g}{getattr(control, 'unit', '')}"
    return control.how


def _numbers(picture: LessonPicture) -> str:
    """Return the numbers of a picture, a line each."""
    rows = [(name, " ".join(_said(value))) for name, value in picture.numbers.items()]
    return table((), rows, terminal_width())


def _said(value: Doubles | float) -> Iterator[str]:
    """Yield the numbers of a value, or how many there are."""
    values = np.asarray(value, dtype=float)
    if values.size > _MOST_NUMBERS:
        size = " × ".join(map(str, values.shape))
        yield f"{size} numbers, {values.min():.4g} to {values.max():.4g}".replace("-", "−")
    else:
        for each in values.ravel().tolist():
            yield f"{each:.4g}".replace("-", "−")
