#include "extender/scheduler_config/yaml_value.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(YamlValue, PlainTextIsOfTheTypeThatGoGivesIt) {
  const struct {
    YamlType type;
    std::vector<const char*> texts;
  } kCases[] = {{YamlType::kNull, {"", "~", "null", "Null", "NULL"}},
                {YamlType::kFlag, {"true", "False", "yes", "NO", "on", "Off", "y", "N"}},
                {YamlType::kWhole,
                 {"0", "5", "-5", "+5", "05", "0x5", "-0xA", "0b101", "0o17", "1_000",
                  "18446744073709551615"}},
                {YamlType::kFraction,
                 {"5.0", "5.", ".5", ".5e1", "1e3", "-1E-3", "08", "99999999999999999999", ".inf",
                  "-.Inf", ".nan"}},
                {YamlType::kText, {"tRUE",  "yEs",   "5s", "200ms", "1:30",   "2001-01-01", "0x",
                                   "0xg",   "-",     "+",  ".",     ".s",     "1e",         "e3",
                                   "1.2.3", "1e999", "_1", "nope",  "filter", "<<"}}};
  for (const auto& c : kCases) {
    for (const char* text : c.texts) EXPECT_EQ(ResolvePlain(text), c.type) << text;
  }
}

TEST(YamlValue, IntegersAreReadAsKubernetesReadsThem) {
  const auto read = [](const char* text) {
    return ReadInteger({.text = text, .line = 1, .type = ResolvePlain(text)});
  };
  const std::pair<const char*, std::int64_t> cases[] = {
      {"5", 5},   {"-5", -5},   {"0x10", 16}, {"010", 8}, {"1_000", 1000},
      {"5.0", 5}, {"1e2", 100}, {".5e1", 5},  {"08", 8},  {"9223372036854775807", INT64_MAX},
      {"0b11", 3}};
  for (const auto& [text, value] : cases) EXPECT_EQ(read(text), value) << text;
  for (const char* text : {"5.5", "yes", "", "9223372036854775808", "1e300", ".inf", "x"}) {
    EXPECT_EQ(read(text), std::nullopt) << text;
  }
  EXPECT_EQ(ReadInteger({.text = "5", .line = 1, .type = YamlType::kText}), std::nullopt);
}

TEST(YamlValue, FlagsInQuotesAreNone) {
  EXPECT_EQ(ReadFlag({.text = "on", .line = 1, .type = YamlType::kFlag}), true);
  EXPECT_EQ(ReadFlag({.text = "n", .line = 1, .type = YamlType::kFlag}), false);
  EXPECT_EQ(ReadFlag({.text = "true", .line = 1, .type = YamlType::kText}), std::nullopt);
}

}  // namespace
}  // namespace fairlead::extender
