"""Is it near face space, and near somebody in it? A gallery's own photographs, held out, as scale.

With both limits as marks, four answers: enrolled; a face, nobody enrolled; no face, yet near; no
face. How often they are wrong is counted on the photographs that the limits come from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.recognition.calibration import Calibration
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.wording import number, percent


@dataclass(frozen=True, eq=False)
class TwoQuestions:
    """The photographs of a gallery by both distances, held out.

    Parameters
    ----------
    members
        (m, 2) of those whose person stays enrolled: distance in face space to the nearest person,
        and the share of the contrast that is no face.
    strangers
        (s, 2) the same of all, while their person is away.
    """

    members: Doubles
    strangers: Doubles

    @classmethod
    def of(cls, calibration: Calibration) -> TwoQuestions:
        """Return those of a calibration."""
        held, left_over = calibration.held, calibration.left_over
        both = (
            np.stack([nearest.distance, left_over], axis=1)
            for nearest in (held.member, held.stranger)
        )
        members, strangers = both
        return cls(members[held.mated], strangers[np.isfinite(strangers[:, 0])])

    def refused(self, limit: float, face_limit: float) -> int:
        """Return how many members are refused a name by these limits."""
        return len(self.members) - int(_passed(self.members, limit, face_limit).sum())

    def named(self, limit: float, face_limit: float) -> int:
        """Return how many strangers are given a name by these limits."""
        return int(_passed(self.strangers, limit, face_limit).sum())

    def errors(self, limit: float, face_limit: float) -> str:
        """Return both errors of these limits, as a sentence."""
        refused, members = self.refused(limit, face_limit), len(self.members)
        named, strangers = self.named(limit, face_limit), len(self.strangers)
        said = []
        if members:
            said.append(f"{percent(refused / members, 0)} of enrolled are refused")
        if strangers:
            said.append(f"{named} of {strangers:,} strangers {'is' if named == 1 else 'are'} named")
        return f"With these marks {'; '.join(said)}." if said else ""

    def closeness(self, distance: float) -> str:
        """Return where a distance to the nearest person lies among theirs, as a sentence."""
        members, strangers = (points[:, 0] > distance for points in (self.members, self.strangers))
        said = [f"{_of(members)} held-out photos of enrolled people"] if members.size else []
        said += [f"{_of(strangers)} of strangers"] if strangers.size else []
        return (
            f"At {number(distance)} it is nearer than {', and nearer than '.join(said)}."
            if said
            else ""
        )

    def beyond(self, limit: float) -> str:
        """Return how many of them are as far as the limit, where nobody is named any more."""
        members, strangers = (points[:, 0] >= limit for points in (self.members, self.strangers))
        said = [f"{_of(members)} photos of enrolled people"] if members.size else []
        said += [f"{_of(strangers)} of strangers"] if strangers.size else []
        return f"Beyond the mark nobody is named: {', and '.join(said)}." if said else ""


def beyond_faces(left_over: Doubles, face_limit: float) -> str:
    """Return how many of a gallery's own photographs, held out, would be taken for no face."""
    beyond = f"{_of(left_over > face_limit)} photos of enrolled people, held out"
    return f"Beyond the mark a picture is taken for no face: {beyond}."


def _passed(points: Doubles, limit: float, face_limit: float) -> Flags:
    """Return which points are within both limits, as `decide` asks."""
    passed: Flags = (points[:, 0] < limit) & (points[:, 1] <= face_limit)
    return passed


def _of(those: Flags) -> str:
    """Return in words how many photographs are meant.

    >>> few, most = np.arange(280) < 1, np.arange(280) < 244
    >>> _of(few), _of(most), _of(few & ~most), _of(most | ~most)
    ('1 in 100', '87 in 100', 'none of 280', 'all 280')
    """
    count, whole = int(those.sum()), len(those)
    if count in (0, whole):
        return f"all {whole:,}" if count else f"none of {whole:,}"
    return f"{min(max(round(100 * count / whole), 1), 99)} in 100"
