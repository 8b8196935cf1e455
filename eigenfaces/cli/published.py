"""The command ``published``: published figures, and our own for comparison."""

import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import asdict

import typer

from eigenfaces.cli import options
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.running import (
    DIFFERENT,
    DONE,
    command,
    print_json,
    progress,
    terminal_width,
)
from eigenfaces.evaluation.published import Published, Reproduction
from eigenfaces.evaluation.published import published as published_figures
from eigenfaces.text import count


@command
def published(*, as_json: options.AsJson = False) -> int:
    """Measure the figures that others published, each beside its source and protocol.

    All are of the AT&T faces, which come with the program. A figure is reproduced when ours rounds
    to the digits published, or is the nearest that counts of errors can give. The exit code is 0 if
    every figure is, and 4 if one is not.

    The keys of --json: a list of figure, expected, unit, faces, protocol, source, note, ours (a
    list of numbers), verdict and reproduced (true or false).
    """
    with progress("Measuring") as tick:
        found = list(published_figures(tick))
    if as_json:
        print_json([_as_json(each) for each in found])
    else:
        typer.echo(_text(found, terminal_width()))
    return DIFFERENT if any(each.outcome == "not reproduced" for each in found) else DONE


def _as_json(each: Reproduction) -> dict[str, object]:
    return {
        **asdict(each.row),
        "ours": list(each.ours),
        "verdict": each.verdict,
        "reproduced": each.outcome != "not reproduced",
    }


def _text(found: Sequence[Reproduction], width: int) -> str:
    blocks = [
        _block(list(some), min(width, 100))
        for _, some in itertools.groupby(found, lambda each: (each.row.faces, each.row.protocol))
    ]
    outcomes = [each.outcome for each in found]
    right, nearest = len(found) - outcomes.count("not reproduced"), outcomes.count("nearest")
    remark = f", {nearest} as nearly as can be" if nearest else ""
    blocks.append(f"{right} of {count(len(found), 'figure')} are reproduced{remark}.")
    return "\n\n".join(blocks)


def _block(some: Sequence[Reproduction], width: int) -> str:
    """Return the figures of one protocol under its name, then their sources and notes."""
    rows = [
        (each.row.figure, _with_unit(each.row, each.row.expected), *_ours(each)) for each in some
    ]
    lines = [_folded(f"{some[0].row.faces}: {some[0].row.protocol}.", width)]
    lines.append(table(("Figure", "Published", "Ours", "Verdict"), rows, width))
    sources: dict[str, list[str]] = {}
    for each in some:
        sources.setdefault(each.row.source, []).append(each.row.expected)
    for source, digits in sources.items():
        which = f" of {', '.join(digits)}" if len(sources) > 1 else ""
        lines.append(_folded(f"Source{which}: {source}.", width, "  "))
    lines += [_folded(f"{each.row.note}", width, "  ") for each in some if each.row.note]
    return "\n".join(lines)


def _ours(each: Reproduction) -> tuple[str, str]:
    return _with_unit(each.row, each.text), each.verdict


def _with_unit(row: Published, digits: str) -> str:
    return f"{digits} %" if digits and row.unit == "%" else digits


def _folded(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(
        shown(text), width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
