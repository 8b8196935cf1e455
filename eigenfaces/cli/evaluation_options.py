"""The command-line arguments and options of an evaluation, each with its help."""

from pathlib import Path
from typing import Annotated

import typer

from eigenfaces.cli.field_options import option
from eigenfaces.cli.options import named_share
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import (
    ENROLLED,
    LARGEST_LEFT_OUT,
    REPETITIONS,
    KFold,
    NShot,
    OpenSet,
)
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.report.files import check_name


def _report(path: Path | None) -> Path | None:
    try:
        return path if path is None else check_name(path)
    except EigenfacesError as error:
        raise typer.BadParameter(str(error)) from None


# evaluate, sweep
Faces = Annotated[
    Path | None,
    typer.Argument(
        metavar="SOURCE",
        help="A project file, whose recipe is then the one to start from; or photographs, one "
        "sub-folder a person; or a CSV file of path;label lines.",
    ),
]
AllowLeaks = Annotated[
    bool,
    typer.Option(
        "--allow-leaks", help="Measure a split whose probes are known to it; the report says so."
    ),
]

# evaluate
Report = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        callback=_report,
        help="The report: .html (with .json and the scores beside it) or .json.",
    ),
]
FigureFolder = Annotated[
    Path | None,
    typer.Option("--figures", metavar="DIR", help="A new or empty folder for the figures."),
]
NoCurves = Annotated[
    bool, typer.Option("--no-curves", help="Leave out the evidence for k, which takes a while.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Measure the folds on the workers of a Dask cluster, which hold this program, too: "
        "the address of its scheduler, like tcp://10.0.0.2:8786. It needs eigenfaces[dask].",
    ),
]

# protocols
ProtocolName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default=f"leave-one-out; {KFold.parts}-fold for more than {LARGEST_LEFT_OUT} "
        "photographs",
        help="leave-one-out, N-fold, N-shot (N photographs enrolled at random), first-N, "
        "open-set, lists, pairs; idiap for the AT&T faces.",
    ),
]
Repetitions = Annotated[
    int | None,
    option(
        REPETITIONS,
        about="How often N-shot or open-set is drawn",
        show_default=str(NShot.repetitions),
    ),
]
Enrolled = Annotated[
    int | None,
    option(
        ENROLLED,
        about="open-set: photographs of each member enrolled",
        show_default=str(OpenSet.enrolled),
    ),
]
Strangers = Annotated[
    float | None,
    typer.Option(
        parser=named_share,
        metavar="SHARE",
        show_default=str(OpenSet.strangers),
        help="open-set: how many are strangers, like 30% or 0.3.",
    ),
]
Share = Annotated[
    float | None,
    typer.Option(
        parser=named_share,
        metavar="SHARE",
        show_default=str(USUAL_SHARE),
        help="open-set, lists: of strangers, how many may be named at most. "
        "The limit comes from the gallery of each fold alone; what it reached is stated.",
    ),
]
GalleryList = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="lists: who is enrolled, the path of a photograph a line."),
]
ProbeList = Annotated[Path | None, typer.Option(metavar="FILE", help="lists: who is searched for.")]
TrainList = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        show_default="the gallery",
        help="lists: what the face space is fitted to.",
    ),
]
PairFiles = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="pairs: in the format of LFW's pairs.txt; or twice: first what the threshold is "
        "chosen on, then what is tested.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Of everything drawn at random.")]

# sweep
Table = Annotated[
    Path, typer.Option("-o", "--output", metavar="CSV", help="The table, the best first.")
]

# repeat, compare
ReportFile = Annotated[
    Path, typer.Argument(metavar="REPORT", help="The .json that evaluate wrote.")
]
FacesElsewhere = Annotated[
    Path | None,
    typer.Option(
        "--faces",
        metavar="SOURCE",
        show_default="where they were",
        help="The folder or project file in which the same photographs are now.",
    ),
]
FirstReport = Annotated[Path, typer.Argument(metavar="A", help="A .json that evaluate wrote.")]
SecondReport = Annotated[Path, typer.Argument(metavar="B", help="Another one.")]
