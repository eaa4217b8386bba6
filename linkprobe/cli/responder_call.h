// What bandwidth tests with a peer's `respond` begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/saturate/spent_file.h"
#include "linkprobe/session/measure_call.h"

namespace fairlead::linkprobe {

// Round trips whose median is the idle one that a test starts from.
inline constexpr std::size_t kIdleRoundTrips = 20;

// A test with the peer at host:port, which waits two minutes at most for a tester that dies.
// `clock` outlives it.
MeasureCall CallResponder(const std::string& peer, std::vector<std::uint8_t> key,
                          const Clock& clock, std::stop_token stop = {});

// The ledger of --ledger, the usual one where that is empty.
Result<SpentFile> OpenLedger(const std::string& file);

}  // namespace fairlead::linkprobe
