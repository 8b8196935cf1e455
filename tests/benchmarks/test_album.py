"""How fast the grid of photos is with 20,000 of them: its first picture, scrolling, memory.

What counts is the time that the window's own thread works, whatever else the machine does.
"""

import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image
from skimage import data

from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.decode import content_hash
from eigenfaces.project.album import AlbumPhoto
from gui.album import thumbnails
from gui.album.photo_grid import PhotoGrid
from tests.gui import seen

PHOTOS, FILES = 20_000, 40


@pytest.fixture
def album(tmp_path: Path) -> list[AlbumPhoto]:
    """Photographs of ten years; each file of 1,600 × 1,200 pixels is there 500 times."""
    files = []
    for number in range(FILES):
        path = tmp_path / f"{number}.jpg"
        picture = Image.fromarray(np.roll(data.astronaut(), 12 * number, axis=1))
        picture.resize((1600, 1200)).save(path, quality=90)
        files.append((path, content_hash(path.read_bytes())))
    found = []
    for at in range(PHOTOS):
        path, sha = files[at % FILES]
        photograph = Photograph(path, f"{sha[:-6]}{at:06}", (1200, 1600))
        day = f"{2024 - at // 2000}-{12 - at // 167 % 12:02}-15T12:00:00"
        found.append(AlbumPhoto(photograph, day, (FacePhoto(photograph, f"Person {at % 50}"),)))
    return found


def test_a_grid_of_20_000_photos(qtbot, album, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(thumbnails, "cache_folder", lambda: tmp_path / "cache")
    sys.setswitchinterval(0.0005)  # as in the program
    process = psutil.Process()
    before = process.memory_info().rss
    grid = seen.show(qtbot, PhotoGrid(), (1200, 800))
    begun = time.thread_time()
    grid.show_photos(album)
    grid.repaint()
    first = 1000 * (time.thread_time() - begun)
    bar, frames, jumps = grid.verticalScrollBar(), list[float](), list[float]()
    for step in range(400):  # mostly in small steps, and now and then somewhere else
        jump = step % 20 == 0
        begun = time.thread_time()
        bar.setValue(bar.maximum() * step // 400 if jump else bar.value() + 60)
        grid.repaint()
        (jumps if jump else frames).append(1000 * (time.thread_time() - begun))
        qtbot.wait(16)
    grown = (process.memory_info().rss - before) / 1e6
    grid.thumbnails.close()
    print(
        f"\n{PHOTOS:,} photos: first painted after {first:.0f} ms; a frame of scrolling "
        f"{np.median(frames):.1f} ms (95 % within {np.percentile(frames, 95):.1f}, longest "
        f"{max(frames):.0f}), of a jump {np.median(jumps):.1f} ms; {grown:.0f} MB more"
    )
    assert np.median(frames) < 16
    assert first < 1000
