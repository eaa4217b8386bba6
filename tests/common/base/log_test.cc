#include "common/base/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace fairlead {
namespace {

template <class Write>
std::string Captured(Write write) {
  testing::internal::CaptureStderr();
  write();
  return testing::internal::GetCapturedStderr();
}

nlohmann::json Parsed(const std::string& line) {
  EXPECT_TRUE(line.ends_with('\n'));
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  return nlohmann::json::parse(line);
}

TEST(Log, WritesOneJsonObject) {
  const nlohmann::json line = Parsed(Captured([] {
    LogWarning("line degraded", {{"site", "hk"}, {"probes", 12}, {"up", true}, {"ratio", 0.25}});
  }));
  EXPECT_EQ(line.at("level"), "warning");
  EXPECT_EQ(line.at("message"), "line degraded");
  EXPECT_EQ(line.at("site"), "hk");
  EXPECT_EQ(line.at("probes"), 12);
  EXPECT_EQ(line.at("up"), true);
  EXPECT_EQ(line.at("ratio"), 0.25);
  EXPECT_TRUE(line.at("time").get<std::string>().ends_with("Z"));
}

TEST(Log, StaysJsonForAnyByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    const nlohmann::json line = Parsed(Captured([&] { LogInfo(text, {{text, text}}); }));
    EXPECT_EQ(line.size(), 4U) << byte;
  }
}

TEST(Log, CutsAnEndlessValue) {
  const nlohmann::json line = Parsed(Captured([] {
    LogInfo("said", {{"text", std::string(1U << 20, 'x')}});
  }));
  EXPECT_EQ(line.at("text"), std::string(4096, 'x') + "...");
}

TEST(Log, StaysJsonForNumbersThatJsonDoesNotHave) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(Parsed(Captured([&] {
                  LogInfo("x", {{"value", value}});
                }))
                    .at("value")
                    .is_string());
  }
  for (const double value : {0.0, -0.0, 1e-12, 1e300, 123456.789, -2.5}) {
    const nlohmann::json line = Parsed(Captured([&] { LogInfo("x", {{"value", value}}); }));
    EXPECT_NEAR(line.at("value").get<double>(), value, std::abs(value) * 1e-8);
  }
}

TEST(Log, DropsWhatIsBelowTheLevel) {
  SetLogLevel(LogLevel::kError);
  EXPECT_EQ(Captured([] { LogWarning("quiet"); }), "");
  EXPECT_NE(Captured([] { LogError("loud"); }), "");
  SetLogLevel(LogLevel::kInfo);
}

}  // namespace
}  // namespace fairlead
