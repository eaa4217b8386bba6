"""Every call of a move, answered 409, 429, 500 and 403 by a real API server's door, once and three times: each gang is
moved whole and once. No guests."""

import pytest

from migration_stand import standing
from move_faults import CALLS, move_all

pytestmark = pytest.mark.long

POOLS = [f"p{number}" for number in range(len(CALLS))]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with standing(tmp_path_factory.mktemp("stage"), POOLS, faulty=True) as running:
        for replica in running.replicas:
            # Three refusals on end take longer than the stand's own patience.
            replica.migrate(relocation={"beginTimeout": "60s", "checkpointTimeout": "10m"})
        yield running


@pytest.mark.parametrize("times", [1, 3], ids=["once", "thrice"])
@pytest.mark.parametrize("code", [409, 429, 500, 403])
def test_every_call_may_be_refused(stage, code, times):
    move_all(stage, [(name, code, {"times": times}) for name in CALLS], POOLS)


def test_every_change_may_be_made_though_the_answer_says_no(stage):
    changes = [name for name, call in CALLS.items() if call.method != "GET" and name != "ask-rights"]
    move_all(stage, [(name, 500, {"done": True}) for name in changes], POOLS)
