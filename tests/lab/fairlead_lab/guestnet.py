"""The script that makes a guest a site: HCA, site router, lines, agent.

site0 (initial namespace, the HCA) -- veth -- up0 (namespace wan) -- forwarding -- line NICs, each
with its netem. netem behind the HCA's own interface would lie between a capture and the wire and
hold back transmit stamps; here a capture on site0 sees a packet when it really leaves.
"""

from .kernel import GUEST_MODULES

AGENT_PORT = 7022
HOST = "10.0.2.2"  # The host as QEMU's user network shows it to guests.
_CONTROL = "10.0.2.15"
_MTU = 9000  # RoCE active_mtu 4096.


def control_mac(site):
    return f"52:54:00:00:00:{site.index:02x}"


def line_mac(line, site):
    return f"52:54:00:01:{line.index:02x}:{site.index:02x}"


def device(line):
    """The name of a line's NIC in namespace wan, the same at both ends."""
    return f"line{line.index}"


def _line_address(line, site):
    return f"172.21.{line.index}.{site.index}"


def _wan(topology, site):
    rows = []
    for line in topology.lines_of(site.name):
        far = topology.site(line.b if line.a == site.name else line.a)
        out = line.forward if line.a == site.name else line.reverse
        nic = device(line)
        rows += [
            f"nic=$(by_mac {line_mac(line, site)})",
            f'ip link set "$nic" down; ip link set "$nic" name {nic} netns wan',
            f"wan ip link set {nic} mtu {_MTU} txqueuelen 10000 up",
            f"wan ip addr add {_line_address(line, site)}/24 dev {nic}",
            f"wan ip neigh replace {_line_address(line, far)} lladdr {line_mac(line, far)} "
            f"dev {nic} nud permanent",
            f"wan ip route add 172.20.{far.index}.0/24 via {_line_address(line, far)} dev {nic}",
            f"wan tc qdisc replace dev {nic} root {' '.join(out.tc_words())}",
        ]
    return rows


def script(topology, site, share, token_file):
    """The text of setup.sh for a site."""
    home = f"{share}/.guest/{site.name}"
    rows = [
        "# Run by the guest's init in the new root; written by the lab for this site.",
        "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root",
        "fail() { echo \"LAB-FAIL: $1\"; sleep 1; busybox poweroff -f; }",
        "trap 'fail \"setup line $LINENO: $BASH_COMMAND\"' ERR",
        "set -E",
        "wan() { ip netns exec wan \"$@\"; }",
        "by_mac() { grep -l \"$1\" /sys/class/net/*/address | cut -d/ -f5; }",
        "mkdir -p /dev/pts /dev/shm /run/lock",
        "mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts",
        "mount -t tmpfs shm /dev/shm",
        "mount -t cgroup2 cgroup2 /sys/fs/cgroup",
        f"hostname {site.name}",
        "ulimit -l unlimited",
        # Programs that a network engineer expects and a small host may lack.
        "for name in ping ping6 traceroute nc less vi; do",
        "  type -P $name > /dev/null || ln -s /bin/busybox /usr/local/bin/$name",
        "done",
        f"modprobe -a {' '.join(GUEST_MODULES)}",
        "sysctl -q net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1",
        "ip link set lo up",
        f"nic=$(by_mac {control_mac(site)})",
        "ip link set \"$nic\" name ctl0; ip link set ctl0 up",
        # Only the host itself and no default route: nothing may leave this machine.
        f"ip addr add {_CONTROL}/32 dev ctl0",
        f"ip route add {HOST}/32 dev ctl0",
        "ip netns add wan",
        "wan sysctl -q net.ipv4.ip_forward=1 net.ipv6.conf.all.disable_ipv6=1 "
        "net.ipv6.conf.default.disable_ipv6=1",
        "wan ip link set lo up",
        f"ip link add site0 mtu {_MTU} address 52:54:00:02:00:{site.index:02x} type veth "
        f"peer name up0 mtu {_MTU} address 52:54:00:02:01:{site.index:02x} netns wan",
        # The HCA's GID 0 is its link-local address, so site0 keeps IPv6, without waiting for DAD.
        "sysctl -q net.ipv6.conf.site0.accept_dad=0 net.ipv6.conf.site0.disable_ipv6=0 "
        "net.ipv6.conf.site0.accept_ra=0",
        f"wan ip addr add {site.router}/24 dev up0",
        "wan ip link set up0 up",
        "ip link set site0 up",
        f"ip addr add {site.address}/24 dev site0",
        f"ip route add 172.20.0.0/16 via {site.router}",
        f"ip neigh replace {site.router} lladdr 52:54:00:02:01:{site.index:02x} dev site0 nud permanent",
        f"wan ip neigh replace {site.address} lladdr 52:54:00:02:00:{site.index:02x} "
        "dev up0 nud permanent",
        *_wan(topology, site),
        "rdma link add rxe0 type rxe netdev site0",
        "trap - ERR",
        f"cd /; python3 -u {home}/agent.py {AGENT_PORT} {token_file}",
        "fail 'the agent ended'",
    ]
    return "\n".join(rows) + "\n"
