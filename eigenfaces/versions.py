"""The versions of the program and of the packages that its figures depend on.

A report states them, so that somebody who measures again knows what was different. They are read
from what is installed: no package is imported for it.
"""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import eigenfaces

PACKAGES = ("numpy", "scipy", "scikit-learn", "scikit-image", "pillow")
"""The packages that figures depend on, as they are called where they are installed from."""


def package_versions() -> dict[str, str]:
    """Return the versions of what an evaluation depends on.

    Returns
    -------
    dict
        The version of each, by its name; and as “machine” the kind of processor.
        The version of a package that is not installed is “unknown”.

    Examples
    --------
    >>> versions = package_versions()
    >>> versions["eigenfaces"] == eigenfaces.__version__
    True
    """
    versions = {"python": platform.python_version(), "machine": platform.machine()}
    versions["eigenfaces"] = eigenfaces.__version__
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # somebody has copied its folder
            versions[name] = "unknown"
    return versions
