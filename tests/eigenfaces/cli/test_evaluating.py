"""``evaluate``, ``sweep``, ``repeat``, ``compare``: what they measure, print and refuse."""

import csv
import json
import re
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
from astronaut import PICTURE, two_faces
from PIL import Image, ImageOps

from cli.command_line import CROPPED, answer, eigenfaces, failure, opened, printed
from eigenfaces.cli import evaluating
from eigenfaces.cli.evaluating import repetition
from eigenfaces.cli.options import ProtocolOptions
from eigenfaces.cli.running import DIFFERENT
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
from eigenfaces.evaluation.records import (
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    from_json,
    read_report,
    to_json,
)
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.sample import PREPARATION

QUICK = ("--protocol", "first-3", "--no-curves")


def recorded(*options: object) -> EvaluationRecord:
    """Run ``evaluate --json``; read what it printed, which is all that it printed."""
    return from_json(printed("evaluate", *options, "--json"))


def test_recipes_stand_beside_each_other_and_in_the_report(people: Path, tmp_path: Path) -> None:
    result = eigenfaces("evaluate", people, *CROPPED, "--recipes", "all", "--protocol", "first-3")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = dict(zip(RECIPES, result.stdout.splitlines()[4:], strict=False))
    assert re.match(r"Eigenfaces  +1991  +\d+.\d\d %", lines["Eigenfaces"])
    assert "7 people or more" in " ".join(result.stdout.split())
    assert "Automatic would choose Eigenfaces" in result.stdout
    two = ("--recipes", "network, eigenfaces", "-o", tmp_path / "r.html")
    assert "How many" not in printed("evaluate", people, *CROPPED, *QUICK, *two)
    assert "Thirty years of recipes, on these photos" in (tmp_path / "r.html").read_text("utf-8")
    assert "Network" in printed("repeat", tmp_path / "r.json")
    for names in ("guess", ","):
        assert eigenfaces("evaluate", people, "--recipes", names).exit_code == 2


def test_json_is_the_whole_record_of_the_same_evaluation(people: Path, project: Path) -> None:
    options = (people, *CROPPED, "--protocol", "3-fold", "--seed", 5, "-k", 6)
    assert "3-fold cross-validation; 3 folds, seed 5." in printed("evaluate", *options)
    record, setting = recorded(*options), EvaluationSetting(Recipe.of(components=6), KFold(3, 5), 5)
    assert record.evaluation.setting == setting
    assert record.preparation == Preparation(32, 24, already_cropped=True)
    assert record.source == EvaluationSource("folder", str(people))
    ours = evaluate(opened(project).faces, setting)
    assert repetition(record, EvaluationRecord(ours, record.preparation, record.source))["same"]
    paths = {photo.path.as_posix() for photo in record.evaluation.photos}
    assert {"Person 1/1.png", "Person 1/2.png"} <= paths
    content = json.loads(to_json(record))
    help_text = (evaluating.evaluate.__doc__ or "").split("The keys of --json")[1]
    keys = {*content, *content["metrics"][0], *content["photos"][0], "strangers"}
    assert keys <= {*re.findall(r"\w+", help_text)}


def test_the_sample_is_evaluated_and_repeated(
    att: FaceSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = att.select(range(60))
    monkeypatch.setattr("eigenfaces.cli.sources.load_sample", lambda _: some)
    file, options = tmp_path / "r.json", ("--protocol", "first-5", "--distance", "l1")
    text = printed("evaluate", "--sample", "--no-curves", *options, "-o", file)
    assert "The AT&T sample: 60 photos of 6 people." in text
    record = from_json(file.read_text("utf-8"))
    assert (record.source, record.preparation) == (EvaluationSource("sample"), PREPARATION)
    printed("repeat", file)


def test_a_project_brings_its_recipe_and_options_override_it(people: Path, tmp_path: Path) -> None:
    file = tmp_path / "named otherwise"
    printed("build", people, "-o", file, "-k", 7, "--distance", "cosine", *CROPPED)
    theirs = Recipe.of(components=7, distance="cosine")
    record = recorded(file, *QUICK)
    assert record.evaluation.setting.recipe == opened(file).recipe == theirs
    assert record.source == EvaluationSource("project", str(file))
    changed = recorded(file, *QUICK, "--distance", "l1")
    assert changed.evaluation.setting.recipe == theirs.changed(distance="L1")
    assert eigenfaces("evaluate", file, "--height", 64).exit_code == 2


def test_a_report_is_written_and_nothing_is_replaced_unasked(people: Path, tmp_path: Path) -> None:
    before, command = set(tmp_path.iterdir()), ("evaluate", people, *CROPPED, *QUICK, "-o")
    page, values, scores = (tmp_path / f"r{end}" for end in (".html", ".json", "-scores.txt"))
    assert f"Written: {page}\nWritten: {values}" in printed(*command, page)
    assert set(tmp_path.iterdir()) - before == {page, values, scores}
    page.unlink()
    scores.unlink()
    values.write_text("precious")
    for name in (page, values):
        assert "--overwrite" in failure(*command, name)
    assert values.read_text() == "precious"
    printed(*command, values, "--overwrite")
    assert "precious" not in values.read_text("utf-8")


def test_unused_photographs_are_listed(people: Path) -> None:
    (people / "Person 1" / "notes.png").write_text("no picture")
    text = printed("evaluate", people, *CROPPED, *QUICK, code=3)
    assert "1 photo was not used: 1 cannot be used." in text
    result = eigenfaces("evaluate", people, *CROPPED, *QUICK, "--json")
    assert (result.exit_code, "notes.png" in result.stderr) == (3, True)
    assert from_json(result.stdout)


def test_a_leak_is_refused_with_names_unless_it_is_allowed(people: Path) -> None:
    first = people / "Person 1" / "1.png"
    with Image.open(first) as image:
        image.point(lambda grey: min(255, grey + 1)).save(first.with_name("5b.png"))
    command = ("evaluate", people, *CROPPED, *QUICK)
    sentence = failure(*command)
    for words in ("“1.png” (Person 1)", "“5b.png” (Person 1)", "--allow-leaks"):
        assert words in sentence
    allowed = printed(*command, "--allow-leaks")
    assert "This split leaks. You allowed it" in allowed
    assert re.search(r"/1\.png +Person 1 +.*/5b\.png", allowed)
    without = printed(*command, "--exclude-duplicates", code=3)
    assert "5b.png  It is nearly the same picture as “1.png”, which is kept." in without


def test_lists_and_pairs(people: Path, tmp_path: Path) -> None:
    """A photograph without a face is counted, or refused; wrong lists are a sentence."""
    (people / "Person 1" / "9.png").write_text("no picture")
    names = [path.relative_to(people).as_posix() for path in sorted(people.rglob("*.png"))]
    gallery, probes, pairs = files = [tmp_path / name for name in ("gallery", "probes", "pairs")]
    parts = ([name for name in names if name[-5] in digits] for digits in ("12", "3459"))
    for file, lines in zip(files, (*parts, ["1 1 1"]), strict=True):
        file.write_bytes("\n".join(lines).encode())
    command = ("evaluate", people, *CROPPED, "--no-curves", "--protocol")
    lists = (*command, "lists", "--gallery-list", gallery, "--probe-list", probes)
    counted = printed(*lists, code=3)
    assert "1 of 21 photos that are named could not be used" in counted
    assert "“Person 1/9.png”" in eigenfaces(*lists, "--missing", "refuse").stderr
    gallery.write_text("Person 1/1.png\nPerson 2/77.png\n")
    (people / "Person 1" / "9.png").unlink()
    assert "“Person 2/77.png”" in failure(*lists)
    assert "pairs in the LFW format" in failure(*command, "pairs", "--pairs", pairs)


def test_of_several_faces_in_a_list_the_one_nearest_the_middle_is_meant(tmp_path: Path) -> None:
    """Here, and in no other protocol; to build with, one person twice is a guess."""
    people, gallery, probes = (tmp_path / name for name in ("people", "gallery", "probes"))
    for person, picture in (("Ada", PICTURE), ("Bob", ImageOps.mirror(PICTURE))):
        (people / person).mkdir(parents=True)
        for number, light in ((1, 1.0), (2, 0.8)):
            lit = picture.point(lambda grey, light=light: round(light * grey))
            lit.save(people / person / f"{number}.png")
    (people / "Ada" / "3.png").write_bytes(two_faces())
    gallery.write_text("Ada/1.png\nBob/1.png")
    probes.write_text("Ada/2.png\nBob/2.png\nAda/3.png")
    report = tmp_path / "report.json"
    command = ("evaluate", people, "--no-curves", "--allow-leaks", "--protocol")
    lists = (*command, "lists", "--gallery-list", gallery, "--probe-list", probes)
    text = printed(*lists, "-o", report)
    said = "In 1 photo of the lists or pairs, none of several faces was chosen"
    assert said in " ".join(text.split())
    assert json.loads(report.read_text())["by_middle"] == 1
    evaluation = read_report(report).evaluation
    assert evaluation.metrics[0].note.startswith("3 searches")
    printed("repeat", report)
    other = printed(*command, "first-1", code=3)
    assert said not in " ".join(other.split())
    assert "3.png" in other
    built = " ".join(printed("build", people, "-o", tmp_path / "x.eigenfaces").split())
    assert "3.png It shows 2 faces. The chosen one looks like Ada in other photos." in built


def test_photographs_that_a_project_does_not_use_count_as_failures_of_lists(
    people: Path, tmp_path: Path
) -> None:
    """As in the folder; and the report is repeated to the same figures."""
    (people / "Person 1" / "9.png").write_text("no picture")
    names = [path.relative_to(people).as_posix() for path in sorted(people.rglob("*.png"))]
    project, report = tmp_path / "people.eigenfaces", tmp_path / "report.json"
    gallery, probes = tmp_path / "gallery", tmp_path / "probes"
    gallery.write_text("\n".join(name for name in names if name[-5] in "12"))
    probes.write_text("\n".join(name for name in names if name[-5] in "39"))
    printed("build", people, *CROPPED, "-o", project, code=3)
    lists = ("--protocol", "lists", "--gallery-list", gallery, "--probe-list", probes)
    notes = set()
    for source, code in (((people, *CROPPED), 3), ((project,), 0)):
        text = printed("evaluate", *source, "--no-curves", *lists, "--json", code=code)
        figure = from_json(text).evaluation.metrics[0]
        notes.add((figure.value, figure.note))
    ((value, note),) = notes
    assert "1 of which failed without a usable photo" in note
    assert value < 1
    printed("evaluate", project, "--no-curves", *lists, "-o", report)
    printed("repeat", report)


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
        (ProtocolOptions("open-set", 3, 2, 0.25, seed=5), OpenSet(2, 0.25, 3, 5)),
    ],
)
def test_a_name_becomes_its_protocol(options: ProtocolOptions, expected: Protocol) -> None:
    assert options.build() == expected


def test_lists_and_pairs_are_read(tmp_path: Path) -> None:
    texts = "a/1\na/2\n", "b/1\n", "c/1\n", "2\t1\nA\t1\t2\nA\t1\tB\t1\nB\t1\t2\nB\t2\tA\t3\n"
    for path, text in zip(files := [tmp_path / name for name in "gptv"], texts, strict=True):
        path.write_text(text)
    g, p, t, view2 = files
    lists = ProtocolOptions("lists", gallery_list=g, probe_list=p, train_list=t)
    assert lists.build() == Lists(("a/1", "a/2"), ("b/1",), ("c/1",))
    one, both = (ProtocolOptions("pairs", pairs=pairs).build() for pairs in ([view2], [view2] * 2))
    assert isinstance(one, Pairs)
    assert isinstance(both, Pairs)
    assert (len(one.sets), one.fit_to) == (2, "others")
    assert ([len(group) for group in both.sets], both.fit_to) == ([4, 4], "first")


SWEPT = (*CROPPED, "--protocol", "first-3")


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_every_combination_has_its_row_the_best_first(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    grid = ("--grid", "k=2,4,95%", "--grid", "distance=l2,cosine")
    text = printed("sweep", people, *SWEPT, "-o", table, *grid)
    rows = rows_of(table)
    assert list(rows[0]) == ["components", "distance", "figure", "value", "low", "high"]
    assert {(row["components"], row["distance"]) for row in rows} == {
        (k, distance) for k in ("2", "4", "0.95") for distance in ("L2", "cosine")
    }
    values = [float(row["value"]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert "6 combinations" in text
    assert "is optimistic" in text
    row = next(row for row in rows if (row["components"], row["distance"]) == ("2", "L2"))
    (first, *_) = recorded(people, *SWEPT, "-k", 2, "--no-curves").evaluation.metrics
    expected = [first.kind, *map(str, (first.value, first.low, first.high))]
    assert [row[name] for name in ("figure", "value", "low", "high")] == expected


def test_what_is_not_possible_is_left_out_of_a_sweep(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    command = ("sweep", people, *SWEPT, "-o", table)
    refused = eigenfaces(*command, "--grid", "k=4000")
    assert (refused.exit_code, table.exists()) == (1, False)
    assert "None of these combinations is possible." in refused.stderr
    few = eigenfaces(*command, "--protocol", "9-shot", "--grid", "k=1,2")
    assert few.stderr.count("needs people with at least 10 photos") == 1
    recipes = ("--recipe", "eigenfaces", "--recipe", "texture", "--grid", "lighting=tan-triggs")
    some = eigenfaces(*command, *recipes)
    assert "Tan–Triggs, Texture: left out. The recipe “Texture” has no setting" in some.stderr
    assert [row["recipe"] for row in rows_of(table)] == ["Eigenfaces"]
    eigenfaces(*command, "--grid", "drop-first=1,11", "--overwrite")
    assert [row["dropped"] for row in rows_of(table)] == ["1"]


def test_what_a_share_of_strangers_reached(people: Path, tmp_path: Path) -> None:
    protocol = ("--protocol", "open-set", "--enrolled", 2, "--strangers", "25%")
    options = (people, *CROPPED, *protocol, "--repetitions", 3, "--no-curves")
    text = printed("evaluate", *options, "-o", tmp_path / "a.html")
    assert "FPIR reached" in text
    assert "1 % allowed" in text
    loose = recorded(*options, "--share", "40%").evaluation
    assert (loose.setting.share, loose.strangers is not None) == (0.4, True)
    assert "FPIR reached" in printed("repeat", tmp_path / "a.json")


FOLDS = ("--protocol", "3-fold")


@pytest.fixture
def report(people: Path, tmp_path: Path) -> Path:
    return evaluated(tmp_path / "report.json", people, *CROPPED, *FOLDS)


def evaluated(file: Path, *options: object) -> Path:
    """Keep what ``evaluate --json`` says."""
    file.write_text(printed("evaluate", *options, "--json"), "utf-8")
    return file


def test_it_comes_out_the_same(report: Path) -> None:
    text = printed("repeat", report)
    assert "the same 20 photos, by SHA-256; 3-fold cross-validation." in text
    assert "Every figure and every score is unchanged." in text
    assert "Made with the same versions" in text
    rows = [line.split()[-1] for line in text.splitlines() if line.endswith((" yes", " no"))]
    assert (len(rows) > 10, {*rows}) == (True, {"yes"})
    result = answer("repeat", report)
    assert (result["same"], result["others"], result["versions"]) == (True, [], {})
    assert all(figure["same"] for figure in result["figures"])


def test_the_sample_project_and_folder_elsewhere_are_found(
    people: Path, project: Path, tmp_path: Path
) -> None:
    report = evaluated(tmp_path / "r.json", project, *FOLDS, "--no-curves")
    printed("repeat", report)
    moved = people.rename(tmp_path / "elsewhere")
    printed("repeat", report)  # the project holds the faces
    project.unlink()
    assert "--faces" in failure("repeat", report)
    printed("repeat", report, "--faces", moved)


@pytest.mark.parametrize(
    ("change", "value", "words"),
    [
        *((change, 0.125, "1 of ") for change in ("metrics.0.value", "controls.2.low")),
        ("searches.distances.3.1", 77.0, "curves differ: searches distances."),
        ("by_components.accuracy.L2.4", 0.125, "curves differ: by_components accuracy L2."),
        ("made_with.numpy", "0.1.2", "0.1.2"),
    ],
)
def test_other_results_are_said(report: Path, change: str, value: object, words: str) -> None:
    content, same = json.loads(report.read_text("utf-8")), "made" in change
    *path, last = (int(key) if key.isdigit() else key for key in change.split("."))
    reduce(getitem, path, content)[last] = value
    report.write_text(json.dumps(content), "utf-8")
    text = printed("repeat", report, code=0 if same else DIFFERENT)
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
    assert "3 of the 20 photos" in result.stderr
    assert "“Person 1/1.png” (its file has changed)" in result.stderr
    assert "“Person 2/3.png” (missing)" in result.stderr
    assert "“Person 3/2.png” (" in result.stderr


def test_faces_cut_otherwise_are_refused(people: Path, report: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.eigenfaces"
    printed("build", people, "-o", file, "--already-cropped")
    assert "not cropped like" in failure("repeat", report, "--faces", file)


def test_what_is_no_report_is_a_sentence(report: Path, people: Path, tmp_path: Path) -> None:
    assert "cannot be read" in failure("repeat", tmp_path / "nowhere.json")
    assert "not a report" in failure("compare", report, people / "Person 1" / "1.png")


def test_two_reports_side_by_side(people: Path, report: Path, tmp_path: Path) -> None:
    other = evaluated(tmp_path / "b.json", people, *CROPPED, *FOLDS, "-k", 1, "--distance", "l1")
    lines = printed("compare", report, other).splitlines()
    assert lines[0].startswith(f"{report}: 3-fold")
    assert "Eigenfaces, L1" in lines[1]
    (rank1,) = (line for line in lines if line.startswith("Rank-1 "))
    assert rank1.count(" %") == 2
    assert "no difference can be significant (the smallest possible p is 0.125)" in lines[-1]
    there, back = answer("compare", report, other), answer("compare", other, report)
    assert there["sentence"] == lines[-1]
    assert 0 < there["p"] <= 1
    assert (back["points"], back["p"]) == (-there["points"], there["p"])
    other = evaluated(other, people, *CROPPED, "--protocol", "first-3")
    assert "did not search for the same photos" in failure("compare", report, other)
