"""The one exception type that the lab raises for anything a user can mend."""


class LabError(Exception):
    """Something the user can mend; the message names the thing, the value and the remedy."""
