#include "linkprobe/saturate/paid_test.h"

namespace fairlead::linkprobe {

Result<PaidTest> RunPaid(SpentFile& ledger, const TestPrice& price, const Clock& clock,
                         const std::function<Result<LineTestFound>(ByteBudget&)>& test) {
  const WallTime today = clock.WallNow();
  const auto reserved = ledger.Reserve(price.line, price.most_bytes, price.bytes_per_day, today);
  if (!reserved) return Fail(reserved.error());
  ByteBudget budget(*reserved);
  const auto found = test(budget);
  const Status returned = ledger.Return(price.line, budget.left(), today);
  if (!found) return Fail(found.error());
  if (!returned) return Fail(returned.error());
  return PaidTest{.found = *found, .spent_bytes = budget.spent()};
}

}  // namespace fairlead::linkprobe
