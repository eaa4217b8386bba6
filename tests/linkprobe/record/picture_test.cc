// The comparison as text and picture: their parts, and the whole against goldens.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/file.h"
#include "linkprobe/record/axis.h"
#include "linkprobe/record/comparison_svg.h"
#include "linkprobe/record/comparison_text.h"
#include "linkprobe/record/value_text.h"
#include "linkprobe/record_file/comparison_json.h"
#include "linkprobe/record_file/recording_file.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

TEST(AxisTest, HoldsTheInnerValuesAndRoundTicks) {
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(0.0360 + i * 1e-6);
  const Axis axis = FitAxis(values, 0, 1e-6);
  EXPECT_LT(axis.low, 0.03601);
  EXPECT_GT(axis.high, 0.03699);
  EXPECT_GE(axis.ticks.size(), 3U);
  for (const double tick : axis.ticks) {
    EXPECT_TRUE(axis.Holds(tick));
    EXPECT_NEAR(tick * 1e4, std::round(tick * 1e4), 1e-6) << tick;
  }
  values.push_back(100);  // one outlier does not press the rest together
  EXPECT_LT(FitAxis(values, 0, 1e-6).high, 0.038);
  EXPECT_EQ(FitAxis(values, 0, 1e-6).Place(100), 1);
  EXPECT_EQ(FitAxis(values, 0, 1e-6).Place(-100), 0);
}

TEST(AxisTest, HasAWidthWhateverTheValues) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, {0}, {0, 0, 0}, {0.036, 0.036}, {1e-9}, {1e12, 1e12}, {0, 1e12}}) {
    const Axis axis = FitAxis(values, 0, 1e-6);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_GE(axis.low, 0);
    EXPECT_LE(axis.ticks.size(), 12U);
    const double place = axis.Place(values.empty() ? 0 : values.front());
    EXPECT_GE(place, 0);
    EXPECT_LE(place, 1);
  }
}

TEST(ValueTextTest, UnitsAndSigns) {
  EXPECT_EQ(ShowValue(LineValue::kRttP50, 0.03621), "36.21 ms");
  EXPECT_EQ(ShowDifference(LineValue::kRttP50, -0.0003105), "-310.5 us");
  EXPECT_EQ(ShowDifference(LineValue::kRttP50, 0.001), "+1 ms");
  EXPECT_EQ(ShowDifference(LineValue::kRttP50, 0), "0 ns");
  EXPECT_EQ(ShowDifference(LineValue::kLossForward, 0.001), "+0.10 pp");
  EXPECT_EQ(ShowDifference(LineValue::kLossForward, -0.05), "-5.0 pp");
  EXPECT_EQ(ShowDifference(LineValue::kBandwidth, -1e9), "-1 Gbps");
  EXPECT_EQ(ShowMinute(WallTime(Seconds(1'800'000'000))), "2027-01-15 08:00 UTC");
  EXPECT_EQ(ShowMinute(WallTime(Seconds(-60))), "1969-12-31 23:59 UTC");
  EXPECT_EQ(Shown("hk-1"), "hk-1");
  EXPECT_EQ(Shown("a\x1b[2Jb"), "\"a\\x1b[2Jb\"");
}

constexpr char kFolder[] = "tests/testdata/compare/";

class GoldenTest : public testing::Test {
 protected:
  static Recording Load(const std::string& name) {
    auto read = ReadRecording(kFolder + name);
    EXPECT_TRUE(read) << read.error().message;
    return std::move(*read);
  }
  static std::string Golden(const std::string& name) {
    const auto text = ReadFile(kFolder + name, 1 << 22);
    EXPECT_TRUE(text) << text.error().message;
    return text.value_or("");
  }

  const Recording before_ = Load("before.jsonl");
  const Recording after_ = Load("after.jsonl");
  const Comparison comparison_ = Compare(before_, after_, {});
  const NamedRecording first_{"before.jsonl", before_};
  const NamedRecording second_{"after.jsonl", after_};
};

TEST_F(GoldenTest, Text) {
  EXPECT_EQ(ComparisonText(comparison_, first_, second_), Golden("expected.txt"));
}

TEST_F(GoldenTest, Json) {
  EXPECT_EQ(ComparisonJson(comparison_, first_, second_), Golden("expected.json"));
}

TEST_F(GoldenTest, Svg) {
  EXPECT_EQ(ComparisonSvg(comparison_, first_, second_), Golden("expected.svg"));
}

TEST_F(GoldenTest, NamesCannotBreakOut) {
  RecordingBuilder builder(MakeFacts());
  const std::string nasty = "</text><script>x</script>\x1b[2J&\xff";
  for (std::size_t i = 0; i < 12; ++i) builder.Add(MakeWindow(i, 0.036, nasty));
  const Recording recording = builder.Take();
  const NamedRecording named{nasty, recording};
  const Comparison comparison = Compare(recording, recording, {});
  const std::string svg = ComparisonSvg(comparison, named, named);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '\x1b'), 0);
  const std::string text = ComparisonText(comparison, named, named);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_EQ(ComparisonJson(comparison, named, named).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace fairlead::linkprobe
