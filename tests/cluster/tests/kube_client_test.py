"""The Kubernetes client of common/kube against a real API server: what goes wrong, and what comes of it.

The client is build/ci/bin/kube_watch_tool, which prints what it sees. No node is needed.
"""

import json
import pathlib
import signal
import time

import pytest

from fairlead_cluster import wait_for
from fairlead_cluster.bare_api import BareApi
from talking_tool import TalkingTool

MAPS = "/api/v1/namespaces/default/configmaps"
RBAC = "/apis/rbac.authorization.k8s.io/v1"


class Watcher(TalkingTool):
    """The tool at work; objects, history and status are what it has said so far."""

    def __init__(self, *words):
        self.objects = set()
        self.history = []
        self.status = {}
        super().__init__("kube_watch_tool", *words)

    def hear(self, line):
        said = json.loads(line)
        if "status" in said:
            self.status = said["status"]
            return
        self.history.append(line.strip())
        if "replace" in said:
            self.objects = set(said["names"])
        elif "upsert" in said:
            self.objects = self.objects | {said["upsert"]}
        elif "remove" in said:
            self.objects = self.objects - {said["remove"]}

    def wait(self, what, condition, timeout_s=60):
        return wait_for(what, lambda: condition(self), timeout_s, poll_s=0.05,
                        hint=lambda: f"status {self.status}, objects {sorted(self.objects)}, {self.history[-5:]}")

    def wait_objects(self, *names):
        self.wait(f"exactly {names}", lambda w: w.objects == {f"default/{name}" for name in names})


@pytest.fixture(scope="module")
def bare():
    with BareApi() as running:
        yield running


@pytest.fixture(autouse=True)
def no_objects(bare):
    yield
    bare.api.delete(f"{MAPS}")


def put(bare, *names):
    for name in names:
        bare.api.create(MAPS, {"metadata": {"name": name}})


def restart_api(bare):
    bare.kill("kube-apiserver")
    bare.start("kube-apiserver")
    bare.wait_ready()


def watch_maps(bare, *more, kubeconfig="admin"):
    return Watcher("--kubeconfig", bare.kubeconfig(kubeconfig), "--resource", "configmaps", MAPS, *more)


def test_it_follows_what_is_made_changed_and_deleted_page_by_page(bare):
    put(bare, *(f"m{i}" for i in range(7)))
    with watch_maps(bare, "--page", 3) as watcher:
        watcher.wait_objects(*(f"m{i}" for i in range(7)))
        watcher.wait("one list", lambda w: w.status["lists"] == 1)
        put(bare, "new")
        bare.api.patch(f"{MAPS}/m0", {"data": {"a": "b"}})
        bare.api.delete(f"{MAPS}/m1")
        watcher.wait_objects("new", "m0", *(f"m{i}" for i in range(2, 7)))
        assert watcher.history[1:] == ['{"upsert":"default/new"}', '{"upsert":"default/m0"}',
                                       '{"remove":"default/m1"}']
        assert watcher.status["trouble"] == "" and watcher.status["bad"] == 0


def test_it_outlives_an_api_server_that_is_killed(bare):
    put(bare, "before")
    with watch_maps(bare) as watcher:
        watcher.wait_objects("before")
        bare.kill("kube-apiserver")
        watcher.wait("trouble", lambda w: "watch on configmaps" in w.status["trouble"])
        bare.start("kube-apiserver")
        bare.wait_ready()
        put(bare, "after")
        bare.api.delete(f"{MAPS}/before")
        watcher.wait_objects("after")
        watcher.wait("no trouble", lambda w: w.status["trouble"] == "")
        assert watcher.status["lists"] == 1, watcher.status


def test_it_lists_anew_when_its_version_was_compacted_away(bare):
    put(bare, "stays", "goes")
    with watch_maps(bare) as watcher:
        watcher.wait_objects("stays", "goes")
        watcher.wait("the watch", lambda w: w.status["watches"] == 1)
        watcher.send(signal.SIGSTOP)
        restart_api(bare)  # What happens now no longer waits in the watch's socket.
        bare.api.delete(f"{MAPS}/goes")
        put(bare, "comes")
        bare.compact()
        restart_api(bare)
        put(bare, "last")
        watcher.send(signal.SIGCONT)
        watcher.wait_objects("stays", "comes", "last")
        # The status is told a moment after what it is about.
        watcher.wait("a second list", lambda w: w.status["lists"] == 2)
        assert watcher.status["failures"].get("expired", 0) >= 1, watcher.status


def freeze_api(bare, watcher, seconds):
    """The API server does nothing for so long; its kernel goes on acknowledging. Then it goes on."""
    bare.freeze("kube-apiserver")
    try:
        time.sleep(seconds)
    finally:
        bare.thaw("kube-apiserver")
    bare.wait_ready()
    put(bare, "after")
    bare.api.delete(f"{MAPS}/before")
    watcher.wait_objects("after")


def test_a_frozen_api_server_is_noticed_and_followed_again(bare):
    put(bare, "before")
    with watch_maps(bare, "--silence", 3) as watcher:
        watcher.wait_objects("before")
        freeze_api(bare, watcher, 15)
        assert watcher.status["failures"].get("silent", 0) >= 1, watcher.status
        assert watcher.objects == {"default/after"}


@pytest.mark.long
def test_an_api_server_frozen_for_a_minute_is_followed_again(bare):
    put(bare, "before")
    with watch_maps(bare) as watcher:
        watcher.wait_objects("before")
        freeze_api(bare, watcher, 60)


class Account:
    """A service account with the verbs given, and the files that a pod of it would have."""

    def __init__(self, bare, name, folder, verbs=()):
        self._bare = bare
        self.name = name
        self.folder = folder
        bare.api.create("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": name}})
        (folder / "ca.crt").write_bytes(pathlib.Path(bare.credentials.ca).read_bytes())
        if verbs:
            self.allow(verbs)

    def allow(self, verbs):
        rule = {"apiGroups": [""], "resources": ["configmaps"], "verbs": list(verbs)}
        role = f"{self.name}-{'-'.join(verbs)}"
        self._bare.api.create(f"{RBAC}/clusterroles", {"metadata": {"name": role}, "rules": [rule]})
        self._bare.api.create(f"{RBAC}/clusterrolebindings", {
            "metadata": {"name": role},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "ServiceAccount", "name": self.name, "namespace": "default"}]})

    def token(self):
        """A new token of 10 minutes."""
        answer = self._bare.api.create(f"/api/v1/namespaces/default/serviceaccounts/{self.name}/token",
                                       {"spec": {"expirationSeconds": 600}})
        return answer["status"]["token"]

    def project(self, token):
        """As kubelet does: the file is replaced at one stroke."""
        beside = self.folder / "token.new"
        beside.write_text(token)
        beside.replace(self.folder / "token")

    def watch(self):
        return Watcher("--in-cluster", "127.0.0.1", self._bare.port, self.folder, "--resource", "configmaps", MAPS)


def test_a_token_that_is_refused_is_read_anew(bare, tmp_path):
    put(bare, "a")
    account = Account(bare, "rotated", tmp_path, ["list", "watch"])
    good = account.token()
    account.project(good[:-8] + "AAAAAAAA")
    with account.watch() as watcher:
        watcher.wait("401", lambda w: "does not know our token" in w.status.get("trouble", ""))
        account.project(good)
        watcher.wait_objects("a")
        # The next watch comes with the next token.
        account.project(account.token())
        restart_api(bare)
        put(bare, "b")
        watcher.wait_objects("a", "b")


def test_a_missing_verb_is_named_and_found_again_once_it_is_granted(bare, tmp_path):
    put(bare, "a")
    account = Account(bare, "poor", tmp_path)
    account.project(account.token())
    with account.watch() as watcher:
        watcher.wait("a word on list", lambda w: "RBAC lacks list on configmaps" in w.status.get("trouble", ""))
        assert "system:serviceaccount:default:poor" in watcher.status["trouble"]
        account.allow(["list"])
        watcher.wait_objects("a")
        watcher.wait("a word on watch", lambda w: "RBAC lacks watch on configmaps" in w.status["trouble"])
        account.allow(["watch"])
        put(bare, "b")
        watcher.wait_objects("a", "b")
        watcher.wait("no trouble", lambda w: w.status["trouble"] == "")


def test_an_optional_resource_is_followed_once_it_is_installed(bare):
    group = "tests.fairlead.dev"
    with Watcher("--kubeconfig", bare.kubeconfig("admin"), "--resource", f"gangs.{group}", f"/apis/{group}/v1/gangs",
                 "--optional", "--absent-wait", 1) as watcher:
        watcher.wait("synced without it", lambda w: w.status.get("synced") and w.status["absent"])
        bare.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            "metadata": {"name": f"gangs.{group}"},
            "spec": {"group": group, "scope": "Namespaced", "names": {"kind": "Gang", "plural": "gangs"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {
                         "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
        watcher.wait("it", lambda w: not w.status["absent"])
        bare.api.create(f"/apis/{group}/v1/namespaces/default/gangs",
                        {"apiVersion": f"{group}/v1", "kind": "Gang", "metadata": {"name": "g"}})
        watcher.wait("a gang", lambda w: "default/g" in w.objects)
