"""The folds in several processes, or on a cluster: the same figures, and nothing left behind."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from eigenfaces import FaceSet, Preparation, Recipe
from eigenfaces.cli.evaluating import repetition
from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.evaluation import run
from eigenfaces.evaluation.protocols import Fold, KFold, OpenSet
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import Split, evaluate, parallel_backend, parallel_map
from evaluation.drawn import faces_of

pytestmark = pytest.mark.usefixtures("few_draws")

NINE = np.arange(9)
FACES = FaceSet.from_arrays(np.zeros((9, 3, 3)), ["a"] * 9)
SPLIT = Split(FACES, NINE, [Fold(NINE, NINE, NINE)] * 4, (), ())


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two processes always pay."""
    monkeypatch.setattr(run, "_PAYS", 0.0)
    monkeypatch.setattr("joblib.cpu_count", lambda: 2)
    yield
    for thread in threading.enumerate():
        if thread.name == "QueueFeederThread":  # of processes that were ended
            thread.join(30)


@pytest.fixture
def faces(rng: np.random.Generator) -> FaceSet:
    return faces_of(rng, [4] * 8, (46, 40), spread=0.4)


def test_the_same_as_here(faces: FaceSet, request: pytest.FixtureRequest) -> None:
    setting, ticks = Setting(Recipe(), OpenSet(1, 0.4, 2), share=0.1), list[int]()
    here = evaluate(faces, setting)
    request.getfixturevalue("two")
    there = evaluate(faces, setting, lambda done, _: ticks.append(done))
    records = (Record(run, Preparation(46, 40), Source("folder")) for run in (here, there))
    assert repetition(*records)["same"]
    assert ticks == sorted(ticks)


def test_one_fold_or_work_that_fills_the_memory_begins_no_process(
    two: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with parallel_backend(replace(SPLIT, folds=SPLIT.folds[:1])) as sharing:
        assert sharing is None
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=2e8))
    with parallel_backend(SPLIT) as sharing:
        assert sharing is None


def begin_then_wait(folder: Path, number: int) -> None:
    """Leave a file when a process has begun, and stay there for a minute."""
    (folder / f"{number}").touch()
    time.sleep(60)


def fall(_: object, number: int) -> None:
    os._exit(number + 1)


def fail(_: object, number: int) -> None:
    raise EigenfacesError(f"Number {number} is impossible.")


@pytest.mark.parametrize(("work", "words"), [(fall, "memory ran out"), (fail, "is impossible")])
def test_a_process_that_falls_or_fails_is_reported(
    two: None, work: Callable[[object, int], None], words: str
) -> None:
    with pytest.raises(EigenfacesError, match=words), parallel_backend(SPLIT) as sharing:
        list(parallel_map(work, None, range(3), sharing))


def test_stopping_ends_the_processes_and_waits_for_nothing(two: None, tmp_path: Path) -> None:
    begun = list[psutil.Process]()

    def tick(_done: int, _total: int) -> None:
        if len(list(tmp_path.iterdir())) == 2:
            begun.extend(
                process
                for process in psutil.Process().children(recursive=True)
                if "resource_tracker" not in " ".join(process.cmdline())  # stays with this one
            )
            raise Cancelled

    with pytest.raises(Cancelled), parallel_backend(SPLIT) as sharing:
        list(parallel_map(begin_then_wait, tmp_path, range(4), sharing, tick))
    assert len(begun) >= 2
    _, alive = psutil.wait_procs(begun, timeout=30)
    assert not alive


def ignores_ctrl_c(_: object, number: int) -> bool:
    signal.raise_signal(signal.SIGINT)
    return True


def test_ctrl_c_is_left_to_the_program_that_began_them(two: None) -> None:
    with parallel_backend(SPLIT) as sharing:
        assert all(parallel_map(ignores_ctrl_c, None, range(3), sharing))


def test_no_dask_and_no_answer_are_sentences(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = Setting(Recipe(), KFold(5))
    for address in ("tcp://127.0.0.1:9", "nonsense://", "127.0.0.1:x"):
        with pytest.raises(EigenfacesError, match="No Dask scheduler with workers answers"):
            evaluate(faces, setting, cluster=address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EigenfacesError, match=r"install “eigenfaces\[dask\]”"):
        evaluate(faces, setting, cluster="tcp://127.0.0.1:9")
