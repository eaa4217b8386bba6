"""Folders of what is built once and kept: beside the lab's kernel."""

import os

from fairlead_lab.kernel import cache_dir

from .errors import ClusterError


def folder(*names):
    """The folder of these names below the cache, made where it is missing. ClusterError where it cannot be used."""
    path = cache_dir().joinpath(*names)
    try:
        path.mkdir(parents=True, exist_ok=True)
        trouble = "" if os.access(path, os.R_OK | os.W_OK | os.X_OK) else "this user may not write there"
    except OSError as error:
        trouble = error.strerror
    if trouble:
        raise ClusterError(f"cache {path}: {trouble}; set FAIRLEAD_CACHE to a writable folder")
    return path
