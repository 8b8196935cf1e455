"""Names leave a project by the command line; and a person is forgotten."""

import csv
import json
from pathlib import Path

from cli.command_line import answer, eigenfaces, failure, opened, printed


def test_names_go_beside_the_photographs_into_a_table_and_into_folders(
    project: Path, people: Path, tmp_path: Path
) -> None:
    table, folders = tmp_path / "names.csv", tmp_path / "sorted"
    printed("export", project, "--xmp", "--csv", table, "--sort-into", folders)
    assert len([*people.rglob("*.xmp")]) == 20
    with table.open(encoding="utf-8-sig", newline="") as file:
        lines = [*csv.DictReader(file)]
    assert len(lines) == 20
    assert {line["verdict"] for line in lines} == {"answered"}
    assert len([*folders.rglob("*.png")]) == 20
    assert sorted(path.name for path in folders.iterdir())[0].startswith("Person")


def test_the_table_is_written_in_json_too(project: Path, people: Path, tmp_path: Path) -> None:
    table, there = tmp_path / "names.json", tmp_path / "there.json"
    printed("export", project, "--json", table)
    faces = json.loads(table.read_text("utf-8"))
    assert {face["file"] for face in faces} == {str(path) for path in people.rglob("*.png")}
    assert "[bold]Ångström, “=1+1”" in {face["name"] for face in faces}
    there.write_text("somebody's")
    assert "there.json" in failure("export", project, "--json", there)
    assert there.read_text() == "somebody's"


def test_copies_go_on_where_a_photograph_is_gone(
    project: Path, people: Path, tmp_path: Path
) -> None:
    gone = next(people.rglob("2.png"))
    gone.unlink()
    result = eigenfaces("export", project, "--sort-into", tmp_path / "sorted")
    assert result.exit_code == 3
    assert "19 copies made" in result.stderr
    assert "“2.png” cannot be read any more, so it was not copied." in result.stderr


def test_what_is_there_is_not_replaced_and_something_has_to_be_asked_for(
    project: Path, tmp_path: Path
) -> None:
    there = tmp_path / "names.csv"
    there.write_text("somebody's")
    assert "names.csv" in failure("export", project, "--csv", there)
    assert there.read_text() == "somebody's"
    assert eigenfaces("export", project).exit_code == 2


def test_a_shared_project_recognises_as_the_own_one(
    project: Path, stranger: Path, people: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared.eigenfaces"
    printed("export", project, "--share", shared)
    assert str(people).encode() not in shared.read_bytes()
    known = next(people.rglob("3.png"))
    verdicts = [
        [
            one["ranking"][0]["person"]
            for one in answer("recognise", file, known, stranger)["answers"]
        ]
        for file in (project, shared)
    ]
    assert verdicts[0] == verdicts[1]


def test_a_person_is_forgotten(project: Path) -> None:
    name = opened(project).people[0]
    said = printed("forget", project, name)
    assert f"{name} has been forgotten" in said
    assert name not in opened(project).people
    assert name.encode() not in project.read_bytes()
    assert "Nobody" in failure("forget", project, "Somebody Else")


def test_a_recogniser_names_people_and_has_no_picture(
    project: Path, people: Path, tmp_path: Path
) -> None:
    file = tmp_path / "recogniser.eigenfaces"
    result = eigenfaces("export", project, "--recogniser", file)
    assert result.exit_code == 0
    assert "recogniser.eigenfaces” has 4 people." in result.stderr
    assert str(people).encode() not in file.read_bytes()
    gallery = opened(file)
    assert gallery.people == opened(project).people
    assert not gallery.index.is_pictured
    known = next(people.rglob("3.png"))
    (said,) = answer("recognise", file, known)["answers"]
    assert said["ranking"][0]["person"] == known.parent.name
    assert answer("info", file)["missing"] == [], "it does not say where its photographs are"
    nowhere = tmp_path / "no" / "there.eigenfaces"
    assert "Nothing can be written" in failure("export", project, "--recogniser", nowhere)
