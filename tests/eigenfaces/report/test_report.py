"""The report: its page is whole, self-contained and true to the record; its files, all or none."""

import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from PIL import Image
from sklearn.metrics import roc_curve
from synthetic import on_file

from eigenfaces import Cancelled, EigenfacesError, FaceSet, Preparation, Recipe
from eigenfaces.cli.evaluating import evaluation_text
from eigenfaces.evaluation.controls import Control, Leak
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut, NShot, OpenSet, Pairs, Protocol
from eigenfaces.evaluation.records import (
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    from_json,
    to_json,
)
from eigenfaces.evaluation.result_words import left_out_words
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.duplicates import Duplicate
from eigenfaces.report.figure import render
from eigenfaces.report.page import (
    report_files,
    score_lines,
    to_html,
    with_relative_paths,
    write_figures,
    write_report,
)
from eigenfaces.report.plots import plots_of

AWKWARD = ("<b>Zoë & Co</b>", "李小龙", "ليلى", "Anna $x_1$ Lee", "#1", 'O’Neil "Q"', "Anna Lee")
"""Names that would break a page, a figure or a line of scores."""


def similar(count: int, photos: int = 4, names: tuple[str, ...] = AWKWARD) -> FaceSet:
    """Return people who are hard to tell apart, the first of them with awkward names."""
    rng = np.random.default_rng(7)
    # Faces are given as they would be kept, in rows, and so small that differences are few.
    centres = 0.5 + 0.12 * rng.uniform(-1, 1, (count, 1, 16, 16))
    noise = 0.3 * rng.uniform(-1, 1, (count, photos, 16, 16))
    images = (centres + noise).reshape(-1, 16, 16)
    all_names = [*names[:count], *(f"Person {i}" for i in range(len(names), count))]
    return FaceSet.from_arrays(images, [name for name in all_names for _ in range(photos)])


def record_of(
    faces: FaceSet, protocol: Protocol, source: EvaluationSource | None = None
) -> EvaluationRecord:
    """Evaluate faces, and return what a report is written of."""
    evaluation = evaluate(faces, EvaluationSetting(Recipe.of(components=0.9), protocol))
    preparation = Preparation(16, 16, already_cropped=True)
    return EvaluationRecord(evaluation, preparation, source or EvaluationSource("sample"))


def paired() -> EvaluationRecord:
    """Return a record of three sets of six pairs, each of two of six people."""
    sets = []
    for a in (0, 2, 4):
        ours, theirs = ([str(4 * who + 1 + photo) for photo in range(4)] for who in (a, a + 1))
        mated = [(ours[0], ours[3]), (theirs[0], theirs[2]), (theirs[1], theirs[2])]
        sets.append((*mated, (ours[0], theirs[1]), (ours[1], theirs[1]), (theirs[0], ours[0])))
    return record_of(similar(6), Pairs(tuple(sets)))


def at(faces: FaceSet, paths: Iterable[Path]) -> FaceSet:
    """Return faces whose photographs lie elsewhere."""
    both = zip(faces.index.photos, paths, strict=True)
    photos = tuple(on_file(photo, path) for photo, path in both)
    return FaceSet(faces.pixels, faces.shape, PhotoIndex(photos))


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
def html_of(record: EvaluationRecord) -> str:
    """Return the page with its figures, drawn once."""
    return to_html(record)


def page_of(record: EvaluationRecord) -> Page:
    """Read the page without its figures, where only words are asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())
        return Page(to_html(record))


@pytest.fixture(scope="module")
def closed() -> EvaluationRecord:
    return record_of(similar(8), KFold(4, seed=3))


@pytest.fixture(scope="module")
def opened() -> EvaluationRecord:
    return record_of(similar(12), OpenSet(enrolled=2, repetitions=3))


@pytest.fixture(scope="module")
def in_pairs() -> EvaluationRecord:
    return paired()


@pytest.fixture(params=["closed", "opened", "in_pairs"])
def record(request: pytest.FixtureRequest) -> EvaluationRecord:
    return request.getfixturevalue(request.param)


def test_the_figures_are_those_of_the_record(record: EvaluationRecord) -> None:
    page = page_of(record)
    for figure in record.evaluation.metrics:
        name = figure.kind[0].upper() + figure.kind[1:]
        _, value, interval, note = page.row(name)
        assert value == f"{100 * figure.value:.2f} %"
        assert interval == f"{100 * figure.low:.2f} to {100 * figure.high:.2f}"
        assert note == figure.note
    first = record.evaluation.metrics[0]
    sentence = page.text.split("Figures")[0]
    assert first.words() in sentence
    assert record.evaluation.setting.protocol.words() in sentence
    seeds = "seed 3 of the protocol, 0 of resampling"
    assert (seeds if "4-fold" in sentence else "seed 0") in sentence


def test_folds_give_mean_and_standard_deviation(opened: EvaluationRecord) -> None:
    page, searches = page_of(opened), opened.evaluation.searches
    assert searches is not None
    folds = [searches.select((searches.fold == fold) & searches.mated) for fold in range(3)]
    shares = [100 * fold.right.mean() for fold in folds]
    assert page.row("mean ± s.d.")[3] == f"{np.mean(shares):.2f} ± {np.std(shares, ddof=1):.2f} %"
    assert "repetition" in page.text
    many = record_of(similar(6), LeaveOneOut())
    assert "mean ± s.d." not in page_of(many).text, "of 24 folds nobody would read a line each"


def test_terminal_and_report_say_alike_who_was_left_out() -> None:
    record = record_of(similar(6).select([0, 4, 8, 9, 10, *range(11, 24)]), NShot(2, 2))
    assert record.evaluation.too_few_photos == AWKWARD[:2]
    sentence = left_out_words(record.evaluation)
    assert sentence == "2 people had too few photos to be searched for by name"
    assert f"{sentence}: {AWKWARD[0]}, " in evaluation_text(record)
    assert f"{sentence}: {AWKWARD[0]}, " in page_of(record).text


def test_the_page_is_well_formed_and_fetches_nothing(record: EvaluationRecord) -> None:
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


def test_every_figure_has_a_title_and_a_description(record: EvaluationRecord) -> None:
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


def test_people_and_mistakes_are_those_of_the_record(closed: EvaluationRecord) -> None:
    page, evaluation = page_of(closed), closed.evaluation
    rows = [page.row(str(number + 1), 8) for number in range(len(evaluation.people))]
    assert [row[1] for row in rows] == [*AWKWARD, "Person 7"], "names are shown as they are"
    searched, right = (sum(int(row[column]) for row in rows) for column in (3, 4))
    assert searched == len(evaluation.photos)
    assert right == round(evaluation.metric("rank-1").value * searched)
    for row in rows:
        assert (row[6] == "–") == (row[3] == row[4])
        assert row[6] != row[1]
    wrong = evaluation.searches.select(~evaluation.searches.right)
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


def test_leaks_warnings_and_unused_photos_are_listed(closed: EvaluationRecord) -> None:
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
    box, table = page.text.split("Compare it with")[1].split("Controls on the same folds")
    assert "Far above guessing" in box
    assert "Far above guessing" not in table
    assert "See the warning above." in table


def test_of_many_people_those_confused_most_often_are_drawn() -> None:
    plot = plots_of(record_of(similar(64, 2), NShot(1, 1)).evaluation)[-1]
    assert "The 60 people most often confused are shown." in plot.caption
    assert render(plot, "png")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures of pages, where the other files are asked about."""
    monkeypatch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())


@pytest.mark.parametrize("protocol", [KFold(3), OpenSet(2, 0.5, 4), None], ids=str)
def test_scores_read_back_give_the_equal_error_rate(protocol: Protocol | None) -> None:
    made = record_of(similar(9), protocol) if protocol else paired()
    fields = [line.split() for line in score_lines(made) if not line.startswith("#")]
    assert all(len(line) == 4 for line in fields)
    mated = np.array([claimed == real for claimed, real, _, _ in fields])
    fmr, tar, _ = roc_curve(mated, [float(line[3]) for line in fields], drop_intermediate=False)
    equal = np.argmin(np.abs(fmr - (1 - tar)))
    eer = made.evaluation.metric("EER").value
    assert (fmr[equal] + 1 - tar[equal]) / 2 == pytest.approx(eer, abs=1e-12)
    if isinstance(protocol, OpenSet):  # one probe in several folds
        assert len({(claimed, label) for claimed, _, label, _ in fields}) == len(fields)


def test_scores_keep_names_apart() -> None:
    names = ("Anna Lee", "Anna  Lee", "Anna_Lee", "Anna\u3000Lee", "#1", "_1", *AWKWARD[:2])
    fields = [line.split() for line in score_lines(record_of(similar(8, names=names), KFold(3)))]
    assert len(fields) == 8 * 4 * 8
    assert len({claimed for claimed, *_ in fields}) == 8
    assert not any(claimed.startswith("#") for claimed, *_ in fields)
    assert sum(claimed == real for claimed, real, *_ in fields) == 8 * 4


def test_paths_start_at_the_folder_the_photos_came_from(tmp_path: Path) -> None:
    """Folders of this machine are nowhere on the page."""
    below = [f"p{row // 4}/{row}.png" for row in range(8)]
    faces = at(similar(2), [tmp_path / "a" / "b" / path for path in below])
    sources = ("project", "x.eigenfaces", ""), ("folder", "c", ""), ("folder", "a", "b/")
    for kind, name, start in sources:
        made = record_of(faces, KFold(2), source=EvaluationSource(kind, str(tmp_path / name)))
        once = with_relative_paths(made)
        files = [photo.path.as_posix() for photo in once.evaluation.photos]
        assert files == [f"{start}{path}" for path in below]
        assert with_relative_paths(once) is once
    text = html_of(made)
    assert str(tmp_path) not in text
    assert "the photos in “a”" in text


def test_every_photograph_is_listed_with_the_hash_of_its_file(record: EvaluationRecord) -> None:
    """So that the page alone says what was measured on."""
    page = page_of(record)
    for photo in with_relative_paths(record).evaluation.photos:
        assert [photo.path.as_posix(), photo.person, photo.id.sha] in page.cells
    assert page.tags["details"] == 1, "folded: there may be thousands"


@pytest.mark.usefixtures("undrawn")
def test_the_page_brings_its_record_and_scores(closed: EvaluationRecord, tmp_path: Path) -> None:
    target = tmp_path / "My report.html"
    written = write_report(closed, target)
    names = [path.name for path in written]
    assert names == ["My report.html", "My report.json", "My report-scores.txt"]
    assert sorted(tmp_path.iterdir()) == sorted(written)
    again = from_json(written[1].read_text("utf-8"))
    assert to_json(again) == to_json(closed)
    before = [path.read_bytes() for path in written]
    write_report(again, target)  # what is there is replaced, by the same
    assert [path.read_bytes() for path in written] == before
    others = write_report(closed, tmp_path / "r.JSON")
    assert [path.name for path in others] == ["r.JSON", "r-scores.txt"]


def test_other_endings_are_refused_in_words(closed: EvaluationRecord, tmp_path: Path) -> None:
    words = r"it must end in \.html or \.json. For a PDF, open the page in a browser"
    for name in ("report.txt", "report", "report.htm", "report.pdf"):
        with pytest.raises(EigenfacesError, match=words):
            write_report(closed, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("undrawn")
def test_where_one_cannot_be_written_none_is(closed: EvaluationRecord, tmp_path: Path) -> None:
    (tmp_path / "r.json").mkdir()
    (tmp_path / "r.html").write_text("as it was")
    with pytest.raises(EigenfacesError, match="is a folder"):
        write_report(closed, tmp_path / "r.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r.json"]
    assert (tmp_path / "r.html").read_text() == "as it was"
    with pytest.raises(EigenfacesError, match="cannot be written"):
        write_report(closed, tmp_path / "nowhere" / "r.json")


@pytest.mark.usefixtures("undrawn")
def test_where_one_cannot_be_moved_it_is_said_which_are_new(
    closed: EvaluationRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, files = Path.replace, report_files(tmp_path / "r.html")
    for file in files:
        file.write_text("as it was")

    def replaced(part: Path, target: Path) -> Path:
        if target.suffix == ".json":
            raise PermissionError(13, "Permission denied", str(part))
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", replaced)
    words = "r.json” .* Already replaced: “r.html”. Unchanged: “r.json”, “r-scores.txt”"
    with pytest.raises(EigenfacesError, match=words):
        write_report(closed, files[0])
    assert [file.read_text("utf-8") == "as it was" for file in files] == [False, True, True]


def test_stopped_halfway_leaves_nothing(closed: EvaluationRecord, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_report(closed, tmp_path / "r.html", stop)
    assert not list(tmp_path.iterdir())


def test_names_of_files_that_are_no_text_are_written_all_the_same(tmp_path: Path) -> None:
    names = ("Zo\udcff", "李小龙", "Ann")
    paths = [Path(f"{names[row // 4]}/{row}.png") for row in range(12)]
    source = EvaluationSource("folder", "/photos of \udcff李")
    made = record_of(at(similar(3, names=names), paths), KFold(2), source=source)
    page, json, scores = write_report(made, tmp_path / "r.html")
    assert to_json(from_json(json.read_text("utf-8"))) == to_json(made)
    for file in (page, scores):
        assert "Zo\\udcff" in file.read_text("utf-8")


def test_figures_come_in_three_kinds_and_always_alike(
    closed: EvaluationRecord, tmp_path: Path
) -> None:
    plots = plots_of(closed.evaluation)
    stems = ["accuracy-by-k", "residual-by-k", "cmc", "roc", "det", "distances", "confusion"]
    assert [plot.stem for plot in plots] == stems
    written = write_figures(closed, tmp_path / "figures")
    assert sorted(written) == sorted((tmp_path / "figures").iterdir())
    svg, png, pdf = files = [path.read_bytes() for path in written[6:9]]
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert root.get("width")
    with Image.open(io.BytesIO(png)) as image:
        assert min(image.size) > 500
    assert pdf.startswith(b"%PDF-")
    # Somebody's own settings of matplotlib change nothing.
    with matplotlib.rc_context({"lines.linewidth": 9, "axes.facecolor": "red", "font.size": 20}):
        assert render(plots[2], "svg", "png", "pdf") == files
    with pytest.raises(EigenfacesError, match="not an empty folder"):
        write_figures(closed, tmp_path / "figures")
