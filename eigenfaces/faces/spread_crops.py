"""Crops that lie here, and in blocks on other machines, where they are worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from eigenfaces.arrays import Floats
from eigenfaces.arrays.crops import Crops
from eigenfaces.cluster.calls import Workers, in_order
from eigenfaces.faces.face_set import FaceSet

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class SpreadCrops(Crops):
    """Crops of which workers hold some rows each, from the first time that these are needed.

    Parameters
    ----------
    workers
        Where they are worked on.
    """

    workers: Workers
    _blocks: dict[tuple[int, int], Crops] = field(default_factory=dict, init=False, repr=False)

    def over_rows(self, work: Callable[[Floats], T], rows: int) -> Iterator[T]:
        """Yield what a function makes of some rows after others, in their order: there."""
        blocks = (self._block(start, rows) for start in range(0, len(self), rows))
        for future in in_order(partial(_of_block, work), blocks, self.workers):
            yield future.result()

    def _block(self, start: int, rows: int) -> Crops:
        place = start, rows
        if place not in self._blocks:
            self._blocks[place] = self.workers.kept(Crops(self.stored(slice(start, start + rows))))
        return self._blocks[place]


def _of_block(work: Callable[[Floats], T], block: Crops) -> T:
    return work(block[:])


def spread(faces: FaceSet, workers: Workers) -> FaceSet:
    """Return faces that are fitted to on workers, as long as these are there."""
    return replace(faces, pixels=SpreadCrops(faces.pixels.source, workers))
