#include "linkprobe/counter_files/ethtool_statistics.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "common/base/file_descriptor.h"
#include "linkprobe/counters/meaning.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kMost = 16384;
// The kernel writes as many values as the driver has by then, whatever it was told of the buffer;
// the number changes when somebody sets the number of queues.
constexpr std::uint32_t kSlack = 8192;

// Memory aligned for the kernel's structures, which end in an array.
using Words = std::vector<std::uint64_t>;

class Interface {
 public:
  explicit Interface(const std::string& name)
      : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    std::memcpy(request_.ifr_name, name.data(), std::min<std::size_t>(name.size(), IFNAMSIZ - 1));
  }

  bool Ask(void* command) {
    request_.ifr_data = static_cast<char*>(command);
    return socket_ && ::ioctl(socket_.get(), SIOCETHTOOL, &request_) == 0;
  }

 private:
  const FileDescriptor socket_;
  ifreq request_{};
};

std::optional<std::uint32_t> CountOf(Interface& interface) {
  Words memory(4);
  auto* info = reinterpret_cast<ethtool_sset_info*>(memory.data());
  info->cmd = ETHTOOL_GSSET_INFO;
  info->sset_mask = std::uint64_t{1} << ETH_SS_STATS;
  if (!interface.Ask(info) || info->sset_mask == 0) return std::nullopt;
  return info->data[0];
}

}  // namespace

std::vector<CounterValue> ReadEthtoolStatistics(const std::string& netdev) {
  std::vector<CounterValue> values;
  Interface interface(netdev);
  const auto count = CountOf(interface);
  if (!count || *count == 0 || *count > kMost) return values;
  const std::size_t room = *count + kSlack;

  Words name_memory((sizeof(ethtool_gstrings) + room * ETH_GSTRING_LEN) / sizeof(std::uint64_t) +
                    1);
  auto* names = reinterpret_cast<ethtool_gstrings*>(name_memory.data());
  names->cmd = ETHTOOL_GSTRINGS;
  names->string_set = ETH_SS_STATS;
  names->len = *count;
  if (!interface.Ask(names) || names->len != *count) return values;

  Words value_memory(sizeof(ethtool_stats) / sizeof(std::uint64_t) + room + 1);
  auto* stats = reinterpret_cast<ethtool_stats*>(value_memory.data());
  stats->cmd = ETHTOOL_GSTATS;
  stats->n_stats = *count;
  if (!interface.Ask(stats) || stats->n_stats != *count) return values;

  const auto* text =
      reinterpret_cast<const char*>(name_memory.data()) + offsetof(ethtool_gstrings, data);
  const auto* numbers =
      reinterpret_cast<const char*>(value_memory.data()) + offsetof(ethtool_stats, data);
  for (std::uint32_t i = 0; i < *count; ++i) {
    const char* begin = text + std::size_t{i} * ETH_GSTRING_LEN;
    const std::string name(begin, strnlen(begin, ETH_GSTRING_LEN));
    if (!MeaningOf(CounterSource::kEthtool, name)) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, numbers + std::size_t{i} * sizeof value, sizeof value);
    values.push_back({CounterSource::kEthtool, name, value});
  }
  return values;
}

}  // namespace fairlead::linkprobe
