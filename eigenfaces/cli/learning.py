"""Commands for exploring the face space: components, reconstruct, synthesise, map, lesson."""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import numpy as np
import typer

from eigenfaces.cli import options, running
from eigenfaces.cli.options import argument, option, parser
from eigenfaces.cli.running import print_text, progress, table
from eigenfaces.cli.sources import is_project, open_gallery
from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.files import atomic_write, resolved
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.maps import MapKind, map_by_tsne, map_of_components
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.laboratory.points import is_table, read_number_table
from eigenfaces.laboratory.synthesis import SyntheticFace, TrainingFaces, pixel_space_note
from eigenfaces.lessons.catalogue import LESSONS, every_picture
from eigenfaces.lessons.catalogue import lesson as lesson_named
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson, Slide, without_markup
from eigenfaces.lessons.notebook import notebook
from eigenfaces.lessons.subjects import SUBJECTS, Subject
from eigenfaces.project.exports import export_components, save_grey
from eigenfaces.recognition.probes import main_face_on
from eigenfaces.report.figure import render, suffix_of
from eigenfaces.report.handout import answer_sheet, booklet, question_sheet
from eigenfaces.report.lesson_figure import lesson_file
from eigenfaces.report.plots import map_plot
from eigenfaces.text import Field, OneOf, YesOrNo, cli_name, count, with_minus

Picture = Annotated[Path, options.output("PNG", "The picture to write.", ".png")]

_MOST_NUMBERS = 12  # arrays with more numbers are not written out

_PLACES = {
    "gallery": "a project file",
    "opened": "a folder or file of pictures",
    "own-table": "a table of numbers (CSV)",
}
"""Descriptions of the lesson subjects that users provide themselves."""


def _score(text: str) -> tuple[int, float]:
    """Return a component, counted from 1, and its score, from a string such as “3=-1.5”."""
    match = re.fullmatch(r"\s*([1-9]\d{0,4})\s*=\s*(-?\d{1,3}(?:\.\d+)?)\s*", text)
    if match is None:
        raise EigenfacesError(
            f"“{text}” is not a score: write the number of the component, =, and its score in "
            "standard deviations, such as 3=-1.5."
        )
    return int(match[1]), float(match[2])


def _axes(text: str) -> tuple[int, int]:
    """Return two axes, counted from 0, from a string such as “1,2”, which counts from 1."""
    match = re.fullmatch(r"\s*([1-9]\d{0,4})\s*,\s*([1-9]\d{0,4})\s*", text)
    if match is None or match[1] == match[2]:
        raise EigenfacesError(f"“{text}” is not two axes: give two numbers from 1 up, such as 1,2.")
    return int(match[1]) - 1, int(match[2]) - 1


def components(
    file: Annotated[Path | None, argument("FILE", "The project file.")] = None,
    *,
    output: options.NewFolder,
    pictures: Annotated[
        str | None,
        option("WHAT", "Instead of a project: digits, patches, or a folder or file of pictures."),
    ] = None,
    k: Annotated[int | None, option("N", "Only the first N.", "-k", usual="all", min=1)] = None,
    scaled: Annotated[
        bool, options.flag("--scaled", "Divide each pixel of --pictures by its standard deviation.")
    ] = False,
) -> None:
    """Write the mean and the components of a project, or of any pictures, as pictures and numbers.

    The files are mean.png, component_001.png, component_002.png and so on. Components are grey,
    with zero at level 128. Each has its own symmetric scale, which components.csv gives as “limit”
    beside the variances. The components of a project are the eigenfaces, after the lighting
    correction of the recipe.

    ```
    eigenfaces components people.eigenfaces -k 20 -o components
    eigenfaces components --pictures digits -o digits
    eigenfaces components --pictures train-images-idx3-ubyte.gz -o mnist
    ```
    """
    if (file is None) == (pictures is None):
        raise typer.BadParameter("Give either a FILE or --pictures.")
    if scaled and file is not None:
        raise typer.BadParameter("--scaled works with --pictures, not with a FILE.")
    running.check_new_folder(output)
    with progress("Computing components") as tick:
        if file is not None:
            space = open_gallery(file).trained.space
        else:
            if pictures in ("digits", "patches"):
                images = cast(ImageSet, SUBJECTS[pictures].make(0))
            else:
                images = _read_pictures(Path(pictures or ""), tick)
            space = images.fit_space(tick, k, scaled=scaled)
        space = space if k is None else space.first(k)
        export_components(space, output, tick)
    print_text(f"{output}: the mean and {count(len(space), 'component')}.")


def _read_pictures(place: Path, tick: Tick) -> ImageSet:
    image_set = read_pictures(resolved(place), tick)
    for note in image_set.notes:
        running.echo_err(note)
    return image_set


def reconstruct(
    file: options.ProjectFile,
    photo: Annotated[Path, argument("PHOTO", "The photo with the face to rebuild.")],
    *,
    k: Annotated[int, option("N", "Number of components; 0 is the mean.", "-k", min=0)],
    output: Picture,
    overwrite: options.Overwrite = False,
) -> None:
    """Rebuild a face from the mean and the first N components, and write it as a PNG file.

    The grey values are those of the face after the lighting correction of the recipe. They are
    clipped to black and white, not stretched.
    """
    running.check_new(output, overwrite)
    gallery = open_gallery(file)
    training = gallery.trained
    try:
        with progress("Looking") as tick:
            face = main_face_on(photo, gallery, tick)
    except PhotoError as error:
        raise EigenfacesError(f"{photo}: {error}") from None
    features = training.features(face.reshape(1, -1))
    space = training.space.first(k)
    save_grey(output, space.reconstruct(space.project(features)).reshape(face.shape))
    share = float(space.energy_kept(features)[0, -1])
    print_text(
        f"{output}: {k:,} of {count(len(training.space), 'component')}, which keep {share:.1%} of "
        "this face's squared deviation from the mean."
    )


def synthesise(
    file: options.ProjectFile,
    *,
    scores: Annotated[
        list[Any] | None,
        option("I=S", "The score of component I, in σ; repeatable.", "--score", read=_score),
    ] = None,
    seed: Annotated[
        int | None, option("N", "Draw the other scores at random with this seed.", "--random")
    ] = None,
    output: Picture,
    overwrite: options.Overwrite = False,
) -> None:
    """Make an imaginary face by moving the mean along the components, and write a PNG file.

    Scores are in standard deviations of their components. Scores that are not given are 0, or with
    --random are drawn from N(0, λ). The closest real face is named. Grey values are clipped to
    black and white.

    ```
    eigenfaces synthesise people.eigenfaces --score 1=-0.9 --score 2=1.5 -o face.png
    eigenfaces synthesise people.eigenfaces --random 3 -o somebody.png
    ```
    """
    running.check_new(output, overwrite)
    gallery = open_gallery(file)
    real = TrainingFaces.of(gallery)
    face = SyntheticFace.mean(real.space)
    if seed is not None:
        face = SyntheticFace.random(real.space, np.random.default_rng(seed))
    for component, score in scores or ():
        face = face.moved(component - 1, score)
    save_grey(output, face.pixels)
    if note := pixel_space_note(gallery):
        running.echo_err(note)
    (closest,) = real.nearest(face, 1)
    print_text(
        f"{output}: {len(real.space):,} of {count(len(gallery.trained.space), 'component')}, "
        f"Mahalanobis radius {face.radius:.2f} σ per component.\n"
        f"Closest real face: {closest.photo.person or 'nobody named'}, "
        f"{running.printable(closest.photo.path)}, at {closest.distance:.3g}."
    )


def map(
    file: options.ProjectFile,
    *,
    kind: Annotated[
        MapKind,
        option("KIND", "The type of axes: components or t-sne.", case_sensitive=False),
    ] = "components",
    axes: Annotated[Any, option("I,J", "The two axes, counted from 1.", read=_axes)] = "1,2",
    output: Annotated[
        Path, options.output("FILE", "The picture or table.", ".svg", ".png", ".pdf", ".csv")
    ],
    overwrite: options.Overwrite = False,
) -> None:
    """Draw every face in a gallery as a point along two axes. Similar faces are close together.

    The axes are components of the face space, or those of t-SNE, which have no meaning of their
    own. The map is written as SVG, PNG or PDF, or as a CSV file with the position of every photo.

    ```
    eigenfaces map people.eigenfaces -o map.svg
    eigenfaces map people.eigenfaces --axes 2,3 -o map.csv
    ```
    """
    running.check_new(output, overwrite)
    gallery = open_gallery(file)
    with progress("Mapping") as tick:
        face_map = (
            map_of_components(gallery) if kind == "components" else map_by_tsne(gallery, tick)
        )
    if max(axes) >= (most := face_map.coordinates.shape[1]):
        raise EigenfacesError(
            f"This map has {count(most, 'axis', 'axes')}, but no axis {max(axes) + 1}: "
            "choose other --axes."
        )
    plot = map_plot(face_map, axes, gallery.index)
    if output.suffix.lower() == ".csv":
        named = zip(gallery.index.photos, face_map.view_coordinates(axes).tolist(), strict=True)
        rows = ([photo.path, photo.person or "", *place] for photo, place in named)
        running.write_csv(output, ["file", "person", *(face_map.axis(axis) for axis in axes)], rows)
    else:
        with atomic_write(output) as part:
            part.write_bytes(render(plot, suffix_of(output))[0])
    print_text(f"{output}: {plot.caption}")


_LessonName = Annotated[str | None, argument("NAME", "The lesson. Without it, all are listed.")]
_On = Annotated[
    str | None, option("WHAT", "The data to show it on: a name like cloud or digits, or a path.")
]
_Settings = Annotated[list[str] | None, option("NAME=VALUE", "A setting; repeatable.", "--set")]
_LessonSeed = Annotated[int | None, option("N", "The seed for random data.", usual=0, min=0)]
_LessonFile = Annotated[
    Path | None, options.output("FILE", "The picture to write: SVG, PNG or PDF.")
]
_Wide = Annotated[bool, options.flag("--wide", "Make a picture as wide as a screen: 1920 × 1080.")]
_Notebook = Annotated[bool, options.flag("--notebook", "Write a Jupyter notebook to the -o file.")]
_AllLessons = Annotated[bool, options.flag("--all", "Write all lessons to a PDF, one page each.")]
_Sheet = Annotated[
    Literal["questions", "answers"] | None,
    option("KIND", "A PDF with the questions of all lessons, alone or with answers.", "--sheet"),
]
_Code = Annotated[bool, options.flag("--code", "Print a program that computes the numbers.")]


def lesson(
    name: _LessonName = None,
    *,
    on: _On = None,
    settings: _Settings = None,
    seed: _LessonSeed = None,
    output: _LessonFile = None,
    wide: _Wide = False,
    all_lessons: _AllLessons = False,
    sheet: _Sheet = None,
    code: _Code = False,
    as_notebook: _Notebook = False,
    overwrite: options.Overwrite = False,
) -> None:
    """Show a lesson about principal components: its text, its picture, or a program in NumPy.

    Without NAME, all lessons are listed. With -o, the picture of the lesson is written. With
    --code, a stand-alone program is printed that computes the numbers of the picture.

    ```
    eigenfaces lesson variance
    eigenfaces lesson variance --set angle=39 -o variance.svg
    eigenfaces lesson variance --code > variance.py
    eigenfaces lesson variance --notebook -o variance.ipynb
    eigenfaces lesson own-table --on measurements.csv -o rows.png
    eigenfaces lesson whitening --on people.eigenfaces --wide -o whitening.png
    eigenfaces lesson --all -o lessons.pdf
    eigenfaces lesson --sheet questions -o questions.pdf
    ```
    """
    other = on or settings or code or as_notebook or seed is not None
    if all_lessons or sheet:
        if name or other or wide or output is None or (all_lessons and sheet):
            raise typer.BadParameter(
                f"{'--all' if all_lessons else '--sheet'} takes only -o and the name of a PDF."
            )
        _write_all(output, sheet, overwrite)
        return
    if name is None:
        if other or output:
            raise typer.BadParameter("Give the NAME of a lesson. “lesson” alone lists all of them.")
        _list_all()
        return
    chosen = parser(lesson_named)(name)
    if as_notebook:
        if output is None or on or settings or code or wide or seed is not None:
            raise typer.BadParameter("--notebook takes only the NAME of a lesson and -o.")
        _write_notebook(chosen, output, overwrite)
        return
    values = _values(chosen, settings or ())
    if output is not None:
        suffix_of(output)
        running.check_new(output, overwrite)
    with progress(chosen.title) as tick:
        subject = _subject(chosen, on, seed, tick)
        ready = chosen.prepared(subject, {**chosen.default_settings, **values}, tick)
    controls = {control.name: control for control in chosen.controls_for(ready)}
    if absent := [setting for setting in values if setting not in controls]:
        raise EigenfacesError(f"“{absent[0]}” cannot be set for this. Leave it out.")
    values = {setting: controls[setting].checked(value) for setting, value in values.items()}
    state = {**chosen.default_settings, **values}
    picture = chosen.picture(ready, **state)
    if output is not None:
        with atomic_write(output) as part:
            part.write_bytes(lesson_file(picture, suffix_of(output), wide=wide))
    if code:
        typer.echo(chosen.code(subject, state), nl=False)
    elif output is not None:
        print_text(f"{output}: {chosen.title}.\n{_numbers_table(picture)}")
    else:
        print_text(_lesson_text(chosen, subject, controls.values(), state, picture))


def _write_all(output: Path, sheet: str | None, overwrite: bool) -> None:
    """Write a PDF with the pages of all lessons, or with a sheet of their questions."""
    if suffix_of(output) != "pdf":
        raise EigenfacesError("All lessons are written to one PDF. End its name in .pdf.")
    running.check_new(output, overwrite)
    with progress("Lessons") as tick, atomic_write(output) as part:
        if sheet == "questions":
            content = question_sheet()
        else:
            content = (answer_sheet if sheet else booklet)(every_picture(tick))
        part.write_bytes(content)
    print_text(f"{output}: {count(len(LESSONS), 'lesson')}.")


def _write_notebook(chosen: Lesson[Any], output: Path, overwrite: bool) -> None:
    if output.suffix.lower() != ".ipynb":
        raise EigenfacesError("A notebook is an .ipynb file. End its name in .ipynb.")
    running.check_new(output, overwrite)
    with atomic_write(output) as part:
        part.write_text(notebook(chosen), "utf-8")
    print_text(f"{output}: {chosen.title}.")


def _list_all() -> None:
    names, titles = (max(len(getattr(x, part)) for x in LESSONS) for part in ("name", "title"))
    for group, members in groupby(LESSONS, key=lambda member: member.group):
        rows = (f"  {x.name:<{names}}  {x.title:<{titles}}  {x.line}" for x in members)
        print_text("\n".join([group, *rows]))


def _values(chosen: Lesson[Any], settings: Iterable[str]) -> dict[str, object]:
    """Return the values of settings that were given as “NAME=VALUE”."""
    controls = {control.name: control for control in chosen.controls}
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            example = chosen.controls[0]
            raise typer.BadParameter(
                f"“{setting}” is not a setting: write its name, =, and its value, such as "
                f"{example.name}={_setting_text(chosen.default_settings, example)}."
            )
        control = controls[parser(options.choice("setting", controls))(name)]
        values[control.name] = parser(control.read)(value)
    return values


def _subject(chosen: Lesson[Any], on: str | None, seed: int | None, tick: Tick) -> Subject:
    """Return a lesson's subject: a built-in one, or the pictures, table or project at a path."""
    own = [key for key in chosen.subjects if key in SUBJECTS]
    place = Path(on or "")
    kind = on or own[0]
    if kind not in own:
        choices = f"Choose one of: {_choices(chosen)}."
        if not place.exists() and kind not in SUBJECTS:
            raise EigenfacesError(f"There is no “{on}” to show this on. {choices}")
        if place.exists():
            takes_pictures = "opened" in chosen.subjects and not is_table(place)
            kind = "opened" if takes_pictures else "own-table"
            kind = "gallery" if is_project(place) else kind
        if kind not in chosen.subjects:
            raise EigenfacesError(f"This lesson cannot be shown on “{on}”. {choices}")
    if seed is not None and not (kind in own and SUBJECTS[kind].is_random):
        title = SUBJECTS[kind].title if kind in own else place.name
        raise EigenfacesError(f"Nothing in “{title}” is random: leave out --seed.")
    if kind == "opened":
        return _read_pictures(place, tick)
    if kind == "own-table":
        points = read_number_table(resolved(place))
        for note in points.notes:
            running.echo_err(note)
        return points
    if kind in own:
        return SUBJECTS[kind].make(seed or 0)
    return ImageSet.of_gallery(open_gallery(place), tick, resolved(place))


def _choices(chosen: Lesson[Any]) -> str:
    return ", ".join(_PLACES.get(key, key) for key in chosen.subjects)


def _lesson_text(
    chosen: Lesson[Any],
    subject: Subject,
    controls: Iterable[Field],
    state: Mapping[str, Any],
    picture: LessonPicture,
) -> str:
    """Return the text of a lesson, with its settings and its numbers."""
    tries = [f"{number}. {step.words}" for number, step in enumerate(chosen.steps, start=1)]
    text = [*chosen.see, "", chosen.formula, chosen.why, "", "What to try", *tries]
    rows = []
    for control in controls:
        values = control.how
        if isinstance(control, YesOrNo):
            values = "yes, no"
        elif isinstance(control, Slide):
            values = f"{control.least:g} to {control.most:g}{control.unit}"
        rows.append((f"{control.name}={_setting_text(state, control)}", control.about, values))
    lines = [chosen.title, subject.title, ""]
    lines += (without_markup(line.format_map(picture.words)) for line in text)
    lines += ["", "Settings, for --set", table((), rows), "", "Numbers", _numbers_table(picture)]
    return "\n".join([*lines, "", f"--on: {_choices(chosen)}"])


def _setting_text(state: Mapping[str, Any], control: Field) -> str:
    """Return the value of a setting as text, limited to the range that the subject allows."""
    value = state[control.name]
    if isinstance(control, YesOrNo):
        return "yes" if value else "no"
    if isinstance(control, Slide):
        return f"{min(value, control.most):g}"
    if isinstance(control, OneOf) and control.choices and value not in control.choices:
        value = next(iter(control.choices))
    return cli_name(value)


def _numbers_table(picture: LessonPicture) -> str:
    """Return the numbers of a picture as a table, showing long arrays by size and range."""
    rows = []
    for name, value in picture.numbers.items():
        values = np.asarray(value, dtype=float)
        text = " ".join(f"{number:.4g}" for number in values.ravel())
        if values.size > _MOST_NUMBERS:
            size = " × ".join(str(side) for side in values.shape)
            text = f"{size} numbers, {values.min():.4g} to {values.max():.4g}"
        rows.append((name, with_minus(text)))
    return table((), rows)
