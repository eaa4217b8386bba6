"""Fairlead's programs running in a lab: the extender on the host, a linkprobe in each site.

    from fairlead_lab import Lab
    from fairlead_stack import Stack

    with Lab.up("mytest") as lab, Stack(lab, build="build/ci") as stack:
        stack.start()
        stack.wait(lambda: stack.links().all_in("Healthy"), timeout_s=60, what="all links Healthy")
        stack.post("/kube/prioritize", body)
"""

from .links import Links
from .metrics import Metrics
from .stack import Stack, StackError

__all__ = ["Links", "Metrics", "Stack", "StackError"]
