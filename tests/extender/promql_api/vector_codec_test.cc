// Bodies of a Prometheus 2.42, and what is none.
#include "extender/promql_api/vector_codec.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/base/file.h"

namespace fairlead::extender {
namespace {

std::string Body(const std::string& name) {
  const auto text = ReadFile("tests/testdata/prometheus-2.42/" + name, 1U << 20);
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

TEST(DecodeInstantVectorTest, AVector) {
  const auto vector = DecodeInstantVector(Body("vector.json"));
  ASSERT_TRUE(vector) << vector.error().message;
  ASSERT_EQ(vector->samples.size(), 3U);
  std::map<std::string, double> by_site;
  for (const VectorSample& sample : vector->samples) {
    EXPECT_EQ(sample.labels.at("src"), "hk");
    by_site[sample.labels.at("dst")] = sample.number;
  }
  EXPECT_EQ(by_site["sg"], 0.0362);
  EXPECT_EQ(by_site["tyo"], 1e-9);
  EXPECT_TRUE(std::isnan(by_site["lon"]));
}

TEST(DecodeInstantVectorTest, OtherAnswersThatAreRight) {
  const auto scalar = DecodeInstantVector(Body("scalar.json"));
  ASSERT_TRUE(scalar) << scalar.error().message;
  ASSERT_EQ(scalar->samples.size(), 1U);
  EXPECT_EQ(scalar->samples[0].number, 0.25);
  EXPECT_TRUE(scalar->samples[0].labels.empty());
  const auto empty = DecodeInstantVector(Body("empty.json"));
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->samples.empty());
  const auto infinite = DecodeInstantVector(Body("infinite.json"));
  ASSERT_TRUE(infinite) << infinite.error().message;
  EXPECT_TRUE(std::isinf(infinite->samples.at(0).number));
}

TEST(DecodeInstantVectorTest, SaysWhatIsWrong) {
  const std::pair<std::string, const char*> cases[] = {
      {Body("matrix.json"), "\"matrix\"; the query must give an instant vector"},
      {Body("string.json"), "\"string\""},
      {Body("error.json"), "bad_data"},
      {"", "no JSON"},
      {"<html>", "no JSON"},
      {"[]", "not what the API"},
      {"{}", "not what the API"},
      {R"({"status":7})", "not what the API"},
      {R"({"status":"success","data":7})", "is a \"\""},
      {R"({"status":"success","data":{"resultType":"vector"}})", "a vector that is none"},
      {R"({"status":"success","data":{"resultType":"vector","result":[7]}})",
       "a sample that is none"},
      {R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"x"]}]}})",
       "a sample that is none"},
      {R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":1},"value":[1,"1"]}]}})",
       "a sample that is none"},
      {R"({"status":"success","data":{"resultType":"scalar","result":[1,2]}})",
       "a scalar that is none"},
      {std::string(100'000, '['), "no JSON"},
  };
  for (const auto& [body, part] : cases) {
    const auto vector = DecodeInstantVector(body);
    ASSERT_FALSE(vector) << part;
    EXPECT_NE(vector.error().message.find(part), std::string::npos) << vector.error().message;
  }
}

TEST(DecodeInstantVectorTest, CutAnywhereIsNoVector) {
  const std::string whole = Body("vector.json");
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    EXPECT_FALSE(DecodeInstantVector(std::string_view(whole).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace fairlead::extender
