"""The command line: ``eigenfaces build``, ``info``, ``recognise``, ``components``, ``reconstruct``.

Results go to standard output, progress and complaints to standard error. A command returns its
exit code; an expected failure becomes one sentence. No other part of the core prints.
"""

import contextlib
import functools
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ParamSpec, cast

import typer

from eigenfaces.cli import options as say
from eigenfaces.cli.listings import (
    Answer,
    answer,
    answers_csv,
    answers_json,
    overview,
    overview_json,
)
from eigenfaces.cli.plaintext import (
    answers_text,
    built_text,
    counted,
    overview_text,
    shown,
    skipped_text,
)
from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.exports import export_components, reconstruction, save_grey
from eigenfaces.faces import FaceSet, load_face, load_faces
from eigenfaces.gallery import Gallery
from eigenfaces.lighting import Lighting, Window
from eigenfaces.photos import FoundPhotos, Skipped, find_photos, suggest_pattern
from eigenfaces.preparation import Preparation
from eigenfaces.project import Project
from eigenfaces.recipes import Recipe
from eigenfaces.recognition import identify
from eigenfaces.samples import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.samples import load_sample, read_mended

DONE, FAILED, SOME_UNUSED, STOPPED = 0, 1, 3, 130

HELP = """See the eigenfaces of your own photographs, and ask who is on a new one.

The photographs must already be faces, upright and cut out: no faces are searched for in them.
Everything stays on this computer. This is no authentication: a printed photograph passes.

**A first look**

    eigenfaces build --sample -o att.eigenfaces
    eigenfaces info att.eigenfaces
    eigenfaces recognise att.eigenfaces somebody.png
    eigenfaces components att.eigenfaces -k 20 -o components
    eigenfaces reconstruct att.eigenfaces somebody.png -k 50 -o rebuilt.png

**Exit codes**

- 0: done
- 1: not done; a sentence on standard error says why
- 2: the command was not written correctly
- 3: done, but some photographs could not be used; they are listed with their reasons
- 130: stopped with Ctrl-C; nothing is left half-written
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)

P = ParamSpec("P")


def _command(function: Callable[P, int]) -> Callable[P, None]:
    """Register a command that returns its exit code; turn expected failures into a sentence."""

    @app.command()
    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        for stream in (sys.stdout, sys.stderr):  # a file name may be no valid text
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            code = function(*args, **kwargs)
            sys.stdout.flush()
        except EigenfacesError as error:
            code = _fail(str(error))
        except KeyboardInterrupt:
            _note("Stopped. Nothing is left half-written.")
            code = STOPPED
        except BrokenPipeError:  # whoever read the output has seen enough, as in “| head”
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = DONE
        except OSError as error:
            code = _fail(f"“{error.filename or 'The output'}” cannot be used: {error.strerror}.")
        except MemoryError:
            code = _fail("There is not enough memory: use fewer photographs or smaller faces.")
        raise typer.Exit(code)

    return run


@app.callback()
def _common(*, version: say.Version = False) -> None: ...


@_command
def build(
    folder: say.Folder = None,
    *,
    output: say.Output,
    sample: say.Sample = False,
    overwrite: say.Overwrite = False,
    pattern: say.Pattern = None,
    height: say.Height = 112,
    width: say.Width = 92,
    fit: say.Shape = "fill",
    already_cropped: say.AlreadyCropped = False,
    eyes: say.EyesFile = None,
    components: say.Components = 0.95,
    distance: say.Distance = "L2",
    whitening: say.Whiten = "none",
    smoothing: say.Smoothing = 0.0,
    correlation: say.Correlation = False,
    lighting: say.Light = "none",
    window: say.AgainstBackground = "none",
    class_mean: say.ClassMean = False,
    neighbours: say.Neighbours = 1,
) -> int:
    """Make a project file: read photographs, find the face space, enrol everybody.

    Photographs that cannot be used are listed with their reasons; the exit code is then 3.

    ```
    eigenfaces build people/ -o people.eigenfaces
    eigenfaces build yale/ --pattern '{person}.*' -o yale.eigenfaces
    eigenfaces build --sample -k 100 --distance cosine -o att.eigenfaces
    ```
    """
    recipe = Recipe(
        lighting=cast(Lighting, lighting),
        window=cast(Window, window),
        scaling="correlation" if correlation else "covariance",
        components=components,
        whitening=whitening,
        smoothing=smoothing,
        distance=distance,
        rule="class mean" if class_mean else "nearest",
        neighbours=neighbours,
    )
    preparation = Preparation(height, width, fit, already_cropped)
    if (folder is None) != sample:
        raise typer.BadParameter("Give either a FOLDER or --sample.")
    if sample and (pattern or eyes or preparation != Preparation()):
        raise typer.BadParameter("The sample has its own names and size: leave these options out.")
    _check_place(output, overwrite)
    if folder is None:
        return _train_and_keep(Gallery(_read_sample(), SAMPLE_PREPARATION, recipe), output)
    faces = _read(find_photos(folder.resolve(), pattern, eyes), preparation)
    return _train_and_keep(Gallery(faces, preparation, recipe), output)


@_command
def info(file: say.ProjectFile, *, as_json: say.AsJson = False) -> int:
    """Say what a project holds: people, components, variance explained, missing photographs.

    The keys of --json: file, photos, unnamed, excluded, people (name, photos), trained, components,
    compared, explained_variance_ratio (the first ten), components_for (0.90, 0.95, 0.99),
    preparation, recipe, changed_since_training, missing.
    """
    summary = overview(_open(file), file)
    if as_json:
        typer.echo(overview_json(summary))
    else:
        typer.echo(overview_text(summary, _width()))
    return DONE


@_command
def recognise(
    file: say.ProjectFile,
    photos: say.Photos,
    *,
    top: say.Top = 3,
    as_json: say.AsJson = False,
    as_csv: say.AsCsv = False,
) -> int:
    """Name the enrolled people nearest to the face on each photograph.

    Distances are not calibrated yet: a stranger has a nearest person too.

    ```
    eigenfaces recognise att.eigenfaces new.jpg --top 5
    eigenfaces recognise att.eigenfaces folder/ --csv > answers.csv
    ```

    The keys of --json: calibrated, note, distance, components, skipped (photo, reason) and answers,
    of which each has photo, closest, distance_in and distance_from face space, in_gallery,
    filed_as, sentence and ranking (rank, person, distance, votes, nearest_photo). --csv has a line
    a candidate: photo, rank, person, distance_in, votes, nearest_photo, distance_from, in_gallery.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    gallery = _open(file)
    answers, skipped = _ask(gallery, photos, top)
    if as_json:
        typer.echo(answers_json(gallery, answers, skipped))
    elif as_csv:
        typer.echo(answers_csv(answers), nl=False)
    elif answers:
        typer.echo(answers_text(answers, _width()))
    for each in skipped:
        _note(f"{shown(each.path)}: {each.reason}")
    if not answers:
        return _fail("None of the photographs could be used.")
    return SOME_UNUSED if skipped else DONE


@_command
def components(file: say.ProjectFile, *, output: say.NewFolder, k: say.First = None) -> int:
    """Write the mean face and the eigenfaces as pictures and as numbers.

    mean.png; component_001.png … in grey with zero at level 128, each on its own symmetric scale,
    which components.csv states as “limit” beside the variances; components.npy holds the values,
    (k, height, width) in float32. Where each photograph's own mean was removed, the mean face lies
    around zero and is drawn around mid-grey.
    """
    with _progress("Writing components") as tick:
        count = export_components(_open(file), output, k, tick)
    typer.echo(f"{shown(output)}: the mean and {counted(count, 'component')}.")
    return DONE


@_command
def reconstruct(
    file: say.ProjectFile,
    photo: say.Face,
    *,
    k: say.Count,
    output: say.Rebuilt,
    overwrite: say.Overwrite = False,
) -> int:
    """Rebuild a face from the mean and the first N components, as PNG.

    Grey values are those of the photograph, cut off at black and white: nothing is stretched.
    """
    if output.exists() and not overwrite:
        raise EigenfacesError(f"“{output}” exists already. Add --overwrite to replace it.")
    gallery = _open(file)
    training = gallery.trained
    try:
        _, face = load_face(photo, gallery.preparation, read_mended)
    except PhotoError as error:
        raise EigenfacesError(f"{shown(photo)}: {error}") from None
    save_grey(output, reconstruction(gallery, face, k))
    features = training.features(face.reshape(1, -1))
    kept = float(training.space.first(k).energy_kept(features)[0, -1])
    typer.echo(
        f"{shown(output)}: {k} of {counted(len(training.space), 'component')}, which keep "
        f"{kept:.1%} of this face's squared deviation from the mean."
    )
    return DONE


def _open(file: Path) -> Gallery:
    with contextlib.closing(Project.open(file)) as project:
        return project.gallery


def _check_place(output: Path, overwrite: bool) -> None:
    """Refuse, before anything is read, a place where the project cannot be written."""
    if output.is_dir():
        raise EigenfacesError(f"“{output}” is a folder: add a file name to it.")
    if not output.parent.is_dir() or not os.access(output.parent, os.W_OK):
        raise EigenfacesError(f"Nothing can be written in “{output.parent}”: choose another place.")
    if not os.path.lexists(output):
        return
    if not overwrite:
        raise EigenfacesError(
            f"“{output}” exists already. Add --overwrite to replace it, or choose another name."
        )
    Project.open(output).close()  # only a project, and one that no window has open, is replaced


def _read_sample() -> FaceSet:
    with _progress("Reading the sample") as tick:
        return load_sample(tick)


def _read(found: FoundPhotos, preparation: Preparation) -> FaceSet:
    _mention_nameless(found)
    with _progress("Reading photographs") as tick:
        return load_faces(found, preparation, tick, read=read_mended)


def _mention_nameless(found: FoundPhotos) -> None:
    names = [photo.path.name for photo in found.photos if photo.person is None]
    if not names:
        return
    proposal = suggest_pattern(names)
    fits = f" --pattern '{proposal}' fits them all." if proposal else ""
    _note(
        f"{counted(len(names), 'photograph')} directly in the folder and not in a person's "
        "sub-folder: nobody is named on them, so they shape the face space but are never an "
        f"answer. A flat folder needs --pattern to name people by their file names.{fits}"
    )


def _train_and_keep(gallery: Gallery, output: Path) -> int:
    skipped = gallery.faces.skipped
    try:
        with _progress("Finding the face space") as tick:
            gallery = gallery.train(tick)
        Project.create(output, gallery).close()
    except EigenfacesError:
        _list_skipped(skipped)
        raise
    typer.echo(built_text(gallery, output))
    _list_skipped(skipped)
    return SOME_UNUSED if skipped else DONE


def _ask(gallery: Gallery, photos: Sequence[Path], top: int) -> tuple[list[Answer], list[Skipped]]:
    answers: list[Answer] = []
    probes, skipped = _probes(photos)
    with _progress("Looking") as tick:
        for done, path in enumerate(probes):
            tick(done, len(probes))
            try:
                probe, face = load_face(path, gallery.preparation, read_mended)
            except PhotoError as error:
                skipped.append(Skipped(path, str(error)))
                continue
            answers.append(answer(gallery, probe, identify(gallery, face), top))
    return answers, skipped


def _probes(photos: Sequence[Path]) -> tuple[list[Path], list[Skipped]]:
    """Put the photographs of a folder in its place."""
    probes: list[Path] = []
    skipped: list[Skipped] = []
    for path in photos:
        if not path.is_dir():
            probes.append(path)
            continue
        try:
            found = find_photos(path)
        except EigenfacesError as error:
            skipped.append(Skipped(path, str(error)))
        else:
            probes.extend(photo.path for photo in found.photos)
            skipped.extend(found.skipped)
    return probes, skipped


def _list_skipped(skipped: Sequence[Skipped]) -> None:
    if skipped:
        typer.echo(skipped_text(skipped, _width()))


def _width() -> int:
    """Columns of the terminal; where there is none, lines are as long as they need to be."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000


def _note(text: str) -> None:
    typer.echo(shown(text), err=True)


def _fail(text: str) -> int:
    _note(text)
    return FAILED


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Tick]:
    """Show a bar on standard error while something goes on, where somebody can see it."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
