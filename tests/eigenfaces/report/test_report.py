"""The page: whole, self-contained, true to the record, and the same twice."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from reports import AWKWARD, at, paired, record_of, similar

from eigenfaces.cli.evaluating import evaluation_text
from eigenfaces.evaluation.controls import Control, Leak
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut, NShot, OpenSet
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.evaluation.result_words import left_out_words
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.duplicates import Duplicate
from eigenfaces.report.figure import rendered
from eigenfaces.report.page import to_html
from eigenfaces.report.plots import plots_of

SVG = "{http://www.w3.org/2000/svg}"


class Page:
    """A page, read as strictly as XML: its elements, lines of tables, and words."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(re.sub(r"<((meta|wbr)[^>]*)>", r"<\1/>", text))
        body = root.find("body")
        assert body is not None
        self.elements = [*root.iter()]
        self.tags = Counter(element.tag for element in self.elements)
        self.cells = [["".join(cell.itertext()) for cell in row] for row in body.iter("tr")]
        self.text = "".join(body.itertext())

    def row(self, first: str, length: int = 0) -> list[str]:
        """Return the first line of a table that begins so, and is so long."""
        lengths = (length,) if length else range(20)
        return next(row for row in self.cells if row[0] == first and len(row) in lengths)


@cache
def html_of(record: Record) -> str:
    """Return the page with its figures, drawn once."""
    return to_html(record)


def page_of(record: Record) -> Page:
    """Read the page without its figures, where only words are asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())
        return Page(to_html(record))


@pytest.fixture(scope="module")
def closed() -> Record:
    return record_of(similar(8), KFold(4, seed=3))


@pytest.fixture(scope="module")
def opened() -> Record:
    return record_of(similar(12), OpenSet(enrolled=2, repetitions=3))


@pytest.fixture(scope="module")
def in_pairs() -> Record:
    return paired()


@pytest.fixture(params=["closed", "opened", "in_pairs"])
def record(request: pytest.FixtureRequest) -> Record:
    return request.getfixturevalue(request.param)


def test_the_figures_are_those_of_the_record(record: Record) -> None:
    page = page_of(record)
    for figure in record.evaluation.figures:
        name = figure.kind[0].upper() + figure.kind[1:]
        _, value, interval, note = page.row(name)
        assert value == f"{100 * figure.value:.2f} %"
        assert interval == f"{100 * figure.low:.2f} to {100 * figure.high:.2f}"
        assert note == figure.note
    first = record.evaluation.figures[0]
    sentence = page.text.split("Figures")[0]
    assert first.words() in sentence
    assert record.evaluation.setting.protocol.words() in sentence
    seeds = "seed 3 of the protocol, 0 of resampling"
    assert (seeds if "4-fold" in sentence else "seed 0") in sentence


def test_folds_give_mean_and_standard_deviation(opened: Record) -> None:
    page, searches = page_of(opened), opened.evaluation.searches
    assert searches is not None
    folds = [searches.some((searches.fold == fold) & searches.mated) for fold in range(3)]
    shares = [100 * fold.right.mean() for fold in folds]
    assert page.row("mean ± s.d.")[3] == f"{np.mean(shares):.2f} ± {np.std(shares, ddof=1):.2f} %"
    assert "repetition" in page.text
    many = record_of(similar(6), LeaveOneOut())
    assert "mean ± s.d." not in page_of(many).text, "of 24 folds nobody would read a line each"


def test_terminal_and_report_say_alike_who_was_left_out() -> None:
    record = record_of(similar(6).select([0, 4, 8, 9, 10, *range(11, 24)]), NShot(2, 2))
    assert record.evaluation.left_out == AWKWARD[:2]
    sentence = left_out_words(record.evaluation)
    assert sentence == "2 people had too few photos to be searched for by name"
    assert f"{sentence}: {AWKWARD[0]}, " in evaluation_text(record)
    assert f"{sentence}: {AWKWARD[0]}, " in page_of(record).text


def test_the_page_is_well_formed_and_fetches_nothing(record: Record) -> None:
    text = html_of(record)
    if record.evaluation.pairs is not None:  # drawn once more, it is the same
        assert text == to_html(from_json(to_json(record)))
    page = Page(text)
    assert not {"script", "img", "link", "iframe"} & page.tags.keys()
    ids = Counter(element.get("id") for element in page.elements if element.get("id"))
    assert max(ids.values()) == 1
    attributes = [pair for element in page.elements for pair in element.items()]
    assert not [name for name, _ in attributes if name.startswith("on")]
    links = [to for name, to in attributes if re.search(r"\b(src|href|action|data)$", name)]
    links += re.findall(r"url\(['\"]?([^)]*)\)", text)
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    # Names of XML vocabularies are no addresses that anything is fetched from.
    assert not re.search("http|@import", re.sub(r'xmlns(:\w+)?="[^"]*"', "", text))
    assert page.tags["table"] == page.tags["caption"]


def test_every_figure_has_a_title_and_a_description(record: Record) -> None:
    page, searches = Page(html_of(record)), record.evaluation.searches
    figures = [element for element in page.elements if element.tag == f"{SVG}svg"]
    assert page.tags["figcaption"] == len(figures)
    titles = [figure.findtext(f"{SVG}title", "") for figure in figures]
    for figure, title in zip(figures, titles, strict=True):
        assert (figure.get("role"), figure.get("aria-label")) == ("img", title)
        assert len(figure.findtext(f"{SVG}desc", "")) > 40
        assert figure.get("width") is None
    assert len(set(titles)) == len(titles)
    assert "Verification (ROC)" in titles
    assert ("Cumulative match characteristic (CMC)" in titles) == (searches is not None)
    strangers = searches is not None and not searches.mated.all()
    assert ("Open set (DIR against FPIR)" in titles) == strangers


def test_people_and_mistakes_are_those_of_the_record(closed: Record) -> None:
    page, evaluation = page_of(closed), closed.evaluation
    rows = [page.row(str(number + 1), 8) for number in range(len(evaluation.people))]
    assert [row[1] for row in rows] == [*AWKWARD, "Person 7"], "names are shown as they are"
    searched, right = (sum(int(row[column]) for row in rows) for column in (3, 4))
    assert searched == len(evaluation.photos)
    assert right == round(evaluation.figure("rank-1").value * searched)
    for row in rows:
        assert (row[6] == "–") == (row[3] == row[4])
        assert row[6] != row[1]
    wrong = evaluation.searches.some(~evaluation.searches.right)
    assert len(wrong) > 3
    start = [cells[0] for cells in page.cells].index("Probe") + 1
    files = [photo.path.as_posix() for photo in evaluation.photos]
    listed = page.cells[start : start + len(wrong)]
    for row, number in zip(listed, np.argsort(wrong.probes).tolist(), strict=True):
        who, answer = wrong.people[number], wrong.answers[number]
        names = [evaluation.people[who], evaluation.people[answer]]
        assert row[:4] == [files[wrong.probes[number]], *names, files[wrong.taken[number]]]
        assert float(row[4]) <= float(row[5])
        assert int(row[6]) == wrong.ranks[number] > 1


def test_leaks_warnings_and_unused_photos_are_listed(closed: Record) -> None:
    leak = Leak("near-duplicate", "“<i>.pgm” and “2.pgm” are nearly the same picture.")
    unused = Skipped(Path("p1/<dark>.png"), "No face was found in it.")
    twins = Duplicate(0, 1, 0.99912)
    control = Control("face covered", 0.9, 0.8, 0.95, "a note")
    controls = [other for other in closed.evaluation.controls if other.kind != control.kind]
    changes = {"leaks": (leak,), "unused": (unused,), "duplicates": (twins,)}
    changed = replace(closed.evaluation, **changes, controls=(*controls, control))
    page = page_of(replace(closed, evaluation=changed))
    assert leak.sentence in page.text.split("Figures")[0]
    assert ["p1/<dark>.png", "No face was found in it."] in page.cells
    assert ["1", AWKWARD[0], "2", AWKWARD[0], "0.99912"] in page.cells
    assert not page.tags["i"]
    box, table = page.text.split("Compare it with")[1].split("Controls in the same folds")
    assert "Far above guessing" in box
    assert "Far above guessing" not in table
    assert "See the warning above." in table


def test_of_many_people_those_confused_most_often_are_drawn() -> None:
    plot = plots_of(record_of(similar(64, 2), NShot(1, 1)).evaluation)[-1]
    assert "The 60 people most often confused are shown." in plot.caption
    assert rendered(plot, "png")


def test_folders_of_this_machine_are_not_on_the_page(tmp_path: Path) -> None:
    faces, folder = similar(4), tmp_path / "mine"
    paths = [folder / f"p{row // 4}" / f"{row}.png" for row in range(len(faces))]
    record = record_of(at(faces, paths), KFold(2), source=Source("folder", str(folder)))
    text = html_of(record)
    assert str(tmp_path) not in text
    assert "the photos in “mine”" in text
