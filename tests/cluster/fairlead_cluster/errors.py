"""The one exception type that the cluster raises for anything a user can mend."""


class ClusterError(Exception):
    """Something the user can mend; the message names the thing, the value and the remedy."""
