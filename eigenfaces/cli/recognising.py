"""Commands that say who is in a photograph, and how reliable such answers are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from eigenfaces.cli import options, running
from eigenfaces.cli.options import argument, flag, option
from eigenfaces.cli.running import DIFFERENT, SOME_UNUSED, print_result, print_text, progress, table
from eigenfaces.cli.sources import look_alikes_text, open_gallery, open_project
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.calibration_report import CalibrationReport, calibration_report
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.photographs.find import Skipped, photos_of
from eigenfaces.project.exports import FaceOnPhoto, sort_into, write_sidecars
from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.calibration import naming_words
from eigenfaces.recognition.certainty import ENOUGH_PEOPLE, ENOUGH_PHOTOS
from eigenfaces.recognition.decision import (
    KIND_MEANINGS,
    NOT_CALIBRATED,
    guarantee_text,
    round_distance,
)
from eigenfaces.recognition.duplicates import near_duplicates
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.network import same_person
from eigenfaces.recognition.probes import probe_preparation, probes_on_each, with_known_numbers
from eigenfaces.recognition.recognised import TOP, Recognition, recognise_probes, records_csv
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, load_sample
from eigenfaces.text import capital, count, four_digits, percent

_Photos = Annotated[list[Path], argument("PHOTO", "Photos, or folders of photos.")]
_AsCsv = Annotated[bool, flag("--csv", "Print the result as CSV, one line per candidate.")]
_SortInto = Annotated[
    Path | None, option("DIR", "Copy photos into a folder for each person.", "--sort-into")
]


def recognise(
    file: options.ProjectFile,
    photos: _Photos,
    *,
    top: Annotated[int, option("N", "How many people to rank.", min=1)] = TOP,
    strangers: Annotated[
        float | None, options.share(f"{options.NAMED_AT_MOST}.", "the project's")
    ] = None,
    as_json: options.AsJson = False,
    as_csv: _AsCsv = False,
    xmp: Annotated[bool, flag("--xmp", "Write the names into XMP sidecar files.")] = False,
    sort_folder: _SortInto = None,
) -> int | None:
    """Say who is in each photo and how certain that is, or that the person is unknown.

    Every face gets a verdict: sure, likely, ask (one of two, or not sure enough), perhaps (beyond
    the limit, but more often right than wrong), unknown, no face, or near somebody but perhaps no
    face. The limit comes from the gallery's own photos, each held out in turn. With the Network
    recipe, it depends mostly on the number of people. If unknown, it is measured first (`calibrate`
    saves it). Faces are numbered from left to right. A photo already cropped to a face is one face.

    ```
    eigenfaces recognise people.eigenfaces group.jpg --top 5
    eigenfaces recognise people.eigenfaces folder/ --strangers 5% --csv > answers.csv
    ```

    --xmp writes the names that are sure or likely into PHOTO.xmp beside each photo, as face regions
    that digiKam and other programs read. In an existing file, everything else is kept. Such a name
    is marked as a guess, which `build` never reads as a fact. A name that you have confirmed in the
    window is marked as confirmed, and takes precedence. --sort-into copies the photos into
    DIR/NAME. The photos themselves are never changed.

    The keys of --json: calibrated, note, distance, components, recipe, strangers (the share of
    strangers that may be named), skipped (photo, reason) and answers, each with photo, face (its
    number), faces (how many), box (left, top, size in pixels; or null), concerns (kind, reason,
    remedy), cautions (kind, sentence), closest, distance_in and distance_from face space,
    in_gallery, filed_as, sentence, ranking (rank, person, distance, nearest_photo), verdict,
    headline, certainty, person (who is named, or null), probability, threshold, face_residual,
    face_residual_limit, recipe and calibrated. --csv has a line for each candidate: photo, face,
    rank, person, distance_in, nearest_photo, distance_from, in_gallery, verdict, named,
    probability, threshold, face_residual, face_residual_limit, recipe, left, top, size.
    distance_from is null with the Network recipe, whose axes leave nothing out. In all tables, an
    apostrophe precedes text that a spreadsheet would run as a formula, such as names that start
    with =, +, - or @.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose either --json or --csv.")
    if (xmp or sort_folder is not None) and Path("-") in photos:
        raise typer.BadParameter("--xmp and --sort-into need photos that are files.")
    gallery = _calibrated(open_gallery(file), strangers)
    recognitions, skipped = _recognise_all(gallery, photos)
    if as_csv:
        typer.echo(records_csv(face.record(top) for face in recognitions), nl=False)
    elif as_json or recognitions:
        content = {  # scripts rely on the keys
            "calibrated": gallery.calibrated is not None and not gallery.calibrated.reason,
            "note": _promise_text(gallery),
            "distance": gallery.recipe.matcher.distance,
            "components": gallery.k,
            "recipe": gallery.recipe.name,
            "strangers": gallery.share,
            "answers": [face.record(top) for face in recognitions],
            "skipped": [{"photo": str(s.path), "reason": s.reason} for s in skipped],
        }
        texts = [_face_text(face, top) for face in recognitions]
        print_result(as_json, content, *texts, *_summary_texts(gallery, recognitions))
    for photo in skipped:
        running.echo_err(f"{photo.path}: {photo.reason}")
    faces = [
        FaceOnPhoto.of(face.probe, face.verdict.decision, answer_to(gallery, face.probe))
        for face in recognitions
    ]
    refused: list[str] = []
    if xmp:
        written, refused = write_sidecars(faces)
        names = count(sum(face.name is not None for face in faces), "face")
        running.echo_err(f"{names} named; {count(written, 'sidecar file')} written.")
        for sentence in refused:
            running.echo_err(sentence)
    if sort_folder is not None:
        with progress("Copying the photos") as tick:
            copies = sort_into(sort_folder, faces, tick)
        running.echo_err(copies.words(str(sort_folder)))
    if not recognitions:
        return running.fail("None of the photos could be used.")
    return SOME_UNUSED if refused or skipped else None


def _recognise_all(
    gallery: Gallery, photos: Sequence[Path]
) -> tuple[list[Recognition], list[Skipped]]:
    """Return the answer for every face in the photographs, and the unused photographs."""
    files = photos_of(photos)
    recognitions = list[Recognition]()
    skipped = list(files.skipped)
    with progress("Looking") as tick:
        preparation = probe_preparation(gallery, tick)
        for probes in probes_on_each(files.photos, preparation, tick):
            if isinstance(probes, Skipped):
                skipped.append(probes)
            else:
                recognitions += recognise_probes(gallery, with_known_numbers(gallery, probes))
    return recognitions, skipped


def _face_text(face: Recognition, top: int) -> str:
    """Return the text about a face: the verdict, its figures, any doubts, and the ranking."""
    probe = face.probe
    verdict = face.verdict
    decision = face.verdict.decision
    place = ""

    def distance(value: float) -> str:
        return four_digits(round_distance(value, verdict.farthest))

    if probe.box is not None:
        left, upper, size = probe.box
        which = f"face {probe.number} of {probe.faces} from the left, " if probe.faces > 1 else ""
        place = f": {which}{size:.0f} pixels wide at ({left:.0f}, {upper:.0f})"
    limit = "" if decision.limit is None else f" (limit {distance(decision.limit)})"
    figures = f"Distance in face space: {distance(decision.nearest[1])}{limit}."
    if decision.face_residual is not None and decision.face_limit is not None:
        limit = percent(decision.face_limit, 0)
        figures += f" Unlike a face: {percent(decision.face_residual, 0)} (limit {limit})."
    if not face.gallery.trained.recipe.features.PRETRAINED:
        figures += f" Distance from face space: {four_digits(verdict.distance_from)}."
    lines = [
        f"{probe.photo.path}{place}",
        f"{decision.headline} ({decision.badge})",
        decision.sentence,
    ]
    lines += [figures, *(concern.reason for concern in probe.concerns)]
    lines.append(" ".join(caution.sentence for caution in face.cautions))
    photos = face.gallery.index.photos
    rows = [
        (rank, match.person, distance(match.distance), photos[match.row].path)
        for rank, match in enumerate(verdict.ranking[:top], start=1)
    ]
    ranking = table(("", "Person", "Distance in", "Nearest photo"), rows)
    return "\n".join([*map(running.printable, filter(None, lines)), ranking])


def _summary_texts(gallery: Gallery, answers: Sequence[Recognition]) -> list[str]:
    """Return the closing texts: how many faces got each verdict, and how reliable verdicts are."""
    blocks = [text] if (text := look_alikes_text(gallery)) else []
    if len(answers) > 1:
        photos = count(len({face.probe.photo.path for face in answers}), "photo")
        kinds = Counter(face.verdict.decision.kind for face in answers)
        numbers = ", ".join(f"{kind} {kinds[kind]:,}" for kind in KIND_MEANINGS if kinds[kind])
        blocks.append(f"{count(len(answers), 'face')} on {photos}: {numbers}.")
    if gallery.calibrated is not None:
        words = naming_words(gallery.calibrated, near_duplicates(gallery))
        blocks.append(f"{_promise_text(gallery)} {words}")
    return blocks


def _promise_text(gallery: Gallery) -> str:
    if (calibration := gallery.calibrated) is None:
        return NOT_CALIBRATED
    if calibration.reason:
        return calibration.reason
    guarantee = calibration.guarantee(gallery.share)
    return f"{capital(guarantee_text(guarantee, gallery.share))}."


def _calibrated(gallery: Gallery, strangers: float | None) -> Gallery:
    """Return the calibrated gallery, with another share of strangers if one is given."""
    if strangers is not None and strangers != gallery.share:
        gallery = gallery.with_share(strangers)
    if gallery.trained and gallery.calibrated is not None:
        return gallery
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def calibrate(
    file: options.ProjectFile,
    *,
    strangers: Annotated[
        float | None,
        options.share(f"{options.NAMED_AT_MOST}. The project keeps it.", "the project's"),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what a project promises about strangers and certainty, and test these promises.

    Each photo and each person is held out in turn. What has changed since the last time is measured
    again and saved in the project, as is --strangers. To test thresholds and certainty, people are
    held out, one tenth at a time, as strangers to what is learnt from the others. What the network
    learnt from other people's photos is tested on everybody. face_limit and faces are null with the
    Network recipe.

    The keys of --json: file, recipe, calibrated, people, photos, named_rightly, reason, asked,
    near_duplicates, least, marks (asked, limit, refused, named, promised), words (word, right,
    strangers), error, rough, face_limit, faces. Each rate has the keys count, of, low and high.
    """
    project = open_project(file)
    gallery = _calibrated(project.gallery, strangers)
    if gallery is not project.gallery and not project.read_only:
        project.save(gallery)
    calibration = gallery.calibrated
    if calibration is None:
        raise EigenfacesError("Nobody has been named yet: name the photos first.")
    report = calibration_report(calibration, gallery.share, near_duplicates(gallery))
    content = {"file": str(file), "recipe": gallery.recipe.name, "calibrated": not report.reason}
    first = (
        f"{file}: {count(report.photos, 'photo')} of {count(report.people, 'person')}, each "
        f"held out, with the recipe {gallery.recipe.name}.\n"
        f"{naming_words(calibration, report.near_duplicates)}"
    )
    texts = [report.reason] if report.reason else _report_texts(report, _promise_text(gallery))
    print_result(as_json, content | asdict(report), first, *texts)
    if project.read_only:
        running.echo_err(f"“{file}” cannot be written, so none of this is saved.")


def _report_texts(report: CalibrationReport, promise: str) -> list[str]:
    """Return the promises about thresholds, certainty and faces, and how well they were kept."""
    rows = [
        (
            f"{100 * mark.asked:g} %",
            four_digits(mark.limit),
            mark.refused.words(),
            mark.named.words(),
            "fitted law" if mark.promised is None else percent(mark.promised),
        )
        for mark in report.marks
    ]
    heading = ("Asked", "Limit", "Known, but refused", "Strangers named", "Promised")
    note = "“Strangers named” was measured on held-out people, with the limit of the others."
    blocks = [f"{promise}\n{table(heading, rows)}\n{note}"]
    if report.error is not None:
        names = {"ask": "not sure enough"}
        words = []
        for word in report.words:
            right = f"{word.right.count:,}: {word.right.words()}" if word.right.of else "–"
            strangers = f"{word.strangers.count:,} of {word.strangers.of:,}"
            words.append((names.get(word.word, word.word), f"{word.right.of:,}", right, strangers))
        rough = (
            f"With fewer than {ENOUGH_PEOPLE} people, or {ENOUGH_PHOTOS} photos of each, "
            "these words are only rough."
            if report.rough
            else ""
        )
        blocks.append(
            f"{table(('Word', 'Photos of known', 'Right', 'Strangers'), words)}\n"
            f"Expected calibration error of the probabilities: {report.error:.3f}, if half of "
            f"the faces are strangers. {rough}".rstrip()
        )
    if report.face_limit is not None and report.faces is not None:
        limit = percent(report.face_limit, 0)
        faces = report.faces
        blocks.append(
            f"In a face, at most {limit} of the contrast is unexplained. This is true of "
            f"{faces.count:,} of {faces.of:,} known faces."
        )
    return blocks


def verify(
    first: Annotated[Path, argument("A.JPG", "A photo of a face.")],
    second: Annotated[Path, argument("B.JPG", "Another photo of a face.")],
) -> int | None:
    """Say whether two photos show the same person. No project is needed.

    A network computes numbers from both faces (`--recipe network`). Their distance is compared with
    a limit of 0.605, which was learnt from other people's photos. With it, 1 % of strangers are
    taken for somebody else, and more if both look alike to the network (see About in the manual).
    If a photo has several faces and none stands out, the face nearest the middle is used. The exit
    code is 0 for yes, 4 for no, and 1 if there is no answer because a photo cannot be read or shows
    no face. This does not prove anybody's identity: a photo of a photo passes, too.

    ```
    eigenfaces verify passport.jpg today.jpg
    ```
    """
    result = same_person(first, second)
    verdict = "Yes, the same person" if result.same else "No, two people"
    than = "nearer" if result.same else "farther apart"
    apart, limit = four_digits(result.distance), four_digits(result.limit)
    middle = [
        f"{path} shows several faces, so the one nearest the middle is used."
        for path in result.by_middle
    ]
    print_text(f"{verdict}: the faces are {apart} apart, {than} than {limit}.", *middle)
    return None if result.same else DIFFERENT


def recognise_sample() -> None:
    """Train on images 1–8 of each person, recognise images 9 and 10, and print the result."""
    faces = load_sample()
    (fold,) = FirstPhotos(8).folds(faces)
    gallery = replace(Gallery.new(PREPARATION), faces=faces.select(fold.gallery)).train()
    probes = faces.select(fold.probes)
    matches = [verdict.closest for verdict in identify_all(gallery, probes.pixels[:])]
    pairs = list(zip(probes.index.photos, matches, strict=True))
    wrong = [(photo, match) for photo, match in pairs if photo.person != match.person]
    print(
        f"AT&T sample, {len(gallery.people)} people: images 1–8 of each are for training "
        f"({len(gallery.faces)} photos),\nimages 9 and 10 are recognised ({len(pairs)}) "
        f"by the first {gallery.face_space_k} components.\n"
        f"Right answers: {len(pairs) - len(wrong)} of {len(pairs)}, "
        f"{100 - 100 * len(wrong) / len(pairs):.2f} %. Mistaken:"
    )
    for photo, match in wrong:
        print(f"  {photo.person}, image {photo.path.stem}: closest is {match.person}")
