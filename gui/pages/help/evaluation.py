"""Evaluate, explained: what its figures, curves and controls mean, and the words for them."""

from __future__ import annotations

from gui.pages.help.sections import Figures

WORDS = (
    ("protocol", "How photos are split into those fitted to, those enrolled, those searched for."),
    (
        "fold",
        "One such split. An evaluation goes through all folds of its protocol, and fits everything "
        "anew in each.",
    ),
    ("leave-one-out", "Every photo once as the probe, with all others enrolled."),
    (
        "closed set, open set",
        "Whether everybody who is searched for is enrolled (closed), or strangers are among them "
        "(open).",
    ),
    (
        "mated, non-mated comparison",
        "Between photos of the same person, or of different people. A mated search is for somebody "
        "who is enrolled.",
    ),
    (
        "FMR",
        "False match rate at a threshold: non-mated comparisons accepted ÷ all non-mated ones.",
    ),
    (
        "FNMR",
        "False non-match rate at a threshold: mated comparisons rejected ÷ all mated ones.",
    ),
    (
        "FAR, TAR",
        "False and true accept rate: FAR = FMR and TAR = 1 − FNMR, where every photo can be "
        "compared.",
    ),
    ("EER", "Equal error rate: (FMR + FNMR) ÷ 2 at the threshold where the two are nearest."),
    (
        "HTER",
        "Half total error rate: (FMR + FNMR) ÷ 2 at a threshold chosen beforehand, without the "
        "probes.",
    ),
    ("ROC", "TAR against FAR at every threshold. Guessing gives the diagonal."),
    (
        "DET",
        "FNMR against FMR at every threshold, both axes logarithmic so that small rates can be "
        "read.",
    ),
    (
        "CMC",
        "Share of the mated searches with the right person among the first r answers, for r = 1, "
        "2, 3, …",
    ),
    (
        "rank-1, rank-5",
        "Share of the mated searches with the right person first, or among the first five: the CMC "
        "at r = 1 and r = 5.",
    ),
    (
        "balanced accuracy",
        "Mean over the people of each one’s share of right answers. Somebody with many photos "
        "counts as much as anybody else.",
    ),
    (
        "FPIR",
        "False positive identification rate at a threshold: strangers’ searches that return "
        "anybody ÷ all strangers’ searches.",
    ),
    (
        "DIR, FNIR",
        "Detection and identification rate at a threshold: mated searches whose right person comes "
        "first and near enough ÷ all mated searches. FNIR = 1 − DIR.",
    ),
    (
        "chance",
        "What naming an enrolled person at random gives: 1 ÷ the number of people enrolled.",
    ),
    (
        "face-covered control",
        "The same evaluation with every face covered by a grey oval. Well above chance, the "
        "background recognises people, not the face.",
    ),
    (
        "near-duplicate",
        "A photo that shows nearly the same picture as another one: a copy saved anew, made "
        "smaller or lit otherwise.",
    ),
    (
        "leak",
        "Something of a probe that the split knows already: the photo, a near-duplicate of it, or "
        "a person who should be a stranger.",
    ),
    (
        "95 % interval",
        "Of 100 such intervals, each from other people, about 95 hold the true figure. By person: "
        "people are counted, not photos.",
    ),
    (
        "paired permutation test",
        "Swaps the answers of two runs at random, person by person. Its p is the share of swaps "
        "that differ at least as much as the runs do.",
    ),
)


def evaluate(_figures: Figures | None) -> str:
    """Give the text about the page."""
    return """<p>How often is the right person named, and how sure is that? The gallery’s own photos
    are searched for among its others. The <b>protocol</b> says how they are split, in one fold or
    in many; mean, components and thresholds are fitted in each fold without the photos that are
    searched for there. A split that <b>leaks</b>, because a probe or nearly the same picture is
    known to it already, is refused, and the photos are named.</p>
    <p><b>The tiles.</b> Rank-1 is the share of searches that name the right person first, rank-5
    among the first five. At the equal error rate (EER) as many others are accepted as right people
    are rejected: lower is better. With strangers, DIR is the share of searches that find the right
    person at a threshold which names few of them. Mistakes are counted at rank 1.</p>
    <p><b>The curves.</b> <b>Accuracy against k</b>: rank-1 for every number of components. The
    highest point was found on these very photos, so try its <i>k</i> on others before believing
    it. <b>Residual</b>: how much of the variance <i>k</i> components keep, and how much of a face
    held out they leave over. <b>CMC</b>: how often the right person is among the first 1, 2, 3, …
    answers. <b>ROC</b> and <b>DET</b>: what each threshold wins and loses. In a ROC the upper left
    corner is perfect and the diagonal is guessing; in a DET lower is better. <b>Distances</b>: how
    far probes are from the right person and from others; where the two overlap no threshold is
    right. In the <b>confusion matrix</b> each line is a person and each column an answer: right
    answers stand on the diagonal, a square beside it is somebody taken for somebody else, and a
    click shows the photos.</p>
    <p><b>Why by person?</b> Ten photos of one person are no ten witnesses: whoever is hard to
    recognise is so in all of them. An interval that counts photos is too narrow, and promises more
    than is known. So a <b>95 % interval</b> here asks how the figure would move with other
    people. With few people it is wide, and rightly so. Where no mistake was made at all, it says
    how many there might still be.</p>
    <p><b>What it is held against.</b> <b>Pixels</b>: the nearest face by its grey levels, without a
    face space. If that is as good, the components add nothing but speed. <b>Chance</b> and
    <b>majority</b>: naming anybody, or always the person with the most photos. <b>Face covered</b>:
    the same again with a grey oval over every face. What is still recognised then is the
    background, the cut or the light, and part of every figure above is owed to that.
    <b>Near-duplicates</b>: photos that are nearly the same as another one.</p>
    <p><b>Two runs</b> on the same photos are compared by a paired permutation test: if swapping
    their answers at random, person by person, often makes as large a difference, it may well be
    chance. The interval holds the differences that this test would not refute. The report has
    both runs while they stand side by side. A <b>sweep</b> tries many recipes on the same folds;
    the best of many looks better than it is. Everything that is drawn at random comes from the
    seed, so the same run gives the same figures.</p>"""
