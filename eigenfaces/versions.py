"""Versions of the program and of the packages that its figures depend on.

A report records them, so that anybody who repeats it can see what was different. They are read from
the metadata of the installed packages, and no package is imported for this.
"""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import eigenfaces

PACKAGES = ("numpy", "scipy", "scikit-learn", "scikit-image", "pillow")
"""The packages that figures depend on, by their names in the package index."""


def package_versions() -> dict[str, str]:
    """Return the versions of all packages that an evaluation depends on.

    Returns
    -------
    dict
        The version of each package by name, and the type of processor as “machine”. The version of
        a package that is not installed is “unknown”.

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
        except PackageNotFoundError:  # the package was copied, not installed
            versions[name] = "unknown"
    return versions
