"""Taking photographs that came since training into the face space, which is not fitted anew."""

from __future__ import annotations

from dataclasses import replace

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.training import Training
from eigenfaces.space.updating import SCALED
from eigenfaces.wording import count, percent

WHAT_IT_DOES = (
    "Take the photos that came since training into the face space, without fitting it anew: mean, "
    "components and variances. It is quicker where the space keeps fewer components than its faces "
    "have; what it then leaves out of what training would find is said when it is done."
)


def update(gallery: Gallery, tick: Tick = no_tick) -> Gallery:
    """Return a gallery whose face space has all photographs that came since training.

    Raises `EigenfacesError`, a sentence, where `only_by_training` has one.
    """
    if reason := only_by_training(gallery):
        raise EigenfacesError(reason)
    came, photos = gallery.index.unlike(gallery.trained.fitted), gallery.index.photos
    new = [row for row in gallery.included if (photos[row].key, photos[row].crop) in came]
    return replace(gallery, training=gallery.trained.update(gallery.faces, new, tick))


def only_by_training(gallery: Gallery) -> str:
    """Return why the face space of a trained gallery cannot be updated as it is; "" if it can."""
    training = gallery.trained
    if gallery.recipe.refits(training.recipe):
        return "The recipe has changed since training, so the face space cannot be updated: train."
    if training.other is not None:
        return (
            f"{gallery.recipe.name} compares what was fitted to who is on the photos, and that "
            "cannot be updated: train."
        )
    if training.space.scale is not None:
        return SCALED
    changed = gallery.index.unlike(training.fitted)
    if gone := changed & training.fitted:
        had = "has" if len(gone) == 1 else "have"
        return (
            f"{count(len(gone))} that the face space was fitted to {had} gone or been cut anew, "
            "and an update takes nothing out of it: train."
        )
    return "" if changed else "No photo came since training, so there is nothing to update."


def updated_words(training: Training) -> str:
    """Return that a face space was updated, and what a full fit would do better; "" if it was not.

    The error is a bound that holds without that fit: see `eigenfaces.space.updating`.
    """
    known, space = training.updated, training.space
    if known is None:
        return ""
    kept = float(space.variance_ratio.sum())
    told = (
        f"Fitted to {count(known.fitted, 'face')} and updated with {space.count - known.fitted:,}"
    )
    if known.most - kept < 1e-6:
        return f"{told}: the same, to rounding, as a fit to all {space.count:,}."
    return (
        f"{told}: {count(len(space), 'component')} keep {percent(kept)} of the variance, those of "
        f"a fit to all {space.count:,} would keep {percent(known.most)} at most."
    )
