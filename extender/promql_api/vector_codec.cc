#include "extender/promql_api/vector_codec.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

tl::unexpected<Error> Refuse(std::string what) {
  return Fail(ErrorCode::kInvalidArgument, std::move(what));
}

const json* Member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string TextOf(const json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// A number in a string, as Prometheus writes them: "0.5", "1e-09", "NaN", "+Inf".
std::optional<double> ParseSample(const std::string& text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "+Inf" || text == "Inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || rest != end) return std::nullopt;
  return number;
}

// [seconds, "number"]
std::optional<double> NumberOf(const json* pair) {
  if (pair == nullptr || !pair->is_array() || pair->size() != 2 || !(*pair)[0].is_number() ||
      !(*pair)[1].is_string()) {
    return std::nullopt;
  }
  return ParseSample((*pair)[1].get<std::string>());
}

std::optional<VectorSample> SampleOf(const json& element) {
  const json* metric = Member(element, "metric");
  const auto number = NumberOf(Member(element, "value"));
  if (metric == nullptr || !metric->is_object() || !number) return std::nullopt;
  VectorSample sample{.labels = {}, .number = *number};
  for (const auto& [name, value] : metric->items()) {
    if (!value.is_string()) return std::nullopt;
    sample.labels.emplace(name, value.get<std::string>());
  }
  return sample;
}

Result<InstantVector> DecodeData(const json& data) {
  const std::string type = TextOf(Member(data, "resultType"));
  const json* result = Member(data, "result");
  InstantVector vector;
  if (type == "scalar") {
    const auto number = NumberOf(result);
    if (!number) return Refuse("holds a scalar that is none");
    vector.samples.push_back({.labels = {}, .number = *number});
    return vector;
  }
  if (type != "vector") {
    return Refuse("is a " + Quoted(type) + "; the query must give an instant vector or a scalar");
  }
  if (result == nullptr || !result->is_array()) return Refuse("holds a vector that is none");
  for (const json& element : *result) {
    auto sample = SampleOf(element);
    if (!sample) return Refuse("holds a sample that is none");
    vector.samples.push_back(*std::move(sample));
  }
  return vector;
}

}  // namespace

Result<InstantVector> DecodeInstantVector(std::string_view body) {
  const json parsed = json::parse(body, nullptr, false);
  if (parsed.is_discarded()) return Refuse("is no JSON");
  const std::string status = TextOf(Member(parsed, "status"));
  if (status == "error") {
    return Refuse(
        "says " +
        Quoted(TextOf(Member(parsed, "errorType")) + ": " + TextOf(Member(parsed, "error")), 300));
  }
  const json* data = Member(parsed, "data");
  if (status != "success" || data == nullptr) {
    return Refuse("is not what the API of a Prometheus answers; is its address right?");
  }
  auto vector = DecodeData(*data);
  if (!vector) return vector;
  if (const json* warnings = Member(parsed, "warnings"); warnings && warnings->is_array()) {
    for (const json& warning : *warnings) vector->warnings.push_back(TextOf(&warning));
  }
  return vector;
}

}  // namespace fairlead::extender
