#include "deviceplugin/nfd/feature_file.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint64_t kGigabit = 1'000'000'000;

// Label names hold letters, digits, '-', '_' and '.', and begin and end with a letter or digit.
std::string LabelWord(std::string_view text) {
  std::string word;
  for (const char c : text) {
    word += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ? c : '-';
  }
  while (!word.empty() && !std::isalnum(static_cast<unsigned char>(word.back()))) word.pop_back();
  return word;
}

}  // namespace

std::string FeatureFile(std::span<const WatchedHca> hcas, NetnsMode netns_mode) {
  std::map<std::string, std::string> labels;
  std::size_t present = 0, healthy = 0;
  std::uint64_t rate = 0;
  for (const WatchedHca& watched : hcas) {
    if (!watched.present) continue;
    ++present;
    if (watched.healthy) ++healthy;
    labels["hca.protocol." + std::string(ProtocolName(watched.hca.protocol))] = "true";
    const std::string driver = LabelWord(watched.hca.driver);
    if (!driver.empty()) labels["hca.driver." + driver] = "true";
    for (const HcaPort& port : watched.hca.ports) rate = std::max(rate, port.rate_bits_per_second);
  }
  labels["hca.count"] = std::to_string(present);
  labels["hca.healthy"] = std::to_string(healthy);
  if (rate > 0) labels["hca.rate-gbps"] = std::to_string(rate / kGigabit);
  if (netns_mode != NetnsMode::kUnknown) labels["rdma.netns-mode"] = NetnsModeName(netns_mode);
  std::string text;
  for (const auto& [name, value] : labels) text += "fairlead.dev/" + name + "=" + value + "\n";
  return text;
}

}  // namespace fairlead::deviceplugin
