"""Programs in namespaces of their own."""

import os


def unshare(*kinds):
    """The words before a program that gives it these ("--net", "--mount"); also for those who are not root."""
    return ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), *kinds]
