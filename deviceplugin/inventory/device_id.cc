#include "deviceplugin/inventory/device_id.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <tuple>

namespace fairlead::deviceplugin {

// FNV-1a, 64 bits, folded to 32.
std::string TextHash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  hash ^= hash >> 32;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 28; shift >= 0; shift -= 4) out += kDigits[(hash >> shift) & 0xf];
  return out;
}

namespace {

// kubelet's limit is 63; "-x" with eight hexadecimal digits and "-s4294967295" must still fit.
constexpr std::size_t kHashed = 63 - 10 - 12;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

char Lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The text in lower case with '-' for whatever a label may not hold, no '-' at its ends.
std::string LabelForm(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char low = Lowered(c);
    const bool allowed = IsDigit(low) || IsLower(low);
    if (allowed || (!out.empty() && out.back() != '-')) out += allowed ? low : '-';
  }
  if (out.size() > kHashed) out.resize(kHashed);
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

// The last part of a label could be taken for a slot ("s2") or a hash ("x0123abcd").
bool LooksDerived(std::string_view label) {
  const std::string_view last = label.substr(label.rfind('-') + 1);
  const std::string_view tail = last.substr(std::min<std::size_t>(1, last.size()));
  if (tail.empty() || last.size() == label.size()) return false;
  const bool slot = last[0] == 's' && std::all_of(tail.begin(), tail.end(), IsDigit);
  const bool hash =
      last[0] == 'x' && tail.size() == 8 && std::all_of(tail.begin(), tail.end(), IsHex);
  return slot || hash;
}

std::string WithHash(std::string_view label, std::string_view whole) {
  return std::string(label.substr(0, kHashed)) + "-x" + TextHash(whole);
}

// "abcd-3b-00-0...": how a function in PCI domain abcd would look.
bool LooksLikePci(std::string_view label) {
  const std::size_t dash = label.find('-');
  if (dash == std::string_view::npos || label.size() < dash + 8) return false;
  std::string address(label.substr(0, dash + 8));
  address[dash] = address[dash + 3] = ':';
  address[dash + 6] = '.';
  return ParsePci(address).has_value();
}

// Only a name of lower-case words joined by single '_' can be told back from its label, and some of
// those look like an identifier of another kind.
std::string NameId(std::string_view name) {
  const std::string label = LabelForm(name);
  std::string back = label;
  std::replace(back.begin(), back.end(), '-', '_');
  if (label.empty()) return WithHash("hca", name);
  const bool plain =
      back == name && !IsDigit(label[0]) && !LooksDerived(label) && !LooksLikePci(label);
  return plain ? label : WithHash(label, name);
}

std::string PciLabel(const PciAddress& address) {
  std::string label = FormatPci(address);
  std::replace_if(
      label.begin(), label.end(), [](char c) { return c == ':' || c == '.'; }, '-');
  return label;
}

}  // namespace

std::string HcaId(const Hca& hca) {
  if (!hca.pci) return NameId(hca.name);
  const std::string label = PciLabel(*hca.pci);
  if (hca.function != PciFunction::kSubfunction) return label;
  return label + "-sf" + std::to_string(hca.subfunction);
}

std::vector<std::string> HcaIds(std::span<const Hca> hcas, const KnownHcaIds& known) {
  std::vector<std::string> ids(hcas.size());
  std::set<std::string> used;
  std::vector<std::size_t> order;  // of those that are not known
  for (std::size_t i = 0; i < hcas.size(); ++i) {
    const auto given = known.find({HcaId(hcas[i]), hcas[i].name});
    if (given != known.end() && used.insert(given->second).second) {
      ids[i] = given->second;
    } else {
      order.push_back(i);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(hcas[a].uverbs.empty(), std::string_view(hcas[a].name), a) <
           std::tuple(hcas[b].uverbs.empty(), std::string_view(hcas[b].name), b);
  });
  for (const std::size_t i : order) {
    const std::string shared = HcaId(hcas[i]);
    ids[i] = shared;
    // Two of one name cannot be; the count tells them apart even so.
    for (std::uint32_t n = 0; !used.insert(ids[i]).second; ++n) {
      ids[i] = WithHash(shared, n == 0 ? hcas[i].name : hcas[i].name + "/" + std::to_string(n));
    }
  }
  return ids;
}

std::string GpuId(const Gpu& gpu) {
  if (gpu.uuid.empty()) {
    return "gpu-" + (gpu.pci ? PciLabel(*gpu.pci) : std::to_string(gpu.index));
  }
  std::string lowered = gpu.uuid;
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), Lowered);
  const std::string label = LabelForm(gpu.uuid);
  return label == lowered ? label : WithHash(label.empty() ? "gpu" : label, gpu.uuid);
}

std::string SlotId(std::string_view device_id, std::uint32_t slot) {
  return std::string(device_id) + "-s" + std::to_string(slot);
}

}  // namespace fairlead::deviceplugin
