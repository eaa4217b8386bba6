"""The acts of the demo on a cluster: the chart, a gang over a line, the line degraded, a decision, a move."""

import base64
import json
import ssl
import time
import urllib.request

import yaml

from fairlead_cluster import images, release as releases, wait_for

SIZE = 6
SLOTS = 4
_JOBS = "/apis/batch/v1/namespaces/default/jobs"
_SERVER = "fairlead-extender.fairlead.svc"
_SOON_S = 300.0
_MOVE_S = 420.0

# Production takes minutes to half an hour for each of these.
_SITES = [{"name": "hk", "latitude": 22.3, "longitude": 114.2}, {"name": "sg", "latitude": 1.35, "longitude": 103.8},
          {"name": "tyo", "latitude": 35.7, "longitude": 139.7}]
_MIGRATION = {"mode": "dry-run", "interval": "1s", "minRuntime": "0s", "nearCompletion": "0s", "destinationCooldown": "0s",
              "evidence": {"degradedFor": "5s", "samples": 20, "staleAfter": "30s"},
              "costs": {"checkpointAge": "20s", "checkpointWrite": "5s", "restart": "5s", "requeue": "5s"}}


class ClusterActs:
    """Runs on a cluster of hk, sg and tyo that the caller starts and ends."""

    def __init__(self, cluster, release, report):
        self.cluster = cluster
        self.release = release
        self.report = report
        self._values = releases.values(cluster, sites=_SITES, migration=dict(_MIGRATION))
        self._values["scheduler"] = {"integration": "snippet", "httpTimeout": "1s", "ignorable": False}
        self._port = cluster.nodes["hk"].site.forward(8471)

    def run(self):
        self.install()
        self.place()
        self.degrade()
        self.decide()
        self.move()
        self.heal()
        self.uninstall()

    def install(self):
        self.report.title("helm install fairlead")
        begin = time.monotonic()
        notes = self._helm_upgrade()
        took = time.monotonic() - begin
        self.report.row("helm install", "all pods ready within 180 s", f"ready after {took:.0f} s", took <= 180)
        self._show("kubectl", "-n", "fairlead", "get", "pods", "-o", "wide")
        self.report.line("the scheduler gets the entry that helm printed:")
        entry = self._entry(notes)
        print(_indented(yaml.safe_dump(entry, sort_keys=False)), flush=True)
        self.cluster.restart_scheduler(entry)
        self._wait("each node to offer its HCA", lambda: all(
            self._allocatable(node) == str(SLOTS) for node in self.cluster.nodes))
        self._show("kubectl", "get", "nodes", "-o",
                   r"custom-columns=NODE:.metadata.name,SITE:.metadata.labels.topology\.kubernetes\.io/region,"
                   r"HCA:.status.allocatable.rdma/hca")
        self._wait("six Healthy links", lambda: self._states() == {"Healthy"} and len(self._links()) == 6)
        self._show("kubectl", "get", "links", "-o", "wide")

    def place(self):
        self.report.title(f"A gang of {SIZE} pods, an HCA each; a site has {SLOTS}")
        self.cluster.api.create(_JOBS, {"metadata": {"name": "llm"}, "spec": {
            "parallelism": SIZE, "completions": SIZE, "completionMode": "Indexed", "backoffLimit": 100,
            "template": {
                "metadata": {"annotations": {"fairlead.dev/comm-pattern": "allreduce", "fairlead.dev/comm-bytes": "64KiB"}},
                "spec": {"hostNetwork": True, "restartPolicy": "Never", "terminationGracePeriodSeconds": 1, "containers": [{
                    "name": "main", "image": images.reference("verbs"), "imagePullPolicy": "Never",
                    "resources": {"limits": {"rdma/hca": "1"}}}]}}}})
        self._wait("the gang to run", self._runs)
        sites = self._sites()
        self._show("kubectl", "get", "pods", "-o", "wide")
        self._show_events()
        self.report.row("where the gang runs", "hk and sg, the nearest", _counted(sites), set(sites) == {"hk", "sg"})
        name = self._pods()[0]["metadata"]["name"]
        seen = self.cluster.kubectl("exec", name, "--", "ibv_devices").stdout.split()
        wanted = self.cluster.kubectl("exec", name, "--", "sh", "-c", "echo $NCCL_IB_HCA $NCCL_IB_GID_INDEX").stdout.strip()
        self.report.row("what a pod has", "an HCA, and NCCL told which", wanted or "no NCCL variables",
                        any(word.startswith("rxe") for word in seen) and wanted.startswith("=rxe"))

    def degrade(self):
        self.report.title("The cable between HK and SG is rerouted: 60 ms more")
        self._wait("six Healthy links, for pods that start delay emulated nodes", lambda: self._states() == {"Healthy"})
        line = self.cluster.lab.line("hk-sg")
        line.set(delay_ms=line.rtt_ms() / 2 + 30)
        begin = time.monotonic()
        self._wait("both directions to be Degraded", lambda: all(
            link["state"] == "Degraded" for link in self._links() if {link["from"], link["to"]} == {"hk", "sg"}))
        self.report.row("+60 ms on HK-SG", "Degraded both ways", f"after {time.monotonic() - begin:.0f} s", True)
        self._show("kubectl", "get", "links", "-o", "wide")

    def decide(self):
        self.report.title("Migration in dry-run: the meter fills, nothing moves")
        before = self._pods_by_uid()
        shown = [0.0]

        def advised():
            gang = self._gang()
            if gang and time.monotonic() - shown[0] > 8:
                shown[0] = time.monotonic()
                self.report.line(f"paid {gang['paid_seconds']:.0f} s of {gang['threshold_seconds']:.0f} s: {gang['sentence']}")
            return gang and gang["reason"] == "dry_run"

        self._wait("the decision", advised, _MOVE_S)
        self.report.line(self._gang()["sentence"])
        self.report.row("dry-run", "a move is advised, nobody moves", "MigrationAdvised",
                        self._told("MigrationAdvised") and self._pods_by_uid() == before)

    def move(self):
        self.report.title("migration: {mode: enforce} in the ConfigMap")
        agents = self.release.pods()
        self._values["config"]["migration"]["mode"] = "enforce"
        begin = time.monotonic()
        self._helm_upgrade()
        before = self._pods_by_uid()
        self._wait("the gang to be moved", lambda: self._told("MigrationDone"), _MOVE_S)
        self._wait("the gang to run", self._runs)
        sites = self._sites()
        self._show("kubectl", "get", "pods", "-o", "wide")
        self._show_events()
        whole = len(self._pods_by_uid()) == SIZE and not before & self._pods_by_uid()
        self.report.row("enforce", "the whole gang, once, off HK-SG", f"{_counted(sites)} after {time.monotonic() - begin:.0f} s",
                        whole and not {"hk", "sg"} <= set(sites) and len(self._told("MigrationStarted")) == 1)
        self.report.row("Fairlead's own pods", "the same as before", "the same" if self.release.pods() == agents else "others",
                        self.release.pods() == agents)

    def heal(self):
        self.report.title("The cable is mended: the gang stays")
        before = self._pods_by_uid()
        self.cluster.lab.line("hk-sg").restore()
        self._wait("six Healthy links", lambda: self._states() == {"Healthy"})
        self.report.row("HK-SG restored", "Healthy; nobody moves back", f"{_counted(self._sites())}",
                        self._pods_by_uid() == before and len(self._told("MigrationStarted")) == 1)

    def uninstall(self):
        self.report.title("helm uninstall fairlead")
        self.cluster.api.delete(f"{_JOBS}/llm", {"propagationPolicy": "Background"})
        done = self.release.helm("uninstall", "fairlead", "--wait", "--timeout", "5m")
        print(_indented(done.stdout + done.stderr), flush=True)
        self._wait("its pods to be gone", lambda: not self.release.pods())
        roles = self.cluster.kubectl("get", "clusterroles,clusterrolebindings", "-o", "name").stdout
        left = [name for name in roles.split() if "fairlead" in name]
        self.report.row("helm uninstall", "no pods, no rights left", ", ".join(left) or "nothing", not left)

    # What the acts look at.

    def _helm_upgrade(self):
        done = self.release.upgrade(self._values)
        if done.returncode != 0:
            raise RuntimeError(f"helm ended with {done.returncode}: {done.stderr[-2000:]}\n{self.release.explain()}")
        return done.stdout

    def _entry(self, notes):
        """What helm's notes say for an existing kube-scheduler, which runs on this host: by a port of its own."""
        text = notes[notes.index("percentageOfNodesToScore"):]
        rows = [row for row in text.splitlines() if row.startswith("  ") or row.startswith("percentage")]
        entry = yaml.safe_load("\n".join(["  " + rows[0].strip(), *rows[1:]]))
        for extender in entry["extenders"]:
            extender["urlPrefix"] = extender["urlPrefix"].replace("CLUSTER_IP:8471", f"127.0.0.1:{self._port}")
            extender["tlsConfig"]["caFile"] = str(self._ca())
        return entry

    def _ca(self):
        file = self.cluster.folder / "fairlead-ca.crt"
        secret = self.cluster.api.get("/api/v1/namespaces/fairlead/secrets/fairlead-extender-tls")
        file.write_bytes(base64.b64decode(secret["data"]["ca.crt"]))
        return file

    def _get(self, path):
        trust = ssl.create_default_context(cafile=str(self._ca()))
        trust.check_hostname = False  # the certificate is the Service's; this is a forwarded port
        with urllib.request.urlopen(f"https://127.0.0.1:{self._port}{path}", timeout=20, context=trust) as answer:
            return json.loads(answer.read())

    def _links(self):
        return [link for link in self._get("/links.json")["links"] if link["from"] != link["to"]]

    def _states(self):
        return {link["state"] for link in self._links()}

    def _gang(self):
        return next((gang for gang in self._get("/migrations.json")["gangs"] if gang["name"].endswith("/llm")), None)

    def _allocatable(self, node):
        return self.cluster.api.get(f"/api/v1/nodes/{node}")["status"]["allocatable"].get("rdma/hca")

    def _pods(self):
        return [pod for pod in self.cluster.api.get("/api/v1/namespaces/default/pods?labelSelector=job-name%3Dllm")["items"]
                if not pod["metadata"].get("deletionTimestamp")]

    def _pods_by_uid(self):
        return {pod["metadata"]["uid"] for pod in self._pods()}

    def _runs(self):
        pods = self._pods()
        return len(pods) == SIZE and all(pod["status"]["phase"] == "Running" for pod in pods)

    def _sites(self):
        sites = {}
        for pod in self._pods():
            node = pod["spec"].get("nodeName")
            sites[node] = sites.get(node, 0) + 1
        return sites

    def _told(self, reason):
        events = self.cluster.api.get("/apis/events.k8s.io/v1/namespaces/default/events")["items"]
        return [event for event in events if event["reason"] == reason]

    def _show_events(self):
        events = self.cluster.api.get("/apis/events.k8s.io/v1/namespaces/default/events")["items"]
        for event in events:
            if event.get("reportingController", "").startswith("fairlead"):
                self.report.line(f"Event {event['reason']} on {event['regarding']['name']}: {event.get('note', '')}")

    def _show(self, *command):
        self.report.line("$ " + " ".join(command))
        print(_indented(self.cluster.kubectl(*command[1:]).stdout), flush=True)

    def _wait(self, what, condition, timeout_s=_SOON_S):
        def asked():
            try:
                return condition()
            except OSError:  # the extender is not there yet, or not any more
                return False

        wait_for(what, asked, timeout_s, self.report.line, poll_s=1.0, hint=self.release.explain)


def _indented(text):
    return "\n".join("          " + row for row in text.rstrip().splitlines())


def _counted(sites):
    return ", ".join(f"{site} {count}" for site, count in sorted(sites.items()))
