"""The script that makes a guest a site: HCA, site router, lines, agent.

site0 (initial namespace, the HCA) -- veth -- up0 (namespace wan) -- forwarding -- line NICs, each
with its netem. netem behind the HCA's own interface would lie between a capture and the wire and
hold back transmit stamps; here a capture on site0 sees a packet when it really leaves.
"""

from .kernel import GUEST_MODULES

AGENT_PORT = 7022
HOST = "10.0.2.2"  # The host as QEMU's user network shows it to guests.
_CONTROL = "10.0.2.15"
_SITE_MAC = "52:54:00:02:{:02x}:{:02x}"  # 0: site0, 1: up0.
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


def _batch(command, rows):
    """Shell text that gives all rows to one command; starting one each is slow under emulation."""
    return [f"{command} -batch - << END", *rows, "END"]


def _ends(topology, site):
    """(line, far site, what netem does on the way out) of each line of the site."""
    for line in topology.lines_of(site.name):
        outward = line.a == site.name
        far = topology.site(line.b if outward else line.a)
        yield line, far, line.forward if outward else line.reverse


def _move_nics(topology, site):
    """The control NIC gets its name; each line's NIC goes into the site router."""
    rows = [f"link set $(by_mac {control_mac(site)}) name ctl0", "link set ctl0 up"]
    for line in topology.lines_of(site.name):
        rows.append(f"link set $(by_mac {line_mac(line, site)}) name {device(line)} netns wan")
    return rows


def _outside(site):
    return [
        "link set lo up",
        # Only the host itself and no default route: nothing may leave this machine.
        f"addr add {_CONTROL}/32 dev ctl0",
        f"route add {HOST}/32 dev ctl0",
        f"link add site0 mtu {_MTU} address {_SITE_MAC.format(0, site.index)} type veth "
        f"peer name up0 mtu {_MTU} address {_SITE_MAC.format(1, site.index)} netns wan",
    ]


def _outside_up(site):
    return [
        "link set site0 up",
        f"addr add {site.address}/24 dev site0",
        f"route add 172.20.0.0/16 via {site.router}",
        f"neigh replace {site.router} lladdr {_SITE_MAC.format(1, site.index)} dev site0 nud permanent",
    ]


def _router(topology, site):
    rows = [
        "link set lo up",
        f"addr add {site.router}/24 dev up0",
        "link set up0 up",
        f"neigh replace {site.address} lladdr {_SITE_MAC.format(0, site.index)} dev up0 nud permanent",
    ]
    for line, far, _ in _ends(topology, site):
        nic, peer = device(line), _line_address(line, far)
        rows += [
            f"link set {nic} mtu {_MTU} txqueuelen 10000 up",
            f"addr add {_line_address(line, site)}/24 dev {nic}",
            # A neighbour known beforehand saves the first probes from ARP through netem.
            f"neigh replace {peer} lladdr {line_mac(line, far)} dev {nic} nud permanent",
            f"route add 172.20.{far.index}.0/24 via {peer} dev {nic}",
        ]
    return rows


def script(topology, site, share, token_file):
    """The text of setup.sh for a site."""
    home = f"{share}/.guest/{site.name}"
    qdiscs = [f"qdisc replace dev {device(line)} root {' '.join(out.tc_words())}"
              for line, _, out in _ends(topology, site)]
    rows = [
        "# Run by the guest's init in the new root; written by the lab for this site.",
        "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run/home",
        "fail() { echo \"LAB-FAIL: $1\"; sleep 1; busybox poweroff -f; }",
        "trap 'fail \"setup line $LINENO: $BASH_COMMAND\"' ERR",
        "by_mac() {",
        "  for nic in /sys/class/net/*; do",
        "    if [ \"$(< $nic/address)\" = \"$1\" ]; then echo ${nic##*/}; fi",
        "  done",
        "}",
        "mkdir -p /dev/pts /dev/shm /run/lock /run/home",
        "mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts",
        "mount -t tmpfs shm /dev/shm",
        "mount -t cgroup2 cgroup2 /sys/fs/cgroup",
        f"echo {site.name} > /proc/sys/kernel/hostname",
        "ulimit -l unlimited",
        # Programs that a network engineer expects and a small host may lack.
        "for name in ping ping6 traceroute nc less vi; do",
        "  type -P $name > /dev/null || ln -s /bin/busybox /usr/local/bin/$name",
        "done",
        f"modprobe -a {' '.join(GUEST_MODULES)}",
        "ip netns add wan",
        "for scope in all default; do echo 1 > /proc/sys/net/ipv6/conf/$scope/disable_ipv6; done",
        "ip netns exec wan bash -c 'echo 1 > /proc/sys/net/ipv4/ip_forward",
        "  for scope in all default; do echo 1 > /proc/sys/net/ipv6/conf/$scope/disable_ipv6; done'",
        *_batch("ip", _move_nics(topology, site) + _outside(site)),
        # The HCA's GID 0 is its link-local address, so site0 keeps IPv6, without waiting for DAD.
        "cd /proc/sys/net/ipv6/conf/site0; echo 0 > accept_dad; echo 0 > accept_ra; echo 0 > disable_ipv6",
        "cd /",
        *_batch("ip -n wan", _router(topology, site)),
        *_batch("ip", _outside_up(site)),
        *_batch("tc -n wan", qdiscs),
        "rdma link add rxe0 type rxe netdev site0",
        "trap - ERR",
        f"python3 -u {home}/agent.py {AGENT_PORT} {token_file}",
        "fail 'the agent ended'",
    ]
    return "\n".join(rows) + "\n"
