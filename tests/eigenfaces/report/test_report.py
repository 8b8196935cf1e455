"""The page: whole, self-contained, true to the record, and the same twice."""

import hashlib
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from markupsafe import escape
from reports import AWKWARD, at, paired, record_of, similar

from eigenfaces import Recipe
from eigenfaces.cli.evaluating import evaluation_text
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.controls import Control, Leak
from eigenfaces.evaluation.protocols import (
    EXPLANATIONS,
    PROTOCOLS,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    NShot,
    OpenSet,
    Protocol,
)
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.evaluation.result_words import left_out_words
from eigenfaces.photographs.photos import Skipped
from eigenfaces.report.page import to_html
from eigenfaces.text import capital

SVG = "{http://www.w3.org/2000/svg}"


class Page:
    """A page, read as strictly as XML: its elements, lines of tables, and words."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(re.sub(r"<((meta|wbr)[^>]*)>", r"<\1/>", text))
        body = root.find("body")
        assert body is not None
        self.elements = [*root.iter()]
        self.tags = Counter(each.tag for each in self.elements)
        self.cells = [["".join(cell.itertext()) for cell in row] for row in body.iter("tr")]
        self.text = "".join(body.itertext())

    def row(self, first: str, length: int = 0) -> list[str]:
        """Return the first line of a table that begins so, and is so long."""
        lengths = (length,) if length else range(20)
        return next(each for each in self.cells if each[0] == first and len(each) in lengths)


@cache
def html_of(record: Record) -> str:
    """Return the page with its figures, drawn once."""
    return to_html(record)


def page_of(record: Record, other: Record | None = None) -> Page:
    """Read the page without its figures, where only words are asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())
        return Page(to_html(record, other=other))


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


def test_the_page_is_well_formed_and_fetches_nothing(record: Record) -> None:
    text = html_of(record)
    page = Page(text)
    assert not {"script", "img", "link", "iframe"} & page.tags.keys()
    ids = Counter(each.get("id") for each in page.elements if each.get("id"))
    assert max(ids.values()) == 1
    attributes = [pair for each in page.elements for pair in each.items()]
    assert not [name for name, _ in attributes if name.startswith("on")]
    links = [to for name, to in attributes if re.search(r"\b(src|href|action|data)$", name)]
    links += re.findall(r"url\(['\"]?([^)]*)\)", text)
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    # Names of XML vocabularies are no addresses that anything is fetched from.
    rest = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "http" not in rest
    assert "@import" not in rest
    assert page.tags["table"] == page.tags["caption"]


def test_every_figure_says_what_it_is(record: Record) -> None:
    page = Page(html_of(record))
    figures = [each for each in page.elements if each.tag == f"{SVG}svg"]
    assert len(figures) >= 3
    for figure in figures:
        assert figure.get("role") == "img"
        assert figure.get("aria-label") == figure.findtext(f"{SVG}title")
        assert len(figure.findtext(f"{SVG}desc") or "") > 40
        assert figure.get("width") is None
    assert len({figure.get("aria-label") for figure in figures}) == len(figures)
    assert page.tags["figcaption"] == len(figures)
    shown = {str(figure.get("aria-label")).split(" (")[0] for figure in figures}
    assert "Verification" in shown
    searches = record.evaluation.searches
    assert ("Cumulative match characteristic" in shown) == (searches is not None)
    assert ("Open set" in shown) == (searches is not None and not searches.mated.all())


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


def test_another_run_stands_beside_it(closed: Record) -> None:
    ours, recipe = closed.evaluation, Recipe.of(components=3, distance="cosine")
    other = record_of(similar(8), KFold(4, seed=3), recipe)
    found = difference(ours, other.evaluation)
    assert found.limits is not None
    page = page_of(closed, other)
    assert found.sentence in page.text
    for name in ("rank-1", "EER"):
        first, second = ours.figure(name), other.evaluation.figure(name)
        assert first is not None
        assert second is not None
        (row,) = (row for row in page.cells if row[0] == capital(name) and len(row) == 6)
        assert row[1] == f"{100 * first.value:.2f} %"
        assert row[2] == f"{100 * first.low:.2f} to {100 * first.high:.2f}"
        assert row[3] == f"{100 * second.value:.2f} %"
        points = float(row[5].replace("−", "-"))
        assert points == pytest.approx(100 * (first.value - second.value), abs=0.006)
    assert ["Distance", "L2", "cosine"] in page.cells
    assert not any(row[0] == "Protocol" and len(row) == 3 for row in page.cells)
    assert "Compared with another run" not in page_of(closed).text


def test_names_are_shown_as_they_are(closed: Record) -> None:
    text = html_of(closed)
    page = Page(text)
    assert not page.tags["b"]
    for number, name in enumerate(AWKWARD, start=1):
        assert page.row(str(number), 8)[1] == name
        assert str(escape(name)) in text


def test_people_add_up(closed: Record) -> None:
    page, evaluation = page_of(closed), closed.evaluation
    rows = [page.row(str(number + 1), 8) for number in range(len(evaluation.people))]
    rank_1 = evaluation.figure("rank-1")
    assert rank_1 is not None
    asked, right = (sum(int(row[place]) for row in rows) for place in (3, 4))
    assert asked == len(evaluation.photos)
    assert right == round(rank_1.value * asked)
    for row in rows:
        taken_for = row[6]
        assert (taken_for == "–") == (row[3] == row[4])
        assert taken_for != row[1]


def test_mistakes_are_listed_one_by_one(closed: Record) -> None:
    page, searches = page_of(closed), closed.evaluation.searches
    assert searches is not None
    wrong = searches.some(~searches.right)
    assert len(wrong) > 3
    heads = next(cells for cells in page.cells if cells[0] == "Probe")
    start = page.cells.index(heads) + 1
    listed = page.cells[start : start + len(wrong)]
    files = [photo.path.as_posix() for photo in closed.evaluation.photos]
    people = closed.evaluation.people
    order = np.argsort(wrong.probes)
    for row, place in zip(listed, order.tolist(), strict=True):
        assert row[0] == files[wrong.probes[place]]
        assert row[1] == people[wrong.people[place]]
        assert row[2] == people[wrong.answers[place]]
        assert row[3] == files[wrong.taken[place]]
        assert float(row[4]) <= float(row[5])
        assert int(row[6]) == wrong.ranks[place] > 1


def test_folds_give_mean_and_standard_deviation(opened: Record) -> None:
    page, searches = page_of(opened), opened.evaluation.searches
    assert searches is not None
    shares = []
    for fold in range(3):
        of = searches.some((searches.fold == fold) & searches.mated)
        shares.append(100 * of.right.mean())
    assert page.row("mean ± s.d.")[3] == f"{np.mean(shares):.2f} ± {np.std(shares, ddof=1):.2f} %"
    assert "repetition" in page.text
    many = record_of(similar(6), LeaveOneOut())
    assert "mean ± s.d." not in page_of(many).text, "of 24 folds nobody would read a line each"


def test_pairs_are_decided_and_not_searched_for(in_pairs: Record) -> None:
    page = page_of(in_pairs)
    assert "Whether two photos show one person" in page.text
    assert page.row("Chance")[1] == "50.00 %"


def test_a_tiny_gallery_has_a_report() -> None:
    tiny = record_of(similar(2, 2), LeaveOneOut(), Recipe.of(components=1))
    page = Page(html_of(tiny))
    assert "4 searches of 2 people" in page.text
    assert page.row("Rank-1")


def test_of_many_people_the_pairs_confused_are_drawn() -> None:
    many = html_of(record_of(similar(64, 2), NShot(1, 1)))
    assert "Most often confused" in many
    assert "Who was taken for whom" not in many
    Page(many)


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (OpenSet(2, repetitions=1), "had too few photos to be members, and were searched for as"),
        (LeaveOneOut(), "had too few photos to be searched for, and were only enrolled"),
        (KFold(2), "had too few photos to be searched for, and were only enrolled"),
        (NShot(2, 2), "had too few photos for this protocol, and took no part"),
        (FirstPhotos(2), "had too few photos for this protocol, and took no part"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_terminal_and_report_say_alike_who_was_left_out_and_that_is_so(
    protocol: Protocol, words: str
) -> None:
    few = similar(6).select([0, 4, 8, 9, 10, *range(11, 24)])
    record = record_of(few, protocol)
    result = record.evaluation
    assert result.left_out == AWKWARD[:2]
    sentence = left_out_words(result)
    assert sentence.startswith(f"2 people {words}")
    assert f"{sentence}:\n  {AWKWARD[0]}\n" in evaluation_text(record)
    assert f"{sentence}: {AWKWARD[0]}, " in page_of(record).text
    searched = {result.people[number] for number in result.searches.people}
    enrolled = np.isfinite(result.searches.distances).any(axis=0)
    assert ("searched for as" in words) == (AWKWARD[0] in searched)
    assert ("took no part" in words) == (not enrolled[0] and AWKWARD[0] not in searched)


def test_leaks_and_photos_that_could_not_be_used_are_listed(closed: Record) -> None:
    leak = Leak("near-duplicate", "“<i>.pgm” and “2.pgm” are nearly the same picture.")
    unused = Skipped(Path("p1/<dark>.png"), "No face was found in it.")
    changed = replace(closed.evaluation, leaks=(leak,), unused=(unused,))
    page = page_of(replace(closed, evaluation=changed))
    assert "leaks" in page.text.split("Figures")[0]
    assert leak.sentence in page.text.split("Figures")[0]
    assert ["p1/<dark>.png", "No face was found in it."] in page.cells
    assert not page.tags["i"]


def test_every_protocol_is_explained() -> None:
    assert EXPLANATIONS.keys() == PROTOCOLS.keys()


def test_a_warning_stands_in_a_box_and_not_in_the_table(closed: Record) -> None:
    control = Control("face covered", 0.9, 0.8, 0.95, "a note")
    others = (each for each in closed.evaluation.controls if each.kind != control.kind)
    changed = replace(closed.evaluation, controls=(*others, control))
    page = page_of(replace(closed, evaluation=changed))
    box, table = page.text.split("What to hold beside it")[1].split("Controls in the same folds")
    assert "Far above guessing" in box
    assert "See the warning above." in table
    assert "Far above guessing" not in table


def test_the_same_record_gives_the_same_page(record: Record) -> None:
    assert html_of(record) == to_html(from_json(to_json(record)))


def test_folders_of_this_machine_are_not_on_the_page(tmp_path: Path) -> None:
    faces, folder = similar(4), tmp_path / "mine"
    paths = [folder / f"p{row // 4}" / f"{row}.png" for row in range(len(faces))]
    source = Source("folder", str(folder))
    text = html_of(record_of(at(faces, paths), KFold(2), source=source))
    assert str(tmp_path) not in text
    assert "the photos in “mine”" in text
    assert "p0/<wbr>0.png" in text


def test_every_photo_is_listed_with_its_sum(closed: Record) -> None:
    page = page_of(closed)
    photos = closed.evaluation.photos
    for photo in photos:
        assert [photo.path.as_posix(), photo.person, photo.key] in page.cells
    listed = "".join(f"{photo.key}  {photo.path.as_posix()}\n" for photo in photos)
    assert hashlib.sha256(listed.encode()).hexdigest() in page.text
