"""Fixtures of the core's tests, and the folder of `synthetic` on the path."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from eigenfaces import FaceSet, load_sample

settings.register_profile(
    "core",
    deadline=None,
    max_examples=30,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("core")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240607)


@pytest.fixture(scope="session")
def att() -> FaceSet:
    """The 400 mended AT&T faces."""
    return load_sample()


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """Fail a test that would wait for ever."""

    def end(*_: object) -> None:
        raise AssertionError("It waits.")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
