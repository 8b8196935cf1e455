"""Pages are imported and made while nobody waits for them, so that each opens at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules

from PySide6.QtCore import QObject, QTimer

_PAUSE = 10  # milliseconds between two steps: what a person does comes first

_BESIDES = {"lessons": ("eigenfaces.laboratory.lessons",)}
"""What a page takes long to import, and lies elsewhere."""


class PagesAhead(QObject):
    """Imports one module a step, then makes the page, then the next one.

    ``make``: what makes a page by its key, unless it is there, step by step; ``waits``: whether it
    is to be left for later.
    """

    def __init__(
        self,
        make: Sequence[Callable[[str], object]],
        parent: QObject,
        waits: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._make, self._waits = make, waits
        self._made = 0  # steps of the page that is being made
        self._wanted: list[str] = []
        self._modules: Iterator[str] = iter(())
        self._timer = QTimer(self, interval=_PAUSE)
        self._timer.timeout.connect(self._step)

    def want(self, *keys: str) -> None:
        """Make these pages soon, in this order."""
        if not self._wanted:
            self._wanted = list(keys)
            self._modules = _modules_of(keys[0])
            self._timer.start()
        else:
            self._wanted += [key for key in keys if key not in self._wanted]

    def _step(self) -> None:
        if self._waits():
            return
        for name in self._modules:
            if name not in sys.modules:
                import_module(name)
                return
        self._make[self._made](self._wanted[0])
        self._made = (self._made + 1) % len(self._make)
        if self._made:
            return
        del self._wanted[0]
        if self._wanted:
            self._modules = _modules_of(self._wanted[0])
        else:
            self._timer.stop()


def _modules_of(key: str) -> Iterator[str]:
    """Yield the modules of a page, those that it takes from elsewhere first."""
    for name in (*_BESIDES.get(key, ()), f"gui.pages.{key}"):
        for module in iter_modules(import_module(name).__path__):
            yield f"{name}.{module.name}"
