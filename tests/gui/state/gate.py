"""Jobs that go on until a test lets them end."""

import threading

from eigenfaces.errors import Cancelled, Tick

LONG = 10.0  # seconds: only ever reached by a test that fails


class Gate:
    """Work that goes on until it is let through or cancelled."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()
        self.cancelled = False

    def work(self, tick: Tick) -> str:
        self.entered.set()
        try:
            while not self.open.wait(0.002):
                tick(1, 4)
        except Cancelled:
            self.cancelled = True
            raise
        return "through"


def never(result: object) -> None:
    raise AssertionError(f"This must not be called: {result}")
