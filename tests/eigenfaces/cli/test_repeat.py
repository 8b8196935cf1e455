"""``repeat`` and ``compare``: the same, or what differs; what cannot be asked."""

import json
from pathlib import Path

import pytest
from PIL import Image

from cli.command_line import CROPPED, answer, eigenfaces, failure, printed
from eigenfaces.cli.running import DIFFERENT

QUICK = ("--protocol", "3-fold")
FIGURES = ("figures.0.value", "figures.0.low", "controls.0.value", "controls.2.low")


@pytest.fixture
def report(people: Path, tmp_path: Path) -> Path:
    return evaluated(tmp_path / "report.json", people, *CROPPED, *QUICK)


def evaluated(file: Path, *options: object) -> Path:
    """Keep what ``evaluate --json`` says."""
    file.write_text(printed("evaluate", *options, "--json"), "utf-8")
    return file


def altered(report: Path, change: str, value: object) -> Path:
    """Change one thing that a report states, by the path to it."""
    content = json.loads(report.read_text("utf-8"))
    *path, last = change.split(".")
    place = content
    for key in path:
        place = place[int(key) if key.isdigit() else key]
    place[int(last) if last.isdigit() else last] = value
    report.write_text(json.dumps(content), "utf-8")
    return report


def test_it_comes_out_the_same(report: Path) -> None:
    text = printed("repeat", report)
    assert "the same 20 photographs, by SHA-256; 3-fold cross-validation." in text
    assert "Every figure and every score came out the same." in text
    assert "Made with the same versions" in text
    rows = [line.split()[-1] for line in text.splitlines() if line.endswith((" yes", " no"))]
    assert (len(rows) > 10, {*rows}) == (True, {"yes"})
    result = answer("repeat", report)
    assert (result["same"], result["others"], result["versions"]) == (True, [], {})
    assert all(figure["same"] for figure in result["figures"])


def test_the_sample_project_and_folder_elsewhere_are_found(
    people: Path, project: Path, tmp_path: Path
) -> None:
    report = evaluated(tmp_path / "r.json", project, *QUICK, "--no-curves")
    printed("repeat", report)
    moved = people.rename(tmp_path / "elsewhere")
    printed("repeat", report)  # the project holds the faces
    project.unlink()
    assert "--faces" in failure("repeat", report)
    printed("repeat", report, "--faces", moved)


@pytest.mark.parametrize(
    ("change", "value", "words"),
    [
        *((change, 0.125, "1 of ") for change in FIGURES),
        ("searches.distances.3.1", 77.0, "curve: searches distances."),
        ("by_components.accuracy.L2.4", 0.125, "curve: by_components accuracy L2."),
        ("made_with.numpy", "0.1.2", "0.1.2"),
    ],
)
def test_what_came_out_otherwise_is_said(
    report: Path, change: str, value: object, words: str
) -> None:
    same = "made" in change
    text = printed("repeat", altered(report, change, value), code=0 if same else DIFFERENT)
    assert words in text
    assert ("same versions" in text) != same
    assert answer("repeat", report, code=0 if same else DIFFERENT)["same"] == same


def test_changed_and_missing_photographs_are_named(people: Path, report: Path) -> None:
    with Image.open(people / "Person 1" / "1.png") as image:
        image.point(lambda grey: 255 - grey).save(people / "Person 1" / "1.png")
    (people / "Person 2" / "3.png").unlink()
    (people / "Person 3" / "2.png").write_text("no picture")
    result = eigenfaces("repeat", report)
    assert result.exit_code == 1
    assert "3 of the 20 photographs" in result.stderr
    assert "“Person 1/1.png” (its file has changed)" in result.stderr
    assert "“Person 2/3.png” (missing)" in result.stderr
    assert "“Person 3/2.png” (" in result.stderr


def test_faces_cut_otherwise_are_refused(people: Path, report: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.eigenfaces"
    printed("build", people, "-o", file, "--already-cropped")
    assert "cut differently" in failure("repeat", report, "--faces", file)


def test_what_is_no_report_is_a_sentence(report: Path, people: Path, tmp_path: Path) -> None:
    assert "cannot be read" in failure("repeat", tmp_path / "nowhere.json")
    assert "no report" in failure("compare", report, people / "Person 1" / "1.png")


def test_two_reports_side_by_side(people: Path, report: Path, tmp_path: Path) -> None:
    other = evaluated(tmp_path / "b.json", people, *CROPPED, *QUICK, "-k", 1, "--distance", "l1")
    lines = printed("compare", report, other).splitlines()
    assert lines[0].startswith(f"{report}: 3-fold")
    assert "Eigenfaces, L1" in lines[1]
    (rank1,) = (line for line in lines if line.startswith("Rank-1 "))
    assert rank1.count(" %") == 2
    assert "with 4 people no difference can be significant (the smallest p is 0.125)" in lines[-1]
    there, back = answer("compare", report, other), answer("compare", other, report)
    assert there["sentence"] == lines[-1]
    assert 0 < there["p"] <= 1
    assert (back["points"], back["p"]) == (-there["points"], there["p"])


def test_reports_of_other_searches_are_refused(people: Path, report: Path, tmp_path: Path) -> None:
    other = evaluated(tmp_path / "b.json", people, *CROPPED, "--protocol", "first-3")
    assert "did not search for the same photos" in failure("compare", report, other)
