#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

std::string_view CounterSourceName(CounterSource source) {
  switch (source) {
    case CounterSource::kPort:
      return "counters";
    case CounterSource::kHardware:
      return "hw_counters";
    case CounterSource::kOptional:
      return "rdma_netlink";
    case CounterSource::kEthtool:
      return "ethtool";
    case CounterSource::kNetdev:
      return "netdev";
  }
  return "";
}

}  // namespace fairlead::linkprobe
