"""Folders of what is built once and kept: beside the lab's kernel."""

from fairlead_lab.kernel import cache_dir

from .errors import ClusterError


def folder(*names):
    """The folder of these names below the cache, made where it is missing."""
    path = cache_dir().joinpath(*names)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ClusterError(f"cache {path}: {error.strerror}; set FAIRLEAD_CACHE to a writable folder") from None
    return path
