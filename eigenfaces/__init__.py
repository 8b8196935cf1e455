"""Eigenfaces: from a folder of photographs to a name, with every step visible.

1. `photographs` finds them by person, and reads each one upright and grey.
2. `faces` cuts every photograph to one size by a saved `Preparation`.
3. `space` finds the principal components of the faces: the mean and the eigenfaces.
4. `recognition` holds people, faces and face space in a `Gallery`; every edit makes a new one.
5. It returns the verdict on a probe: who, how sure, and why; or nobody.
6. `evaluation` measures how often that is right, with intervals and controls; `report` writes it.
7. `project` keeps a gallery in one file, changed one transaction at a time.

>>> import numpy as np
>>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify
>>> rng = np.random.default_rng(0)
>>> ada, grace = 0.9 * rng.random((2, 16, 16))
>>> noise = lambda: 0.05 * rng.random((16, 16))
>>> faces = FaceSet.from_arrays(
...     [ada + noise(), ada + noise(), grace + noise(), grace + noise()],
...     ["Ada", "Ada", "Grace", "Grace"],
... )
>>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
>>> identify(gallery, grace + noise()).closest.person
'Grace'
"""

import lazy_loader

__version__ = "1.0.0"

# Imported at first use, so that the command line can be stopped with Ctrl-C before.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
