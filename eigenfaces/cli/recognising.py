"""The commands about who is on a photograph: recognise, calibrate."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import open_gallery, open_project
from eigenfaces.cli.json_output import answers_as_json, kept_as_json
from eigenfaces.cli.plaintext import shown
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    command,
    fail,
    note,
    print_json,
    progress,
    terminal_width,
)
from eigenfaces.cli.verdict_text import answers_text, kept_text
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.calibration_report import kept, near_duplicates
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.photographs.photos import Skipped, photos_of
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    Probe,
    frame_of_gallery,
    probes_on_each,
    with_gallery_keys,
)
from eigenfaces.recognition.verdict import (
    TOP,
    Answer,
    answer,
    answers_csv,
    identify_all,
    verdicts_on,
)
from eigenfaces.sample import PREPARATION, load_sample


@command
def recognise(
    file: options.ProjectFile,
    photos: options.Photos,
    *,
    top: options.Top = TOP,
    strangers: options.Strangers = None,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
) -> int:
    """Say who is on each photograph, how sure that is, or that it is nobody enrolled.

    Every face gets a verdict: sure, likely, ask (one of two, or not sure enough), unknown, no face,
    or near somebody but perhaps no face. How far is too far follows from the gallery's own
    photographs, each held out; where that is not known yet it is measured first (`calibrate` keeps
    it). Faces are numbered from left to right. A project of cropped faces takes each photograph for
    one such face.

    ```
    eigenfaces recognise people.eigenfaces group.jpg --top 5
    eigenfaces recognise people.eigenfaces folder/ --strangers 5% --csv > answers.csv
    ```

    The keys of --json: calibrated, note, distance, components, recipe, strangers (the share of them
    that may be named), skipped (photo, reason) and answers, of which each has photo, face (its
    number), faces (how many), box (left, top, size in pixels; or null), concerns (kind, reason,
    remedy), cautions (kind, sentence), closest, distance_in and distance_from face space,
    in_gallery, filed_as, sentence, ranking (rank, person, distance, votes, nearest_photo), cut (how
    the face was cut to fit ready crops, or ""), verdict, headline, certainty, person (who is named,
    or null), probability, threshold, left_over, left_over_limit, recipe and calibrated. --csv has a
    line a candidate: photo, face, rank, person, distance_in, votes, nearest_photo, distance_from,
    in_gallery, verdict, named, probability, threshold, left_over, left_over_limit, recipe. In all
    tables an apostrophe stands before what a spreadsheet would run as a formula, such as a name
    that begins with =, +, - or @.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    gallery = _calibrated(open_gallery(file), strangers)
    answers, skipped = _identify_photos(gallery, photos, top)
    if as_json:
        print_json(answers_as_json(gallery, answers, skipped))
    elif as_csv:
        typer.echo(answers_csv(answers), nl=False)
    elif answers:
        typer.echo(answers_text(gallery, answers, terminal_width()))
    for each in skipped:
        note(f"{shown(each.path)}: {each.reason}")
    if not answers:
        return fail("None of the photographs could be used.")
    return SOME_UNUSED if skipped else DONE


@command
def calibrate(
    file: options.ProjectFile,
    *,
    strangers: options.StrangersKept = None,
    as_json: options.AsJson = False,
) -> int:
    """Show what a project promises about strangers and certainty, and what held.

    Each photograph is held out, and each person; what changed since the last time is measured anew
    and kept in the project. --strangers is kept, too. For thresholds and certainty a tenth of the
    people in turn are strangers to what is learnt from the others.

    The keys of --json: file, recipe, calibrated, people, photos, named_rightly, reason, asked,
    near_duplicates, least, marks (asked, limit, refused, named, promised), words (word, right,
    strangers), error, rough, face_limit, faces. How many of something: count, of, low, high.
    """
    project = open_project(file)
    gallery = _calibrated(project.gallery, strangers)
    if gallery is not project.gallery and not project.read_only:
        project.save(gallery)
    calibration = gallery.calibrated
    if calibration is None:
        raise EigenfacesError("Nobody is enrolled: give the photographs names first.")
    found = kept(calibration, gallery.share, near_duplicates(gallery))
    if as_json:
        print_json(kept_as_json(file, gallery, found))
    else:
        typer.echo(kept_text(file, gallery, found, terminal_width()))
    if project.read_only:
        note(f"“{file}” cannot be written, so nothing of this is kept.")
    return DONE


def _calibrated(gallery: Gallery, strangers: float | None) -> Gallery:
    """Return a gallery in which it is known what distances mean, with another share if said."""
    if strangers is not None and strangers != gallery.share:
        gallery = gallery.with_share(strangers)
    if gallery.trained and gallery.calibrated is not None:
        return gallery
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def _identify_photos(
    gallery: Gallery, paths: Sequence[Path], top: int
) -> tuple[list[Answer], list[Skipped]]:
    """Return an answer for every face of each photograph, and the skipped photographs."""
    found = photos_of(paths)
    answers: list[Answer] = []
    skipped = list(found.skipped)
    with progress("Looking") as tick:
        frame = frame_of_gallery(gallery, tick)
        for probes in probes_on_each(found.photos, gallery.preparation, tick, frame):
            if isinstance(probes, Skipped):
                skipped.append(probes)
                continue
            answers += _answers(gallery, probes, top)
    return answers, skipped


def _answers(gallery: Gallery, probes: Sequence[Probe], top: int) -> list[Answer]:
    probes = with_gallery_keys(gallery, probes)
    verdicts = verdicts_on(gallery, probes)
    return [
        answer(gallery, probe, verdict, top)
        for probe, verdict in zip(probes, verdicts, strict=True)
    ]


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
