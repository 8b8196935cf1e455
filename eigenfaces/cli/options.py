"""The command-line arguments and options of all commands but evaluation, each with its help."""

import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from eigenfaces.cli.field_options import option
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH, Fit


def version_words() -> str:
    """Return the name of the program and its version."""
    return f"eigenfaces {version('eigenfaces')}"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_words())
        raise typer.Exit


def named_share(text: str) -> float:
    """Return the share that “1%” or “0.01” states."""
    said = text.strip()
    try:
        share = float(said[:-1]) / 100 if said.endswith("%") else float(said)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise typer.BadParameter(f"“{said}” is not a share: give one like 1% or 0.01.")
    if share == 1 and not said.endswith("%"):
        raise typer.BadParameter(
            f"“{said}” may mean one in a hundred or all of them: write 1% or 100%."
        )
    return share


def named_size(text: str) -> tuple[int, int]:
    """Return the (h, w) that “46x56”, width × height in pixels, states.

    >>> named_size("46x56")
    (56, 46)
    """
    said = re.fullmatch(r"\s*([1-9]\d{0,3})\s*[xX×]\s*([1-9]\d{0,3})\s*", text)
    if said is None:
        raise typer.BadParameter(f"“{text}” is no size like 46x56: width and height in pixels.")
    return int(said[2]), int(said[1])


def _ending(*known: str) -> Callable[[Path], Path]:
    """Return a check that the name of a file ends in one of these."""

    def checked(path: Path) -> Path:
        if path.suffix.lower() not in known:
            raise typer.BadParameter(
                f"“{path}” must end in {' or '.join(known)}: no other format is written."
            )
        return path

    return checked


Version = Annotated[
    bool,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Say which this is."),
]
ProjectFile = Annotated[Path, typer.Argument(metavar="FILE", help="The project file.")]

# build, faces
_PHOTOGRAPHS = "Photographs, one sub-folder a person; or a CSV file of path;label lines."
Folder = Annotated[Path | None, typer.Argument(metavar="FOLDER", help=_PHOTOGRAPHS)]
Source = Annotated[Path, typer.Argument(metavar="FOLDER", help=_PHOTOGRAPHS)]
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="The project file to make.")
]
Sample = Annotated[
    bool, typer.Option("--sample", help="Instead of a folder, the AT&T faces: 40 people × 10.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")]
UnusedList = Annotated[
    Path | None,
    typer.Option(
        "--unused", metavar="CSV", help="List every photograph that is not used in this file."
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Who is on a photograph by its file name, where all lie in one folder: "
        "'{person}.*' for subject01.happy.gif.",
    ),
]
Height = Annotated[int, option(HEIGHT)]
Width = Annotated[int, option(WIDTH)]
Shape = Annotated[Fit, option(FIT)]
AlreadyCropped = Annotated[bool, option(ALREADY_CROPPED)]
EyesFile = Annotated[
    Path | None,
    typer.Option(
        "--eyes",
        metavar="CSV",
        help="Where the eyes are: a table of file, left_x, left_y, right_x, right_y. Without it, "
        "the eyes.csv in the folder or beside the list, if there is one.",
    ),
]

# info, recognise, calibrate
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Answer in CSV, a line a candidate.")]
Photos = Annotated[
    list[Path],
    typer.Argument(metavar="PHOTO", help="Photographs, or folders: all photographs in them."),
]
Top = Annotated[int, typer.Option(min=1, metavar="N", help="How many people to rank.")]

_STRANGERS = "At most this share of strangers is named, like 1% or 0.01"
Strangers = Annotated[
    float | None,
    typer.Option(
        parser=named_share, metavar="SHARE", help=f"{_STRANGERS}.", show_default="the project's"
    ),
]
StrangersKept = Annotated[
    float | None,
    typer.Option(
        parser=named_share,
        metavar="SHARE",
        help=f"{_STRANGERS}: kept with the project.",
        show_default="the project's",
    ),
]

# faces, components, reconstruct, synthesise
NewFolder = Annotated[
    Path, typer.Option("-o", "--output", metavar="DIR", help="A new or empty folder.")
]
Every = Annotated[
    bool,
    typer.Option("--all", help="Every face of each photograph, not only the one that is meant."),
]
First = Annotated[
    int | None, typer.Option("-k", min=1, metavar="N", help="Only the first N; all if not said.")
]
ProjectOrNone = Annotated[Path | None, typer.Argument(metavar="FILE", help="The project file.")]
PictureSet = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="Instead of a project, pictures of any kind: digits, patches, a folder, an .npz, or "
        "an IDX file like those of MNIST.",
    ),
]
PictureSize = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="WxH",
        help="The size that all pictures of a folder are cut and resized to, like 32x32.",
    ),
]
Made = Annotated[
    Path,
    typer.Option(
        "-o", "--output", metavar="PNG", callback=_ending(".png"), help="The picture to write."
    ),
]
Face = Annotated[Path, typer.Argument(metavar="PHOTO", help="The photograph to rebuild.")]
Count = Annotated[int, typer.Option("-k", min=0, metavar="N", help="Components; 0 is the mean.")]
Kept = Annotated[
    int | None,
    typer.Option("-k", min=1, metavar="N", help="Components; those compared, if not said."),
]
Scores = Annotated[
    list[str] | None,
    typer.Option("--score", metavar="I=S", help="The score of component I, in σ; repeat it."),
]
Random = Annotated[bool, typer.Option("--random", help="Draw the scores by chance, from N(0, λ).")]
Seed = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="The seed of chance.", show_default="0")
]

# map
Kind = Annotated[
    str,
    typer.Option(metavar="KIND", help="What the axes are: components, discriminant, or t-sne."),
]
AxesShown = Annotated[
    str, typer.Option("--axes", metavar="I,J", help="Which two axes, counted from 1.")
]
MapSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        metavar="N",
        help="t-SNE: begin with places drawn by this seed.",
        show_default="with components 1 and 2",
    ),
]
MapFile = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        callback=_ending(".svg", ".png", ".csv"),
        help="The picture (.svg, .png) or table (.csv) to write.",
    ),
]

# lesson
LessonName = Annotated[
    str | None, typer.Argument(metavar="NAME", help="The lesson; without it, all are listed.")
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="WHAT",
        help="What it is shown on: a name like cloud or digits, or a path.",
        show_default="what the lesson begins with",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of the lesson; repeat it."),
]
AsCode = Annotated[bool, typer.Option("--code", help="Print a program that gives the numbers.")]
LessonSeed = Annotated[
    int | None,
    typer.Option("--seed", min=0, metavar="N", help="The seed of what is drawn.", show_default="0"),
]
Picture = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="The picture to write: SVG, PNG or PDF."),
]
