#include "linkprobe/bandwidth/daily_ledger.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "common/base/quote.h"

namespace fairlead::linkprobe {
namespace {

// Enough for a clock that was a day ahead when the newest entry was made.
constexpr std::int64_t kDaysKept = 2;

template <class Integer>
std::optional<Integer> TakeNumber(std::string_view& text) {
  Integer value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return value;
}

}  // namespace

std::uint64_t DailyLedger::Reserve(const std::string& line, std::int64_t day, std::uint64_t wanted,
                                   std::uint64_t limit) {
  days_.erase(days_.begin(), days_.lower_bound(day - kDaysKept + 1));
  std::uint64_t& spent = days_[day][line];
  const std::uint64_t granted = spent >= limit ? 0 : std::min(wanted, limit - spent);
  spent += granted;
  return granted;
}

void DailyLedger::Return(const std::string& line, std::int64_t day, std::uint64_t unused) {
  const auto lines = days_.find(day);
  if (lines == days_.end()) return;
  const auto spent = lines->second.find(line);
  if (spent != lines->second.end()) spent->second -= std::min(unused, spent->second);
}

std::uint64_t DailyLedger::Spent(const std::string& line, std::int64_t day) const {
  const auto lines = days_.find(day);
  if (lines == days_.end()) return 0;
  const auto spent = lines->second.find(line);
  return spent == lines->second.end() ? 0 : spent->second;
}

std::string DailyLedger::Format() const {
  std::string text;
  for (const auto& [day, lines] : days_) {
    for (const auto& [line, bytes] : lines) {
      text += std::to_string(day) + " " + std::to_string(bytes) + " " + line + "\n";
    }
  }
  return text;
}

Result<DailyLedger> DailyLedger::Parse(std::string_view text) {
  DailyLedger ledger;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view rest = text.substr(0, end);
    const std::string shown = Quoted(rest);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto day = TakeNumber<std::int64_t>(rest);
    const auto bytes = day ? TakeNumber<std::uint64_t>(rest) : std::nullopt;
    if (!bytes || rest.empty() || end == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument,
                  "line " + std::to_string(number) + ": " + shown + " is not \"DAY BYTES LINE\"");
    }
    ledger.days_[*day][std::string(rest)] = *bytes;
  }
  return ledger;
}

}  // namespace fairlead::linkprobe
