#include "linkprobe/cli/command_line.h"

namespace fairlead::linkprobe {

std::string HelpText() {
  return R"(fairlead-linkprobe: measures round trips, jitter and loss between sites over RDMA verbs or UDP.

  fairlead-linkprobe --config FILE --node-name NAME [--log-level debug|info|warning|error]
      Run as a daemon: probe the peers that the extender names, report to it, serve /metrics.

  fairlead-linkprobe --config FILE --check-config
      Only say what is wrong with the configuration and the files that it names; exit 0 where
      nothing is, else 1.

  fairlead-linkprobe devices [--json]
      List RDMA devices, ports and GIDs, which of them would be used, and why.

  fairlead-linkprobe respond --key-file FILE [--listen HOST:PORT]
  fairlead-linkprobe ping PEER --key-file FILE [--count N] [--interval 500ms] [--json]
      Measure one line by hand, without a daemon or extender: start `respond` at one end, `ping` it
      from the other. PEER is a host or HOST:PORT (default port 7473). Both ends need the same key:

          openssl rand -hex 32 > key; chmod 600 key     # then copy the file to the other end

      The key proves every packet; nothing secret is sent. One ping at a time is answered: a second
      takes the session over. Exit 0 when a probe was answered, 1 when none was, 2 for bad usage.

  fairlead-linkprobe record PEER... --key-file FILE --out FILE [--for 10m] [--window 5s] [--interval 100ms]
      Measure lines for a while and write each window's values to a new file of JSON lines.
      `respond` runs at every PEER. What ends it leaves a recording that can be read. Exit 0 when
      a probe was answered, else 1.
          --bandwidth 1m   test each line so often by trains; --saturate: by filling it, as `bw`
          --quota SIZE, --ledger FILE   of these tests, as of `bw`

  fairlead-linkprobe record --from URL --out FILE [--for 20m] [--window 60s] [--ca-file FILE]
      Record what an extender's probes measure anyway, all its links, from its httpListen.
      --window is no shorter than linkprobe.reportWindow.

  fairlead-linkprobe compare BEFORE AFTER [--json] [--svg FILE] [--confidence 0.95] [--seed 1]
      Say what became better or worse between two recordings of the same lines, how surely, and
      where no difference is shown; --svg draws it. Exit 1 when they have no line in common.

  Options of ping, bw, record and respond:
      --transport auto|verbs|udp   default auto: verbs where a device is usable, else UDP
      --device NAME                RDMA device to use (see `devices`)
      --paths N                    queue pairs or UDP ports to spread over, 1..8
      --traffic-class N            IP traffic class byte of the packets, 0..255
      --verbose                    log to stderr what happens underneath

  fairlead-linkprobe bw PEER --key-file FILE [--rate 10Gbps] [--train] [--json]
      Measure how much a line carries: RDMA writes to the peer's `respond`, with more and more in
      flight until delivery stops growing. Gives way as soon as others need the line. --train
      sends short trains of packets instead: the line's capacity, whatever is on it.
      Exit 0 when the test came to its own end, 1 when harm, silence or the quota ended it.
          --rate RATE      what the line is declared to carry; grow little beyond it, and compare
          --line NAME      whose quota counts (default: the peer's host)
          --quota SIZE     bytes a day (UTC) for that line, default 2GB; --max-bytes for this test
          --ledger FILE    where what was spent is kept
          --qps N          queue pairs, default 4; --hold 1s: how long the found window is held

  fairlead-linkprobe advise --rtt 36ms --rate 100Gbps [--mtu 4096] [--queue 100ms] [--json]
      What a line needs: bytes in flight, messages and queue pairs, ACK timeout, NCCL's buffers.
          --qps N --send-requests N --packets N   what the device can do, where that is less

  fairlead-linkprobe --help | --version
)";
}

}  // namespace fairlead::linkprobe
