"""A cluster of two workers on this machine, begun once; and photographs to read there."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from decodes import write_photographs
from PIL import Image

from eigenfaces import FaceSet
from eigenfaces.cluster import connection
from eigenfaces.cluster.calls import Workers
from eigenfaces.project.exports import grey_levels

STARTED = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        LocalCluster(
            n_workers=0, processes=False, protocol="tcp://", dashboard_address=None
        ) as empty,
    ):
        print(cluster.scheduler_address, empty.scheduler_address, flush=True)
        sys.stdin.read()
"""


class LocalWorkers:
    """A cluster in processes of its own: what it says of workers that end is not of interest."""

    def __init__(self, address: str, without_workers: str) -> None:
        from distributed import Client

        self.address, self.without_workers = address, without_workers
        self.client = Client(address, set_as_default=False)

    def end_one(self) -> None:
        """End a worker by force; the cluster begins another."""
        os.kill(min(self.client.run(os.getpid).values()), signal.SIGKILL)

    def left_behind(self) -> list[str]:
        """Return what the scheduler has to do, or keeps, after a while."""
        for _ in range(100):  # it hears of it a little later
            # No function of a module: the scheduler does not have the tests.
            left = self.client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
            if not left:
                break
            time.sleep(0.1)
        return left


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalWorkers]:
    pytest.importorskip("distributed", reason="the extra “dask” is not installed")
    program = tmp_path_factory.mktemp("cluster") / "started.py"
    program.write_text(STARTED, "utf-8")
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        found = LocalWorkers(*running.stdout.readline().split())
        try:
            found.client.submit(len, "threads that stay are begun").result()
            yield found
        finally:
            found.client.close()
            running.stdin.close()


@pytest.fixture
def workers(cluster: LocalWorkers) -> Iterator[Workers]:
    with connection.workers_at(cluster.address) as found:
        assert found is not None
        yield found


@pytest.fixture
def photographs(tmp_path: Path, att: FaceSet) -> Path:
    """Five people's photographs: of every kind, one twice, and thirty of the sample."""
    folder = write_photographs(tmp_path / "people")
    (folder / "Ada" / "large.jpg").unlink()  # it takes long
    for row in range(30):
        home = folder / f"Person {row // 10}"
        home.mkdir(exist_ok=True)
        picture = Image.fromarray(grey_levels(att.image(row)))
        picture.save(home / f"{row % 10}.png")
    picture.save(folder / "Ada" / "not Ada.png")
    return folder
