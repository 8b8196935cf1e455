"""How a protocol is said: each becomes what it names, and nothing is said in vain."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import typer
from astronaut import FACE, PICTURE
from PIL import Image

from cli.command_line import eigenfaces
from eigenfaces.cli.protocols import (
    FIXED,
    ProtocolOptions,
    default_protocol_words,
    protocol_from,
    share_from,
)
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import (
    LARGEST_LEFT_OUT,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    LeaveOnePersonOut,
    NShot,
    OpenSet,
)
from eigenfaces.evaluation.published_protocols import PROTOCOLS, Protocol
from eigenfaces.evaluation.split_files import Lists, Pairs


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ProtocolOptions("leave-one-out"), LeaveOneOut()),
        (ProtocolOptions("Leave One Out"), LeaveOneOut()),
        (ProtocolOptions("leave-one-person-out"), LeaveOnePersonOut()),
        (ProtocolOptions("10-fold", seed=3), KFold(10, 3)),
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
    assert protocol_from(options, 400) == expected


@pytest.mark.parametrize("name", FIXED)
def test_every_published_protocol_has_its_name(name: str) -> None:
    assert type(protocol_from(ProtocolOptions(name), 400)) is PROTOCOLS[name]
    assert {"idiap", "leave-one-out"} <= set(FIXED)


def test_without_a_name_it_depends_on_the_number_of_faces_and_that_is_said() -> None:
    few = protocol_from(ProtocolOptions(), LARGEST_LEFT_OUT)
    many = protocol_from(ProtocolOptions(seed=2), LARGEST_LEFT_OUT + 1)
    assert few == LeaveOneOut()
    assert many == KFold(10, 2)
    assert "up to 400" in default_protocol_words(ProtocolOptions(), few)
    assert "more than 400" in default_protocol_words(ProtocolOptions(), many)
    assert default_protocol_words(ProtocolOptions("10-fold"), many) == ""


def test_lists_and_pairs_are_read(tmp_path: Path) -> None:
    for name, text in (("g", "a/1\na/2\n"), ("p", "b/1\n"), ("t", "c/1\nc/2\n")):
        (tmp_path / name).write_text(text)
    lists = ProtocolOptions("lists", gallery_list=tmp_path / "g", probe_list=tmp_path / "p")
    assert protocol_from(lists, 5) == Lists(("a/1", "a/2"), ("b/1",))
    trained = ProtocolOptions(
        "lists",
        gallery_list=tmp_path / "g",
        probe_list=tmp_path / "p",
        train_list=tmp_path / "t",
    )
    assert protocol_from(trained, 5) == Lists(("a/1", "a/2"), ("b/1",), ("c/1", "c/2"))
    view2, view1 = tmp_path / "pairs.txt", tmp_path / "pairsDevTest.txt"
    view2.write_text("2\t1\nA\t1\t2\nA\t1\tB\t1\nB\t1\t2\nB\t2\tA\t3\n")
    view1.write_text("1\nC\t1\t2\nC\t1\tB\t4\n")
    both = protocol_from(ProtocolOptions("pairs", pairs=[view2]), 5)
    assert isinstance(both, Pairs)
    assert (len(both.sets), both.fit_to) == (2, "others")
    first = protocol_from(ProtocolOptions("pairs", pairs=[view2, view1]), 5)
    assert isinstance(first, Pairs)
    assert ([len(each) for each in first.sets], first.fit_to) == ([4, 2], "first")
    assert first.sets[1][1] == ("C/C_0001.jpg", "B/B_0004.jpg")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (ProtocolOptions("dance"), "There is no protocol “dance”"),
        (ProtocolOptions("fold"), "10-fold"),
        (ProtocolOptions("-3-fold"), "There is no protocol"),
        (ProtocolOptions("first"), "first-5"),
        (ProtocolOptions("10-fold", repetitions=3), "--repetitions cannot be said"),
        (ProtocolOptions("5-shot", enrolled=3), "--enrolled cannot be said"),
        (ProtocolOptions("first-5", strangers=0.2), "--strangers cannot be said"),
        (ProtocolOptions("leave-one-out", pairs=[Path("x")]), "--pairs cannot be said"),
        (ProtocolOptions("open-set", gallery_list=Path("x")), "--gallery-list cannot be said"),
        (ProtocolOptions(gallery_list=Path("x")), "of the protocol “leave-one-out”"),
        (ProtocolOptions("lists"), "needs --gallery-list and --probe-list"),
        (ProtocolOptions("pairs"), "needs --pairs FILE"),
        (ProtocolOptions("pairs", pairs=[Path("x")] * 3), "needs --pairs FILE"),
    ],
)
def test_what_is_no_protocol_is_refused(options: ProtocolOptions, words: str) -> None:
    with pytest.raises(typer.BadParameter, match=words):
        protocol_from(options, 10)


@pytest.mark.parametrize("name", ["1-fold", "0-fold", "0-shot", "first-0"])
def test_numbers_that_make_no_split_are_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(EigenfacesError, match="must be at least"):
        protocol_from(ProtocolOptions(name), 10)


def test_a_share_of_strangers_is_said_only_where_there_may_be_some() -> None:
    for name in ("open-set", "leave-one-person-out"):
        protocol = protocol_from(ProtocolOptions(name), 10)
        assert share_from(None, protocol) == 0.01
        assert share_from(0.2, protocol) == 0.2
    for name in ("leave-one-out", "10-fold", "5-shot", "first-5", "idiap"):
        protocol = protocol_from(ProtocolOptions(name), 10)
        assert share_from(None, protocol) == 0.01  # and nobody to use it on
        with pytest.raises(typer.BadParameter, match="--share cannot be said"):
            share_from(0.2, protocol)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, float("nan")])
def test_the_share_of_strangers_lies_between_none_and_all(share: float) -> None:
    with pytest.raises(EigenfacesError, match="between 0 and 1"):
        protocol_from(ProtocolOptions("open-set", strangers=share), 10)


def tree_of_lfw(folder: Path) -> Path:
    """Four people with three photos each, of which two are in pairs; one is not a picture."""
    rng = np.random.default_rng(0)
    for person, number in itertools.product("ABCD", (1, 2, 3)):
        file = folder / "lfw" / person / f"{person}_{number:04}.jpg"
        file.parent.mkdir(parents=True, exist_ok=True)
        levels = rng.integers(0, 256, (16, 16), np.uint8)
        Image.fromarray(levels).save(file) if number < 3 else file.write_text("nothing")
    (folder / "pairs.txt").write_text("2 1\nA 1 2\nA 1 B 2\nC 1 2\nC 1 D 2\n")
    return folder


def test_a_view_of_lfw_reads_only_what_its_pairs_name(tmp_path: Path) -> None:
    place = tree_of_lfw(tmp_path)
    said = ("--protocol", "LFW view 2", "--already-cropped", "--height", "16", "--width", "16")
    answer = eigenfaces("evaluate", place, *said)
    assert answer.exit_code == 0, answer.output
    assert "4 pairs in 2 sets" in answer.stdout
    assert "pair accuracy" in answer.stdout


def test_the_pairs_of_a_view_may_lie_elsewhere(tmp_path: Path) -> None:
    place = tree_of_lfw(tmp_path / "there")
    pairs = (place / "pairs.txt").rename(tmp_path / "my pairs.txt")
    said = ("--protocol", "lfw-view-2", "--already-cropped", "--height", "16", "--width", "16")
    assert eigenfaces("evaluate", place, *said).exit_code == 1
    answer = eigenfaces("evaluate", place, *said, "--pairs", pairs)
    assert answer.exit_code == 0, answer.output
    assert "4 pairs in 2 sets" in answer.stdout


def test_faces_of_a_view_are_searched_and_the_middle_one_is_taken(tmp_path: Path) -> None:
    """Beside everybody stands somebody as large; the report says how often, and can be repeated."""
    head = PICTURE.crop(FACE)
    for row, (person, number) in enumerate(itertools.product("ABCD", (1, 2))):
        wall = Image.new("L", (480, 250), 100 + 10 * row)
        wall.paste(head.point(lambda grey, row=row: min(255, grey + 5 * row)), (150, 20))
        if row % 2:
            wall.paste(head, (310, 20))
        file = tmp_path / "lfw" / person / f"{person}_{number:04}.jpg"
        file.parent.mkdir(parents=True, exist_ok=True)
        wall.save(file, quality=95)
    (tmp_path / "pairs.txt").write_text("2 1\nA 1 2\nA 1 B 2\nC 1 2\nC 1 D 2\n")
    (tmp_path / "lfw" / "B" / "B_0001.jpg").unlink()
    report = tmp_path / "r.html"
    said = ("--protocol", "lfw-view-2", "-k", "1.0", "--allow-leaks", "-o", report)
    answer = eigenfaces("evaluate", tmp_path, *said)
    assert answer.exit_code == 0, answer.output
    assert "on 4 photographs with several faces, the one nearest the centre taken" in answer.stdout
    assert "on 4 photos, the one nearest the centre" in report.read_text("utf-8")
    again = eigenfaces("repeat", report.with_suffix(".json"))
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--protocol", "lfw-view-1"), "View 1 of LFW needs"),
        (("--protocol", "lfw-view-2", "--pairs", "x"), "“x” cannot be read"),
        (("--protocol", "lfw-view-2", "--pairs", "x", "--pairs", "y"), "needs pairs.txt"),
        (("--protocol", "lfw-view-2", "--seed", "1", "--enrolled", "2"), "cannot be said"),
        (("--protocol", "lfw-view-2", "--pattern", "{person}_*"), "LFW says by its folders"),
        (("--protocol", "lfw-view-3"), "There is no protocol"),
    ],
)
def test_a_view_that_cannot_be_had(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    answer = eigenfaces("evaluate", tree_of_lfw(tmp_path), "--already-cropped", *words)
    assert answer.exit_code in (1, 2)
    assert sentence in " ".join(answer.output.split())
    sample = eigenfaces("evaluate", "--sample", "--protocol", "lfw-view-2")
    assert sample.exit_code == 2
