"""Files of a report: relative paths, figures, all or nothing."""

import io
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from PIL import Image
from reports import AWKWARD, at, paired, record_of, similar
from sklearn.metrics import roc_curve

from eigenfaces import Cancelled, EigenfacesError
from eigenfaces.evaluation.protocols import KFold, OpenSet, Protocol
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.report.figure import rendered
from eigenfaces.report.page import four_columns, with_relative_paths, write_figures, write_report
from eigenfaces.report.plots import plots_of


@pytest.fixture(scope="module")
def record() -> Record:
    return record_of(similar(8), KFold(3))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures of pages, where the other files are asked about."""
    monkeypatch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())


@pytest.mark.parametrize("protocol", [KFold(3), OpenSet(2, 0.5, 4), None], ids=str)
def test_scores_read_back_give_the_equal_error_rate(protocol: Protocol | None) -> None:
    made = record_of(similar(9), protocol) if protocol else paired()
    fields = [line.split() for line in four_columns(made) if not line.startswith("#")]
    assert all(len(line) == 4 for line in fields)
    mated = np.array([claimed == real for claimed, real, _, _ in fields])
    fmr, tar, _ = roc_curve(mated, [float(line[3]) for line in fields], drop_intermediate=False)
    equal = np.argmin(np.abs(fmr - (1 - tar)))
    eer = made.evaluation.figure("EER").value
    assert (fmr[equal] + 1 - tar[equal]) / 2 == pytest.approx(eer, abs=1e-12)
    if isinstance(protocol, OpenSet):  # one probe in several folds
        assert len({(claimed, label) for claimed, _, label, _ in fields}) == len(fields)


def test_scores_keep_names_apart() -> None:
    names = ("Anna Lee", "Anna  Lee", "Anna_Lee", "Anna\u3000Lee", "#1", "_1", *AWKWARD[:2])
    fields = [line.split() for line in four_columns(record_of(similar(8, names=names), KFold(3)))]
    assert len(fields) == 8 * 4 * 8
    assert len({claimed for claimed, *_ in fields}) == 8
    assert not any(claimed.startswith("#") for claimed, *_ in fields)
    assert sum(claimed == real for claimed, real, *_ in fields) == 8 * 4


def files_of(record: Record) -> list[str]:
    return [photo.path.as_posix() for photo in with_relative_paths(record).evaluation.photos]


def test_paths_start_at_the_folder_the_photos_came_from(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "b" / f"p{row // 4}" / f"{row}.png" for row in range(8)]
    faces = at(similar(2), paths)
    below = [f"b/p{row // 4}/{row}.png" for row in range(8)]
    folder = record_of(faces, KFold(2), source=Source("folder", str(tmp_path / "a")))
    assert files_of(folder) == below
    project = record_of(faces, KFold(2), source=Source("project", str(tmp_path / "x.eigenfaces")))
    assert files_of(project) == [path.removeprefix("b/") for path in below]
    elsewhere = record_of(faces, KFold(2), source=Source("folder", str(tmp_path / "c")))
    assert files_of(elsewhere) == [path.removeprefix("b/") for path in below]
    once = with_relative_paths(folder)
    assert with_relative_paths(once) is once


@pytest.mark.usefixtures("undrawn")
def test_the_page_brings_its_record_and_scores(record: Record, tmp_path: Path) -> None:
    target = tmp_path / "My report.html"
    written = write_report(record, target)
    assert [path.name for path in written] == [
        "My report.html",
        "My report.json",
        "My report-scores.txt",
    ]
    assert sorted(tmp_path.iterdir()) == sorted(written)
    again = from_json(written[1].read_text("utf-8"))
    assert to_json(again) == to_json(record)
    before = [path.read_bytes() for path in written]
    write_report(again, target)  # what is there is replaced, by the same
    assert [path.read_bytes() for path in written] == before
    others = write_report(record, tmp_path / "r.JSON")
    assert [path.name for path in others] == ["r.JSON", "r-scores.txt"]


def test_other_endings_are_refused_in_words(record: Record, tmp_path: Path) -> None:
    words = r"let it end in \.html or \.json. For a PDF, open the page in a browser"
    for name in ("report.txt", "report", "report.htm", "report.pdf"):
        with pytest.raises(EigenfacesError, match=words):
            write_report(record, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("undrawn")
def test_where_one_cannot_be_written_none_is(record: Record, tmp_path: Path) -> None:
    (tmp_path / "r.json").mkdir()
    (tmp_path / "r.html").write_text("as it was")
    with pytest.raises(EigenfacesError, match="is a folder"):
        write_report(record, tmp_path / "r.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r.json"]
    assert (tmp_path / "r.html").read_text() == "as it was"
    with pytest.raises(EigenfacesError, match="cannot be written"):
        write_report(record, tmp_path / "nowhere" / "r.json")


def test_stopped_halfway_leaves_nothing(record: Record, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_report(record, tmp_path / "r.html", stop)
    assert not list(tmp_path.iterdir())


def test_names_of_files_that_are_no_text_are_written_all_the_same(tmp_path: Path) -> None:
    names = ("Zo\udcff", "李小龙", "Ann")
    paths = [Path(f"{names[row // 4]}/{row}.png") for row in range(12)]
    source = Source("folder", "/photos of \udcff李")
    made = record_of(at(similar(3, names=names), paths), KFold(2), source=source)
    page, json, scores = write_report(made, tmp_path / "r.html")
    assert to_json(from_json(json.read_text("utf-8"))) == to_json(made)
    for file in (page, scores):
        assert "Zo\\udcff" in file.read_text("utf-8")


def test_figures_come_in_three_kinds_and_always_alike(record: Record, tmp_path: Path) -> None:
    plots = plots_of(record.evaluation)
    stems = ["accuracy-by-k", "residual-by-k", "cmc", "roc", "det", "distances", "confusion"]
    assert [plot.stem for plot in plots] == stems
    written = write_figures(record, tmp_path / "figures")
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
        assert rendered(plots[2], "svg", "png", "pdf") == files
    with pytest.raises(EigenfacesError, match="not an empty folder"):
        write_figures(record, tmp_path / "figures")
