"""The same on a Dask cluster as on one machine, whoever dies; and who cannot be worked with."""

import contextlib
import json
import operator
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from cli.command_line import eigenfaces, failure, opened
from evaluation.drawn import faces_of
from PIL import Image

from cluster.conftest import LocalWorkers
from eigenfaces import FaceSet, Gallery, Preparation, Recipe, find_photos, load_faces
from eigenfaces.arrays.crops import Crops
from eigenfaces.cluster import connection
from eigenfaces.cluster.calls import Workers, in_order
from eigenfaces.errors import Cancelled, EigenfacesError, Tick
from eigenfaces.evaluation.evaluate import evaluate
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Record, Source, to_json
from eigenfaces.evaluation.results import Partial, Setting
from eigenfaces.faces.findings import FOUND
from eigenfaces.faces.spread_crops import SpreadCrops, spread
from eigenfaces.photographs.decoding import content_hash
from eigenfaces.photographs.photos import FoundPhotos, Photo
from eigenfaces.project.project import Project
from eigenfaces.space import centred
from eigenfaces.space.one_thread import one_thread
from eigenfaces.space.svd import Decomposition, decompose


def ending_a_worker(cluster: LocalWorkers, when: Callable[[int], bool]) -> Tick:
    """Return a tick that ends one of the workers, by force, when its time has come."""
    ended: list[int] = []

    def tick(done: int, total: int) -> None:
        if not ended and when(done):
            cluster.end_one()
            ended.append(done)

    return tick


def contents(project: Path) -> list[str]:
    """Return all that is written in a project, as SQL."""
    with contextlib.closing(sqlite3.connect(project)) as connection:
        return [*connection.iterdump()]


class TestBuild:
    def test_the_project_is_the_same(
        self, photographs: Path, cluster: LocalWorkers, tmp_path: Path
    ) -> None:
        file, other = tmp_path / "here" / "all.eigenfaces", tmp_path / "there" / "all.eigenfaces"
        file.parent.mkdir()
        other.parent.mkdir()
        here = eigenfaces("build", photographs, "-o", file)
        FOUND.forget()
        address = cluster.address
        there = eigenfaces("build", photographs, "-o", other, "--dask", address)
        assert there.exit_code == here.exit_code == 3
        assert there.stdout.replace(str(other.parent), str(file.parent)) == here.stdout
        one, two = opened(file), opened(other)
        assert one.faces.index.photos == two.faces.index.photos
        assert one.faces.skipped == two.faces.skipped
        np.testing.assert_array_equal(one.faces.pixels.held, two.faces.pixels.held)
        np.testing.assert_array_equal(one.trained.coordinates, two.trained.coordinates)
        listed = [each.with_name("all.not-used.csv").read_bytes() for each in (file, other)]
        assert listed[0] == listed[1]
        assert contents(file) == contents(other)
        assert not cluster.left_behind()

    def test_it_goes_on_with_what_was_found_here(
        self, photographs: Path, cluster: LocalWorkers, tmp_path: Path
    ) -> None:
        """What the workers take from it is not said to be of other photographs."""
        file = tmp_path / "all.eigenfaces"
        found = find_photos(photographs)
        with contextlib.suppress(KeyboardInterrupt), FOUND.kept_in(Path(f"{file}.unfinished")):
            load_faces(found, Preparation())
            raise KeyboardInterrupt
        FOUND.forget()
        said = eigenfaces("build", photographs, "-o", file, "--dask", cluster.address).stderr
        assert "is used again where they are the same" in said
        assert "other photograph" not in said

    def test_what_was_found_is_known_here_and_there(
        self, photographs: Path, workers: Workers
    ) -> None:
        found = find_photos(photographs)
        here = load_faces(found, Preparation(), guess=True)
        known = FOUND.texts()
        FOUND.forget()
        there = load_faces(found, Preparation(), guess=True, workers=workers)
        assert FOUND.texts() == known
        assert there.index.photos == here.index.photos
        assert there.skipped == here.skipped

    def test_what_was_found_before_is_not_searched_there(
        self, photographs: Path, workers: Workers
    ) -> None:
        """A lie is believed."""
        place = photographs / "Ada" / "new.png"
        Image.open(photographs / "Ada" / "face.png").resize((170, 170)).save(place)
        found = FoundPhotos((Photo(place, "Ada"),))
        FOUND.remember({(content_hash(place.read_bytes()), 0): "[]"})
        (skipped,) = load_faces(found, Preparation(), workers=workers).skipped
        assert skipped.kind == "no face"

    def test_a_worker_that_ends_while_photographs_are_read(
        self, photographs: Path, cluster: LocalWorkers, workers: Workers
    ) -> None:
        found = find_photos(photographs)
        here = load_faces(found, Preparation())
        FOUND.forget()
        tick = ending_a_worker(cluster, lambda done: done > 5)
        there = load_faces(found, Preparation(), tick, workers=workers)
        assert there.index.photos == here.index.photos
        np.testing.assert_array_equal(there.pixels.held, here.pixels.held)

    def test_stopping_leaves_nothing_on_the_cluster(
        self, photographs: Path, cluster: LocalWorkers
    ) -> None:
        def stop(done: int, total: int) -> None:
            if done > 2:
                raise Cancelled

        def build() -> None:
            with connection.workers_at(cluster.address) as workers:
                load_faces(find_photos(photographs), Preparation(), stop, workers=workers)

        with pytest.raises(Cancelled):
            build()
        assert not cluster.left_behind()

    def test_a_photograph_that_only_this_machine_sees(
        self,
        photographs: Path,
        workers: Workers,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(photographs)  # the workers are elsewhere
        found = FoundPhotos((Photo(Path("Ada/face.png"), "Ada"),))
        with pytest.raises(EigenfacesError, match=r"“Ada/face.png”.*all workers see"):
            load_faces(found, Preparation(), workers=workers)
        gone = FoundPhotos((Photo(Path("Ada/gone.png"), "Ada"),))
        (skipped,) = load_faces(gone, Preparation(), workers=workers).skipped
        assert "not there" in skipped.reason


@pytest.fixture
def levels(rng: np.random.Generator) -> np.ndarray:
    """Pictures of falling variances, which are told apart."""
    parts = rng.standard_normal((300, 30)) * np.geomspace(60, 1, 30)
    turned = np.linalg.qr(rng.standard_normal((420, 30)))[0]
    return np.clip(np.rint(128 + parts @ turned.T * 4), 0, 255).astype(np.uint8)


def agree(one: Decomposition, other: Decomposition) -> None:
    values = one.singular_values
    np.testing.assert_allclose(other.singular_values, values, rtol=1e-6)
    np.testing.assert_allclose(other.mean, one.mean, rtol=1e-6)
    np.testing.assert_allclose(other.components, one.components, atol=1e-6)
    np.testing.assert_allclose(other.coordinates, one.coordinates, atol=1e-6 * values[0])
    assert other.total_variance == pytest.approx(one.total_variance, rel=1e-6)


class TestFit:
    @pytest.fixture(autouse=True)
    def small_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(centred, "NUMBERS_AT_ONCE", 100 * 420)

    @pytest.mark.parametrize("correlation", [False, True])
    @pytest.mark.parametrize("columns", [420, 60], ids=["Krylov", "covariance"])
    def test_the_face_space_is_the_same(
        self, levels: np.ndarray, workers: Workers, columns: int, correlation: bool
    ) -> None:
        crops = np.ascontiguousarray(levels[:, :columns])
        largest = 60
        with one_thread():
            here, there = (
                decompose(each, correlation=correlation, wanted=8, largest_exact=largest)
                for each in (Crops(crops), SpreadCrops(crops, workers))
            )
        agree(here, there)
        exact = decompose(Crops(crops), correlation=correlation, wanted=8)
        np.testing.assert_allclose(there.singular_values, exact.singular_values, rtol=1e-5)

    def test_a_worker_that_ends_in_the_middle(
        self, levels: np.ndarray, cluster: LocalWorkers, workers: Workers
    ) -> None:
        with one_thread():
            here = decompose(Crops(levels), wanted=8, largest_exact=60)
            tick = ending_a_worker(cluster, lambda done: done > 3 * len(levels))
            crops = SpreadCrops(levels, workers)
            there = decompose(crops, wanted=8, largest_exact=60, tick=tick)
        agree(here, there)

    def test_light_is_evened_out_first(self, att: FaceSet, workers: Workers) -> None:
        """What is made of crops that are spread is spread, too."""
        few, recipe = att.select(range(40)), Recipe.of(lighting="tan-triggs")
        features = recipe.pixels.of_all(spread(few, workers).pixels, few.shape)
        assert isinstance(features, SpreadCrops)
        np.testing.assert_array_equal(
            features.held, recipe.pixels.of_all(few.pixels, few.shape).held
        )

    def test_few_faces_are_fitted_to_here(self, att: FaceSet, workers: Workers) -> None:
        few = att.select(range(40))
        here, there = (
            Gallery(faces, Preparation(112, 92), Recipe()).train()
            for faces in (few, spread(few, workers))
        )
        np.testing.assert_array_equal(there.trained.space.components, here.trained.space.components)


def test_results_come_in_order_and_few_are_under_way(workers: Workers) -> None:
    asked: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(20):
            asked.append(number)
            yield number

    for place, future in enumerate(in_order(partial(operator.mul, 3), numbers(), workers, each=2)):
        assert future.result() == 3 * place
        assert len(asked) <= place + 2 * 2 + 1
    assert asked == [*range(20)]


class TestWhoCannotBeWorkedWith:
    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connection, "_SECONDS", 2)

    @pytest.fixture
    def asked(self, tmp_path: Path) -> Callable[[str], str]:
        (tmp_path / "people" / "Ada").mkdir(parents=True)

        def ask(address: str) -> str:
            file = tmp_path / "new.eigenfaces"
            said = failure("build", tmp_path / "people", "-o", file, "--dask", address)
            assert [each.name for each in tmp_path.iterdir()] == ["people"]
            return said

        return ask

    def test_nobody_is_there(self, asked: Callable[[str], str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for address in (f"tcp://127.0.0.1:{port}", "somewhere", "tcp://127.0.0.1:door"):
            assert f"No Dask scheduler answers at “{address}”" in asked(address)

    @pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
    def test_something_else_is_there(self, asked: Callable[[str], str], said: bytes) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:

            def answer() -> None:
                met, _ = other.accept()
                with met:
                    met.sendall(said)
                    while met.recv(1 << 16):
                        pass

            answering = Thread(target=answer)
            answering.start()
            port = other.getsockname()[1]
            assert "No Dask scheduler answers" in asked(f"127.0.0.1:{port}")
            answering.join()

    def test_without_workers(self, asked: Callable[[str], str], cluster: LocalWorkers) -> None:
        assert "has no workers" in asked(cluster.without_workers)

    def test_another_version(
        self,
        asked: Callable[[str], str],
        cluster: LocalWorkers,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        other = connection.program() | {"numpy": "1.0"}
        monkeypatch.setattr(connection, "_here", lambda: other)
        assert "and this machine has numpy 1.0." in asked(cluster.address)

    def test_dask_is_not_installed(
        self, asked: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        assert "pip install eigenfaces[dask]" in asked("127.0.0.1:8786")


class TestEvaluation:
    def test_to_the_last_bit(
        self, rng: np.random.Generator, cluster: LocalWorkers, workers: Workers
    ) -> None:
        faces = faces_of(rng, [5] * 6, (16, 16), spread=0.4)
        setting = Setting(Recipe.of(distance="cosine"), KFold(5), share=0.1)
        here = to_json(Record(evaluate(faces, setting), Preparation(16, 16), Source("folder")))
        watched: list[int] = []

        def watch(part: Partial) -> None:
            if not watched:
                cluster.end_one()
            watched.append(part.done)

        there = evaluate(faces, setting, watch=watch, executor=workers)
        assert to_json(Record(there, Preparation(16, 16), Source("folder"))) == here
        assert watched == [1, 2, 3, 4, 5]

    def test_the_command(self, photographs: Path, cluster: LocalWorkers) -> None:
        asked = ("evaluate", photographs, "--protocol", "3-fold", "--allow-leaks", "--json")
        here = eigenfaces(*asked)
        FOUND.forget()
        there = eigenfaces(*asked, "--dask", cluster.address)
        assert there.exit_code == here.exit_code == 3
        assert json.loads(there.stdout) == json.loads(here.stdout)
        assert not cluster.left_behind()

    def test_of_a_project(self, att: FaceSet, cluster: LocalWorkers, tmp_path: Path) -> None:
        """Its faces lie in a file that workers do not see."""
        file = tmp_path / "few.eigenfaces"
        few = Gallery(att.select(range(30)), Preparation(112, 92, already_cropped=True), Recipe())
        Project.create(file, few).close()
        asked = ("evaluate", file, "--protocol", "first-5", "--no-curves", "--json")
        assert eigenfaces(*asked, "--dask", cluster.address).stdout == eigenfaces(*asked).stdout
