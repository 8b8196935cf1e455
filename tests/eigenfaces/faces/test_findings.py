"""What was found in photographs is remembered by their content, and survives a killed process."""

import contextlib
import math
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces import findings
from eigenfaces.faces.detection import FoundFace
from eigenfaces.faces.findings import FoundByFile, as_faces, as_text
from eigenfaces.photographs.placement import Eyes

numbers = st.floats(allow_nan=False, allow_infinity=False)
FACES = tuple(
    FoundFace(Eyes((1.5 + n, 0.1), (9, 0.3)), n / 7, (0.1, 2.0, 3.0), 1) for n in range(3)
)


def never() -> tuple[FoundFace, ...]:
    raise AssertionError("it was searched twice")


@given(numbers, numbers)
def test_faces_become_text_and_back_to_the_last_bit(x: float, score: float) -> None:
    faces = (FoundFace(Eyes((x, 2.0), (3.0, x)), score, (x, 0.5, 1.0), 4),)
    assert as_faces(as_text(faces)) == faces
    assert as_faces(as_text(())) == ()


@pytest.mark.parametrize(
    "text",
    ["", "7", "[7]", "[{}]", "[null]", "{", "[" * 100_000]
    + [as_text(FACES[:1]).replace(old, new) for old, new in (("1.5", "NaN"), ("1.5", '"a"'))]
    + [as_text(FACES[:1]).replace("1.5, ", ""), as_text(FACES[:1]).replace('"score"', '"other"')],
    ids=range(11),
)
def test_what_is_no_finding_is_searched_again(text: str) -> None:
    known = FoundByFile()
    known.remember({("key", 0): text})
    assert known.of("key", 0, lambda: FACES) == FACES
    assert known.of("key", 0, never) == FACES


def test_a_photograph_is_searched_once_for_each_turn() -> None:
    known = FoundByFile()
    assert known.of("key", 0, lambda: FACES) == FACES
    assert known.of("key", 4, never) == FACES
    assert known.of("key", 1, lambda: ()) == ()
    assert set(known.texts({"key", "other"})) == {("key", 0), ("key", 1)}


def killed(path: Path, cut: int = 0) -> None:
    """Leave the file of a process that was killed after two photographs."""
    first = FoundByFile()
    with contextlib.suppress(KeyboardInterrupt), first.kept_in(path):
        first.of("one", 0, lambda: FACES)
        first.of("two", 0, lambda: ())
        raise KeyboardInterrupt
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - cut])


def test_work_goes_on_where_it_stopped_and_leaves_no_file(tmp_path: Path) -> None:
    killed(path := tmp_path / "x.unfinished")
    again = FoundByFile()
    with again.kept_in(path) as before:
        assert before == {("one", 0), ("two", 0)}
        assert again.of("one", 0, never) == FACES
        assert again.of("two", 0, never) == ()
        again.of("three", 0, lambda: FACES)
        assert len(path.read_bytes().splitlines()) > 4
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("cut", range(0, 420, 7))
def test_a_file_cut_off_anywhere_loses_only_what_is_cut_off(tmp_path: Path, cut: int) -> None:
    killed(path := tmp_path / "x.unfinished", cut)
    second = FoundByFile()
    with contextlib.suppress(KeyboardInterrupt), second.kept_in(path) as before:
        assert before <= {("one", 0), ("two", 0)}
        second.of("three", 0, lambda: FACES)
        raise KeyboardInterrupt
    third = FoundByFile()
    with third.kept_in(path) as now:
        assert now == before | {("three", 0)}
        assert third.of("three", 0, never) == FACES


def test_another_search_uses_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(path := tmp_path / "x.unfinished")
    monkeypatch.setattr(findings, "version", lambda: "another")
    with FoundByFile().kept_in(path) as before:
        assert not before


def test_nothing_else_is_overwritten_or_removed(tmp_path: Path) -> None:
    path = tmp_path / "x.unfinished"
    path.write_text("a diary")
    with pytest.raises(EigenfacesError, match="in the way"), FoundByFile().kept_in(path):
        pass
    assert path.read_text() == "a diary"
    path.unlink()
    path.mkdir()
    with pytest.raises(EigenfacesError, match="in the way"), FoundByFile().kept_in(path):
        pass


def test_a_full_disk_stops_only_the_keeping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(findings.os, "write", full)
    known = FoundByFile()
    with known.kept_in(tmp_path / "x.unfinished"):
        assert known.of("one", 0, lambda: FACES) == FACES
        assert known.of("two", 0, lambda: FACES) == FACES
    assert not list(tmp_path.iterdir())
    assert math.isfinite(known.of("one", 0, never)[0].score)


def test_many_threads_keep_every_finding(tmp_path: Path) -> None:
    path, keys, known = tmp_path / "x.unfinished", [f"{n}" for n in range(64)], FoundByFile()
    together = threading.Barrier(8)

    def search(key: str) -> None:
        together.wait()
        known.of(key, 0, lambda: FACES)

    with contextlib.suppress(KeyboardInterrupt), known.kept_in(path):
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(search, keys))
        raise KeyboardInterrupt
    with FoundByFile().kept_in(path) as before:
        assert before == {(key, 0) for key in keys}
