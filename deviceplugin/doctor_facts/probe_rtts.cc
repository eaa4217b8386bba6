#include "deviceplugin/doctor_facts/probe_rtts.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "common/units/number.h"
#include "deviceplugin/doctor_facts/fact_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;
constexpr const char* kWhat = "ask linkprobe for its metrics";
constexpr std::string_view kRtts = "fairlead_linkprobe_rtt_p50_seconds{";
constexpr std::string_view kResending = "fairlead_linkprobe_spurious_retransmission{";
constexpr std::string_view kDifferences = "fairlead_linkprobe_peer_difference{";

// The value of a label; empty where it is not there. None of those that are read needs escapes.
std::string Label(std::string_view line, std::string_view name) {
  const std::string key = std::string(name) + "=\"";
  std::size_t at = line.find(key);
  while (at != std::string_view::npos && at > 0 && line[at - 1] != '{' && line[at - 1] != ',') {
    at = line.find(key, at + 1);
  }
  if (at == std::string_view::npos) return "";
  at += key.size();
  const std::size_t end = line.find('"', at);
  return end == std::string_view::npos ? "" : std::string(line.substr(at, end - at));
}

void ReadSample(std::string_view line, ProbeRtts& out) {
  const std::size_t end = line.rfind('}');
  const auto words = end == std::string_view::npos ? std::vector<std::string_view>()
                                                   : WordsOf(line.substr(end + 1));
  const auto seconds = words.empty() ? Result<double>(0) : ParseNumber(words[0]);
  if (!seconds || *seconds <= 0 || *seconds > 3600) return;
  const std::string here = Label(line, "src_site");
  const std::string there = Label(line, "dst_site");
  if (here.empty() || there.empty()) return;
  out.site = here;
  if (there == here) return;
  const auto rtt = Nanoseconds(static_cast<std::int64_t>(*seconds * 1e9 + 0.5));
  out.rtts[there] = std::max(out.rtts[there], rtt);
}

void ReadDifference(std::string_view line, ProbeRtts& out) {
  PeerDifference difference{.trait = Label(line, "trait"),
                            .here = Label(line, "here"),
                            .there = Label(line, "there"),
                            .peer = Label(line, "peer"),
                            .site = Label(line, "dst_site")};
  if (!difference.trait.empty()) out.differences.push_back(std::move(difference));
}

void ReadResending(std::string_view line, ProbeRtts& out) {
  const auto port = fairlead::ParseCount(Label(line, "port"), 1, 255);
  if (!port || !line.ends_with(" 1")) return;
  out.resending.push_back({.device = Label(line, "device"),
                           .port = static_cast<std::uint32_t>(*port),
                           .cause = Label(line, "cause")});
}

// Whether the descriptor is ready before the deadline.
bool Ready(int fd, short events, MonotonicTime deadline) {
  const SystemClock clock;
  pollfd waiting{fd, events, 0};
  const auto left = std::chrono::ceil<Milliseconds>(deadline - clock.Now()).count();
  return left > 0 && poll(&waiting, 1, static_cast<int>(left)) == 1;
}

Result<FileDescriptor> Connect(std::uint16_t port, MonotonicTime deadline) {
  FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Fail(SystemError(errno, kWhat));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return fd;
  if (errno != EINPROGRESS) return Fail(SystemError(errno, kWhat));
  int error = ETIMEDOUT;
  socklen_t size = sizeof error;
  if (Ready(fd.get(), POLLOUT, deadline)) {
    getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error != 0) return Fail(SystemError(error, kWhat));
  return fd;
}

}  // namespace

ProbeRtts ParseProbeMetrics(std::string_view text) {
  ProbeRtts out;
  for (const std::string_view line : LinesOf(text)) {
    if (line.starts_with(kRtts)) ReadSample(line, out);
    if (line.starts_with(kDifferences)) ReadDifference(line, out);
    if (line.starts_with(kResending)) ReadResending(line, out);
  }
  std::sort(out.differences.begin(), out.differences.end());
  out.differences.erase(std::unique(out.differences.begin(), out.differences.end()),
                        out.differences.end());
  return out;
}

Result<ProbeRtts> AskProbe(std::uint16_t port, Nanoseconds patience) {
  const MonotonicTime deadline = SystemClock().Now() + patience;
  const auto fd = Connect(port, deadline);
  if (!fd) return Fail(fd.error());
  // HTTP/1.0, so that the answer ends with the connection.
  constexpr std::string_view kRequest = "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n";
  if (send(fd->get(), kRequest.data(), kRequest.size(), MSG_NOSIGNAL) < 0) {
    return Fail(SystemError(errno, kWhat));
  }
  std::string answer;
  std::array<char, 65536> buffer;
  while (answer.size() < kMostBytes) {
    if (!Ready(fd->get(), POLLIN, deadline)) return Fail(SystemError(ETIMEDOUT, kWhat));
    const ssize_t got = recv(fd->get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno != EINTR && errno != EAGAIN) return Fail(SystemError(errno, kWhat));
    if (got == 0) return ParseProbeMetrics(answer);
    if (got > 0) answer.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return Fail(ErrorCode::kResourceExhausted, std::string(kWhat) + ": the answer is too long");
}

}  // namespace fairlead::deviceplugin
