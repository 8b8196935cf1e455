"""Two convolutional networks in pure NumPy: one describes a face, the other finds faces.

Both were trained by D. King, the author of dlib: a residual network (K. He et al., *Deep residual
learning for image recognition*, 2016), which turns a face into 128 numbers, and a seven-layer
detector (D. King, *Max-margin object detection*, 2015). The weights are read from dlib's files, so
the results equal those of dlib up to rounding. Each layer is one matrix product.

A **convolution** looks at a picture (rows, columns, c) through a window of size × size pixels. At
every position, it turns the size²·c numbers p in the window into k new numbers,

    y = Wᵀ p + b,    W (size²·c, k),  b (k,),

with the same W and b everywhere. If the windows at all positions are the rows of a matrix P, a
single product Y = P W + b computes the whole result, which is again a picture, with k numbers per
pixel. In memory, the c numbers of a pixel are adjacent, as are the pixels of a row and the rows. A
step of one pixel is a fixed number of bytes, and so is a step of one row. The windows therefore
need not be copied one by one. They share the memory of the picture, with five strides instead of
three (position down and across, then down, across and c within the window); see
`numpy.lib.stride_tricks`. A window that moves by two pixels at a time (its stride) gives half the
rows and half the columns.

These products release the GIL, so threads can work in parallel.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np
from PIL import Image

from eigenfaces.faces.model_files import DESCRIBER, DETECTOR, read_model
from eigenfaces.photographs.placement import Box
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.threads import one_blas_thread

DESCRIPTOR_SIZE = 128  # numbers that describe a face

_MEAN = np.array([122.782, 117.001, 104.298], np.float32)  # red, green and blue scaled to 0 …
_RANGE = np.float32(256)  # … and the difference from it scaled to 1
_BATCH = 4  # faces described together: more do not fit into the processor's cache
_PATCHES = 1 << 19  # numbers in the windows processed at a time: 2 MB

_WINDOW = 80  # the detector looks for faces of this size, in pixels …
_PYRAMID = 5 / 6  # … while the picture is reduced by this factor again and again
_BORDER = 1 / 7  # border around the picture, a share of the longer side, for faces cut off …
_GREY = 117  # … and its grey level
_OVERLAP = 0.35  # two boxes with this intersection over union or more are the same face


@dataclass(frozen=True, eq=False)
class Convolution:
    """Convolutional layer of a network, as described in the module docstring."""

    weights: Floats  # (size · size · c, k): k patterns, ordered by rows, columns and channels
    bias: Floats  # (k,)
    size: int  # rows and columns of the window
    stride: int  # pixels from one position to the next
    border: int  # pixels of zeros around the picture

    def scaled(self, gain: Floats, offset: Floats) -> Convolution:
        """Return a layer that outputs gain · y + offset where this layer outputs y.

        Both parameters have shape (k,). The result is still a single layer, because
        gain · (Wᵀ p + b) + offset = (W gain)ᵀ p + (gain · b + offset).
        """
        weights = self.weights * gain
        bias = gain * self.bias + offset
        return Convolution(weights, bias, self.size, self.stride, self.border)

    def __call__(self, pictures: Floats, *, rectified: bool = True) -> Floats:
        """Return the output (n, rows, columns, k) of the layer for pictures (n, rows, columns, c).

        If ``rectified``, negative numbers are replaced with zero.
        """
        if self.border:
            pictures = _framed(pictures, self.border)
        n, height, width, c = pictures.shape
        rows = (height - self.size) // self.stride + 1
        columns = (width - self.size) // self.stride + 1
        of_picture, down, across, of_number = pictures.strides
        windows = np.lib.stride_tricks.as_strided(
            pictures,
            (n, rows, columns, self.size, self.size, c),
            (of_picture, down * self.stride, across * self.stride, down, across, of_number),
            writeable=False,
        )
        made = np.empty((n, rows, columns, len(self.bias)), np.float32)
        # All windows together would need size² times the memory of the picture: do a few rows.
        at_once = max(1, _PATCHES // (n * columns * len(self.weights)))
        for top in range(0, rows, at_once):
            some = windows[:, top : top + at_once]
            numbers = some.reshape(-1, len(self.weights)) @ self.weights
            numbers += self.bias
            if rectified:
                np.maximum(numbers, 0, out=numbers)
            made[:, top : top + at_once] = numbers.reshape(*some.shape[:3], -1)
        return made


def _framed(pictures: Floats, border: int) -> Floats:
    """Return pictures (n, rows, columns, c), each surrounded by a border of zeros."""
    n, rows, columns, c = pictures.shape
    framed = np.zeros((n, rows + 2 * border, columns + 2 * border, c), np.float32)
    framed[:, border:-border, border:-border] = pictures
    return framed


class _Reader:
    """Sequential reader of a dlib file."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def integer(self) -> int:
        """Read an integer; its first byte gives the sign and the number of bytes that follow."""
        head = self.content[self.at]
        start = self.at + 1
        self.at = start + (head & 15)
        size = int.from_bytes(self.content[start : self.at], "little")
        return -size if head & 128 else size

    def integers(self, count: int) -> list[int]:
        return [self.integer() for _ in range(count)]

    def tensor(self) -> Floats:
        """Read an array (n,), stored as a version number (2), four sizes, and float32 values."""
        _, *sizes = self.integers(5)
        count = int(np.prod(sizes))
        numbers = np.frombuffer(self.content, "<f4", count, self.at)
        self.at += numbers.nbytes
        return numbers


_LAYER = re.compile(rb"\x05(con_4)|\x07(affine_)|\x07(bn_con2)|\x04(fc_2)")
"""The beginning of each layer that has parameters: the length of its name, then the name.

Other layers, such as pooling, have no parameters. The file does not say how layers are connected.
"""

_LEAST_VARIANCE = 1e-4  # added to variances, as in training


def _layers(content: bytes) -> list[Convolution]:
    """Return the layers in a file, in order from input to output.

    Layers that only scale the output of a convolution are merged into it.
    """
    file = _Reader(content)
    layers = list[Convolution]()
    while (found := _LAYER.search(content, file.at)) is not None:
        file.at = found.end()
        kind = found[found.lastindex or 0]
        if kind == b"con_4":  # k patterns by colours, rows and columns, then k biases
            numbers = file.tensor()
            k, size, _, stride, _, border = file.integers(6)
            patterns = numbers[:-k].reshape(k, -1, size, size).transpose(2, 3, 1, 0)
            weights = np.ascontiguousarray(patterns).reshape(-1, k)
            layers.append(Convolution(weights, numbers[-k:], size, stride, border))
        elif kind == b"fc_2":  # fully connected: a window of one pixel
            inputs, outputs = reversed(file.integers(2))
            weights = file.tensor().reshape(inputs, outputs)
            layers.append(Convolution(weights, np.zeros(outputs, np.float32), 1, 1, 0))
        else:
            gain, offset = file.tensor().reshape(2, -1)
            if kind == b"bn_con2":  # gain · (y − mean) / deviation + offset
                file.integers(10)  # two sizes that are not needed
                file.tensor()  # the last means and deviations in training, …
                file.tensor()
                mean = file.tensor()  # … and their running averages
                gain = gain / np.sqrt(file.tensor() + np.float32(_LEAST_VARIANCE))
                offset = offset - gain * mean
            layers[-1] = layers[-1].scaled(gain, offset)
    return layers


_READING = Lock()
_NETWORKS: dict[str, list[Convolution]] = {}


def _network(name: str) -> list[Convolution]:
    """Return the layers of a network, reading its file only once per process."""
    with _READING:
        if name not in _NETWORKS:
            _, content = read_model(name)
            _NETWORKS[name] = _layers(content)
        return _NETWORKS[name]


@one_blas_thread()
def describe(chips: Sequence[Bytes]) -> Floats:
    """Return the descriptors (n, `DESCRIPTOR_SIZE`) of faces, in about 10 ms each on one core.

    ``chips`` are colour pictures of faces, of shape (150, 150, 3), made by `network.chip`. Raises
    `EigenfacesError` if the model files are missing or damaged.
    """
    if not chips:
        return np.empty((0, DESCRIPTOR_SIZE), np.float32)
    batches = [np.stack(chips[at : at + _BATCH]) for at in range(0, len(chips), _BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.concatenate([*pool.map(_describe_batch, batches)])


def _describe_batch(chips: Bytes) -> Floats:
    """Return the descriptors (n, 128) of chips (n, 150, 150, 3).

    A residual block adds the output of two layers to its input x. If the first layer halves the
    picture, x is also halved by averaging 2 × 2 pixels. If the output and x differ in size or
    number of channels, the smaller one is padded with zeros.
    """
    first, *blocks, last = _network(DESCRIBER)
    x = _largest_of_nine(first((chips - _MEAN) / _RANGE))
    for one, other in zip(blocks[::2], blocks[1::2], strict=True):
        y = other(one(x), rectified=False)
        if one.stride == 2:
            halved = _mean_of_four(x)
            sizes = np.maximum(halved.shape, y.shape)
            total = np.zeros(sizes, np.float32)
            for part in (halved, y):
                n, rows, columns, k = part.shape
                total[:n, :rows, :columns, :k] += part
        else:
            total = np.add(x, y, out=y)
        x = np.maximum(total, 0, out=total)
    means = x.mean(axis=(1, 2), keepdims=True)
    return last(means, rectified=False).reshape(-1, DESCRIPTOR_SIZE)


def _largest_of_nine(x: Floats) -> Floats:
    """Return the maxima over 3 × 3 windows, two pixels apart, in pictures (n, r, c, k)."""
    rows, columns = ((side - 3) // 2 * 2 + 1 for side in x.shape[1:3])
    largest = x[:, :rows:2, :columns:2].copy()
    for down in range(3):
        for across in range(3):
            shifted = x[:, down : down + rows : 2, across : across + columns : 2]
            np.maximum(largest, shifted, out=largest)
    return largest


def _mean_of_four(x: Floats) -> Floats:
    """Return the 2 × 2 block means of pictures (n, r, c, k), ignoring an odd last row or column."""
    n, rows, columns, k = x.shape
    whole = x[:, : rows // 2 * 2, : columns // 2 * 2]
    return whole.reshape(n, rows // 2, 2, columns // 2, 2, k).mean(axis=(2, 4))


@one_blas_thread()
def find_boxes(colours: Bytes, least: float = 0.0) -> list[tuple[float, Box]]:
    """Find faces at least 80 pixels wide in a picture, even those cut off at its edge.

    At each position, the detector computes a score that says how much a window of 80 × 80 pixels
    looks like a face. Larger faces are found in reduced copies of the picture.

    Parameters
    ----------
    colours
        The colour picture (h, w, 3).
    least
        The score above which a window is considered a face.

    Returns
    -------
    list
        (score, (left, top, size)) for each face, in pixels of the picture, the most certain first.

    Raises
    ------
    EigenfacesError
        The model files are missing or damaged.
    """
    margin = round(_BORDER * max(colours.shape))
    frame = ((margin, margin), (margin, margin), (0, 0))
    whole = np.pad(colours, frame, constant_values=_GREY)
    found = list[tuple[float, Box]]()
    scale = 1.0
    picture = whole
    while min(picture.shape[:2]) >= _WINDOW:
        scores, places = _search(picture, least)
        size = _WINDOW / scale
        for score, (middle_x, middle_y) in zip(scores, places / scale - margin, strict=True):
            box = (float(middle_x - size / 2), float(middle_y - size / 2), size)
            found.append((float(score), box))
        scale *= _PYRAMID
        height, width = (round(side * scale) for side in whole.shape[:2])
        smaller = Image.fromarray(whole).resize((width, height), Image.Resampling.BILINEAR)
        picture = np.asarray(smaller)
    kept = list[tuple[float, Box]]()
    for score, box in sorted(found, reverse=True):
        if all(_overlap(box, better) < _OVERLAP for _, better in kept):
            kept.append((score, box))
    return kept


def _search(picture: Bytes, least: float) -> tuple[Floats, Floats]:
    """Return the detector scores (n,) above ``least`` in a picture, with their positions (n, 2)."""
    layers = _network(DETECTOR)
    x = ((picture - _MEAN) / _RANGE)[None]
    for layer in layers[:-1]:
        x = layer(x)
    scores = layers[-1](x, rectified=False)[0, :, :, 0]
    rows, columns = np.nonzero(scores > least)
    places = np.stack([columns, rows], axis=1).astype(np.float32)
    for layer in reversed(layers):  # go back to the middle of the window behind each score
        places = places * layer.stride - layer.border + layer.size // 2
    return scores[rows, columns], places


def _overlap(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes."""
    left, top, size = one
    x, y, side = other
    wide = max(min(left + size, x + side) - max(left, x), 0)
    high = max(min(top + size, y + side) - max(top, y), 0)
    return wide * high / (size**2 + side**2 - wide * high)
