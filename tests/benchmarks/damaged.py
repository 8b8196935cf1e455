"""Damage files of every kind at random and read them: each gives a value or a sentence.

    uv run --group dev python tests/benchmarks/damaged.py --files 100000 --seed 0

Pictures, projects, reports, lists, pairs, eyes, XMP, sets of pictures: bits flipped, bytes cut out,
put in, doubled, zeroed, and the file cut short. Whatever is raised but an `EigenfacesError`, and
what takes over two seconds, is shown with the numbers that make it again; the exit code is then 1.
"""

import argparse
import contextlib
import io
import resource
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe, load_sample
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import read_list, read_pairs
from eigenfaces.evaluation.records import read_report
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.photographs.decode import decode
from eigenfaces.photographs.photos import find_photos, read_eyes
from eigenfaces.photographs.regions import SPACES, read_xmp

LONGEST = 2  # seconds for one file

Reader = Callable[[Path], object]


def picture(path: Path) -> object:
    return decode(path.read_bytes())


def regions(path: Path) -> object:
    return read_xmp(path.read_text("utf-8", "replace"))


def project(path: Path) -> None:
    Project.open(path).close()


def sound_files(folder: Path) -> dict[Path, Reader]:
    """Write one sound file of each kind; return what reads each."""
    rng = np.random.default_rng(0)
    sample = load_sample()
    face = Image.fromarray(np.rint(sample.image(0) * 255).astype(np.uint8))
    pillow_heif.register_heif_opener()
    files: dict[Path, Reader] = {}
    for suffix in ("png", "jpg", "gif", "bmp", "tif", "webp", "pgm", "heic", "jp2", "ico", "tga"):
        face.convert("RGB" if suffix in ("heic", "webp") else "L").save(folder / f"face.{suffix}")
        files[folder / f"face.{suffix}"] = picture
    deep = Image.fromarray((np.asarray(face).astype(np.uint16)) * 200)
    deep.save(folder / "deep.tif", compression="tiff_adobe_deflate")
    files[folder / "deep.tif"] = picture

    few = sample.select(range(20))
    gallery = Gallery(few, Preparation(already_cropped=True), Recipe()).train()
    Project.create(folder / "few.eigenfaces", gallery).close()
    files[folder / "few.eigenfaces"] = project
    return files | texts(folder, few) | sets_of_pictures(folder, rng)


def texts(folder: Path, faces: FaceSet) -> dict[Path, Reader]:
    from eigenfaces.cli import app

    words = ["evaluate", str(folder / "few.eigenfaces"), "--protocol", "first-5", "--no-curves"]
    with contextlib.redirect_stdout(io.StringIO()):
        app(
            [*words, "--recipe", "eigenfaces", "-o", str(folder / "report.html")],
            standalone_mode=False,
        )
    spaces = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
    area = '<mwg-rs:Area stArea:x="0.5" stArea:y="0.4" stArea:w="0.2" stArea:h="0.3"/>'
    region = f'<rdf:li mwg-rs:Name="Ada" mwg-rs:Type="Face">{area}</rdf:li>'
    contents: dict[str, tuple[str, Reader]] = {
        "photos.csv": ("a/1.png;Ada\na/2.png;Ada\n# no more\n", find_photos),
        "face.xmp": (f"<rdf:RDF {spaces}>{region * 3}</rdf:RDF>", regions),
        "eyes.csv": ("file,left_x,left_y,right_x,right_y\na/1.png,1.5,2,30,2\n", read_eyes),
        "list.txt": ("a/1\na/2\nb/1\n", read_list),
        "pairs.txt": ("2\t1\nAda\t1\t2\nAda\t1\tBen\t1\nAda\t2\t3\nAda\t2\tBen\t2\n", read_pairs),
    }
    for name, (text, _) in contents.items():
        (folder / name).write_text(text, "utf-8")
    return {folder / name: read for name, (_, read) in contents.items()} | {
        folder / "report.json": read_report
    }


def sets_of_pictures(folder: Path, rng: np.random.Generator) -> dict[Path, Reader]:
    pictures = rng.integers(0, 256, (12, 9, 8), np.uint8)
    np.savez_compressed(folder / "set.npz", images=pictures, labels=np.arange(12) % 3)
    return {folder / "set.npz": read_pictures}


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the content after one to four accidents."""
    for _ in range(rng.integers(1, 5)):
        data = bytearray(content)
        # Half of the accidents happen near the head, where formats say what they are.
        reach = min(len(data), 200) if rng.random() < 0.5 else len(data)
        at, length = int(rng.integers(0, reach + 1)), int(rng.integers(1, 40))
        match rng.integers(0, 7):
            case 0 if data:
                data[min(at, len(data) - 1)] ^= 1 << int(rng.integers(0, 8))
            case 1:
                data[at : at + length] = b""
            case 2:
                data[at:at] = rng.bytes(length)
            case 3:
                data[at:at] = data[at : at + length] * 3
            case 4:
                data[at : at + length] = bytes(length)
            case 5:
                data[at : at + 4] = struct.pack("<I", int(rng.choice([0, 2**31 - 1, 2**32 - 1])))
            case _:
                del data[int(rng.integers(0, len(data) + 1)) :]
        content = bytes(data)
    return content


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--only", type=int, help="the number of one file, to see it again")
    asked = options.parse_args()
    warnings.simplefilter("ignore")
    outcomes: Counter[tuple[str, str]] = Counter()
    bad, slowest = 0, (0.0, "")
    with tempfile.TemporaryDirectory() as place:
        kinds = sound_files(Path(place))
        contents = {path: path.read_bytes() for path in kinds}
        for path, read in kinds.items():
            read(path)  # sound, it is read
        numbers = range(asked.files) if asked.only is None else [asked.only]
        for number in numbers:
            rng = np.random.default_rng([asked.seed, number])
            sound = list(kinds)[number % len(kinds)]
            path = sound.with_name("damaged" + sound.name)
            path.write_bytes(damaged(contents[sound], rng))
            began = time.perf_counter()
            try:
                kinds[sound](path)
                outcome = "read"
            except EigenfacesError as error:
                outcome = "sentence"
                if not str(error).strip().endswith((".", "”", ")")):
                    print(f"{number} {sound.name}: no sentence: {error}")
                    bad += 1
            except Exception:
                outcome = "WRONG"
                bad += 1
                print(f"--only {number} ({sound.name})\n{traceback.format_exc(limit=-4)}")
            seconds = time.perf_counter() - began
            slowest = max(slowest, (seconds, f"{number} {sound.name}"))
            bad += seconds > LONGEST
            outcomes[sound.name, outcome] += 1
            for left in path.parent.glob("damaged*"):
                left.unlink()
    for name in dict.fromkeys(name for name, _ in outcomes):
        counts = {word: count for (kind, word), count in outcomes.items() if kind == name}
        print(f"{name:20}", *(f"{word} {count}" for word, count in sorted(counts.items())))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{asked.files} files, seed {asked.seed}: {bad} wrong; slowest {slowest[0]:.2f} s")
    print(f"({slowest[1]}); at most {memory:.0f} MB")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
