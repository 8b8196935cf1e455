"""How a protocol is said: each becomes what it names, and nothing is said in vain."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image

from cli.command_line import eigenfaces, failure
from eigenfaces.cli.options import ProtocolOptions
from eigenfaces.evaluation.protocols import (
    LARGEST_LEFT_OUT,
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


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ProtocolOptions("leave-one-out"), LeaveOneOut()),
        (ProtocolOptions("Leave One Out"), LeaveOneOut()),
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
    assert options.naming(400) == expected


def test_idiap_has_its_name() -> None:
    assert ProtocolOptions("idiap").naming(400) == Idiap()


def test_without_a_name_it_depends_on_the_number_of_faces() -> None:
    assert ProtocolOptions().naming(LARGEST_LEFT_OUT) == LeaveOneOut()
    assert ProtocolOptions(seed=2).naming(LARGEST_LEFT_OUT + 1) == KFold(10, 2)


def test_lists_and_pairs_are_read(tmp_path: Path) -> None:
    for name, text in (("g", "a/1\na/2\n"), ("p", "b/1\n"), ("t", "c/1\nc/2\n")):
        (tmp_path / name).write_text(text)
    lists = ProtocolOptions("lists", gallery_list=tmp_path / "g", probe_list=tmp_path / "p")
    assert lists.naming(5) == Lists(("a/1", "a/2"), ("b/1",))
    trained = ProtocolOptions(
        "lists",
        gallery_list=tmp_path / "g",
        probe_list=tmp_path / "p",
        train_list=tmp_path / "t",
    )
    assert trained.naming(5) == Lists(("a/1", "a/2"), ("b/1",), ("c/1", "c/2"))
    view2, view1 = tmp_path / "pairs.txt", tmp_path / "pairsDevTest.txt"
    view2.write_text("2\t1\nA\t1\t2\nA\t1\tB\t1\nB\t1\t2\nB\t2\tA\t3\n")
    view1.write_text("1\nC\t1\t2\nC\t1\tB\t4\n")
    both = ProtocolOptions("pairs", pairs=[view2]).naming(5)
    assert isinstance(both, Pairs)
    assert (len(both.sets), both.fit_to) == (2, "others")
    first = ProtocolOptions("pairs", pairs=[view2, view1]).naming(5)
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
        options.naming(10)


@pytest.mark.parametrize("name", ["leave-one-out", "10-fold", "5-shot", "first-5", "idiap"])
def test_a_share_of_strangers_is_said_only_where_there_may_be_some(name: str) -> None:
    refused = eigenfaces("evaluate", "--sample", "--protocol", name, "--share", "20%")
    assert refused.exit_code == 2
    assert "--share cannot be said" in refused.stderr


def test_pairs_of_lfw_are_read_in_both_of_its_formats(tmp_path: Path) -> None:
    """``pairs.txt`` has sets, ``pairsDevTrain.txt`` none; photographs in no pair do no harm."""
    rng = np.random.default_rng(0)
    for person, number in itertools.product("ABCDEF", (1, 2, 3)):
        file = tmp_path / "lfw" / person / f"{person}_{number:04}.jpg"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(rng.integers(0, 256, (16, 16), np.uint8)).save(file)
    sets, plain = tmp_path / "pairs.txt", tmp_path / "pairsDevTrain.txt"
    sets.write_text("2\t1\nA\t1\t2\nA\t1\tB\t2\nC\t1\t2\nC\t1\tD\t2\n")
    plain.write_text("1\nE\t1\t2\nE\t1\tF\t2\n")
    said = ("--protocol", "pairs", "--already-cropped", "--height", "16", "--width", "16")
    asked = ("evaluate", tmp_path / "lfw", *said)
    answer = eigenfaces(*asked, "--pairs", sets)
    assert answer.exit_code == 0, answer.output
    assert "4 pairs in 2 sets" in answer.stdout
    assert "pair accuracy" in answer.stdout
    answer = eigenfaces(*asked, "--pairs", sets, "--pairs", plain)
    assert answer.exit_code == 0, answer.output
    assert "2 pairs, with the threshold of 4 others" in answer.stdout
    (tmp_path / "lfw" / "B" / "B_0002.jpg").unlink()
    assert "B/B_0002.jpg" in failure(*asked, "--pairs", sets)
