#include "deviceplugin/doctor_facts/host_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <optional>
#include <string>

#include "deviceplugin/doctor_facts/fact_text.h"

namespace fairlead::deviceplugin {
namespace {

// Who starts containers, the one that starts them directly first.
constexpr std::array<std::string_view, 5> kRuntimes{"containerd", "crio", "k3s-server", "rke2",
                                                    "dockerd"};

// Their process directories, in the order of kRuntimes; empty: not running.
std::array<std::string, kRuntimes.size()> FindRuntimes(const HostFiles& files) {
  std::array<std::string, kRuntimes.size()> found;
  for (const std::string& name : files.List("/proc").value_or(std::vector<std::string>())) {
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      continue;
    }
    const auto command = ReadLine(files, "/proc/" + name + "/comm");
    if (!command) continue;
    const auto at = std::find(kRuntimes.begin(), kRuntimes.end(), *command);
    if (at == kRuntimes.end()) continue;
    std::string& directory = found[static_cast<std::size_t>(at - kRuntimes.begin())];
    if (directory.empty()) directory = "/proc/" + name;
  }
  return found;
}

Known<MemlockFacts> ReadMemlock(const HostFiles& files) {
  const auto runtimes = FindRuntimes(files);
  for (std::size_t i = 0; i < kRuntimes.size(); ++i) {
    if (runtimes[i].empty()) continue;
    const auto limits = files.Read(runtimes[i] + "/limits");
    if (!limits) return Known<MemlockFacts>::Not(WhyNot(limits.error()));
    const auto bytes = ParseMemlock(*limits);
    if (!bytes) return Known<MemlockFacts>::Not(runtimes[i] + "/limits tells no locked memory");
    return MemlockFacts{.process = std::string(kRuntimes[i]), .bytes = *bytes};
  }
  return Known<MemlockFacts>::Not(
      "no container runtime is seen in /proc; run on the host or with hostPID");
}

Known<std::array<std::uint64_t, 3>> ReadTriple(const HostFiles& files, const std::string& path) {
  using Triple = std::array<std::uint64_t, 3>;
  const auto line = ReadLine(files, path);
  if (!line) return Known<Triple>::Not(line.why_not());
  const auto words = WordsOf(*line);
  Triple values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = i < words.size() ? ParseCount(words[i]) : std::nullopt;
    if (!value) return Known<Triple>::Not(path + " does not hold three numbers");
    values[i] = *value;
  }
  return values;
}

Known<TcpFacts> ReadTcp(const HostFiles& files) {
  const std::string base = "/proc/sys/net/ipv4/";
  const auto receive = ReadTriple(files, base + "tcp_rmem");
  const auto send = ReadTriple(files, base + "tcp_wmem");
  if (!receive) return Known<TcpFacts>::Not(receive.why_not());
  if (!send) return Known<TcpFacts>::Not(send.why_not());
  TcpFacts tcp{.receive_bytes = *receive, .send_bytes = *send};
  if (const auto value = ReadCount(files, base + "tcp_slow_start_after_idle")) {
    tcp.slow_start_after_idle = *value != 0;
  }
  if (const auto value = ReadCount(files, base + "tcp_window_scaling")) {
    tcp.window_scaling = *value != 0;
  }
  return tcp;
}

Known<GpuDriverFacts> ReadGpuDriver(const HostFiles& files) {
  const auto module = files.Kind("/sys/module/nvidia");
  if (!module) {
    if (module.error().error_number == ENOENT) return GpuDriverFacts{};
    return Known<GpuDriverFacts>::Not(WhyNot(module.error()));
  }
  const auto version = ReadLine(files, "/proc/driver/nvidia/version");
  if (!version) return Known<GpuDriverFacts>::Not(version.why_not());
  return GpuDriverFacts{.loaded = true,
                        .open_modules = version->find("Open Kernel Module") != std::string::npos,
                        .peermem = files.Kind("/sys/module/nvidia_peermem").has_value(),
                        .version = *version};
}

}  // namespace

std::optional<std::optional<std::uint64_t>> ParseMemlock(std::string_view limits) {
  constexpr std::string_view kName = "Max locked memory";
  for (const std::string_view line : LinesOf(limits)) {
    if (!line.starts_with(kName)) continue;
    const auto words = WordsOf(line.substr(kName.size()));
    if (words.empty()) return std::nullopt;
    if (words[0] == "unlimited") return std::optional<std::uint64_t>();
    if (const auto bytes = ParseCount(words[0])) return bytes;
    return std::nullopt;
  }
  return std::nullopt;
}

std::string DefaultRouteOf(std::string_view table) {
  std::string interface;
  std::uint64_t least = ~std::uint64_t{0};
  for (const std::string_view line : LinesOf(table)) {
    const auto words = WordsOf(line);
    if (words.size() < 8 || words[1] != "00000000" || words[7] != "00000000") continue;
    const auto metric = ParseCount(words[6]);
    if (!metric || *metric >= least) continue;
    least = *metric;
    interface = words[0];
  }
  return interface;
}

Known<std::string> ReadDefaultRoute(const HostFiles& files) {
  const auto routes = files.Read("/proc/net/route");
  if (!routes) return Known<std::string>::Not(WhyNot(routes.error()));
  return DefaultRouteOf(*routes);
}

HostFacts ReadHost(const HostFiles& files) {
  HostFacts facts;
  facts.kernel = ReadLine(files, "/proc/sys/kernel/osrelease");
  facts.memlock = ReadMemlock(files);
  facts.tcp = ReadTcp(files);
  facts.gpu_driver = ReadGpuDriver(files);
  facts.default_route = ReadDefaultRoute(files);
  return facts;
}

}  // namespace fairlead::deviceplugin
