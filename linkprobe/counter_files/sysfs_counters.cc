#include "linkprobe/counter_files/sysfs_counters.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/file.h"
#include "common/base/quote.h"
#include "linkprobe/counter_files/number_file.h"

namespace fairlead::linkprobe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDevices = 64;
constexpr std::size_t kMostPorts = 64;
constexpr std::size_t kMostFiles = 512;
constexpr std::size_t kMostLine = 256;
constexpr std::uint32_t kMostGids = 16;

// What metrics can show.
bool IsPlain(std::string_view name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '/';
  });
}

// Plain names in a directory, sorted, at most `most`; empty where it cannot be read.
std::vector<std::string> Names(const std::string& path, std::size_t most, std::error_code& error) {
  std::vector<std::string> names;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (IsPlain(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  if (names.size() > most) names.resize(most);
  return names;
}

std::vector<std::string> Names(const std::string& path, std::size_t most) {
  std::error_code ignored;
  return Names(path, most, ignored);
}

std::string Line(const std::string& path) {
  auto text = ReadFile(path, kMostLine);
  if (!text) return {};
  while (!text->empty() && (text->back() == '\n' || text->back() == ' ')) text->pop_back();
  return *std::move(text);
}

void AddProblem(PortReading& port, const std::string& problem) {
  if (port.unreadable++ == 0) port.problem = problem;
}

// False where the folder is not there or empty.
bool ReadFolder(const std::string& folder, CounterSource source, PortReading& port) {
  const std::vector<std::string> names = Names(folder, kMostFiles);
  for (const std::string& name : names) {
    const auto value = ReadNumberFile(folder + "/" + name);
    if (value) {
      port.values.push_back({source, name, *value});
    } else {
      AddProblem(port, value.error().message);
    }
  }
  return !names.empty();
}

// The interface that the first GID in use belongs to, or the only one of the PCI function.
std::string NetdevOf(const std::string& device_path, const std::string& port_path) {
  for (std::uint32_t index = 0; index < kMostGids; ++index) {
    std::string name = Line(port_path + "/gid_attrs/ndevs/" + std::to_string(index));
    if (IsPlain(name)) return name;
  }
  const std::vector<std::string> beside = Names(device_path + "/device/net", 2);
  return beside.size() == 1 ? beside.front() : std::string();
}

std::uint64_t Incarnation(const std::string& port_path) {
  struct stat status {};
  return stat(port_path.c_str(), &status) == 0 ? status.st_ino : 0;
}

PortReading ReadPort(const std::string& root, const std::string& device, std::uint32_t number,
                     std::set<std::string>& netdevs_read, const Clock& clock) {
  const std::string device_path = root + "/sys/class/infiniband/" + device;
  const std::string path = device_path + "/ports/" + std::to_string(number);
  PortReading port{.device = device, .port = number};
  port.incarnation = Incarnation(path);
  port.netdev = NetdevOf(device_path, path);
  port.rate_bytes_per_second = ParsePortRate(Line(path + "/rate"));
  port.at = clock.Now();
  const bool counted = ReadFolder(path + "/counters", CounterSource::kPort, port);
  ReadFolder(path + "/hw_counters", CounterSource::kHardware, port);
  // Several ports over one interface would show its traffic several times.
  if (!counted && !port.netdev.empty() && netdevs_read.insert(port.netdev).second) {
    ReadFolder(root + "/sys/class/net/" + port.netdev + "/statistics", CounterSource::kNetdev,
               port);
  }
  return port;
}

}  // namespace

CounterReading ReadSysfsCounters(const std::string& root, const Clock& clock) {
  CounterReading reading;
  const MonotonicTime begin = clock.Now();
  const std::string below = root == "/" ? std::string() : root;
  const std::string devices = below + "/sys/class/infiniband";
  std::error_code error;
  std::set<std::string> netdevs_read;
  for (const std::string& device : Names(devices, kMostDevices, error)) {
    std::vector<std::uint32_t> ports;
    for (const std::string& name : Names(devices + "/" + device + "/ports", kMostPorts)) {
      if (const auto number = ParsePortNumber(name)) ports.push_back(*number);
    }
    std::sort(ports.begin(), ports.end());
    for (const std::uint32_t port : ports) {
      reading.ports.push_back(ReadPort(below, device, port, netdevs_read, clock));
    }
  }
  // A kernel without RDMA has no such folder.
  if (error && error != std::errc::no_such_file_or_directory) {
    reading.problem = "read " + Quoted(devices, 256) + ": " + error.message();
  }
  reading.took = clock.Now() - begin;
  return reading;
}

}  // namespace fairlead::linkprobe
