"""How it was measured: protocol, settings, intervals, thresholds and terms, in words."""

from __future__ import annotations

from pathlib import Path

from eigenfaces.evaluation.intervals import RESAMPLES
from eigenfaces.evaluation.protocols import KFold, NShot, OpenSet
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.recognition.recipe import components_words, smoothing_words
from eigenfaces.report.summary import terms, threshold_words
from eigenfaces.text import count

Pair = tuple[str, str]

PROTOCOLS = {
    "leave-one-out": "Each photo is the probe once, and all others are enrolled. Somebody with a "
    "single photo is enrolled and not searched for.",
    "k-fold": "The photos of each person are dealt at random into {parts} parts. Each part is "
    "searched for with all others enrolled. Somebody with a single photo is always enrolled.",
    "n-shot": "Of each person {enrolled} photos are drawn at random and enrolled, and the others "
    "are searched for; that is repeated {repetitions} times. People with too few photos are left "
    "out.",
    "first photos": "The first {enrolled} photos of each person, in the order of their names, are "
    "enrolled, and the others are searched for. Nothing is drawn at random.",
    "open set": "At random {strangers:.0%} of the people are made strangers. Of each of the others "
    "{enrolled} photos are enrolled; their other photos and all those of strangers are searched "
    "for. That is repeated {repetitions} times.",
    "idiap": "The AT&T protocol of Idiap: the face space is fitted to 20 people. Of the 20 others, "
    "photos 2, 4, 5, 7 and 9 are enrolled, and 1, 3, 6, 8 and 10 are searched for.",
    "lists": "Lists name the photos that are enrolled and those that are searched for; where none "
    "names photos to fit to, the enrolled ones are fitted to. Nothing is drawn at random.",
    "pairs": "Two photos are compared and found to show one person if their distance is at most a "
    "threshold. Face space and threshold come from other pairs than those that are decided.",
}
"""What each kind of protocol does; the fields of the protocol are filled in."""

FITTED_INSIDE = (
    "Everything that is fitted (mean, face space, whitening, the number of components for a share "
    "of the variance, thresholds) is fitted in each fold to that fold’s own training photos."
)

INTERVALS = (
    "Photos of one person are alike, so intervals count people, not photos. Every share has "
    "Wilson’s interval with the number of independent searches that the spread between people "
    "leaves. For EER, TAR, HTER and DIR that spread is found by drawing people with replacement, "
    f"{RESAMPLES} times, who bring along all searches of them and all claims of being them. Where "
    "all is right, or all wrong, people are counted. The accuracy of pairs has a t interval over "
    "the folds."
)

THRESHOLDS = (
    "EER and least HTER take their threshold from the very comparisons they are counted on. HTER "
    "takes one that was chosen before, in each fold, without its probes: a fifth of each person’s "
    "enrolled photos is held out, searched for in the rest, and the threshold is where the two "
    "errors are equal; of pairs it is where most of the other pairs are decided rightly."
)

LIMITS = (
    "Of strangers at most {share:g} % may be named: that was asked. The limit of each fold comes "
    "from its own gallery alone: each enrolled person is left out in turn, of space and gallery, "
    "and is then a stranger. FPIR and DIR reached are what that limit did to strangers and members "
    "whom it had never seen; the threshold of DIR at an FPIR comes from these very searches."
)

GLOSSARY: tuple[Pair, ...] = terms()
"""Terms as ISO/IEC 19795-1 uses them."""


def protocol_sentences(record: Record) -> str:
    """Return what the protocol does."""
    protocol = record.evaluation.setting.protocol
    return f"{PROTOCOLS[protocol.kind].format(**vars(protocol))} {FITTED_INSIDE}"


def thresholds_sentences(record: Record) -> str:
    """Return where thresholds come from, with the limits for strangers where there are some."""
    strangers = record.evaluation.strangers
    if strangers is None:
        return THRESHOLDS
    return f"{THRESHOLDS} {LIMITS.format(share=100 * strangers.share)}"


def settings(record: Record) -> list[Pair]:
    """Return every setting by its name."""
    return [*_of_photos(record), *_of_recipe(record), *_of_protocol(record)]


def _of_photos(record: Record) -> list[Pair]:
    source, how = record.source, record.preparation
    taken = f"{len(record.evaluation.photos)}, of {len(record.evaluation.people)} people"
    lines = [("photos", taken), ("source", _source(record))]
    if source.pattern:
        lines.append(("person from file name", source.pattern))
    if source.eyes:
        lines.append(("eyes", f"from “{Path(source.eyes).name}”"))
    size = f"{how.width} × {how.height} pixels (width × height)"
    found = "the photos are faces already" if how.already_cropped else "faces found and aligned"
    return [*lines, ("faces", f"{size}, {found}"), ("other shapes of photo", how.fit)]


def _source(record: Record) -> str:
    name = Path(record.source.place).name or record.source.place
    if record.source.kind == "sample":
        return "sample of the program: the AT&T faces"
    return f"folder “{name}”" if record.source.kind == "folder" else f"project “{name}”"


def _of_recipe(record: Record) -> list[Pair]:
    recipe = record.evaluation.setting.recipe
    matcher, said = recipe.matcher, recipe.settings
    if matcher.whitening != "none":
        said["whitening"] = f"{matcher.whitening}, {smoothing_words(matcher)}"
    if matcher.rule == "nearest" and matcher.neighbours > 1:
        said["rule"] = f"{matcher.neighbours} nearest vote"
    said["components"] = components_words(matcher)
    for told in ("dropped", "smoothing", "neighbours"):
        del said[told]
    return [("recipe", recipe.name)] + [
        ("compared" if name == "components" else name, str(value)) for name, value in said.items()
    ]


def _of_protocol(record: Record) -> list[Pair]:
    setting = record.evaluation.setting
    protocol = setting.protocol
    folds = count(len(record.evaluation.thresholds), "fold")
    lines = [("protocol", f"{protocol.words()} ({protocol.kind}, {folds})")]
    if isinstance(protocol, KFold | NShot | OpenSet):
        lines.append(("seed of the protocol", str(protocol.seed)))
    else:
        lines.append(("seed of the protocol", "none: it draws nothing at random"))
    return [
        *lines,
        ("seed of resampling", str(setting.seed)),
        ("thresholds chosen", threshold_words(record.evaluation)),
        ("leaks allowed", _allowed(record.evaluation)),
    ]


def _allowed(evaluation: Evaluation) -> str:
    if not evaluation.setting.allow_leaks:
        return "no"
    return f"yes; {count(len(evaluation.leaks), 'was', 'were')} found"
