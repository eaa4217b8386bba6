"""What the chart renders: valid, as before, taken by the programs, with no more rights than needed."""

import os
import pathlib
import re
import subprocess

import pytest
import yaml

import chart
import programs
import schemas
from fairlead_stack.pki import Pki

BUILD = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", chart.ROOT / "build" / "ci"))
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
GOLDENS = ("small", "pools", "cert-manager")
PROGRAMS = ("extender", "linkprobe", "deviceplugin")


def test_lint():
    done = chart.helm("lint", "--strict", chart.CHART, "--values", chart.VALUES / "small.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", chart.SETS)
def test_all_that_is_rendered_is_of_its_schema(name, tmp_path):
    file = tmp_path / "all.yaml"
    file.write_text(chart.of_set(name))
    done = subprocess.run([str(programs.ensure() / "kubeconform"), "-strict", "-summary", "-schema-location",
                           f"{schemas.ensure()}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json", str(file)],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    valid = int(re.search(r"Valid: (\d+)", done.stdout)[1])
    assert valid == len(chart.objects(file.read_text())) > 10, done.stdout


def test_a_field_too_many_is_no_schemas(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 1, prot: TCP}]}\n")
    done = subprocess.run([str(programs.ensure() / "kubeconform"), "-strict", "-schema-location",
                           f"{schemas.ensure()}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json", str(file)],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "prot" in done.stdout, done.stdout


@pytest.mark.parametrize("name", GOLDENS)
def test_it_renders_what_it_did(name):
    """`FAIRLEAD_WRITE_GOLDENS=1 pytest ...` accepts a change."""
    file = GOLDEN / f"{name}.yaml"
    text = chart.without_secrets(chart.of_set(name))
    if os.environ.get("FAIRLEAD_WRITE_GOLDENS"):
        file.write_text(text)
    assert text == file.read_text()


def _tls(text, tmp_path):
    """{program: folder} with the files that its pod would see."""
    folders = {}
    pki = None
    for program, service in (("extender", "fairlead-extender-reports"), ("linkprobe", "fairlead-linkprobe")):
        folder = folders[program] = tmp_path / program
        folder.mkdir()
        if chart.find(text, "Secret", f"fairlead-{program}-tls"):
            files = chart.secret_files(text, f"fairlead-{program}-tls")
        else:
            pki = pki or Pki(tmp_path / "pki")
            certificate, key = pki.certificate(program, [f"{service}.{chart.NAMESPACE}.svc"])
            files = {"ca.crt": pki.ca.read_bytes(), "tls.crt": certificate.read_bytes(), "tls.key": key.read_bytes()}
        for file, data in files.items():
            (folder / file).write_bytes(data)
    return folders


@pytest.mark.parametrize("name", chart.SETS)
def test_the_programs_take_the_configuration(name, tmp_path):
    text = chart.of_set(name)
    config = chart.config(text)
    folders = _tls(text, tmp_path)
    token = tmp_path / "token"
    token.write_text("a-token-of-this-node")
    token.chmod(0o600)
    for program in PROGRAMS:
        file = tmp_path / f"{program}.yaml"
        files = folders.get(program, folders["extender"])
        file.write_text(config.replace("/run/secrets/fairlead-tls", str(files)).replace(
            "/run/secrets/fairlead/token", str(token)))
        done = subprocess.run([str(BUILD / "bin" / f"fairlead-{program}"), "--config", str(file), "--check-config"],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


def _pods(text):
    """(name, pod spec) of all that makes pods."""
    for one in chart.objects(text):
        if one["kind"] == "Pod":
            yield one["metadata"]["name"], one["spec"]
        elif one["kind"] in ("Deployment", "DaemonSet"):
            yield one["metadata"]["name"], one["spec"]["template"]["spec"]


@pytest.mark.parametrize("name", chart.SETS)
def test_pods_have_no_more_than_the_docs_say(name):
    text = chart.of_set(name)
    for pod, spec in _pods(text):
        volumes = {volume["name"]: volume for volume in spec.get("volumes", [])}
        for container in spec["containers"]:
            security = container["securityContext"]
            assert security["privileged"] is False and security["allowPrivilegeEscalation"] is False
            assert security["readOnlyRootFilesystem"] is True and security["capabilities"] == {"drop": ["ALL"]}
            assert {mount["name"] for mount in container.get("volumeMounts", [])} == set(volumes)
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        user = spec["securityContext"].get("runAsUser", spec["containers"][0]["securityContext"].get("runAsUser"))
        paths = {volume["hostPath"]["path"] for volume in volumes.values() if "hostPath" in volume}
        if pod == "fairlead-deviceplugin":
            assert user == 0
        elif pod == "fairlead-linkprobe" and paths:
            assert user == 0 and paths == {"/run/fairlead", "/var/lib/fairlead/linkprobe"}
        else:
            assert user == 65532 and spec["securityContext"]["runAsNonRoot"] is True and not paths
        if pod not in ("fairlead-extender", "fairlead-scheduler"):
            assert spec["automountServiceAccountToken"] is False


def test_a_probe_that_tells_nobody_sees_nothing_of_the_host():
    spec = chart.find(chart.of_set("unprivileged"), "DaemonSet", "fairlead-linkprobe")["spec"]["template"]["spec"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert not [volume for volume in spec["volumes"] if "hostPath" in volume]
    assert yaml.safe_load(chart.config(chart.of_set("unprivileged")))["linkprobe"]["pluginSocket"] == ""


def _rules(document):
    return sorted(repr(sorted(rule.items())) for rule in document["rules"])


def test_the_rights_are_those_of_the_plain_manifests():
    plain = chart.objects((chart.ROOT / "deploy" / "extender-rbac.yaml").read_text())
    for kind, name in (("ClusterRole", "fairlead-extender"), ("Role", "fairlead-extender")):
        ours = chart.find(chart.of_set("small"), kind, name)
        theirs = [one for one in plain if one["kind"] == kind and one["metadata"]["name"] == name]
        assert _rules(ours) == _rules(theirs[0]), kind


def _moves(text):
    return chart.find(text, "ClusterRole", "fairlead-extender-migration")


def test_rights_to_move_gangs_come_with_enforce():
    plain = chart.objects((chart.ROOT / "deploy" / "extender-migration-rbac.yaml").read_text())[0]
    assert _rules(_moves(chart.of_set("enforce"))) == _rules(plain)
    assert _moves(chart.of_set("sites")) is None
    bound = chart.find(chart.rendered("--values", chart.VALUES / "small.yaml", "--set", "rbac.migration=always",
                                      "--set", "tls.mode=none", "--namespace", "elsewhere"),
                       "ClusterRoleBinding", "fairlead-extender-migration")
    assert bound["subjects"][0]["namespace"] == "elsewhere"
    assert _moves(chart.rendered("--values", chart.VALUES / "enforce.yaml", "--set", "rbac.migration=never",
                                 "--set", "tls.mode=none")) is None


def test_the_definition_of_links_comes_with_them():
    plain = yaml.safe_load((chart.ROOT / "deploy" / "link-crd.yaml").read_text())
    ours = chart.find(chart.of_set("small"), "CustomResourceDefinition", "links.fairlead.dev")
    assert ours["spec"] == plain["spec"]
    assert ours["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}, "an uninstall would take all Links away"
    assert "kubectl get links" in chart.notes("small")
    without = chart.of_set("without-plugin")
    assert chart.find(without, "CustomResourceDefinition", "links.fairlead.dev") is None
    assert not [rule for rule in _rules(chart.find(without, "ClusterRole", "fairlead-extender")) if "links" in str(rule)]
    assert "kubectl get links" not in chart.notes("without-plugin")


def test_rights_go_with_what_needs_them():
    role = chart.find(chart.of_set("without-plugin"), "ClusterRole", "fairlead-extender")
    verbs = {verb for rule in role["rules"] for verb in rule["verbs"] if rule["resources"] != ["tokenreviews"]}
    assert verbs == {"list", "watch"}
    assert chart.find(chart.of_set("without-plugin"), "ServiceAccount", "fairlead-deviceplugin") is None
    none = chart.rendered("--values", chart.VALUES / "small.yaml", "--set", "rbac.create=false", "--set", "tls.mode=none")
    assert not [one for one in chart.objects(none) if "Role" in one["kind"] or one["kind"] == "ServiceAccount"]


def test_ports_follow_the_configuration():
    text = chart.of_set("without-plugin")
    extender = chart.find(text, "Deployment", "fairlead-extender")["spec"]["template"]["spec"]["containers"][0]
    assert {port["name"]: port["containerPort"] for port in extender["ports"]} == {
        "schedulers": 18471, "reports": 18472, "ops": 19472}
    probe = chart.find(text, "DaemonSet", "fairlead-linkprobe")["spec"]["template"]
    ports = {port["name"]: port["containerPort"] for port in probe["spec"]["containers"][0]["ports"]}
    assert ports == {"ops": 19471, "sessions": 17471, "udp-0": 17480, "udp-1": 17481, "udp-2": 17482}
    assert probe["metadata"]["annotations"]["prometheus.io/port"] == "19471"
    assert yaml.safe_load(chart.config(text))["linkprobe"]["extender"] == "fairlead-extender-reports.fairlead.svc:18472"
    assert "limits" not in probe["spec"]["containers"][0]["resources"] or \
        "fairlead.dev/probe" not in probe["spec"]["containers"][0]["resources"]["limits"]


def _hashes(text):
    found = {}
    for one in chart.objects(text):
        if one["kind"] in ("Deployment", "DaemonSet"):
            found[one["metadata"]["name"]] = one["spec"]["template"]["metadata"]["annotations"]["fairlead.dev/restart-hash"]
    return found


@pytest.mark.parametrize("change, rolled", [
    ("config.detector.recovery=90s", set()),
    ("config.migration.mode=off", set()),
    ("config.extender.gangTtl=90s", set()),
    ("config.deviceplugin.outage=20s", set()),
    ("config.extender.kubernetes.stale=60s", {"fairlead-extender"}),
    ("config.linkprobe.probesPerSecond=5", {"fairlead-linkprobe"}),
    ("config.deviceplugin.opsListen=0.0.0.0:9999", {"fairlead-deviceplugin"})])
def test_only_what_needs_a_restart_rolls_pods(change, rolled):
    base = ("--values", chart.VALUES / "small.yaml", "--set", "tls.mode=none")
    before, after = _hashes(chart.rendered(*base)), _hashes(chart.rendered(*base, "--set", change))
    assert {name for name in after if after[name] != before[name]} == rolled


def test_the_keys_that_roll_no_pod_are_those_that_the_programs_take_while_they_run():
    known = (chart.ROOT / "tests" / "common" / "config" / "restart_keys_test.cc").read_text()
    live = set(re.findall(r'"(\w+)\.(\w+)"', known[known.index(" known{"):].partition("};")[0]))
    template = (chart.CHART / "templates" / "_config.tpl").read_text()
    ours = {(program, key) for program, words in re.findall(
        r'eq \.program "(\w+)" \}\}\n  \{\{- \$kept = omit \$kept ([^}]*)\}\}', template)
        for key in re.findall(r'"(\w+)"', words)}
    assert ours == live and len(ours) > 10


def test_what_is_false_or_empty_in_the_configuration_stays_so():
    text = chart.rendered("--values", chart.VALUES / "small.yaml", "--set", "config.migration.optIn=false",
                          "--set", "tls.mode=none", "--set-string", "config.linkprobe.pluginSocket=",
                          "--set", "config.linkprobe.trafficClass=0")
    config = yaml.safe_load(chart.config(text))
    assert config["migration"]["optIn"] is False and config["linkprobe"]["pluginSocket"] == ""
    assert config["linkprobe"]["trafficClass"] == 0


def test_the_second_schedulers_configuration_is_right(tmp_path):
    config = chart.find(chart.of_set("sites"), "ConfigMap", "fairlead-scheduler")["data"]["config.yaml"]
    file = tmp_path / "config.yaml"
    file.write_text(config)
    extender = BUILD / "bin" / "fairlead-extender"
    done = subprocess.run([extender, "check-scheduler-config", file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    printed = subprocess.run([extender, "scheduler-config", "--for", "kube-scheduler", "--url",
                              "https://fairlead-extender.fairlead.svc:8471", "--ca-file",
                              "/run/secrets/fairlead-ca/ca.crt"], capture_output=True, text=True, check=True).stdout
    assert yaml.safe_load(config)["extenders"] == yaml.safe_load(printed)["extenders"]


@pytest.mark.parametrize("name", ["small", "volcano"])
def test_the_printed_scheduler_configuration_is_right(name, tmp_path):
    notes = chart.notes(name)
    if name == "small":
        body = notes[notes.index("  percentageOfNodesToScore"):].replace("\n  ", "\n").strip()
        text = f"apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n{body}\n"
        text = text.replace("CLUSTER_IP", "10.96.7.7").split("\n`config`")[0]
    else:
        plugin = notes[notes.index("  - name: extender"):].split("\n\n")[0]
        text = ('actions: "enqueue, allocate, backfill"\ntiers:\n- plugins:\n  - name: priority\n  - name: gang\n'
                f"  - name: conformance\n- plugins:\n  - name: predicates\n  - name: nodeorder\n{plugin}\n")
    file = tmp_path / "scheduler.yaml"
    file.write_text(text)
    done = subprocess.run([BUILD / "bin" / "fairlead-extender", "check-scheduler-config", file], capture_output=True,
                          text=True, timeout=60)
    told = [row for row in done.stdout.splitlines() if ": warning: " in row or ": error: " in row]
    # Volcano is told of the CA by its environment, which the printed words say and the file cannot show.
    assert all("only CAs of the scheduler's image are trusted" in row for row in told), done.stdout + text
    assert len(told) == (name == "volcano") and (name != "volcano" or "SSL_CERT_DIR=" in notes)


def test_the_admission_policy_lists_the_priorities():
    text = chart.of_set("pools")
    policy = chart.find(text, "ValidatingAdmissionPolicy", "one-hca-priority.fairlead.dev")
    assert policy["spec"]["variables"][0]["expression"] == "['rdma/hca', 'rdma/hca-bulk']"
    assert chart.find(chart.of_set("small"), "ValidatingAdmissionPolicy", "one-hca-priority.fairlead.dev") is None


def test_the_certificates_name_the_services():
    for program, names in (("extender", ["fairlead-extender.fairlead.svc", "fairlead-extender-reports.fairlead.svc"]),
                           ("linkprobe", ["fairlead-linkprobe.fairlead.svc"])):
        certificate = chart.secret_files(chart.of_set("small"), f"fairlead-{program}-tls")["tls.crt"]
        told = subprocess.run(["openssl", "x509", "-noout", "-ext", "subjectAltName"], input=certificate,
                              capture_output=True, check=True).stdout.decode()
        assert all(f"DNS:{name}" in told for name in names), told
        manager = chart.find(chart.of_set("own-ca"), "Certificate", f"fairlead-{program}")["spec"]["dnsNames"]
        assert set(names) <= set(manager)


def test_the_chart_is_of_the_programs_version():
    version = re.search(r"project\(fairlead VERSION (\S+)", (chart.ROOT / "CMakeLists.txt").read_text())[1]
    metadata = yaml.safe_load((chart.CHART / "Chart.yaml").read_text())
    assert metadata["version"] == metadata["appVersion"] == version


def test_a_package_holds_the_files_of_the_tree(tmp_path):
    done = chart.helm("package", chart.CHART, "--destination", tmp_path)
    assert done.returncode == 0, done.stderr
    subprocess.run(["tar", "xzf", next(tmp_path.glob("fairlead-*.tgz")), "-C", tmp_path], check=True)
    files = [path for path in (tmp_path / "fairlead" / "files").rglob("*") if path.is_file()]
    for path in files:
        found = list((chart.ROOT / "deploy").rglob(path.name))
        assert len(found) == 1 and path.read_bytes() == found[0].read_bytes(), path
    shipped = {path.name for path in (chart.ROOT / "deploy" / "grafana").glob("*.json")}
    assert shipped and shipped <= {path.name for path in files} and "rules.yaml" in {path.name for path in files}


def test_rules_and_dashboards_are_those_of_the_tree():
    text = chart.of_set("sites")
    rules = chart.find(text, "PrometheusRule", "fairlead-rules")["spec"]
    tree = (chart.ROOT / "deploy" / "prometheus" / "rules.yaml").read_text()
    assert rules == yaml.safe_load(tree.replace("docs/alerts.md#", "https://git.example/fairlead/docs/alerts.md#"))
    for file in (chart.ROOT / "deploy" / "grafana").glob("*.json"):
        config_map = chart.find(text, "ConfigMap", f"{file.stem}-dashboard")
        assert config_map["metadata"]["labels"]["grafana_dashboard"] == "1"
        assert config_map["data"][file.name] == file.read_text()
