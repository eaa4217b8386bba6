#include "common/link/declared_rate.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(DeclaredRateTest, Table) {
  struct Case {
    LineRates rates;
    DeclaredRateDoubt doubt;
  };
  const Case cases[] = {
      {{}, DeclaredRateDoubt::kAbsent},
      {{.used = 1e9}, DeclaredRateDoubt::kAbsent},
      {{.declared = 0.0}, DeclaredRateDoubt::kZero},
      {{.declared = -1.0, .used = 5.0}, DeclaredRateDoubt::kZero},
      {{.declared = 1e9}, DeclaredRateDoubt::kNone},
      {{.declared = 1e9, .used = 0.0}, DeclaredRateDoubt::kNone},
      {{.declared = 1e9, .used = 9.9e9}, DeclaredRateDoubt::kNone},
      {{.declared = 1e9, .used = 1e10}, DeclaredRateDoubt::kExceeded},
      {{.declared = 1e9, .capacity = 1e10}, DeclaredRateDoubt::kExceeded},
      {{.declared = 1e9, .used = 0.0, .capacity = 1e8}, DeclaredRateDoubt::kNotReached},
      {{.declared = 1e9, .capacity = 1.1e8}, DeclaredRateDoubt::kNone},
      {{.declared = 1e9, .capacity = 0.0}, DeclaredRateDoubt::kNone},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(JudgeDeclaredRate(each.rates), each.doubt)
        << each.rates.declared.value_or(-1) << " used " << each.rates.used.value_or(-1)
        << " capacity " << each.rates.capacity.value_or(-1);
  }
}

TEST(DeclaredRateTest, EveryDoubtHasItsWord) {
  EXPECT_EQ(DeclaredRateDoubtName(DeclaredRateDoubt::kNone), "none");
  EXPECT_EQ(DeclaredRateDoubtName(DeclaredRateDoubt::kAbsent), "absent");
  EXPECT_EQ(DeclaredRateDoubtName(DeclaredRateDoubt::kZero), "zero");
  EXPECT_EQ(DeclaredRateDoubtName(DeclaredRateDoubt::kExceeded), "exceeded");
  EXPECT_EQ(DeclaredRateDoubtName(DeclaredRateDoubt::kNotReached), "not_reached");
}

}  // namespace
}  // namespace fairlead
