"""Lists of photographs and of pairs: how they are read, and what is refused, by name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.evaluation.protocols import Lists, Pairs, read_list, read_pairs
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.photos import Skipped


def faces_at(*paths: str, skipped: tuple[Skipped, ...] = ()) -> FaceSet:
    """Return faces that lie at these paths, each in the folder of its person."""
    images = np.random.default_rng(0).random((len(paths), 9, 9))
    faces = FaceSet.from_arrays(images, [Path(path).parent.name for path in paths])
    photos = [
        replace(p, path=Path("/photos") / at) for p, at in zip(faces.index.photos, paths, strict=1)
    ]
    return replace(faces, index=PhotoIndex(tuple(photos)), skipped=skipped)


FOUR = faces_at("ada/1.jpg", "ada/2.jpg", "grace/1.jpg", "grace/2.jpg")


@pytest.mark.parametrize(
    ("faces", "lists", "rows"),
    [
        (  # as much of the path as it takes
            FOUR,
            (("ada/1.jpg", "photos/grace/1.jpg"), ("./ada/2.jpg", "grace\\2.jpg")),
            ([0, 2], [1, 3]),
        ),
        (FOUR, (("ada/1.jpg", "photos/ada/1.jpg"), ("ada/2.jpg", "ada/2.jpg")), ([0], [1])),
        (faces_at("zoe\u0308/e\u0301.jpg"), (("zoë/é.jpg",), ("zoë/é.jpg",)), ([0], [0])),
        # What follows a name is a comment, unless it is part of it.
        (faces_at("ada/#1.jpg", "ada/2.jpg"), (("./#1.jpg",), ("ada/2.jpg",)), ([0], [1])),
        (
            faces_at("ada/take #2.jpg", "ada/2.jpg"),
            (("ada/take #2.jpg",), ("ada/2.jpg  # the second",)),
            ([0], [1]),
        ),
        (FOUR, (("ada/1.jpg;Ada", "grace/1.jpg\tG"), ("ada\\2.jpg,Ada",)), ([0, 2], [1])),
    ],
    ids=["paths", "twice", "letters", "begins as a comment", "comments", "columns"],
)
def test_which_photos_are_meant(
    faces: FaceSet, lists: tuple[tuple[str, ...], ...], rows: tuple[list[int], ...]
) -> None:
    (fold,) = Lists(*lists).folds(faces)
    assert fold.train.tolist() == fold.gallery.tolist() == rows[0]
    assert fold.probes.tolist() == rows[1]


def test_what_cannot_be_found_is_named_once() -> None:
    names = tuple(f"eve/{number}.jpg" for number in range(7))
    with pytest.raises(EigenfacesError) as refused:
        Lists((*names, "eve/0.jpg"), ("1.jpg", "")).folds(FOUR)
    message = str(refused.value)
    assert message.startswith("9 photos that the protocol names")
    assert message.count("“eve/0.jpg”") == 1
    assert "and 4 more" in message
    with pytest.raises(EigenfacesError, match=r"“1\.jpg” fits 2 photos"):
        Lists(("1.jpg",), ("ada/2.jpg",)).folds(FOUR)
    dark = replace(FOUR, skipped=(Skipped(Path("/photos/eve/1.jpg"), "It is dark."),))
    (fold,) = Lists(("ada/1.jpg",), ("ada/2.jpg", "eve/1.jpg")).folds(dark)
    assert fold.probes.tolist() == [1]  # counted as a failure, not searched for
    with pytest.raises(EigenfacesError, match=r"“eve/1\.jpg”"):
        Lists(("ada/1.jpg",), ("eve/1.jpg",), missing="refuse").folds(dark)
    with pytest.raises(EigenfacesError, match=r"“gone\.jpg”"):
        Lists(("gone.jpg # not there",), ("ada/2.jpg",)).folds(FOUR)


def test_a_list_is_read_line_by_line_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "gallery.txt"
    file.write_text("\ufeff# enrolled\n\n  ada/1.jpg \r\n#a.jpg\nada/take #2.jpg\n./#3.jpg\n")
    assert read_list(file) == ("ada/1.jpg", "ada/take #2.jpg", "./#3.jpg")
    for content, sentence in ((b"\n# nobody\n", "names no photo"), (b"\xff\x00x", "no text file")):
        file.write_bytes(content)
        with pytest.raises(EigenfacesError, match=sentence):
            read_list(file)
    with pytest.raises(EigenfacesError, match="cannot be read"):
        read_list(tmp_path / "nowhere.txt")


def pairs_file(folder: Path, *lines: str) -> Path:
    file = folder / "pairs.txt"
    file.write_text("\n".join(lines))
    return file


def test_pairs_as_lfw_writes_them(tmp_path: Path) -> None:
    sets = read_pairs(
        pairs_file(tmp_path, "2\t1", "ada\t1\t12", "ada\t1\tgrace\t2", "", "eve 1 2", "eve 1 bob 3")
    )
    assert sets == (
        (("ada/ada_0001.jpg", "ada/ada_0012.jpg"), ("ada/ada_0001.jpg", "grace/grace_0002.jpg")),
        (("eve/eve_0001.jpg", "eve/eve_0002.jpg"), ("eve/eve_0001.jpg", "bob/bob_0003.jpg")),
    )
    (one,) = read_pairs(pairs_file(tmp_path, "1", "ada 1 2", "ada 1 eve 1"))
    assert one[1] == ("ada/ada_0001.jpg", "eve/eve_0001.jpg")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ((), "its first line must give"),
        (("1 2 3",), "its first line must give"),
        (("-1 -1", "ada 1 2", "ada 1 eve 2"), "its first line must give"),
        (("1 2", "ada 1 2", "ada 1 eve 2"), "it announces 4 pairs, and 2 follow"),
        (("1", "ada 1 2", "ada 1"), "“ada 1” is no pair"),
        (("1", "ada 1 2", "ada 1 eve 0"), "“ada 1 eve 0” is no pair"),
        (("1", "ada 1 2", f"ada 1 eve {'9' * 5000}"), "9” is no pair"),
        (("1", "ada 1 2", "ada 1 ada 1"), "compares a photo with itself"),
    ],
)
def test_a_list_of_pairs_that_is_none(
    tmp_path: Path, lines: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(EigenfacesError) as refused:
        read_pairs(pairs_file(tmp_path, *lines))
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


def test_an_own_list_is_fitted_to_and_each_set_is_tested_with_the_others() -> None:
    (fold,) = Lists(("ada/1.jpg",), ("ada/2.jpg",), ("grace/2.jpg", "grace/1.jpg")).folds(FOUR)
    assert fold.train.tolist() == [3, 2]
    sets = tuple(((f"{who}/1.jpg", f"{who}/2.jpg"),) for who in ("ada", "grace"))
    first, second = Pairs(sets).folds(FOUR)
    assert first.pairs.tolist() == second.tuning.tolist() == [[0, 1]]
    assert second.pairs.tolist() == first.tuning.tolist() == [[2, 3]]
    assert first.train.tolist() == [2, 3]
    (only,) = Pairs(sets, "first").folds(FOUR)
    assert only.pairs.tolist() == [[2, 3]]
    assert only.train.tolist() == [0, 1]
    with pytest.raises(EigenfacesError, match="two sets or more"):
        Pairs(((("ada/1.jpg", "ada/2.jpg"),),)).folds(FOUR)
