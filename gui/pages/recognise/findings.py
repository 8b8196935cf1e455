"""The results of each probe: computed only here, and kept while gallery and probe stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import Tick
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe, row_of
from eigenfaces.recognition.verdict import Answer, Caution, Verdict, answer, cautions, verdicts_on
from eigenfaces.text import count
from gui.state.jobs import CALIBRATE, RECOGNISE
from gui.state.session import Session, Tone

_AT_ONCE = 32  # probes compared in one job: what is done is shown, then come the others
_LIT = 48  # operations for evening out the light of one pixel
_IMMEDIATE = 12_000_000  # operations in about a tenth of a second, which nobody notices
_ONE_AT_ONCE = 3_000_000  # operations for one probe that the window may wait for, beside the rest


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict on one probe in a gallery, and what it is less reliable for."""

    gallery: Gallery
    probe: Probe
    verdict: Verdict
    cautions: tuple[Caution, ...]

    @property
    def itself(self) -> str:
        """Why the verdict is no evidence, if the probe is one of those it is compared with."""
        return next((each.sentence for each in self.cautions if each.kind == "itself"), "")

    def holds(self, gallery: Gallery) -> bool:
        """Return whether the face is in another gallery too, if it is in its own."""
        return not self.itself or row_of(gallery, self.probe.photo) is not None

    @cached_property
    def answer(self) -> Answer:
        """The verdict in words and values."""
        return answer(self.gallery, self.probe, self.verdict)


class Findings(QObject):
    """The findings of all probes of the session, for the current gallery.

    While an answer is measured anew, they stay as they were; of faces that are looked at, also
    then, until something else is looked at: nothing changes under the hand that answers.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._gallery: Gallery | None = None
        self._found: dict[str, Finding] = {}
        self._asked: frozenset[str] = frozenset()
        self.stopped = False

    def of(self, key: str | None) -> Finding | None:
        """Return the finding of a probe; None if there is none yet."""
        return self._found.get(key) if key else None

    def missing(self) -> list[Probe]:
        """Return the probes that can be compared and never were."""
        probes = (probe for probe in self._session.probes if self.fits(probe))
        return [probe for probe in probes if self._known(probe) is None]

    def fits(self, probe: Probe) -> bool:
        """Return whether a probe has the size of the gallery's faces."""
        return probe.image.shape == self._session.gallery.faces.shape

    def update(self, looked_at: Collection[str]) -> None:
        """Compare what is due: at once if quick; else what is looked at before the others.

        That is compared at once, too, unless it takes long: then in a job of its own.
        """
        gallery, jobs = self._session.gallery, self._session.jobs
        before = self._gallery if self._gallery and _alike(self._gallery, gallery) else None
        measures = jobs.is_busy(CALIBRATE) or jobs.is_wanted_besides(CALIBRATE)
        if before is not None and gallery.calibrated is None and measures:
            gallery = before
        elif gallery is not self._gallery:
            self._gallery, self._asked, self.stopped = gallery, frozenset(), False
        keys = {probe.photo.key for probe in self._session.probes}
        self._found = {key: found for key, found in self._found.items() if key in keys}
        if gallery.training is None or not gallery.enrolled:
            self._found = {}
            return
        due, each = self._due(gallery, looked_at), _operations(gallery)
        many = len(due) > max(1, _IMMEDIATE // each)
        now = [probe for probe in due if not many or probe.photo.key in looked_at]
        if many and not self.stopped and each * len(now) > _ONE_AT_ONCE:
            self._start(gallery, now, alone=True)
            return
        self._keep(compare(gallery, now))
        if many and not self.stopped:
            self._start(gallery, self._due(gallery, looked_at))

    def resume(self) -> None:
        """Compare the rest after a stop."""
        self.stopped, self._asked = False, frozenset()
        self.changed.emit()

    def _due(self, gallery: Gallery, looked_at: Collection[str]) -> list[Probe]:
        """Return the probes to compare with a gallery."""
        due = []
        for probe in filter(self.fits, self._session.probes):
            found = self._known(probe)
            if found is not None and found.gallery is gallery:
                continue
            stands = found and _alike(found.gallery, gallery) and found.holds(gallery)
            if not (stands and probe.photo.key in looked_at):
                due.append(probe)
        return due

    def _known(self, probe: Probe) -> Finding | None:
        found = self._found.get(probe.photo.key)
        return found if found is not None and found.probe is probe else None

    def _keep(self, findings: Iterable[Finding]) -> None:
        self._found |= {found.probe.photo.key: found for found in findings}

    def _start(self, gallery: Gallery, missing: Sequence[Probe], *, alone: bool = False) -> None:
        asked = frozenset(probe.photo.key for probe in missing)
        if asked == self._asked or (asked <= self._asked and not alone):
            return  # they are being compared already
        self._asked, some = asked, missing[:_AT_ONCE]

        def done(findings: list[Finding]) -> None:
            if gallery is self._gallery:
                self._keep(findings)
                self._asked = frozenset()
                self.changed.emit()

        def stop(message: str, tone: Tone = "info") -> None:
            self.stopped, self._asked = True, frozenset()
            self._session.say(message, tone)
            self.changed.emit()

        self._session.jobs.start(
            RECOGNISE,
            f"Recognising {count(len(missing), 'face')}",
            lambda tick: _compare_many(gallery, some, tick),
            done,
            failed=lambda error: stop(str(error), "error"),
            cancelled=lambda: stop("Stopped. The other photos are not compared."),
        )


def _alike(before: Gallery, now: Gallery) -> bool:
    """Return whether verdicts in one gallery may stand for those in another for a moment.

    So it is where no more than answers lie between the two.
    """
    if before is now:
        return True
    if before.training is None or now.training is None or before.calibrated is None:
        return False
    same = before.compared_by == now.compared_by and before.share == now.share
    same = same and before.training.representation is now.training.representation
    return same and set(before.people) <= set(now.people)


def compare(gallery: Gallery, probes: Sequence[Probe]) -> list[Finding]:
    """Return the findings of some probes; none if there is nothing to compare."""
    return [
        Finding(gallery, probe, verdict, cautions(gallery, probe, verdict))
        for probe, verdict in zip(probes, verdicts_on(gallery, probes), strict=True)
    ]


def _compare_many(gallery: Gallery, probes: Sequence[Probe], tick: Tick) -> list[Finding]:
    tick(0, len(probes))
    findings = compare(gallery, probes)
    tick(len(probes), len(probes))
    return findings


def _operations(gallery: Gallery) -> int:
    """Return the number of operations for one probe; those of a matrix product are fast."""
    components, pixels = len(gallery.trained.representation), gallery.trained.space.mean.size
    recipe = gallery.trained.recipe
    plain = recipe.features == recipe.pixels and recipe.pixels.lighting == "none"
    lit = 0 if plain else _LIT * pixels
    compared = len(gallery.faces) * gallery.k
    return compared // 4 + components * pixels // 16 + lit
