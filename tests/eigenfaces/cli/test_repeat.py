"""``repeat`` and ``compare``: the same, or what differs; what cannot be asked."""

import json
from pathlib import Path

import pytest
from PIL import Image

from cli.command_line import CROPPED, eigenfaces, failure
from eigenfaces.cli.running import DIFFERENT

QUICK = ("--protocol", "3-fold")
FIGURES = ("figures.0.value", "figures.0.low", "controls.0.value", "controls.2.low")


@pytest.fixture
def report(people: Path, tmp_path: Path) -> Path:
    return evaluated(tmp_path / "report.json", people, *CROPPED, *QUICK)


def evaluated(file: Path, *said: object) -> Path:
    """Keep what ``evaluate --json`` says."""
    result = eigenfaces("evaluate", *said, "--json")
    assert result.exit_code == 0, result.output
    file.write_text(result.stdout, "utf-8")
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
    result = eigenfaces("repeat", report)
    assert result.exit_code == 0
    assert "the same 20 photographs, by SHA-256; 3-fold cross-validation." in result.stdout
    assert "Every figure and every score came out the same." in result.stdout
    assert "Made with the same versions" in result.stdout
    lines = result.stdout.splitlines()
    rows = [line.split()[-1] for line in lines if line.endswith((" yes", " no"))]
    assert len(rows) > 10
    assert set(rows) == {"yes"}
    said = json.loads(eigenfaces("repeat", report, "--json").stdout)
    assert (said["same"], said["others"], said["versions"]) == (True, [], {})
    assert all(each["same"] for each in said["figures"])


def test_the_sample_project_and_folder_elsewhere_are_found(
    people: Path, project: Path, tmp_path: Path
) -> None:
    report = evaluated(tmp_path / "r.json", project, *QUICK, "--no-curves")
    assert eigenfaces("repeat", report).exit_code == 0
    moved = people.rename(tmp_path / "elsewhere")
    assert eigenfaces("repeat", report).exit_code == 0  # the project holds the faces
    project.unlink()
    assert "--faces" in failure("repeat", report)
    assert eigenfaces("repeat", report, "--faces", moved).exit_code == 0


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
    result = eigenfaces("repeat", altered(report, change, value))
    assert words in result.stdout
    assert ("same versions" in result.stdout) == ("made" not in change)
    assert result.exit_code == (0 if "made" in change else DIFFERENT)
    said = json.loads(eigenfaces("repeat", report, "--json").stdout)
    assert said["same"] == ("made" in change)


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
    assert eigenfaces("build", people, "-o", file, "--already-cropped").exit_code == 0
    assert "cut differently" in failure("repeat", report, "--faces", file)


def test_what_is_no_report_is_a_sentence(report: Path, people: Path, tmp_path: Path) -> None:
    assert "cannot be read" in failure("repeat", tmp_path / "nowhere.json")
    assert "no report" in failure("compare", report, people / "Person 1" / "1.png")


def test_two_reports_side_by_side(people: Path, report: Path, tmp_path: Path) -> None:
    other = evaluated(tmp_path / "b.json", people, *CROPPED, *QUICK, "-k", 1, "--distance", "l1")
    result = eigenfaces("compare", report, other)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{report}: 3-fold")
    assert "Eigenfaces, L1" in lines[1]
    (rank1,) = (line for line in lines if line.startswith("Rank-1 "))
    assert rank1.count(" %") == 2
    assert "with 4 people no difference can be significant (the smallest p is 0.125)" in lines[-1]
    said = json.loads(eigenfaces("compare", report, other, "--json").stdout)
    assert said["sentence"] == lines[-1]
    assert 0 < said["p"] <= 1
    back = json.loads(eigenfaces("compare", other, report, "--json").stdout)
    assert (back["points"], back["p"]) == (-said["points"], said["p"])


def test_reports_of_other_searches_are_refused(people: Path, report: Path, tmp_path: Path) -> None:
    other = evaluated(tmp_path / "b.json", people, *CROPPED, "--protocol", "first-3")
    assert "did not search for the same photos" in failure("compare", report, other)
