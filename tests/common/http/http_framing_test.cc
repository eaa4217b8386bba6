#include "common/http/http_framing.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

HttpFraming Post(std::vector<std::string> lengths) {
  return {"POST", std::move(lengths), false, false};
}

TEST(BodyLength, TakesOnePlainNumber) {
  EXPECT_EQ(BodyLength(Post({"0"}), 100), 0U);
  EXPECT_EQ(BodyLength(Post({"100"}), 100), 100U);
  EXPECT_EQ(BodyLength(Post({"007"}), 100), 7U);
  EXPECT_EQ(BodyLength({"GET", {}, false, false}, 100), 0U);
  EXPECT_EQ(BodyLength({"GET", {"0"}, false, false}, 100), 0U);
  for (const char* method : {"OPTIONS", "PUT", "DELETE", "PATCH"}) {
    EXPECT_EQ(BodyLength({method, {}, false, false}, 100), 0U) << method;
  }
}

TEST(BodyLength, RefusesEverythingElseWithTheFittingStatus) {
  const struct {
    HttpFraming framing;
    int status;
  } kCases[] = {
      {Post({}), 411},
      {Post({"5", "5"}), 400},
      {Post({"5", "6"}), 400},
      {Post({""}), 400},
      {Post({"-1"}), 400},
      {Post({"+1"}), 400},
      {Post({"1 "}), 400},
      {Post({"0x10"}), 400},
      {Post({"1e3"}), 400},
      {Post({"5, 5"}), 400},
      {Post({"101"}), 413},
      {Post({"18446744073709551616"}), 413},
      {Post({std::string(5000, '9')}), 413},
      {{"POST", {"5"}, true, false}, 411},
      {{"POST", {}, true, false}, 411},
      {{"GET", {}, true, false}, 411},
      {{"POST", {"5"}, false, true}, 415},
      {{"DELETE", {"101"}, false, false}, 413},
      {{"GET", {"5"}, false, false}, 400},
      {{"HEAD", {"101"}, false, false}, 400},
  };
  for (const auto& c : kCases) {
    const auto length = BodyLength(c.framing, 100);
    ASSERT_FALSE(length) << c.framing.method;
    EXPECT_EQ(length.error().status, c.status) << length.error().message;
    EXPECT_LT(length.error().message.size(), 200U);
  }
}

}  // namespace
}  // namespace fairlead
