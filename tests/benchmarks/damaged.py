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

from eigenfaces import Gallery, Preparation, Project, Recipe, load_sample
from eigenfaces.cli import app
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import read_list, read_pairs
from eigenfaces.evaluation.records import read_report
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.photographs.decode import decode
from eigenfaces.photographs.find import find_photos
from eigenfaces.photographs.placement import read_eyes
from eigenfaces.photographs.xmp import SPACES, read_xmp

LONGEST = 2  # seconds for one file

Reader = Callable[[Path], object]

PICTURES = ["png", "jpg", "gif", "bmp", "tif", "webp", "pgm", "heic", "jp2", "ico", "tga"]

SPACES_USED = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
AREA = '<mwg-rs:Area stArea:x="0.5" stArea:y="0.4" stArea:w="0.2" stArea:h="0.3"/>'
REGION = f'<rdf:li mwg-rs:Name="Ada" mwg-rs:Type="Face">{AREA}</rdf:li>'
TEXTS: dict[str, tuple[str, Reader]] = {
    "photos.csv": ("a/1.png;Ada\na/2.png;Ada\n# no more\n", find_photos),
    "face.xmp": (
        f"<rdf:RDF {SPACES_USED}>{REGION * 3}</rdf:RDF>",
        lambda path: read_xmp(path.read_text("utf-8", "replace")),
    ),
    "eyes.csv": ("file,left_x,left_y,right_x,right_y\na/1.png,1.5,2,30,2\n", read_eyes),
    "list.txt": ("a/1\na/2\nb/1\n", read_list),
    "pairs.txt": ("2\t1\nAda\t1\t2\nAda\t1\tBen\t1\nAda\t2\t3\nAda\t2\tBen\t2\n", read_pairs),
}


def sound_files(folder: Path) -> dict[Path, Reader]:
    """Write one sound file of each kind; return what reads each."""
    few = load_sample().select(range(20))
    face = Image.fromarray(np.rint(few.image(0) * 255).astype(np.uint8))
    pillow_heif.register_heif_opener()
    for suffix in PICTURES:
        face.convert("RGB" if suffix in ("heic", "webp") else "L").save(folder / f"face.{suffix}")
    deep = Image.fromarray((np.asarray(face).astype(np.uint16)) * 200)
    deep.save(folder / "deep.tif", compression="tiff_adobe_deflate")
    names = [*(f"face.{suffix}" for suffix in PICTURES), "deep.tif"]
    readers = dict.fromkeys(names, lambda path: decode(path.read_bytes()))

    gallery = Gallery(few, Preparation(already_cropped=True), Recipe()).train()
    Project.create(folder / "few.eigenfaces", gallery).close()
    words = ["evaluate", str(folder / "few.eigenfaces"), "--protocol", "first-5", "--no-curves"]
    words += ["--recipe", "eigenfaces", "-o", str(folder / "report.html")]
    with contextlib.redirect_stdout(io.StringIO()):
        app(words, standalone_mode=False)
    for name, (content, _) in TEXTS.items():
        (folder / name).write_text(content, "utf-8")
    pictures = np.random.default_rng(0).integers(0, 256, (12, 9, 8), np.uint8)
    np.savez_compressed(folder / "set.npz", images=pictures, labels=np.arange(12) % 3)
    readers |= {
        "few.eigenfaces": lambda path: Project.open(path).close(),
        **{name: reader for name, (_, reader) in TEXTS.items()},
        "report.json": read_report,
        "set.npz": read_pictures,
    }
    return {folder / name: reader for name, reader in readers.items()}


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


def outcome(read: Reader, path: Path) -> tuple[str, str]:
    """Return how reading ends, in a word, and what is wrong with that."""
    try:
        read(path)
    except EigenfacesError as error:
        is_sentence = str(error).strip().endswith((".", "”", ")"))
        return "sentence", "" if is_sentence else f"no sentence: {error}"
    except Exception:
        return "WRONG", traceback.format_exc(limit=-4)
    return "read", ""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--only", type=int, help="the number of one file, to see it again")
    arguments = options.parse_args()
    warnings.simplefilter("ignore")
    outcomes: dict[str, Counter[str]] = {}
    bad, slowest = 0, (0.0, "")
    with tempfile.TemporaryDirectory() as place:
        readers = sound_files(Path(place))
        contents = {path: path.read_bytes() for path in readers}
        for path, read in readers.items():
            read(path)  # sound, it is read
        for number in range(arguments.files) if arguments.only is None else [arguments.only]:
            sound = list(readers)[number % len(readers)]
            path = sound.with_name("damaged" + sound.name)
            rng = np.random.default_rng([arguments.seed, number])
            path.write_bytes(damaged(contents[sound], rng))
            began = time.perf_counter()
            word, wrong = outcome(readers[sound], path)
            seconds = time.perf_counter() - began
            outcomes.setdefault(sound.name, Counter())[word] += 1
            slowest = max(slowest, (seconds, f"{number} {sound.name}"))
            bad += bool(wrong) + (seconds > LONGEST)
            if wrong:
                print(f"--only {number} ({sound.name})\n{wrong}")
            for left in path.parent.glob("damaged*"):
                left.unlink()
    for name, counts in outcomes.items():
        print(f"{name:20}", *(f"{word} {count}" for word, count in sorted(counts.items())))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{arguments.files} files, seed {arguments.seed}: {bad} wrong; at most {memory:.0f} MB;")
    print(f"slowest {slowest[0]:.2f} s ({slowest[1]})")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
