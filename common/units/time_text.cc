#include "common/units/time_text.h"

#include <charconv>
#include <cstdio>

#include "common/base/quote.h"

namespace fairlead {
namespace {

// Takes the text from its front; once something is not as it must be, all that follows fails.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  int Digits(std::size_t count, int least, int most) {
    int value = 0;
    if (rest_.size() < count) return Fail();
    const char* const end = rest_.data() + count;
    const auto [stop, error] = std::from_chars(rest_.data(), end, value);
    if (error != std::errc() || stop != end || rest_[0] == '-') return Fail();
    if (value < least || value > most) return Fail();
    rest_.remove_prefix(count);
    return value;
  }
  bool Take(char wanted) {
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Expect(char wanted) { ok_ = Take(wanted) && ok_; }
  Nanoseconds Fraction() {
    std::int64_t value = 0;
    std::int64_t unit = 100'000'000;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      value += (rest_[digits] - '0') * unit;
      unit /= 10;
    }
    if (digits == 0) Fail();
    rest_.remove_prefix(digits);
    return Nanoseconds(value);
  }
  bool Done() const { return ok_ && rest_.empty(); }

 private:
  int Fail() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

Result<WallTime> ParseTime(std::string_view text) {
  using namespace std::chrono;
  Cursor cursor(text);
  const int y = cursor.Digits(4, 1970, 2200);
  cursor.Expect('-');
  const int m = cursor.Digits(2, 1, 12);
  cursor.Expect('-');
  const int d = cursor.Digits(2, 1, 31);
  cursor.Expect('T');
  const int hour = cursor.Digits(2, 0, 23);
  cursor.Expect(':');
  const int minute = cursor.Digits(2, 0, 59);
  cursor.Expect(':');
  const int second = cursor.Digits(2, 0, 60);  // 60: a leap second
  Nanoseconds fraction{};
  if (cursor.Take('.')) fraction = cursor.Fraction();
  minutes east{};
  if (const bool plus = cursor.Take('+'); plus || cursor.Take('-')) {
    east = hours(cursor.Digits(2, 0, 23));
    cursor.Expect(':');
    east += minutes(cursor.Digits(2, 0, 59));
    if (!plus) east = -east;
  } else {
    cursor.Expect('Z');
  }
  const year_month_day date(year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d)));
  if (!cursor.Done() || !date.ok()) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " is no time; write it as 2026-01-02T15:04:05Z");
  }
  return WallTime(sys_days(date)) + hours(hour) + minutes(minute) + seconds(second) + fraction -
         east;
}

std::string FormatTime(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

}  // namespace fairlead
