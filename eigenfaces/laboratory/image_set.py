"""Any pictures of one size: digits, patches, a folder in grey or in colour."""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.arrays import Doubles, Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageSet:
    """n pictures of h × w pixels and c channels, with labels or without.

    Parameters
    ----------
    title
        What they are, for people: “1,797 digits”.
    pixels
        (n, h·w·c) grey values or colours 0…1, a picture a row.
    shape
        (h, w) of grey pictures, (h, w, 3) of colour pictures.
    labels
        (n,) what each shows, or None.
    code
        Lines of Python that make ``x`` (n, d) and, with labels, ``labels`` (n,), for the listings.
    """

    title: str
    pixels: Floats
    shape: tuple[int, ...]
    labels: tuple[str, ...] | None = None
    code: str = ""

    def __len__(self) -> int:
        return len(self.pixels)

    @property
    def values(self) -> Doubles:
        """The pixels (n, d) in double precision."""
        return self.pixels.astype(float)
