"""Command lines and files of the control plane: plain values in, plain values out."""

import json

SERVICE_RANGE = "10.96.0.0/16"
GUESTS_SEE_HOST_AS = "10.0.2.2"


def etcd(program, folder, credentials, client_port, peer_port):
    certificate, key = credentials.etcd
    client, peer = (f"https://127.0.0.1:{port}" for port in (client_port, peer_port))
    return [
        program, "--name=cluster", f"--data-dir={folder}/etcd", "--unsafe-no-fsync", "--logger=zap", "--log-level=warn",
        f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=cluster={peer}",
        # Any user of this machine can reach the loopback, and whoever writes here rules the cluster.
        f"--cert-file={certificate}", f"--key-file={key}", "--client-cert-auth", f"--trusted-ca-file={credentials.ca}",
        f"--peer-cert-file={certificate}", f"--peer-key-file={key}", "--peer-client-cert-auth",
        f"--peer-trusted-ca-file={credentials.ca}",
    ]


def apiserver(program, folder, credentials, port, etcd_port):
    certificate, key = credentials.apiserver
    etcd_certificate, etcd_key = credentials.etcd
    return [
        program, f"--etcd-servers=https://127.0.0.1:{etcd_port}", f"--etcd-cafile={credentials.ca}",
        f"--etcd-certfile={etcd_certificate}", f"--etcd-keyfile={etcd_key}",
        "--bind-address=127.0.0.1", f"--secure-port={port}", f"--advertise-address={GUESTS_SEE_HOST_AS}",
        f"--tls-cert-file={certificate}", f"--tls-private-key-file={key}",
        f"--token-auth-file={credentials.token_file}", "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction", "--allow-privileged=true",
        f"--service-cluster-ip-range={SERVICE_RANGE}", "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={credentials.service_account_key}",
        f"--service-account-signing-key-file={credentials.service_account_key}",
        f"--egress-selector-config-file={folder}/egress.json",
        "--kubelet-preferred-address-types=InternalIP", f"--kubelet-certificate-authority={credentials.ca}",
        f"--kubelet-client-certificate={certificate}", f"--kubelet-client-key={key}",
        "--profiling=false",
        # It asks etcd's watch for progress, which etcd 3.4 does not tell, and complains every second.
        "--feature-gates=SizeBasedListCostEstimate=false",
    ]


def egress_selector(socket):
    """Makes the API server ask the proxy for everything except etcd."""
    way = {"proxyProtocol": "HTTPConnect", "transport": {"uds": {"udsName": str(socket)}}}
    return json.dumps({
        "apiVersion": "apiserver.k8s.io/v1beta1", "kind": "EgressSelectorConfiguration",
        "egressSelections": [{"name": name, "connection": way} for name in ("cluster", "controlplane")],
    })


def controller_manager(program, credentials):
    return [
        program, f"--kubeconfig={credentials.kubeconfig_path('kube-controller-manager')}", "--leader-elect=false",
        "--use-service-account-credentials", f"--service-account-private-key-file={credentials.service_account_key}",
        f"--root-ca-file={credentials.ca}", "--secure-port=0", "--profiling=false",
    ]


def scheduler(program, config):
    return [program, f"--config={config}", "--secure-port=0"]


def scheduler_config(kubeconfig, more=None):
    """KubeSchedulerConfiguration; `more` is merged at the top level, such as {'extenders': [...]}."""
    return json.dumps({
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False}, "clientConnection": {"kubeconfig": str(kubeconfig)},
        **(more or {}),
    }, indent=1)


def kubelet_access():
    """Lets the API server, known to kubelets by its certificate, read logs and run commands in pods."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
        "metadata": {"name": "kube-apiserver-to-kubelets"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "system:kubelet-api-admin"},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "kube-apiserver"}],
    }
