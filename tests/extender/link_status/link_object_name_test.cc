#include "extender/link_status/link_object_name.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <vector>

namespace fairlead::extender {
namespace {

TEST(LinkObjectName, IsTheSameForBothDirections) {
  const struct {
    const char* a;
    const char* b;
    const char* name;
  } kCases[] = {
      {"hk", "sg", "hk-sg"},
      {"sg", "hk", "hk-sg"},
      {"0", "9", "0-9"},
      {"eu-west-1", "ap-southeast-1", "ap-southeast-1.eu-west-1"},
      {"hk", "new-york", "hk.new-york"},
  };
  for (const auto& c : kCases) EXPECT_EQ(LinkObjectName(c.a, c.b), c.name);
}

TEST(LinkObjectName, IsADnsNameOfItsOwnForEveryPair) {
  // As label values may be, and worse, as a file might have them.
  const std::vector<std::string> sites{"hk",
                                       "sg",
                                       "HK",
                                       "Hk",
                                       "h-k",
                                       "h_k",
                                       "h.k",
                                       "hk-sg",
                                       "a",
                                       "a-b",
                                       "b-c",
                                       "c",
                                       "new.york",
                                       "new-york",
                                       "New_York",
                                       "",
                                       "-",
                                       "_",
                                       "\xe6\x9d\xb1\xe4\xba\xac",
                                       "\xe9\xa6\x99\xe6\xb8\xaf",
                                       std::string(63, 'x'),
                                       std::string(63, 'X'),
                                       std::string(64, 'x'),
                                       std::string(300, 'x'),
                                       "hk.sg",
                                       "sg.9f86d081884c7d65"};
  const std::regex dns("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  std::set<std::string> names;
  std::size_t pairs = 0;
  for (const std::string& a : sites) {
    for (const std::string& b : sites) {
      if (a >= b) continue;
      const std::string name = LinkObjectName(a, b);
      EXPECT_EQ(LinkObjectName(b, a), name);
      EXPECT_TRUE(std::regex_match(name, dns)) << name;
      EXPECT_LE(name.size(), 253U) << name;
      EXPECT_TRUE(names.insert(name).second) << "\"" << a << "\" and \"" << b << "\": " << name;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, sites.size() * (sites.size() - 1) / 2);
}

}  // namespace
}  // namespace fairlead::extender
