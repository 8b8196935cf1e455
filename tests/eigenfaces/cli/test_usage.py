"""Commands that are not written correctly: exit code 2, a reason, and nothing is made."""

import shlex
from pathlib import Path

import pytest

from cli.command_line import eigenfaces

BUILD, EVALUATE = "build --sample -o x", "evaluate --sample"
WRONG = {
    "build -o x": "Give either a FOLDER or --sample",
    "build folder --sample -o x": "Give either a FOLDER or --sample",
    "build folder -o x --width 15": "--width",
    f"{BUILD} --height 64": "Leave these options out",
    f"{BUILD} --height 112": "Leave these options out",
    f"{BUILD} --eyes eyes.csv": "Leave these options out",
    f"{BUILD} --distance far": "no distance “far”",
    f"{BUILD} --lighting candle": "“candle”",
    **{f"{BUILD} -k {k}": "-k" for k in ("0", "101%", "nan.", "many")},
    "build ''  -o x.eigenfaces": "One argument is empty",
    "recognise file photo --sort-into=": "One argument is empty",
    "faces folder": "Missing option",
    "faces folder -o x --height 513": "--height",
    "recognise file": "Missing argument",
    "recognise file photo --json --csv": "Choose either --json or --csv",
    "recognise file photo --top 0": "--top",
    "recognise file photo --strangers 5": "not a share",
    "recognise file photo --strangers few": "not a share",
    "recognise file photo --strangers 1": "write 1% or 100%",
    "evaluate": "Give either a SOURCE or --sample",
    f"{EVALUATE} --height 64": "Leave these options out",
    f"{EVALUATE} --recipe Fishes": "Choose one of: Eigenfaces, Fisherfaces, Texture, Network.",
    f"{EVALUATE} --drop-first=-1": "--drop-first",
    f"{EVALUATE} --seed=-1": "--seed",
    f"{EVALUATE} -o report.doc": "report.doc",
    f"{EVALUATE} -o report.pdf": "it must end in .html",
    f"{EVALUATE} --gallery-list x": "with the protocol “10-fold”",
    **{
        f"{EVALUATE} --protocol {words}": refusal
        for words, refusal in {
            "dance": "There is no protocol “dance”",
            "-3-fold": "There is no protocol",
            "10-fold --repetitions 3": "--repetitions cannot be used",
            "5-shot --enrolled 3": "--enrolled cannot be used",
            "first-5 --share 20%": "--share cannot be used",
            "leave-one-out --pairs x": "--pairs cannot be used",
            "open-set --gallery-list x": "--gallery-list cannot be used",
            "lists": "needs --gallery-list and --probe-list",
            "pairs": "needs --pairs FILE",
        }.items()
    },
    "sweep --sample -o x.csv": "Specify what to try with --grid or --recipe",
    "sweep --sample -o x.csv --grid dance=1": "There is no setting “dance”",
    "sweep --sample -o x.csv --grid k=": "Give values for",
    "sweep --sample -o x.csv --grid distance=l2,l3": "There is no distance “l3”",
    "sweep --sample -o x.csv --grid k=2 --grid k=3": "once for each setting",
    "components -o x file -k 0": "-k",
    "components -o x": "Give either a FILE or --pictures",
    **{
        f"synthesise file -o x.png --score={value}": "is not a score"
        for value in ("1", "=2", "0=1", "1=nan", "1=1e300")
    },
    "map file -o x.svg --kind umap": "is not one of 'components', 't-sne'",
    "map file -o x.jpg": "must end in .svg or .png or .pdf or .csv",
    **{f"map file -o x.svg --axes={value}": "two axes" for value in ("1", "1,1", "0,1", "a,b")},
    "reconstruct file photo -k 3 -o x.jpg": "must end in .png",
    **{
        f"lesson {value}": "Give the NAME of a lesson"
        for value in ("--code", "-o a.svg", "--set k=1", "--on digits", "--seed 0")
    },
    "lesson table --all -o all.pdf": "--all takes only -o",
    "lesson --sheet answers --wide -o all.pdf": "--sheet takes only -o",
    "lesson varianz": "There is no lesson “varianz”. Choose one of: few-numbers, variance",
    **{
        f"lesson variance --set angle={value}": "Direction θ is a number from 0 to 180°."
        for value in ("200", "nan", "", "39°")
    },
    "lesson variance --set centred=perhaps": "“mean is zero” must be yes or no.",
    "lesson variance --set angle": "its name, =, and its value, such as angle=39.",
    "lesson variance --set slope=2": "There is no setting “slope”. Choose one of: angle, offset",
    "lesson rotation --on space --set k=2.5": "Components k is a whole number from 0 to",
}


@pytest.mark.parametrize("command", WRONG)
def test_what_is_written_wrongly_is_said(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = eigenfaces(*shlex.split(command))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert WRONG[command] in " ".join(refused.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []
