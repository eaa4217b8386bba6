#include "extender/gang/hived_group.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

struct SpecCase {
  const char* name;
  const char* spec;
  std::string group;  // empty: none
  std::optional<std::uint32_t> pods = std::nullopt;
};

class HivedGroupOf : public ::testing::TestWithParam<SpecCase> {};

TEST_P(HivedGroupOf, ASpec) {
  const auto group = ReadHivedGroup(GetParam().spec);
  ASSERT_EQ(group.has_value(), !GetParam().group.empty());
  if (!group) return;
  EXPECT_EQ(group->name, GetParam().group);
  EXPECT_EQ(group->pods, GetParam().pods);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, HivedGroupOf,
    ::testing::Values(
        SpecCase{"empty", "", ""}, SpecCase{"none", "priority: 1\n", ""},
        SpecCase{"null", "affinityGroup: null\nname: x\n", ""},
        SpecCase{"no_name", "affinityGroup:\n  members:\n  - podNumber: 2\n", ""},
        SpecCase{"block", "affinityGroup:\n  name: g  # mine\n  members:\n  - podNumber: 2\n", "g",
                 2},
        SpecCase{"quoted", "affinityGroup:\n  name: \"g h\"\n  members: [{podNumber: 5}]\n", "g h",
                 5},
        SpecCase{"json",
                 R"({"affinityGroup":{"name":"g","members":[{"podNumber":2},{"podNumber":3}]}})",
                 "g", 5},
        SpecCase{"members_first", "affinityGroup:\n  members:\n  - podNumber: 2\n  name: g\n", "g",
                 2},
        SpecCase{"other_key_of_that_end", "myaffinityGroup:\n  name: g\n", ""},
        SpecCase{"number_that_is_none", "affinityGroup:\n  name: g\n  x:\n  - podNumber: many\n",
                 "g"},
        SpecCase{"zero", "affinityGroup:\n  name: g\n  members:\n  - podNumber: 0\n", "g"},
        SpecCase{"cut_off", "affinityGroup:\n  name: \"g", ""}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fairlead::extender
