#include "common/units/rate.h"

#include <array>

#include "common/units/quantity.h"

namespace fairlead {
namespace {

constexpr std::array<Unit, 5> kRateUnits{{{"bps", 1},
                                          {"kbps", 1'000},
                                          {"Mbps", 1'000'000},
                                          {"Gbps", 1'000'000'000},
                                          {"Tbps", 1'000'000'000'000}}};
constexpr QuantityKind kRate{"rate", "10Gbps", kRateUnits};

constexpr std::array<Unit, 9> kByteUnits{{{"B", 1},
                                          {"kB", 1'000},
                                          {"KiB", 1'024},
                                          {"MB", 1'000'000},
                                          {"MiB", 1'048'576},
                                          {"GB", 1'000'000'000},
                                          {"GiB", 1'073'741'824},
                                          {"TB", 1'000'000'000'000},
                                          {"TiB", 1'099'511'627'776}}};
constexpr QuantityKind kBytes{"size", "8MiB", kByteUnits};

}  // namespace

Result<std::uint64_t> ParseRate(std::string_view text) { return ParseQuantity(kRate, text); }
std::string FormatRate(std::uint64_t bits_per_second) {
  return FormatQuantity(kRate, bits_per_second);
}

Result<std::uint64_t> ParseBytes(std::string_view text) { return ParseQuantity(kBytes, text); }
std::string FormatBytes(std::uint64_t bytes) { return FormatQuantity(kBytes, bytes); }

}  // namespace fairlead
