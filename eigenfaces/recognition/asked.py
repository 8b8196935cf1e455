"""What a person asked about: the list of faces to recognise."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from eigenfaces.recognition.probes import Probe


@dataclass(frozen=True)
class Asked:
    """Faces to recognise, and photographs in which no face was found."""

    probes: tuple[Probe, ...] = ()
    faceless: frozenset[Path] = frozenset()

    def adding(self, probes: Collection[Probe], faceless: Collection[Path] = ()) -> Asked:
        """Return the list with more; what has the key of one that is there takes its place."""
        held = {probe.photo.key: probe for probe in (*self.probes, *probes)}
        found = {probe.photo.path for probe in probes}
        return Asked(tuple(held.values()), (self.faceless - found).union(faceless))

    def without(self, keys: Collection[str]) -> Asked:
        """Return the list without these: keys of probes, or of photographs without a face."""
        return Asked(
            tuple(probe for probe in self.probes if probe.photo.key not in keys),
            frozenset(path for path in self.faceless if faceless_key(path) not in keys),
        )


NOTHING_ASKED = Asked()


def faceless_key(path: Path) -> str:
    """Return the key of a photograph without a face; no key of a probe begins like this."""
    return f"\0{path}"
