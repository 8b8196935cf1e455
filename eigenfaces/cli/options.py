"""What can be said on the command line: every argument and option, with its help."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, get_args

import typer

from eigenfaces.distances import DISTANCES
from eigenfaces.errors import EigenfacesError
from eigenfaces.lighting import Lighting, Window
from eigenfaces.preparation import Fit
from eigenfaces.recipes import Recipe, Whitening


def share_or_count(text: object) -> float:
    """Read “40” as a count (an int), “0.95” and “95%” as a share of the variance (a float)."""
    said = str(text).strip()
    try:
        if said.endswith("%"):
            components: float = float(said[:-1]) / 100
        else:
            components = float(said) if "." in said else int(said)
        Recipe(components=components)
    except (ValueError, EigenfacesError):
        raise typer.BadParameter(
            f"“{said}” is neither a count from 1 up, like 40, nor a share of the variance to "
            "keep, like 0.95 or 95%."
        ) from None
    return components


def _slug(name: str) -> str:
    return name.lower().replace("∞", "inf").replace(" ", "-").replace("–", "-")


DISTANCE_NAMES = {_slug(name): name for name in DISTANCES}
LIGHTING_NAMES = {_slug(name): name for name in get_args(Lighting)}
WINDOW_NAMES = {_slug(name): name for name in get_args(Window)}
"""How each of them is typed, and its name."""


def _named(names: dict[str, str]) -> Callable[[str], str]:
    """Make what reads a name, as it is typed here or as the window shows it."""

    def read(text: str) -> str:
        name = names.get(_slug(text))
        if name is None:
            raise typer.BadParameter(f"“{text}” is none of {', '.join(names)}.")
        return name

    return read


distance_name, lighting_name, window_name = map(
    _named, (DISTANCE_NAMES, LIGHTING_NAMES, WINDOW_NAMES)
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"eigenfaces {version('eigenfaces')}")
        raise typer.Exit


def _png(path: Path) -> Path:
    if path.suffix.lower() != ".png":
        raise typer.BadParameter(f"“{path}” must end in .png: no other format is written.")
    return path


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
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Who is on a photograph by its file name, where all lie in one folder: "
        "'{person}.*' for subject01.happy.gif.",
    ),
]
Height = Annotated[int, typer.Option(min=16, max=512, metavar="PIXELS", help="Of every face.")]
Width = Annotated[int, typer.Option(min=16, max=512, metavar="PIXELS", help="Of every face.")]
Shape = Annotated[
    Fit,
    typer.Option(help="A photograph of another shape is cut to fill, set on grey, or stretched."),
]
Components = Annotated[
    float | None,
    typer.Option(
        "-k",
        "--components",
        metavar="N|SHARE",
        parser=share_or_count,
        show_default="0.95",
        help="Components to compare: a count, or the share of the variance to keep (0.95, 95%).",
    ),
]
Distance = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        parser=distance_name,
        show_default="L2",
        help=f"Distance in face space: {', '.join(DISTANCE_NAMES)}.",
    ),
]
Whiten = Annotated[
    Whitening | None,
    typer.Option(show_default="none", help="Give all components the same weight."),
]
Smoothing = Annotated[
    float | None,
    typer.Option(
        min=0, metavar="ε", show_default="0", help="Added to the variances in the whitening."
    ),
]
Correlation = Annotated[
    bool, typer.Option("--correlation", help="Divide each pixel by its standard deviation.")
]
Light = Annotated[
    str | None,
    typer.Option(
        "--lighting",
        metavar="NAME",
        show_default="none",
        parser=lighting_name,
        help=f"Light evened out in each face: {', '.join(LIGHTING_NAMES)}.",
    ),
]
AgainstBackground = Annotated[
    str | None,
    typer.Option(
        "--window",
        metavar="NAME",
        show_default="none",
        parser=window_name,
        help=f"Keeps the background out: {', '.join(WINDOW_NAMES)}.",
    ),
]
AlreadyCropped = Annotated[
    bool,
    typer.Option("--already-cropped", help="Photographs are faces already: search for none."),
]
EyesFile = Annotated[
    Path | None,
    typer.Option(
        "--eyes",
        metavar="CSV",
        help="Where the eyes are: a table of file, left_x, left_y, right_x, right_y. Without it, "
        "the eyes.csv in the folder or beside the list, if there is one.",
    ),
]
ClassMean = Annotated[
    bool, typer.Option("--class-mean", help="Compare with each person's mean, not each photograph.")
]
MeanDistance = Annotated[
    bool,
    typer.Option(
        "--mean-distance", help="Compare by the mean of the distances to a person's photographs."
    ),
]
Neighbours = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", show_default="1", help="How many nearest photographs vote."),
]
DropFirst = Annotated[
    int | None,
    typer.Option(
        "--drop-first",
        min=0,
        metavar="M",
        show_default="0",
        help="Leave the first M components out of the comparison.",
    ),
]

# info, recognise
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Answer in CSV, a line a candidate.")]
Photos = Annotated[
    list[Path],
    typer.Argument(metavar="PHOTO", help="Photographs, or folders: all photographs in them."),
]
Top = Annotated[int, typer.Option(min=1, metavar="N", help="How many people to rank.")]

# faces, components, reconstruct
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
Face = Annotated[Path, typer.Argument(metavar="PHOTO", help="The photograph to rebuild.")]
Rebuilt = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="PNG", callback=_png, help="The picture to write."),
]
Count = Annotated[int, typer.Option("-k", min=0, metavar="N", help="Components; 0 is the mean.")]

# learn
London = Annotated[
    Path, typer.Argument(metavar="LONDON", help="The folder of the London set, with its eyes.csv.")
]
Learnt = Annotated[Path, typer.Option("-o", "--output", metavar="NPZ", help="The file to make.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Of everything drawn at random.")]
HeldOut = Annotated[
    bool,
    typer.Option("--held-out", help="Measure the alignment too, of people not learnt from."),
]
