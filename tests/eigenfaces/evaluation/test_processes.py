"""The folds in several processes: the same to the last bit, and nothing left behind."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Condition

import numpy as np
import psutil
import pytest

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.errors import Cancelled, EigenfacesError, no_tick
from eigenfaces.evaluation.evaluate import evaluate, workers_for
from eigenfaces.evaluation.measuring import seconds_of
from eigenfaces.evaluation.processes import Processes, Shelved, _in_order, each_of, on_all_cores
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut
from eigenfaces.evaluation.published_protocols import Protocol
from eigenfaces.evaluation.records import Record, Source, to_json
from eigenfaces.evaluation.results import Partial, Setting
from eigenfaces.project.project import Project
from eigenfaces.recognition import feature_rows
from eigenfaces.space.arrays import Bytes, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.arrays.filed_rows import Filed
from evaluation.asked import EVERY
from evaluation.drawn import faces_of

pytestmark = pytest.mark.usefixtures("few_draws")


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as started:
        assert started.submit(os.getpid).result() != os.getpid()
        yield started


@pytest.fixture
def faces(rng: np.random.Generator) -> FaceSet:
    return faces_of(rng, [5] * 6, (16, 16), spread=0.4)


def written(faces: FaceSet, setting: Setting, executor: Processes | None = None) -> str:
    done = evaluate(faces, setting, executor=executor)
    return to_json(Record(done, Preparation(*faces.shape), Source("folder")))


class TestTheSameAsHere:
    @pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
    def test_to_the_last_bit(
        self, processes: Processes, faces: FaceSet, protocol: Protocol
    ) -> None:
        setting = Setting(Recipe.of(distance="cosine"), protocol, share=0.1)
        assert written(faces, setting, processes) == written(faces, setting)

    @pytest.mark.parametrize(
        "recipe",
        [
            Recipe.of("Discriminant"),
            Recipe.of("Texture"),
            Recipe.of(scaling="correlation"),
        ],
        ids=lambda recipe: f"{recipe.name}, {recipe.pixels.scaling}",
    )
    def test_with_every_way_to_fit(
        self, rng: np.random.Generator, processes: Processes, recipe: Recipe
    ) -> None:
        faces = faces_of(rng, [5] * 5, (46, 40), spread=0.4)
        setting = Setting(recipe, KFold(3))
        assert written(faces, setting, processes) == written(faces, setting)

    @pytest.mark.parametrize("recipe", [Recipe.of("Texture"), Recipe.of(lighting="equalised")])
    def test_of_features_in_a_file(
        self,
        rng: np.random.Generator,
        processes: Processes,
        recipe: Recipe,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """They are numbers in single precision, where crops are whole grey levels."""
        faces, setting = faces_of(rng, [5] * 5, (46, 40), spread=0.4), Setting(recipe, KFold(3))
        here = written(faces, setting)
        monkeypatch.setattr(feature_rows, "IN_MEMORY", 0)
        assert written(faces, setting, processes) == here

    def test_of_faces_in_a_project(
        self, processes: Processes, faces: FaceSet, tmp_path: Path
    ) -> None:
        """They lie in a file that is open here alone."""
        file, setting = tmp_path / "faces.eigenfaces", Setting(Recipe(), KFold(3))
        Project.create(file, Gallery(faces, Preparation(*faces.shape), Recipe())).close()
        with contextlib.closing(Project.open(file)) as project:
            stored = project.gallery.faces
            assert written(stored, setting, processes) == written(faces, setting)

    def test_results_are_watched_in_order(self, processes: Processes, faces: FaceSet) -> None:
        seen: list[Partial] = []
        ticks: list[int] = []
        setting = Setting(Recipe(), LeaveOneOut())
        evaluate(
            faces, setting, lambda done, _: ticks.append(done), seen.append, executor=processes
        )
        assert [part.done for part in seen] == list(range(1, 31))
        last = seen[-1].searches
        assert (last.fold == np.arange(30)).all()
        assert ticks == sorted(ticks)

    def test_somebody_can_stop_it_however_quickly_results_come(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """None has to be waited for where what is done with each takes longer than to make it."""
        monkeypatch.setattr("eigenfaces.evaluation.processes._LOOK", 0.0)
        ticks: list[tuple[int, int]] = []

        def stop(done: int, total: int) -> None:
            ticks.append((done, total))
            if len(ticks) == 4:
                raise Cancelled

        with ThreadPoolExecutor(1) as threads:
            results = _in_order(deque(threads.submit(abs, each) for each in range(9)), stop)
            next(results)
            threads.shutdown(wait=True)
            with pytest.raises(Cancelled):
                list(results)
        assert ticks[-1] == (9, 9)


def wait_then(told: Path, number: int) -> int:
    """Tell that a process has begun, and stay there for a minute."""
    (told / f"{number}").touch()
    time.sleep(60)
    return number


def fall(_: object, number: int) -> None:
    os._exit(number + 1)


class Interrupting(Condition):
    """Ctrl-C comes once, as soon as the lock is held: before anything would let go of it."""

    came = False

    def __enter__(self) -> bool:
        entered = super().__enter__()
        if not self.came:
            self.came = True
            signal.raise_signal(signal.SIGINT)
        return entered


def stay(told: Path, stopped: Callable[[int, int], None]) -> Iterator[int]:
    with Processes(2) as started:
        yield from each_of(wait_then, told, 4, stopped, started)


class TestStopping:
    def test_by_the_tick(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is waited for, and neither a process nor a file is left."""
        told, shelf = tmp_path / "told", tmp_path / "shelf"
        told.mkdir()
        shelf.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(shelf))
        before = set(psutil.Process().children(recursive=True))
        begun: set[psutil.Process] = set()

        def tick(done: int, total: int) -> None:
            if len(list(told.iterdir())) == 2:
                begun.update(set(psutil.Process().children(recursive=True)) - before)
                raise Cancelled

        with pytest.raises(Cancelled):
            list(stay(told, tick))
        assert len(begun) >= 2
        _, alive = psutil.wait_procs([each for each in begun if not _tracks(each)], timeout=30)
        assert not alive
        assert not list(shelf.iterdir())

    def test_ctrl_c_leaves_no_result_locked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else whoever ends the processes waits for it, and for ever."""
        monkeypatch.setattr("eigenfaces.evaluation.processes._LOOK", 0.0)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        result: Future[int] = Future()
        result.set_result(1)
        result._condition = interrupting = Interrupting()
        try:
            with pytest.raises(KeyboardInterrupt):
                list(_in_order(deque([result]), no_tick))
        finally:
            signal.signal(signal.SIGINT, before)
        with ThreadPoolExecutor(1) as another:
            assert another.submit(interrupting.acquire, blocking=False).result()

    def test_a_process_that_falls_is_told_of(self) -> None:
        with pytest.raises(EigenfacesError, match="not enough memory"), Processes(2) as started:
            list(each_of(fall, None, 3, executor=started))


def _tracks(process: psutil.Process) -> bool:
    """Python's own process that looks after semaphores stays as long as this one."""
    try:
        return "resource_tracker" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # it has ended, if it may still be asked about
        return False


PROGRAM = """
import sys
import tempfile
from pathlib import Path
sys.path[:0] = {path!r}
from evaluation.test_processes import wait_then
from eigenfaces.cli import running
from eigenfaces.evaluation.processes import Processes, each_of

@running.command
def stay(place: str) -> int:
    with Processes(2) as started:
        list(each_of(wait_then, Path(place), 4, executor=started))
    return 0

@running.command
def other() -> int:
    return 0

if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    running.app(["stay", sys.argv[1]])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are those of Unix")
@pytest.mark.parametrize("ended", ["SIGINT", "SIGKILL"])
def test_a_program_takes_its_processes_with_it(tmp_path: Path, ended: str) -> None:
    """Ctrl-C goes to all of them: one sentence, and no traces of the others on the screen."""
    told = tmp_path / "told"
    told.mkdir()
    (tmp_path / "shelf").mkdir()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(path=[*filter(None, sys.path)]), "utf-8")
    with subprocess.Popen(
        [sys.executable, str(program), str(told)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"TMPDIR": str(tmp_path / "shelf")},
        start_new_session=True,
    ) as running:
        while len(list(told.iterdir())) < 2:
            assert running.poll() is None
            time.sleep(0.05)
        begun = psutil.Process(running.pid).children(recursive=True)
        if ended == "SIGINT":
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.kill()
        out, err = running.communicate(timeout=60)
    _, alive = psutil.wait_procs(begun, timeout=30)
    assert not alive
    assert out == ""
    if ended == "SIGINT":
        assert running.returncode == 130
        assert err == "Stopped. Nothing is left half-written.\n"
        assert not list((tmp_path / "shelf").iterdir())


def test_what_is_shelved_is_not_copied(tmp_path: Path, rng: np.random.Generator) -> None:
    value = {"large": rng.random((70, 90)), "small": "words", "turned": rng.random((4, 3)).T}
    back = Shelved.of(value, tmp_path).value()
    assert back["small"] == "words"
    for name in ("large", "turned"):
        np.testing.assert_array_equal(back[name], value[name])
        assert not back[name].flags.writeable
    assert not back["large"].flags.owndata


@pytest.mark.parametrize("n", [0, 3, 700])
def test_crops_that_are_in_no_array_are_shelved_in_pieces(
    tmp_path: Path, rng: np.random.Generator, n: int
) -> None:
    most = 0

    class Elsewhere:
        """As in a project file."""

        shape, in_memory = (n, 12), ()
        levels = rng.integers(0, 256, (n, 12), np.uint8)

        def read(self, rows: Numbers) -> Bytes:
            nonlocal most
            most = max(most, len(rows))
            return self.levels[rows]

        def select(self, rows: Numbers) -> "Elsewhere":
            raise NotImplementedError

    crops = Crops(Elsewhere())
    before, first, after = rng.random(5), crops, rng.random(6)
    back = Shelved.of((before, first, crops, after), tmp_path).value()
    np.testing.assert_array_equal(back[0], before)
    np.testing.assert_array_equal(back[1].held, Elsewhere.levels)
    assert back[2] is back[1]
    assert isinstance(back[1].source, Filed)
    np.testing.assert_array_equal(back[3], after)
    assert most <= 256


def test_a_full_disk_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, processes: Processes, rng: np.random.Generator
) -> None:
    def full(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(EigenfacesError, match=r"No space left on device.*Free some space in"):
        processes.shelve(rng.random(5))


def test_little_work_begins_no_process(faces: FaceSet) -> None:
    with workers_for(faces, Setting(Recipe(), LeaveOneOut())) as executor:
        assert executor is None
    with on_all_cores(1000.0, 1) as executor:
        assert executor is None
    with on_all_cores(1000.0, 9, 1e15) as executor:  # nor does work that fills the memory
        assert executor is None
    folds = KFold(4).folds(faces)
    times = [
        seconds_of(folds[:2], 256, curves=False),
        seconds_of(folds, 256, curves=False),
        seconds_of(folds, 256, curves=True),
        1,
    ]
    assert times == sorted(set(times))


def test_main_shows_no_window_in_a_process() -> None:
    """A process reads the file anew, under another name; the window's libraries stay away."""
    program = "import runpy, sys; runpy.run_path('main.py', run_name='__mp_main__'); "
    program += "print([name for name in ('gui', 'PySide6', 'numpy') if name in sys.modules])"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
