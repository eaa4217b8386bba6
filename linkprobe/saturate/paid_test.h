// A bandwidth test whose bytes are paid for from the day's quota.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/saturate/line_test.h"
#include "linkprobe/saturate/spent_file.h"

namespace fairlead::linkprobe {

struct TestPrice {
  std::string line;                 // whose quota counts
  std::uint64_t most_bytes = 0;     // of this test
  std::uint64_t bytes_per_day = 0;  // of the line
};

struct PaidTest {
  LineTestFound found;
  std::uint64_t spent_bytes = 0;
};

// Reserves the bytes in `ledger`, runs `test` within them and gives back what it did not send, also
// where it fails.
Result<PaidTest> RunPaid(SpentFile& ledger, const TestPrice& price, const Clock& clock,
                         const std::function<Result<LineTestFound>(ByteBudget&)>& test);

}  // namespace fairlead::linkprobe
