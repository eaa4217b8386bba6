#include "extender/replay_file/links_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "common/units/time_text.h"
#include "extender/replay_file/range_codec.h"
#include "extender/replay_file/snapshot_codec.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

constexpr char kHowToRecord[] =
    "; a line is one answer of GET /links.json, or of a Prometheus to /api/v1/query_range";

// Rounds of 5 s over more than that take hours.
constexpr std::chrono::days kLongest(90);

// Empty where it is not. Steps of centuries are refused before anything is reckoned with them.
std::string TooLong(const LinkPoints& links) {
  std::optional<WallTime> first;
  std::optional<WallTime> last;
  for (const auto& [key, points] : links) {
    if (points.empty()) continue;
    first = std::min(first.value_or(points.front().at), points.front().at);
    last = std::max(last.value_or(points.back().at), points.back().at);
  }
  // In seconds, for nanoseconds end after 292 years.
  if (!first || std::chrono::floor<std::chrono::seconds>(*last) -
                        std::chrono::floor<std::chrono::seconds>(*first) <=
                    kLongest) {
    return {};
  }
  return "reaches from " + FormatTime(*first) + " to " + FormatTime(*last) +
         ", which is more than 90 days; mend the times, or replay it in parts";
}

class LinksFile {
 public:
  LinksFile(const std::string& name, const LineCatalogue& lines) : name_(name), points_(lines) {}

  Result<LinkTrace> Read(std::string_view text) {
    if (json whole = json::parse(text, nullptr, false); !whole.is_discarded()) {
      if (Status added = Add(whole, 1); !added) return Refuse(1, added.error().message);
    } else if (Status read = ReadLines(text); !read) {
      return Fail(read.error());
    }
    if (ranges_seen_) {
      std::size_t line = 0;
      Status given = ranges_.Give(points_, line);
      if (!given) return Refuse(line, given.error().message);
    }
    LinkPoints points = points_.Take();
    if (const std::string reach = TooLong(points); !reach.empty()) return Refuse(0, reach);
    LinkTrace trace = MakeTrace(std::move(points));
    if (trace.links.empty()) return Refuse(0, std::string("holds no link") + kHowToRecord);
    if (trace.step <= Nanoseconds(0)) {
      return Refuse(0, std::string("tells of no link at two moments, so nothing can be replayed") +
                           kHowToRecord);
    }
    return trace;
  }

 private:
  tl::unexpected<Error> Refuse(std::size_t line, const std::string& what) const {
    return Fail(ErrorCode::kInvalidArgument,
                name_ + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": " + what);
  }

  Status ReadLines(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      const json document = json::parse(line, nullptr, false);
      if (document.is_discarded()) {
        const bool cut = end == std::string_view::npos;
        return Refuse(number,
                      std::string(cut ? "is no JSON; it seems to be cut off: remove this line"
                                      : "is no JSON") +
                          kHowToRecord);
      }
      if (Status added = Add(document, number); !added)
        return Refuse(number, added.error().message);
    }
    return {};
  }

  Status Add(const json& document, std::size_t line) {
    const bool range = document.is_object() && document.contains("status");
    const bool snapshot = document.is_object() && document.contains("links");
    if (!range && !snapshot) {
      return Fail(ErrorCode::kInvalidArgument, std::string("is neither") + kHowToRecord);
    }
    if (range ? snapshots_seen_ : ranges_seen_) {
      return Fail(ErrorCode::kInvalidArgument,
                  "is of the other kind than the lines before; keep answers of the extender and of "
                  "a Prometheus in files of their own");
    }
    (range ? ranges_seen_ : snapshots_seen_) = true;
    return range ? ranges_.Add(document, line) : AddSnapshot(document, points_);
  }

  const std::string name_;
  LinkPointsBuilder points_;
  RangeReader ranges_;
  bool ranges_seen_ = false;
  bool snapshots_seen_ = false;
};

}  // namespace

Result<LinkTrace> ParseLinks(const std::string& name, std::string_view text,
                             const LineCatalogue& lines) {
  return LinksFile(name, lines).Read(text);
}

}  // namespace fairlead::extender
