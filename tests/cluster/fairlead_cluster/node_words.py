"""Files and scripts of a node: plain values in, plain values out."""

import json

from .control_plane_words import GUESTS_SEE_HOST_AS

SITE_LABEL = "topology.kubernetes.io/region"
KUBELET_PORT = 10250
CONTAINERD_SOCKET = "/run/containerd/containerd.sock"
_API_SERVICE = "10.96.0.1"
_MODULES = "bridge nft_chain_nat nft_masq"
# On RAM: the guest's root is an overlay, which can carry no other overlay, and images are many small files.
# Debian's /etc/cni is for the host's root alone, which the guest is not where another user runs it.
_ON_RAM = ("/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods", "/var/lib/cni", "/etc/cni")


def containerd_config(pause_image, shim):
    """shim: the program that containerd starts beside each pod; the one in PATH is another version's."""
    return f"""version = 3
[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
  stats_collect_period = 600
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = '{pause_image}'
[plugins.'io.containerd.cri.v1.runtime']
  cdi_spec_dirs = ['/etc/cdi', '/var/run/cdi']
  stats_collect_period = '1m'
  stats_retention_period = '2m'
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    runtime_path = '{shim}'
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['/usr/lib/cni']
    conf_dir = '/etc/cni/net.d'
"""


def cni_config(index):
    """One bridge a node; pods of different nodes do not reach each other on it."""
    ranges = [[{"subnet": f"10.244.{index}.0/24"}]]
    return json.dumps({
        "cniVersion": "0.4.0", "name": "pods", "plugins": [
            {"type": "bridge", "bridge": "pods0", "isDefaultGateway": True,
             "ipam": {"type": "host-local", "ranges": ranges}},
        ],
    }, indent=1)


def kubelet_config(ca, certificate, key):
    return json.dumps({
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
        "cgroupDriver": "cgroupfs", "containerRuntimeEndpoint": f"unix://{CONTAINERD_SOCKET}",
        "failSwapOn": False, "evictionHard": {"memory.available": "50Mi"}, "enforceNodeAllocatable": ["pods"],
        "imageGCHighThresholdPercent": 100, "makeIPTablesUtilChains": False, "resolvConf": "", "maxPods": 40,
        "port": KUBELET_PORT, "tlsCertFile": str(certificate), "tlsPrivateKeyFile": str(key),
        "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": True},
                           "x509": {"clientCAFile": str(ca)}},
        "authorization": {"mode": "Webhook"},
    }, indent=1)


def kubelet(program, node, address, config, kubeconfig):
    return [
        program, f"--config={config}", f"--kubeconfig={kubeconfig}", f"--hostname-override={node}",
        f"--node-ip={address}", f"--node-labels={SITE_LABEL}={node}", "--housekeeping-interval=60s",
    ]


def nft_rules(api_port):
    """The service address of the API leads to the host; pods reach it under the node's address."""
    to_host = f"ip daddr {_API_SERVICE} tcp dport 443 dnat to {GUESTS_SEE_HOST_AS}:{api_port}"
    return "\n".join([
        "table ip cluster {",
        f"  chain output {{ type nat hook output priority -100; {to_host}; }}",
        f"  chain prerouting {{ type nat hook prerouting priority -100; {to_host}; }}",
        "  chain postrouting { type nat hook postrouting priority 100; oifname \"ctl0\" masquerade; }",
        "}", ""])


def setup_script(home):
    """Run once in the guest before containerd; home is where the files above lie for this node."""
    rows = ["set -eu", "mount --make-rshared /", f"modprobe -a {_MODULES}"]
    for folder in _ON_RAM:
        # A second mount under a running containerd would take its images away.
        rows += [f"mkdir -p {folder}", f"mountpoint -q {folder} || mount -t tmpfs -o mode=755 ram {folder}"]
    rows += [
        "mkdir -p /etc/cni/net.d /var/log/containers",
        f"cp {home}/cni.conflist /etc/cni/net.d/10-pods.conflist",
        "echo 1 > /proc/sys/net/ipv4/ip_forward",
        f"ip route replace {_API_SERVICE}/32 via {GUESTS_SEE_HOST_AS} dev ctl0 onlink",
        f"nft -f {home}/nft.rules",
    ]
    return "\n".join(rows) + "\n"


def import_script(archives):
    """Run once containerd has been started: waits for it and gives it the images."""
    rows = ["set -eu", f"until ctr -a {CONTAINERD_SOCKET} version > /dev/null 2>&1; do sleep 0.3; done"]
    rows += [f"ctr -a {CONTAINERD_SOCKET} -n k8s.io images import {archive} > /dev/null" for archive in archives]
    return "\n".join(rows) + "\n"
