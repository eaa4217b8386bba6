// Single values of a move's record as text.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "extender/migration/line_condition.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender::record_fields {

std::string SecondText(WallTime time);                      // "1796000000"
std::string CountsText(const SiteCounts& counts);           // "hk:8,sg:4"; "-" for none
std::string LinesText(const std::vector<SitePair>& lines);  // "hk~sg"; "-" for none
// The beginning of the text on one line, so that it cannot be taken for another key.
std::string OneLine(std::string text);

// kInvalidArgument: "<what> <the text in quotes>".
Status Wrong(std::string_view what, std::string_view text);

// The inverse of the above; what is no such value is kInvalidArgument and leaves `out` undefined.
Status ReadSecond(std::string_view text, WallTime& out);
Status ReadCounts(std::string_view text, SiteCounts& out);
Status ReadLines(std::string_view text, std::vector<SitePair>& out);
Status ReadPrints(std::string_view text, std::vector<std::string>& out);  // of PodPrint

template <class Number>
Status ReadNumber(std::string_view text, Number least, Number most, Number& out) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return Wrong("no such number:", text);
  }
  out = value;
  return {};
}

}  // namespace fairlead::extender::record_fields
