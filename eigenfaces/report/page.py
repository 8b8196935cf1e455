"""One page of HTML with everything on it: no scripts, nothing fetched from anywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.result_words import remarks
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report import tables
from eigenfaces.report.method import (
    GLOSSARY,
    INTERVALS,
    protocol_sentences,
    settings,
    thresholds_sentences,
)
from eigenfaces.report.plots import plots_of
from eigenfaces.report.plots.plot import WIDE, inline, rendered
from eigenfaces.report.relative_paths import with_relative_paths
from eigenfaces.report.summary import heading, left_out_words, result_parts
from eigenfaces.report.two_runs import two_runs
from eigenfaces.text import capital, count

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_LONGEST = 28  # letters of a name without a break


def to_html(record: Record, tick: Tick = no_tick, other: Record | None = None) -> str:
    """Return the report of a record as one page; the same record gives the same page.

    Parameters
    ----------
    record
        The evaluation and what it came from.
    tick
        Called after each figure.
    other
        A second record, to be compared with it.
    """
    record = with_relative_paths(record)
    evaluation = record.evaluation
    found = remarks(evaluation)
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=heading(record),
            result=result_parts(evaluation),
            evaluation=evaluation,
            tables=tables,
            two_runs=None if other is None else two_runs(record, with_relative_paths(other)),
            controls=tables.controls_table(found),
            warnings=tables.warnings(found),
            left_out=left_out_words(evaluation),
            plots=list(_plots(evaluation, tick)),
            protocol=protocol_sentences(record),
            intervals=INTERVALS,
            thresholds=thresholds_sentences(record),
            settings=settings(record),
            versions=record.versions,
            glossary=GLOSSARY,
            sample=record.source.kind == "sample",
            count=count(len(evaluation.photos)),
            digest=_digest(evaluation),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("eigenfaces.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"capital": capital, "breakable": _breakable}
    return found


def _plots(evaluation: Evaluation, tick: Tick) -> Iterator[dict[str, str | bool]]:
    from markupsafe import Markup

    some = plots_of(evaluation)
    for done, plot in enumerate(some):
        tick(done, len(some))
        yield {
            "title": plot.title,
            "caption": plot.caption,
            "wide": plot.size[0] > WIDE,
            "svg": Markup(inline(*rendered(plot, "svg"))),
        }


def _digest(evaluation: Evaluation) -> str:
    """Return the SHA-256 of the list of photographs, as ``sha256sum`` writes it."""
    lines = [f"{photo.key}  {photo.path.as_posix()}\n" for photo in evaluation.photos]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _breakable(name: str) -> Markup:
    """Return a name that may break after a slash, and in words longer than a column."""
    from markupsafe import Markup

    pieces = (
        part[start : start + _LONGEST]
        for part in re.split(r"(?<=/)", name)
        for start in range(0, len(part), _LONGEST)
    )
    return Markup("<wbr>").join(pieces)
