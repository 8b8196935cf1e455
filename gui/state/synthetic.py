"""The synthetic faces that were kept: as long as the program runs, and only for this map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from eigenfaces.laboratory.synthesis import SyntheticFace
    from eigenfaces.space.facespace import FaceSpace


class KeptFaces(QObject):
    """Synthetic faces by name: they are nobody, and no part of the gallery or its file."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: dict[str, SyntheticFace] = {}
        self._count = 0

    def keep(self, face: SyntheticFace) -> str:
        """Keep a face, and return its name."""
        self._kept = self.of(face.space)  # those of another face space are of no use any more
        self._count = self._count + 1 if self._kept else 1
        name = f"Synthetic {self._count}"
        self._kept[name] = face
        self.changed.emit()
        return name

    def remove(self, name: str) -> None:
        """Keep a face no longer."""
        self._kept.pop(name, None)
        self.changed.emit()

    def of(self, space: FaceSpace) -> dict[str, SyntheticFace]:
        """Return those that were made in this face space, or in the first components of it."""
        return {name: face for name, face in self._kept.items() if face.space.mean is space.mean}
