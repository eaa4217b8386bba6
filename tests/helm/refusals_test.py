"""What cannot work is refused before anything is installed, with the value and a remedy."""

import pytest

import chart

SMALL = ("--values", chart.VALUES / "small.yaml")


def _refused(*words, operators=chart.OPERATORS):
    done = chart.template(*words, operators=operators)
    assert done.returncode != 0, done.stdout[:2000]
    return done.stderr


@pytest.mark.parametrize("word, says", [
    ("image.tag=a b", "image/tag"),
    ("image.pullPolicy=Sometimes", "'Always', 'IfNotPresent', 'Never'"),
    ("image.regisry=x", "'regisry' not allowed"),
    ("extender.replicas=0", "extender/replicas"),
    ("extender.replicas=two", "extender/replicas"),
    ("extender.antiAffinity=maybe", "'soft', 'hard', 'none'"),
    ("linkprobe.enabled=perhaps", "linkprobe/enabled"),
    ("linkprobe.maxUnavailable=0", "linkprobe/maxUnavailable"),
    ("linkprobe.maxUnavailable=many", "linkprobe/maxUnavailable"),
    ("scheduler.integration=slurm", "'snippet', 'deployment', 'volcano', 'none'"),
    ("scheduler.name=default-scheduler", "scheduler/name"),
    ("scheduler.weight=0", "scheduler/weight"),
    ("scheduler.weight=2", "scheduler/weight"),
    ("scheduler.httpTimeout=fast", "scheduler/httpTimeout"),
    ("scheduler.httpTimeout=0ms", "scheduler/httpTimeout"),
    ("scheduler.httpTimeout=5h", "scheduler/httpTimeout"),
    ("image.tag=.latest", "image/tag"),
    ("image.registry=https://registry.example", "image/registry"),
    ("extender.clusterIP=bogus", "extender/clusterIP"),
    ("tls.mode=on", "'generated', 'certManager', 'secret', 'none'"),
    ("tls.days=0", "tls/days"),
    ("config=a string", "config"),
    ("config.extnder.gangTtl=1s", "'extnder' not allowed"),
    ("config.sites=hk", "config/sites"),
    ("config.extender=null", "config/extender"),
    ("config.extender.kubernetes=null", "config/extender/kubernetes"),
    ("config.extender.kubernetes.mode=7", "config/extender/kubernetes/mode"),
    ("config.extender.kubernetes.tokenAudience=null", "config/extender/kubernetes/tokenAudience"),
    ("config.extender.httpListen=null", "config/extender/httpListen"),
    ("config.extender.grpcListen=8472", "config/extender/grpcListen"),
    ("config.extender.opsListen=0.0.0.0:65536", "config/extender/opsListen"),
    ("config.extender.httpListen=/run/a.sock", "config/extender/httpListen"),
    ("config.linkprobe.paths=1000000000", "config/linkprobe/paths"),
    ("config.linkprobe.pluginSocket=null", "config/linkprobe/pluginSocket"),
    ("config.linkprobe.bandwidthLedger=/spent", "config/linkprobe/bandwidthLedger"),
    ("config.deviceplugin.probeSocket=5", "config/deviceplugin/probeSocket"),
    ("config.deviceplugin.kubeletDirectory=../kubelet", "config/deviceplugin/kubeletDirectory"),
    ("config.deviceplugin.pools=rdma/hca", "config/deviceplugin/pools"),
    ("config.deviceplugin.pools[0]=rdma/hca", "config/deviceplugin/pools/0"),
    ("config.deviceplugin.pools[0].network=pod", "missing property 'resource'"),
    ("monitoring.podMonitors.interval=15", "monitoring/podMonitors/interval")])
def test_values_that_are_out_of_the_schema(word, says):
    assert says in _refused(*SMALL, "--set", word)


@pytest.mark.parametrize("word, says", [
    ("image.registry=", "image.registry is not set. Push the images"),
    ("config.tls.plaintext=true", "set the value tls.mode"),
    ("config.nodes[0].name=a", "nodes come from the API server"),
    ("config.extender.tokenDirectory=/t", "the API server reviews the probes' tokens. Remove it"),
    ("config.extender.kubernetes.mode=standalone", "config.extender.kubernetes.mode is standalone; in a pod it is inCluster"),
    ("config.linkprobe.tokenFile=/t", "config.linkprobe.tokenFile is the chart's"),
    ("config.extender.httpListen=127.0.0.1:8471",
     "config.extender.httpListen is 127.0.0.1:8471, which nobody reaches from outside the pod; write 0.0.0.0:8471"),
    ("config.linkprobe.udpListen=[::1]:7472", "config.linkprobe.udpListen is [::1]:7472"),
    ("config.linkprobe.sessionListen=0.0.0.0:9473",
     "config.linkprobe.sessionListen and config.deviceplugin.opsListen are both port 9473 of the host; give each its own"),
    ("extender.podLabels.fairlead\\.dev/leader=yes", "extender.podLabels has fairlead.dev/leader, by which Services"),
    ("linkprobe.podLabels.app\\.kubernetes\\.io/name=x", "linkprobe.podLabels has app.kubernetes.io/name"),
    ("tls.mode=secret", "name both secrets")])
def test_values_that_contradict_each_other_or_the_chart(word, says):
    assert says in _refused(*SMALL, "--set", word)


def test_a_configuration_that_no_config_map_takes(tmp_path):
    file = tmp_path / "values.yaml"
    file.write_text("config:\n  site: {nodeLabel: " + "x" * 2_000_000 + "}\n")
    assert "and a ConfigMap takes 1 MiB; shorten values.config" in _refused(*SMALL, "--values", file)


@pytest.mark.parametrize("word, needs, remedy", [
    ("tls.mode=certManager", "cert-manager.io/v1/Certificate", "install cert-manager, or set tls.mode=generated"),
    ("monitoring.podMonitors.enabled=true", "monitoring.coreos.com/v1/PodMonitor", "monitoring.scrapeAnnotations=true"),
    ("monitoring.rules.enabled=true", "monitoring.coreos.com/v1/PrometheusRule", "deploy/prometheus/rules.yaml"),
    ("scheduler.integration=volcano", "scheduling.volcano.sh/v1beta1/PodGroup", "install Volcano, or choose")])
def test_switches_whose_kinds_the_cluster_lacks(word, needs, remedy):
    said = _refused(*SMALL, "--set", word, operators=())
    assert f"needs {needs}, which this cluster does not have" in said and remedy in said
    assert f"--api-versions {needs}" in said


@pytest.mark.parametrize("text, says", [
    ("config:\n\textender: {}\n", "line 2: found character that cannot start any token"),
    ("config: [", "line 1: did not find expected node content")])
def test_value_files_that_are_no_yaml(text, says, tmp_path):
    (tmp_path / "values.yaml").write_text(text)
    said = _refused(*SMALL, "--values", tmp_path / "values.yaml")
    assert "values.yaml" in said and says in said


@pytest.mark.parametrize("text", ["config:\n", "config: {}\n", ""])
def test_an_empty_configuration_is_the_charts_own(text, tmp_path):
    (tmp_path / "values.yaml").write_text(text)
    empty = chart.rendered(*SMALL, "--values", tmp_path / "values.yaml")
    assert chart.config(empty) == chart.config(chart.of_set("small"))


def test_an_old_cluster():
    done = chart.template(*SMALL, "--kube-version", "1.29.0")
    assert done.returncode != 0 and "requires kubeVersion: >=1.30.0" in done.stderr
