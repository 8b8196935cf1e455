"""``evaluate``, ``sweep``: what they measure and say, how protocols are said, what is refused."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
import typer
from PIL import Image

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces.cli import evaluating
from eigenfaces.cli.evaluating import repetition
from eigenfaces.cli.options import ProtocolOptions
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Idiap,
    KFold,
    LeaveOneOut,
    Lists,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.records import Record, Setting, Source, from_json, to_json
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.sample import PREPARATION

QUICK = ("--protocol", "first-3", "--no-curves")


def recorded(*said: object) -> Record:
    """Run ``evaluate --json``; read what it printed, which is all that it printed."""
    result = eigenfaces("evaluate", *said, "--json")
    assert result.exit_code == 0, result.output
    return from_json(result.stdout)


def test_recipes_stand_beside_each_other_and_in_the_report(people: Path, tmp_path: Path) -> None:
    said = eigenfaces("evaluate", people, *CROPPED, "--recipes", "all", "--protocol", "first-3")
    assert (said.exit_code, said.stderr) == (0, "")
    lines = dict(zip(RECIPES, said.stdout.splitlines()[4:], strict=False))
    assert re.match(r"Eigenfaces  +1991  +\d+.\d\d %", lines["Eigenfaces"])
    assert "7 people or more" in " ".join(said.stdout.split())
    assert "Automatic would take Eigenfaces" in said.stdout
    two = ("--recipes", "network, eigenfaces", "-o", tmp_path / "r.html")
    assert "The evidence" not in eigenfaces("evaluate", people, *CROPPED, *QUICK, *two).stdout
    assert "Thirty years on these photos" in (tmp_path / "r.html").read_text("utf-8")
    assert "Network" in eigenfaces("repeat", tmp_path / "r.json").stdout
    for names in ("guess", ","):
        assert eigenfaces("evaluate", people, "--recipes", names).exit_code == 2


def test_json_is_the_whole_record_of_the_same_evaluation(people: Path, project: Path) -> None:
    told = eigenfaces("evaluate", people, *CROPPED, "--protocol", "3-fold", "--seed", 5, "-k", 6)
    assert "3-fold cross-validation; 3 folds, seed 5." in told.stdout
    record = recorded(people, *CROPPED, "--protocol", "3-fold", "--seed", 5, "-k", 6)
    setting = Setting(Recipe.of(components=6), KFold(3, 5), 5)
    assert record.evaluation.setting == setting
    assert record.preparation == Preparation(32, 24, already_cropped=True)
    assert record.source == Source("folder", str(people))
    ours = evaluate(opened(project).faces, setting)
    assert repetition(record, Record(ours, record.preparation, record.source))["same"]
    paths = {photo.path.as_posix() for photo in record.evaluation.photos}
    assert {"Person 1/1.png", "Person 1/2.png"} <= paths
    said = json.loads(to_json(record))
    written = re.findall(r"\w+", (evaluating.evaluate.__doc__ or "").split("The keys of --json")[1])
    assert {*said, *said["figures"][0], *said["photos"][0], "strangers"} <= {*written}


def test_the_sample_is_evaluated_and_repeated(
    att: FaceSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = att.select(range(60))
    monkeypatch.setattr("eigenfaces.cli.sources.load_sample", lambda _: some)
    said = ("evaluate", "--sample", "--no-curves", "--protocol", "first-5", "--distance", "l1")
    result = eigenfaces(*said, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    assert "The AT&T sample: 60 photographs of 6 people." in result.stdout
    record = from_json((tmp_path / "r.json").read_text("utf-8"))
    assert (record.source, record.preparation) == (Source("sample"), PREPARATION)
    assert eigenfaces("repeat", tmp_path / "r.json").exit_code == 0


def test_a_project_brings_its_recipe_and_only_what_is_said_overrides_it(
    people: Path, tmp_path: Path
) -> None:
    file = tmp_path / "named otherwise"
    built = ("--rule", "class-mean", "-k", 7, "--distance", "cosine", "--drop-first", 2, *CROPPED)
    assert eigenfaces("build", people, "-o", file, *built).exit_code == 0
    theirs = opened(file).recipe
    assert theirs == Recipe.of(rule="class mean", components=7, distance="cosine", dropped=2)
    record = recorded(file, *QUICK)
    assert record.evaluation.setting.recipe == theirs
    assert record.source == Source("project", str(file))
    changed = recorded(file, *QUICK, "--distance", "l1", "--drop-first", 0)
    recipe = changed.evaluation.setting.recipe
    assert recipe == Recipe.of(rule="class mean", components=7, distance="L1", dropped=0)
    assert eigenfaces("evaluate", file, "--height", 64).exit_code == 2


def test_report_and_figures_are_written_and_said(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, drawn, places = set(tmp_path.iterdir()), [], "eigenfaces.cli.evaluating.write_figures"
    monkeypatch.setattr(places, lambda _, to, __: drawn.append(to))
    report, figures = tmp_path / "report.html", tmp_path / "figures"
    said = ("evaluate", people, *CROPPED, *QUICK, "-o", report, "--figures", figures)
    result = eigenfaces(*said)
    assert result.exit_code == 0
    written = set(tmp_path.iterdir()) - before
    assert {file.name for file in written} == {"report.html", "report.json", "report-scores.txt"}
    assert drawn == [figures]
    for file in (*written, figures):
        assert f"Written: {file}" in result.stdout
    assert eigenfaces("repeat", report.with_suffix(".json")).exit_code == 0


@pytest.mark.parametrize("there", ["report.json", "report-scores.txt"])
def test_nothing_is_replaced_unless_that_is_said(people: Path, tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    said = ("evaluate", people, *CROPPED, *QUICK, "-o")
    for report in ("report.html", "report.json"):
        assert "--overwrite" in failure(*said, tmp_path / report)
    assert (tmp_path / there).read_text() == "precious"
    assert eigenfaces(*said, tmp_path / "report.json", "--overwrite").exit_code == 0
    assert "precious" not in (tmp_path / there).read_text("utf-8")


def test_unused_photographs_are_listed(people: Path, tmp_path: Path) -> None:
    (people / "Person 1" / "notes.png").write_text("no picture")
    result = eigenfaces("evaluate", people, *CROPPED, *QUICK)
    assert result.exit_code == 3
    assert "1 photograph was not used: 1 cannot be used." in result.stdout
    quiet = eigenfaces("evaluate", people, *CROPPED, *QUICK, "--json")
    assert quiet.exit_code == 3
    assert from_json(quiet.stdout)
    assert "notes.png" in quiet.stderr
    for name in ("a", "b"):
        (tmp_path / "none" / name).mkdir(parents=True)
        (tmp_path / "none" / name / "1.png").write_text("no picture")
    result = eigenfaces("evaluate", tmp_path / "none")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "2 photographs were not used:" in result.stderr


def test_a_leak_is_refused_with_names_and_allowed_with_a_word(people: Path) -> None:
    first = next(people.glob("Person 1/1.png"))
    with Image.open(first) as image:
        lighter = image.point(lambda grey: min(255, grey + 1))
    lighter.save(first.with_name("5b.png"))
    said = failure("evaluate", people, *CROPPED, *QUICK)
    assert "“1.png” (Person 1)" in said
    assert "“5b.png” (Person 1)" in said
    assert "--allow-leaks" in said
    allowed = eigenfaces("evaluate", people, *CROPPED, *QUICK, "--allow-leaks")
    assert allowed.exit_code == 0
    assert "This split leaks, which you allowed" in allowed.stdout
    assert re.search(r"/1\.png +Person 1 +.*/5b\.png", allowed.stdout)
    without = eigenfaces("evaluate", people, *CROPPED, *QUICK, "--exclude-duplicates")
    assert without.exit_code == 3
    assert "5b.png  It is nearly the same picture as “1.png”, which is kept." in without.stdout


def test_what_lists_name_and_shows_no_face_is_counted_or_refused(
    people: Path, tmp_path: Path
) -> None:
    (people / "Person 1" / "9.png").write_text("no picture")
    names = [path.relative_to(people).as_posix() for path in sorted(people.rglob("*.png"))]
    lists = []
    for kind, numbers in (("gallery", "12"), ("probe", "3459")):
        file = tmp_path / kind
        file.write_text("\n".join(each for each in names if each[-5] in numbers), "utf-8")
        lists += [f"--{kind}-list", file]
    said = ("evaluate", people, *CROPPED, "--no-curves", "--protocol", "lists", *lists)
    counted = eigenfaces(*said)
    assert counted.exit_code == 3
    assert "1 of 21 photos that are named could not be used" in counted.stdout
    assert "“Person 1/9.png”" in eigenfaces(*said, "--missing", "refuse").stderr


def copied(source: Path, target: Path, photos: dict[str, int]) -> Path:
    """Copy the first so many photographs of some people."""
    for person, count in photos.items():
        (target / person).mkdir(parents=True)
        for number in range(1, count + 1):
            shutil.copy(source / person / f"{number}.png", target / person)
    return target


def test_lists_and_pairs_that_cannot_be_followed(people: Path, tmp_path: Path) -> None:
    texts = {
        "gallery": b"Person 1/1.png\nPerson 2/1.png\n",
        "probes": b"Person 1/2.png\nPerson 2/2.png # the second\n",
        "missing": b"Person 1/1.png\nPerson 2/77.png\n",
        "nothing": b"# nobody\n\n",
        "picture": (people / "Person 1" / "1.png").read_bytes(),
    }
    for name, content in texts.items():
        (tmp_path / name).write_bytes(content)

    def said(gallery: str, probes: str) -> tuple[object, ...]:
        lists = ("--gallery-list", tmp_path / gallery, "--probe-list", tmp_path / probes)
        return "evaluate", people, *CROPPED, "--protocol", "lists", *lists

    assert eigenfaces(*said("gallery", "probes")).exit_code == 0
    assert "“Person 2/77.png”" in failure(*said("missing", "probes"))
    assert "names no photo" in failure(*said("gallery", "nothing"))
    assert "no text file" in failure(*said("picture", "probes"))
    assert "cannot be read" in failure(*said("gallery", "nowhere"))
    assert "both known to the split and searched for" in failure(*said("gallery", "gallery"))
    (tmp_path / "pairs.txt").write_text("1 1 1\n")
    pairs = ("--protocol", "pairs", "--pairs", tmp_path / "pairs.txt")
    assert "pairs as LFW writes them" in failure("evaluate", people, *CROPPED, *pairs)


def test_places_that_cannot_be_used_are_told_before_anything_is_measured(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*_: object, **__: object) -> None:
        raise AssertionError("It was measured all the same.")

    monkeypatch.setattr("eigenfaces.cli.evaluating.measure", measured)
    (tmp_path / "empty").mkdir()
    assert "no photographs" in failure("evaluate", tmp_path / "empty")
    assert "does not exist" in failure("evaluate", tmp_path / "nowhere")
    said = ("evaluate", people, *CROPPED)
    assert "another place" in failure(*said, "-o", tmp_path / "no" / "report.html")
    assert "another place" in failure(*said, "--figures", tmp_path / "no" / "figures")
    assert "not an empty folder" in failure(*said, "--figures", people)
    (tmp_path / "folder.html").mkdir()
    assert "is a folder" in failure(*said, "-o", tmp_path / "folder.html")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ProtocolOptions("leave-one-out"), LeaveOneOut()),
        (ProtocolOptions("Leave One Out"), LeaveOneOut()),
        (ProtocolOptions("idiap"), Idiap()),
        (ProtocolOptions("2-fold", seed=3), KFold(2, 3)),
        (ProtocolOptions(seed=2), KFold(10, 2)),
        (ProtocolOptions("5-shot"), NShot(5, 10, 0)),
        (ProtocolOptions("1-shot", repetitions=2, seed=4), NShot(1, 2, 4)),
        (ProtocolOptions("first-8"), FirstPhotos(8)),
        (ProtocolOptions("open-set"), OpenSet()),
        (
            ProtocolOptions("open-set", enrolled=2, strangers=0.25, repetitions=3, seed=5),
            OpenSet(2, 0.25, 3, 5),
        ),
    ],
)
def test_a_name_becomes_its_protocol(options: ProtocolOptions, expected: Protocol) -> None:
    assert options.named() == expected


def test_lists_and_pairs_are_read(tmp_path: Path) -> None:
    for name, text in (("g", "a/1\na/2\n"), ("p", "b/1\n"), ("t", "c/1\nc/2\n")):
        (tmp_path / name).write_text(text)
    lists = ProtocolOptions("lists", gallery_list=tmp_path / "g", probe_list=tmp_path / "p")
    assert lists.named() == Lists(("a/1", "a/2"), ("b/1",))
    trained = ProtocolOptions(
        "lists", gallery_list=tmp_path / "g", probe_list=tmp_path / "p", train_list=tmp_path / "t"
    )
    assert trained.named() == Lists(("a/1", "a/2"), ("b/1",), ("c/1", "c/2"))
    view2, view1 = tmp_path / "pairs.txt", tmp_path / "pairsDevTest.txt"
    view2.write_text("2\t1\nA\t1\t2\nA\t1\tB\t1\nB\t1\t2\nB\t2\tA\t3\n")
    view1.write_text("1\nC\t1\t2\nC\t1\tB\t4\n")
    both = ProtocolOptions("pairs", pairs=[view2]).named()
    assert isinstance(both, Pairs)
    assert (len(both.sets), both.fit_to) == (2, "others")
    first = ProtocolOptions("pairs", pairs=[view2, view1]).named()
    assert isinstance(first, Pairs)
    assert ([len(each) for each in first.sets], first.fit_to) == ([4, 2], "first")
    assert first.sets[1][1] == ("C/C_0001.jpg", "B/B_0004.jpg")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (ProtocolOptions("dance"), "There is no protocol “dance”"),
        (ProtocolOptions("-3-fold"), "There is no protocol"),
        (ProtocolOptions("10-fold", repetitions=3), "--repetitions cannot be used"),
        (ProtocolOptions("5-shot", enrolled=3), "--enrolled cannot be used"),
        (ProtocolOptions("leave-one-out", pairs=[Path("x")]), "--pairs cannot be used"),
        (ProtocolOptions("open-set", gallery_list=Path("x")), "--gallery-list cannot be used"),
        (ProtocolOptions(gallery_list=Path("x")), "with the protocol “10-fold”"),
        (ProtocolOptions("lists"), "needs --gallery-list and --probe-list"),
        (ProtocolOptions("pairs"), "needs --pairs FILE"),
    ],
)
def test_what_is_no_protocol_is_refused(options: ProtocolOptions, words: str) -> None:
    with pytest.raises(typer.BadParameter, match=words):
        options.named()


SWEPT = (*CROPPED, "--protocol", "first-3")


def lines_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_combination_has_its_line_the_best_first(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    grid = ("--grid", "k=2,4,95%", "--grid", "distance=l2,cosine")
    said = eigenfaces("sweep", people, *SWEPT, "-o", table, *grid)
    assert said.exit_code == 0
    found = lines_of(table)
    assert list(found[0]) == ["components", "distance", "figure", "value", "low", "high"]
    assert {(row["components"], row["distance"]) for row in found} == {
        (k, distance) for k in ("2", "4", "0.95") for distance in ("L2", "cosine")
    }
    values = [float(row["value"]) for row in found]
    assert values == sorted(values, reverse=True)
    assert "6 combinations" in said.stdout
    assert "is optimistic" in said.stdout
    row = next(row for row in found if (row["components"], row["distance"]) == ("2", "L2"))
    told = eigenfaces("evaluate", people, *SWEPT, "-k", 2, "--no-curves", "--json").stdout
    first = json.loads(told)["figures"][0]
    assert row["figure"] == first["name"] == "rank-1"
    for name in ("value", "low", "high"):  # as evaluate says
        assert float(row[name]) == first[name]


def test_recipes_and_what_is_not_possible_with_one(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    both = ("--recipe", "eigenfaces", "--recipe", "texture")
    grid = (*both, "--grid", "lighting=none,tan-triggs")
    said = eigenfaces("sweep", people, *SWEPT, "-o", table, *grid)
    assert [(row["recipe"], row["lighting"]) for row in lines_of(table)].count(
        ("Eigenfaces", "Tan–Triggs")
    ) == 1
    assert "none, Texture: left out. The recipe “Texture” has no setting “lighting”" in said.stderr
    much = ("--grid", "k=2,4000")
    said = eigenfaces("sweep", people, *SWEPT, "-o", table, *much, "--overwrite")
    assert "4000: left out. These folds have at most 11 components" in said.stderr
    assert [row["components"] for row in lines_of(table)] == ["2"]
    dropped = ("--grid", "drop-first=1,11")
    said = eigenfaces("sweep", people, *SWEPT, "-o", table, *dropped, "--overwrite")
    assert "11: left out. Only" in said.stderr
    assert [row["dropped"] for row in lines_of(table)] == ["1"]


def test_refusals_leave_no_table(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    asked = ("sweep", people, *SWEPT, "-o", table)
    result = eigenfaces(*asked, "--grid", "k=4000")
    assert (result.exit_code, table.exists()) == (1, False)
    assert "None of these combinations is possible." in result.stderr
    few = eigenfaces(*asked[:2], *CROPPED, "--protocol", "9-shot", *asked[-2:], "--grid", "k=1,2")
    assert few.stderr.count("needs people with at least 10 photos") == 1
    (people / "Person 1" / "5.png").write_bytes((people / "Person 1" / "1.png").read_bytes()[:9])
    assert eigenfaces(*asked, "--grid", "k=2").exit_code == 3
    assert "exists already" in failure(*asked, "--grid", "k=2")


def test_what_a_share_of_strangers_asked_for_reached(people: Path, tmp_path: Path) -> None:
    protocol = ("--protocol", "open-set", "--enrolled", 2, "--strangers", "25%")
    options = (*CROPPED, *protocol, "--repetitions", 3, "--no-curves")
    said = eigenfaces("evaluate", people, *options, "-o", tmp_path / "a.html").stdout
    assert "FPIR reached" in said
    assert "1 % asked" in said
    loose = eigenfaces("evaluate", people, *options, "--share", "40%", "--json")
    content = json.loads(loose.stdout)
    assert content["setting"]["share"] == 0.4
    assert [each["name"] for each in content["strangers"]["figures"]] == [
        *("FPIR reached", "DIR reached")
    ]
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "Strangers named" in page
    assert "At most 1 % of strangers may be named" in page
    again = eigenfaces("repeat", tmp_path / "a.json")
    assert again.exit_code == 0
    assert "FPIR reached" in again.stdout
