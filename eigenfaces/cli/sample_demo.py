"""Train and recognise the sample faces in a terminal: for machines without a display."""

from __future__ import annotations

from dataclasses import replace

from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.samples import PREPARATION, load_sample


def recognise_sample() -> None:
    """Train on images 1–8 of each person, recognise images 9 and 10, and print the result."""
    faces = load_sample()
    (fold,) = FirstPhotos(8).folds(faces)
    gallery = replace(Gallery.new(PREPARATION), faces=faces.select(fold.gallery)).train()
    probes = faces.select(fold.probes)
    found = [verdict.first[0] for verdict in identify_all(gallery, probes.pixels[:])]
    asked = list(zip(probes.index.photos, found, strict=True))
    wrong = [(photo, match) for photo, match in asked if photo.person != match.person]
    print(
        f"AT&T sample, {len(gallery.people)} people: images 1–8 of each train "
        f"({len(gallery.faces)} photographs),\nimages 9 and 10 are recognised ({len(asked)}) "
        f"by the first {gallery.shown_k} components.\nRight answers: {len(asked) - len(wrong)} of "
        f"{len(asked)}, {100 - 100 * len(wrong) / len(asked):.2f} %. Mistaken:"
    )
    for photo, match in wrong:
        print(f"  {photo.person}, image {photo.path.stem}: closest is {match.person}")
