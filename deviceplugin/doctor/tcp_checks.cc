#include <algorithm>
#include <array>
#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/tcp_windows.h"

namespace fairlead::deviceplugin {
namespace {

// As sysctl takes it: only the limit that is too small, and the first two numbers as they are.
std::string Setting(const char* name, const std::array<std::uint64_t, 3>& now,
                    const LineLoad& load) {
  if (static_cast<double>(now[2]) >= LeastTcpBuffer(load)) return "";
  return std::string(" net.ipv4.") + name + "=\"" + std::to_string(now[0]) + " " +
         std::to_string(now[1]) + " " + std::to_string(WantedTcpBuffer(load)) + "\"";
}

std::string TooSmall(const TcpFacts& tcp, const LineLoad& load) {
  return Setting("tcp_rmem", tcp.receive_bytes, load) + Setting("tcp_wmem", tcp.send_bytes, load);
}

}  // namespace

void CheckTcpBuffers(const NodeFacts& facts, Findings& out) {
  const auto& tcp = facts.host.tcp;
  if (!tcp) {
    out.NotKnown("", tcp.why_not());
    return;
  }
  if (!facts.lines) {
    out.NotKnown("", "what windows are needed depends on the lines: " + facts.lines.why_not());
    return;
  }
  const auto load = HeaviestLine(facts, NodeRate(facts));
  if (!load) {
    if (!facts.lines->lines.empty()) out.NotKnown("", "no line's RTT is known; give --rtt");
    return;
  }
  const std::uint64_t most = std::min(tcp->receive_bytes[2], tcp->send_bytes[2]);
  if (static_cast<double>(most) >= LeastTcpBuffer(*load)) {
    out.Fine();
    return;
  }
  const double seconds = std::chrono::duration<double>(load->rtt).count();
  const double possible = static_cast<double>(most) * kWindowShare * 8 / seconds;
  out.Add({.severity = CheckStatus::kNote,
           .subject = "",
           .what = "One TCP connection to " + load->peer + " carries " +
                   (load->at_least ? "at most " : "about ") + HumanRate(possible) + ".",
           .evidence = "net.ipv4.tcp_rmem allows " + std::to_string(tcp->receive_bytes[2]) +
                       " bytes, tcp_wmem " + std::to_string(tcp->send_bytes[2]) +
                       "; half of a buffer is window.",
           .why = "RDMA does not use it. NCCL's bootstrap is small; checkpoints, images and NCCL "
                  "without RDMA are bound by window / RTT on " +
                  LineText(*load) + ".",
           .remedy = "`sysctl -w" + TooSmall(*tcp, *load) +
                     "`, lasting in /etc/sysctl.d, or `fairlead-deviceplugin doctor fix --check "
                     "tcp_buffers`; a pod with a network of its own has its own."});
}

void CheckTcpBootstrap(const NodeFacts& facts, Findings& out) {
  const auto& tcp = facts.host.tcp;
  if (!tcp) {
    out.NotKnown("", tcp.why_not());
    return;
  }
  out.Fine();
  if (!tcp->window_scaling) {
    out.Add({.severity = CheckStatus::kWarning,
             .subject = "",
             .what = "TCP window scaling is off.",
             .evidence = "net.ipv4.tcp_window_scaling = 0.",
             .why = "No connection has more than 64 KiB under way: 14 Mbps at 36 ms.",
             .remedy = "`sysctl -w net.ipv4.tcp_window_scaling=1`"});
  }
  const auto load = HeaviestLine(facts, NodeRate(facts));
  if (tcp->slow_start_after_idle && load && load->rtt >= Milliseconds(1)) {
    out.Add({.severity = CheckStatus::kNote,
             .subject = "",
             .what = "TCP connections that rest begin from a small window again.",
             .evidence = "net.ipv4.tcp_slow_start_after_idle = 1.",
             .why = "A checkpoint or a step of NCCL without RDMA on " + LineText(*load) +
                    " takes some RTTs more after each pause.",
             .remedy = "`sysctl -w net.ipv4.tcp_slow_start_after_idle=0`, or "
                       "`fairlead-deviceplugin doctor fix --check tcp_bootstrap`"});
  }
}

}  // namespace fairlead::deviceplugin
