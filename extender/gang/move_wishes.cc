#include "extender/gang/move_wishes.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "common/units/duration.h"
#include "common/units/time_text.h"
#include "extender/gang/annotation_reader.h"

namespace fairlead::extender {
namespace {

Result<MigrationMode> Mode(std::string_view text) {
  for (const MigrationMode mode :
       {MigrationMode::kOff, MigrationMode::kDryRun, MigrationMode::kEnforce}) {
    if (text == MigrationModeName(mode)) return mode;
  }
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is no mode; use off, dry-run or enforce");
}

Result<bool> YesOrNo(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return Fail(ErrorCode::kInvalidArgument, Quoted(text) + " is neither true nor false");
}

// Of both, what `better` prefers; of one that is absent the other.
template <class T, class Better>
std::optional<T> Of(const std::optional<T>& a, const std::optional<T>& b, Better better) {
  if (!a || !b) return a ? a : b;
  return better(*a, *b);
}

template <class T>
std::optional<T> Least(const std::optional<T>& a, const std::optional<T>& b) {
  return Of(a, b, [](const T& x, const T& y) { return std::min(x, y); });
}

template <class T>
std::optional<T> Most(const std::optional<T>& a, const std::optional<T>& b) {
  return Of(a, b, [](const T& x, const T& y) { return std::max(x, y); });
}

template <class T>
std::optional<T> First(const std::optional<T>& a, const std::optional<T>& b) {
  return a ? a : b;
}

}  // namespace

MoveWishes ReadMoveWishes(const PodFacts& pod) {
  MoveWishes wishes;
  PodWishes of_lines = ReadWishes(pod);
  wishes.profile = of_lines.profile;
  wishes.limits = of_lines.limits;
  std::vector<std::string> errors;
  AnnotationReader reader(pod, "cannot be read", errors);
  reader.Read("migration", Mode, [&](MigrationMode mode) { wishes.mode = mode; });
  reader.Read("checkpoint-on-request", YesOrNo, [&](bool yes) { wishes.writes_on_request = yes; });
  reader.Read("last-checkpoint", ParseTime, [&](WallTime at) { wishes.last_checkpoint = at; });
  reader.Read("checkpoint-interval", ParseDuration, [&](Nanoseconds t) { wishes.interval = t; });
  reader.Read("checkpoint-write", ParseDuration, [&](Nanoseconds t) { wishes.write_time = t; });
  reader.Read("restart-time", ParseDuration, [&](Nanoseconds t) { wishes.restart_time = t; });
  reader.Read("requeue-time", ParseDuration, [&](Nanoseconds t) { wishes.requeue_time = t; });
  reader.Read("expected-end", ParseTime, [&](WallTime at) { wishes.expected_end = at; });
  if (!errors.empty()) wishes.fault = std::move(errors.front());
  return wishes;
}

MoveWishes Joined(const MoveWishes& a, const MoveWishes& b) {
  MoveWishes both = a;
  both.limits = {
      .max_rtt = Least(a.limits.max_rtt, b.limits.max_rtt),
      .max_jitter = Least(a.limits.max_jitter, b.limits.max_jitter),
      .min_bytes_per_second = Most(a.limits.min_bytes_per_second, b.limits.min_bytes_per_second)};
  both.mode = Least(a.mode, b.mode);
  both.writes_on_request = a.writes_on_request || b.writes_on_request;
  both.last_checkpoint = Most(a.last_checkpoint, b.last_checkpoint);
  both.interval = First(a.interval, b.interval);
  both.write_time = First(a.write_time, b.write_time);
  both.restart_time = First(a.restart_time, b.restart_time);
  both.requeue_time = First(a.requeue_time, b.requeue_time);
  both.expected_end = First(a.expected_end, b.expected_end);
  both.priority = std::min(a.priority, b.priority);
  if (both.priority_class.empty()) both.priority_class = b.priority_class;
  if (both.fault.empty()) both.fault = b.fault;
  return both;
}

}  // namespace fairlead::extender
