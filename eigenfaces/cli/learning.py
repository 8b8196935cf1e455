"""The commands about the face space: components, reconstruct, synthesise, map, lesson."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, get_args

import numpy as np
import typer

from eigenfaces.cli.options import (
    NewFolder,
    Overwrite,
    Png,
    ProjectFile,
    flag,
    one_of_the,
    option,
    output_option,
    reader,
)
from eigenfaces.cli.running import (
    DONE,
    check_new,
    check_new_folder,
    echo_err,
    progress,
    shown,
    table,
)
from eigenfaces.cli.sources import is_project, open_gallery
from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.laboratory.image_set import ImageSet, size_words
from eigenfaces.laboratory.maps import MapKind, map_by_tsne, map_of_components, map_of_directions
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace, pictured_otherwise
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.lessons.catalogue import LESSONS, every_picture
from eigenfaces.lessons.catalogue import lesson as lesson_named
from eigenfaces.lessons.drawing import LessonPicture
from eigenfaces.lessons.lesson import Lesson, Slide, plain
from eigenfaces.lessons.subjects import SUBJECTS, Subject
from eigenfaces.photographs.decode import resolved
from eigenfaces.project.exports import export_components, save_grey
from eigenfaces.project.file import atomic_write
from eigenfaces.recognition.probes import main_face_on
from eigenfaces.report.figure import rendered, suffix_of
from eigenfaces.report.lesson_figure import booklet, drawn
from eigenfaces.report.plots import map_plot
from eigenfaces.text import Field, OneOf, YesOrNo, count, typed

_LARGEST_SCORE = 1_000  # beyond it nothing but black and white is left
_MOST_NUMBERS = 12  # numbers of an array that are written out

_PLACES = {"gallery": "a project file", "opened": "a folder of pictures, an .npz, an IDX file"}
"""Of subjects of a lesson that somebody brings, how they are named."""


def _size(text: str) -> tuple[int, int]:
    """Return the (h, w) that “46x56”, width × height in pixels, states."""
    said = re.fullmatch(r"\s*([1-9]\d{0,3})\s*[xX×]\s*([1-9]\d{0,3})\s*", text)
    if said is None:
        raise EigenfacesError(f"“{text}” is no size like 46x56: width and height in pixels.")
    return int(said[2]), int(said[1])


def _score(text: str) -> tuple[int, float]:
    """Return the component, counted from 1, and the score that “3=-1.5” states."""
    number, _, score = text.partition("=")
    try:
        component, value = int(number), float(score)
    except ValueError:
        component, value = 0, math.nan
    if component < 1 or not abs(value) <= _LARGEST_SCORE:
        raise EigenfacesError(
            f"“{text}” is no score: write the number of the component, =, and its score in "
            f"standard deviations, at most {_LARGEST_SCORE:,}, like 3=-1.5."
        )
    return component, value


def _axes(text: str) -> tuple[int, int]:
    """Return two axes, counted from 0, that “1,2” states, counted from 1."""
    said = re.fullmatch(r"\s*([1-9]\d*)\s*,\s*([1-9]\d*)\s*", text)
    if said is None or said[1] == said[2]:
        raise EigenfacesError(
            f"“{text}” does not state two axes: give two numbers from 1 on, like 1,2."
        )
    return int(said[1]) - 1, int(said[2]) - 1


def components(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The project file.")] = None,
    *,
    output: NewFolder,
    pictures: Annotated[
        str | None,
        option(
            "WHAT",
            "Instead of a project, pictures of any kind: digits, patches, a folder, an .npz, or an "
            "IDX file like those of MNIST.",
        ),
    ] = None,
    size: Annotated[
        Any,
        option(
            "WxH",
            "The size that all pictures of a folder are cut and resized to, like 32x32.",
            parser=reader(_size),
        ),
    ] = None,
    k: Annotated[int | None, option("N", "Only the first N; all if not said.", "-k", min=1)] = None,
) -> int:
    """Write the mean and the components of a project, or of any pictures, as pictures and numbers.

    mean.png; component_001.png … in grey with zero at level 128, each on its own symmetric scale,
    which components.csv states as “limit” beside the variances. Those of a project are the
    eigenfaces: of faces whose light is evened out as the recipe says. Of pictures in colour all
    have three channels, zero again at 128.

    ```
    eigenfaces components people.eigenfaces -k 20 -o components
    eigenfaces components --pictures digits -o digits
    eigenfaces components --pictures holidays/ --size 48x32 -k 30 -o holidays-30
    ```
    """
    if (file is None) == (pictures is None):
        raise typer.BadParameter("Give either a FILE or --pictures.")
    if file is not None and size is not None:
        raise typer.BadParameter("The faces of a project have their size: leave --size out.")
    check_new_folder(output)
    read = None if pictures is None else _pictures(pictures, size)
    if read is not None:
        with progress("Finding components") as tick:
            whole = read.space(tick)
    elif file is not None:
        whole = open_gallery(file).trained.space
    space = whole if k is None else whole.first(k)
    with progress("Writing components") as tick:
        export_components(space, output, tick)
    typer.echo(f"{shown(output)}: the mean and {count(len(space), 'component')}.")
    if read is not None:
        typer.echo(
            f"{read.title}, {size_words(read.shape)}: {len(space):,} of "
            f"{count(len(whole), 'component')} keep {float(space.kept[-1]):.1%} of the variance."
        )
    return DONE


def _pictures(what: str, size: Any) -> ImageSet:
    if what in ("digits", "patches"):
        if size is not None:
            raise EigenfacesError(f"The {what} have their size: leave --size out.")
        made = SUBJECTS[what].make(0)
        assert isinstance(made, ImageSet)
        return made
    place = resolved(Path(what))
    if not place.exists():
        raise EigenfacesError(
            f"There are no pictures “{what}”: choose digits, patches, a folder, an .npz, or an "
            "IDX file."
        )
    with progress("Reading pictures") as tick:
        return _noted(read_pictures(place, tick, size=size))


def _noted(read: ImageSet) -> ImageSet:
    for each in read.notes:
        echo_err(each)
    return read


def reconstruct(
    file: ProjectFile,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="The photograph to rebuild.")],
    *,
    k: Annotated[int, option("N", "Components; 0 is the mean.", "-k", min=0)],
    output: Png,
    overwrite: Overwrite = False,
) -> int:
    """Rebuild a face from the mean and the first N components, as PNG.

    Grey values are those of the face, its light evened out as the recipe says; they are cut off at
    black and white: nothing is stretched.
    """
    check_new(output, overwrite)
    gallery = open_gallery(file)
    training = gallery.trained
    try:
        with progress("Looking") as tick:
            face = main_face_on(photo, gallery, tick)
    except PhotoError as error:
        raise EigenfacesError(f"{shown(photo)}: {error}") from None
    features, space = training.features(face.reshape(1, -1)), training.space.first(k)
    save_grey(output, space.reconstruct(space.project(features)).reshape(face.shape))
    kept = float(space.energy_kept(features)[0, -1])
    typer.echo(
        f"{shown(output)}: {k:,} of {count(len(training.space), 'component')}, which keep "
        f"{kept:.1%} of this face's squared deviation from the mean."
    )
    return DONE


def synthesise(
    file: ProjectFile,
    *,
    scores: Annotated[
        list[Any] | None,
        option(
            "I=S", "The score of component I, in σ; repeat it.", "--score", parser=reader(_score)
        ),
    ] = None,
    random: Annotated[bool, flag("--random", "Draw the scores by chance, from N(0, λ).")] = False,
    seed: Annotated[int | None, option("N", "The seed of chance.", usual=0, min=0)] = None,
    k: Annotated[
        int | None, option("N", "Components; those compared, if not said.", "-k", min=1)
    ] = None,
    output: Png,
    overwrite: Overwrite = False,
) -> int:
    """Make a face that is nobody, as PNG: the mean moved along the components.

    Scores are in standard deviations of their component; those not stated are 0, or drawn by
    --random from N(0, λ). It says whether the face lies as far from the mean as those trained on,
    and which real face is closest. Grey values are cut off at black and white.

    ```
    eigenfaces synthesise people.eigenfaces --score 1=-0.9 --score 2=1.5 -o face.png
    eigenfaces synthesise people.eigenfaces --random --seed 3 -o somebody.png
    ```
    """
    for component, said in Counter(component for component, _ in scores or ()).items():
        if said > 1:
            raise typer.BadParameter(f"Component {component} has two scores: leave one out.")
    if seed is not None and not random:
        raise typer.BadParameter("--seed has no effect without --random.")
    check_new(output, overwrite)
    gallery = open_gallery(file)
    real = RealFaces.of(gallery, k)
    face = SyntheticFace.mean(real.space)
    if random:
        face = SyntheticFace.random(real.space, np.random.default_rng(seed or 0))
    for component, score in scores or ():
        face = face.moved(component - 1, score)
    save_grey(output, face.pixels)
    if otherwise := pictured_otherwise(gallery):
        echo_err(otherwise)
    (closest,) = real.nearest(face, 1)
    typer.echo(
        f"{shown(output)}: {len(real.space):,} of "
        f"{count(len(gallery.trained.space), 'component')}, "
        f"Mahalanobis radius {face.radius:.2f} σ a component.\n"
        f"{real.plausibility(face)}\n"
        f"Closest real face: {shown(closest.photo.person or 'nobody named')}, "
        f"{shown(closest.photo.path)}, at {closest.distance:.3g}. {real.likeness(closest)[1]}"
    )
    return DONE


def map(
    file: ProjectFile,
    *,
    kind: Annotated[
        str,
        option(
            "KIND",
            "What the axes are: components, fisherfaces, or t-sne.",
            parser=one_of_the("kind of map", get_args(MapKind)),
        ),
    ] = "components",
    axes: Annotated[
        Any, option("I,J", "Which two axes, counted from 1.", parser=reader(_axes))
    ] = "1,2",
    seed: Annotated[
        int | None,
        option(
            "N",
            "t-SNE: begin with places drawn by this seed.",
            usual="with components 1 and 2",
            min=0,
        ),
    ] = None,
    output: Annotated[
        Path,
        output_option(
            "FILE", "The picture (.svg, .png) or table (.csv) to write.", ".svg", ".png", ".csv"
        ),
    ],
    overwrite: Overwrite = False,
) -> int:
    """Draw every face of a gallery as a point along two axes; near means alike.

    Along components of the face space, along the directions of Fisherfaces, or by t-SNE, whose axes
    mean nothing; with another --seed it begins elsewhere, and only what comes out alike each time
    can be relied on. SVG or PNG; CSV has the place of every photograph.

    ```
    eigenfaces map people.eigenfaces -o map.svg
    eigenfaces map people.eigenfaces --axes 2,3 -o map.csv
    eigenfaces map people.eigenfaces --kind t-sne --seed 1 -o map.png
    ```
    """
    if seed is not None and kind != "t-SNE":
        raise typer.BadParameter("Only --kind t-sne draws anything: leave out --seed.")
    check_new(output, overwrite)
    gallery = open_gallery(file)
    with progress("Mapping") as tick:
        if kind == "components":
            found = map_of_components(gallery)
        elif kind == "fisherfaces":
            found = map_of_directions(gallery, tick)
        else:
            settings = TsneSettings.usual(*gallery.trained.coordinates.shape)
            if seed is not None:
                settings = replace(settings, seed=seed, start="random")
            found = map_by_tsne(gallery, settings, tick)
    there = found.coordinates.shape[1]
    if max(axes) >= there:
        raise EigenfacesError(
            f"This map has {count(there, 'axis', 'axes')}, and none of number {max(axes) + 1}: "
            "choose other --axes."
        )
    plot = map_plot(found, axes, gallery, found.faithfulness(axes))
    with atomic_write(output) as part:
        if (suffix := output.suffix.lower()) == ".csv":
            part.write_text(found.table(axes, gallery.index), "utf-8", newline="")
        else:
            part.write_bytes(rendered(plot, "svg" if suffix == ".svg" else "png")[0])
    if kind == "components" and (otherwise := pictured_otherwise(gallery)):
        echo_err(otherwise)
    typer.echo(f"{shown(output)}: {plot.caption}")
    return DONE


def lesson(
    name: Annotated[
        str | None,
        typer.Argument(
            parser=reader(lesson_named),
            metavar="NAME",
            help="The lesson; without it, all are listed.",
        ),
    ] = None,
    *,
    on: Annotated[
        str | None,
        option(
            "WHAT",
            "What it is shown on: a name like cloud or digits, or a path.",
            usual="what the lesson begins with",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, option("NAME=VALUE", "A setting of the lesson; repeat it.", "--set")
    ] = None,
    seed: Annotated[int | None, option("N", "The seed of what is drawn.", usual=0, min=0)] = None,
    output: Annotated[
        Path | None, output_option("FILE", "The picture to write: SVG, PNG or PDF.")
    ] = None,
    wide: Annotated[bool, flag("--wide", "The picture as wide as a screen: 1920 × 1080.")] = False,
    every: Annotated[bool, flag("--all", "All lessons as one PDF, a wide page for each.")] = False,
    code: Annotated[bool, flag("--code", "Print a program that gives the numbers.")] = False,
    overwrite: Overwrite = False,
) -> int:
    """Show a lesson of principal components: its words, its picture, or the same in NumPy.

    Without NAME all lessons are listed. With -o its picture is written; with --code a program is
    printed that gives the numbers of the picture, and runs by itself.

    ```
    eigenfaces lesson variance
    eigenfaces lesson variance --set angle=39 -o variance.svg
    eigenfaces lesson variance --code > variance.py
    eigenfaces lesson whitening --on people.eigenfaces --wide -o whitening.png
    eigenfaces lesson --all -o lessons.pdf
    ```
    """
    chosen: Any = name  # which is read into a lesson
    if every:
        if chosen or on or settings or code or seed is not None or output is None:
            raise typer.BadParameter("--all takes -o and the name of a PDF, nothing else.")
        if suffix_of(output) != "pdf":
            raise EigenfacesError("All lessons are one PDF: let the name end in .pdf.")
        check_new(output, overwrite)
        with progress("Lessons") as tick, atomic_write(output) as part:
            part.write_bytes(booklet(every_picture(tick)))
        typer.echo(f"{shown(output)}: {count(len(LESSONS), 'lesson')}.")
        return DONE
    if chosen is None:
        if on or settings or output or code or seed is not None:
            raise typer.BadParameter("State the NAME of a lesson; lesson alone lists them.")
        names, titles = (max(len(getattr(x, part)) for x in LESSONS) for part in ("name", "title"))
        for group, members in groupby(LESSONS, key=lambda each: each.group):
            rows = (f"  {x.name:<{names}}  {x.title:<{titles}}  {x.line}" for x in members)
            typer.echo("\n".join([group, *rows]))
        return DONE
    values = _settings(chosen, settings or ())
    if output is not None:
        suffix_of(output)
        check_new(output, overwrite)
    with progress(chosen.title) as tick:
        subject = _subject(chosen, on, seed, tick)
        ready = chosen.prepare(subject, tick)
        controls = {each.name: each for each in chosen.controls_for(ready)}
        for each in values:
            if each not in controls:
                raise EigenfacesError(f"There is no {each} to be set on this: leave it out.")
        checked = {each: controls[each].checked(value) for each, value in values.items()}
        setting = {**chosen.settings, **checked}
        ready = chosen.renew(ready, setting, tick)
    picture = chosen.picture(ready, **setting)
    if output is not None:
        with atomic_write(output) as part:
            part.write_bytes(drawn(picture, suffix_of(output), wide=wide))
    if code:
        typer.echo(chosen.code(subject, setting), nl=False)
    elif output is not None:
        typer.echo(f"{shown(output)}: {chosen.title}.\n{_numbers(picture)}")
    else:
        typer.echo(_words(chosen, subject, controls, setting, picture))
    return DONE


def _settings(chosen: Lesson[Any], said: Iterable[str]) -> dict[str, object]:
    controls, values = {each.name: each for each in chosen.controls}, {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals:
            first = chosen.controls[0]
            raise typer.BadParameter(
                f"“{each}” is no setting: write its name, =, and its value, like "
                f"{first.name}={_typed(chosen.settings, first)}."
            )
        control = controls[one_of_the("setting", controls)(name)]
        values[control.name] = reader(control.read)(value)
    return values


def _subject(chosen: Lesson[Any], on: str | None, seed: int | None, tick: Tick) -> Subject:
    own = [key for key in chosen.subjects if key in SUBJECTS]
    place, drawn, title = Path(on or ""), False, Path(on or "").name
    kind = on or own[0]
    if kind not in own:
        choices = f"Choose one of: {_choices(chosen)}."
        if not place.exists() and kind not in SUBJECTS:
            raise EigenfacesError(f"There is no “{on}” to show this on. {choices}")
        if place.exists():
            kind = "gallery" if is_project(place) else "opened"
        if kind not in chosen.subjects:
            raise EigenfacesError(f"This lesson is not shown on “{on}”. {choices}")
    if kind == "opened":
        return _noted(read_pictures(resolved(place), tick, seed=seed or 0))
    if kind in own:
        drawn, title = SUBJECTS[kind].drawn, SUBJECTS[kind].title
    if seed is not None and not drawn:
        raise EigenfacesError(f"Nothing is drawn in “{title}”: leave --seed out.")
    if kind in own:
        return SUBJECTS[kind].make(seed or 0)
    return ImageSet.of_gallery(open_gallery(place), tick, resolved(place))


def _choices(chosen: Lesson[Any]) -> str:
    return ", ".join(_PLACES.get(key, key) for key in chosen.subjects)


def _words(
    chosen: Lesson[Any],
    subject: Subject,
    controls: Mapping[str, Field],
    setting: Mapping[str, Any],
    picture: LessonPicture,
) -> str:
    tries = [f"{number}. {each}" for number, each in enumerate(chosen.tries, start=1)]
    text = [*chosen.see, "", chosen.formula, chosen.why, "", "What to try", *tries]
    rows = []
    for name, each in controls.items():
        least, most, takes = (getattr(each, x, None) for x in ("least", "most", "how"))
        if isinstance(each, YesOrNo):
            takes = "yes, no"
        elif least is not None and most is not None:
            takes = f"{least:g} to {most:g}{getattr(each, 'unit', '')}"
        rows.append((f"{name}={_typed(setting, each)}", each.about, takes))
    lines = [chosen.title, subject.title, ""]
    lines += (plain(line.format_map(picture.words)) for line in text)
    lines += ["", "Settings, by --set", table((), rows), "", "Numbers", _numbers(picture)]
    return "\n".join([*lines, "", f"--on: {_choices(chosen)}"])


def _typed(setting: Mapping[str, Any], control: Field) -> str:
    """Return the value of a setting as a lesson takes it: beyond a subject, its last or first."""
    value = setting[control.name]
    if isinstance(control, Slide):
        value = min(value, control.most)
    if isinstance(control, OneOf) and control.choices and value not in control.choices:
        value = next(iter(control.choices))
    if isinstance(control, YesOrNo):
        return "yes" if value else "no"
    return typed(value) if isinstance(value, str) else f"{value:g}"


def _numbers(picture: LessonPicture) -> str:
    """Return the numbers of a picture, a line each; of many, how many there are."""
    rows = []
    for name, value in picture.numbers.items():
        values = np.asarray(value, dtype=float)
        text = " ".join(f"{each:.4g}" for each in values.ravel())
        if values.size > _MOST_NUMBERS:
            size = " × ".join(str(side) for side in values.shape)
            text = f"{size} numbers, {values.min():.4g} to {values.max():.4g}"
        rows.append((name, text.replace("-", "−")))
    return table((), rows)
