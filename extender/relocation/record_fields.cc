#include "extender/relocation/record_fields.h"

#include <functional>
#include <utility>

#include "common/base/quote.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender::record_fields {
namespace {

// Beyond any clock that works: year 2200.
constexpr std::int64_t kLatestSecond = 7'258'118'400;

// Calls read(item) for each item between commas; "-" has none.
Status ReadList(std::string_view text, const std::function<Status(std::string_view)>& read) {
  if (text == "-") return {};
  while (true) {
    const std::size_t comma = text.find(',');
    if (auto item = read(text.substr(0, comma)); !item) return item;
    if (comma == std::string_view::npos) return {};
    text.remove_prefix(comma + 1);
  }
}

// A site's name is a label value.
bool IsSiteName(std::string_view text) {
  if (text.empty() || text.size() > 63) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

}  // namespace

std::string SecondText(WallTime time) {
  return std::to_string(std::chrono::floor<Seconds>(time.time_since_epoch()).count());
}

std::string CountsText(const SiteCounts& counts) {
  std::string text;
  for (const auto& [site, members] : counts) {
    if (!text.empty()) text += ',';
    text += site + ":" + std::to_string(members);
  }
  return text.empty() ? "-" : text;
}

std::string LinesText(const std::vector<SitePair>& lines) {
  std::string text;
  for (const SitePair& line : lines) {
    if (!text.empty()) text += ',';
    text += line.first + "~" + line.second;
  }
  return text.empty() ? "-" : text;
}

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text.substr(0, 1000);
}

Status Wrong(std::string_view what, std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + " " + Quoted(text));
}

Status ReadSecond(std::string_view text, WallTime& out) {
  std::int64_t seconds = 0;
  if (auto read = ReadNumber<std::int64_t>(text, 0, kLatestSecond, seconds); !read) return read;
  out = WallTime(Seconds(seconds));
  return {};
}

Status ReadCounts(std::string_view text, SiteCounts& out) {
  return ReadList(text, [&](std::string_view item) -> Status {
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos || !IsSiteName(item.substr(0, colon))) {
      return Wrong("no site with its members:", item);
    }
    std::uint32_t members = 0;
    auto read = ReadNumber<std::uint32_t>(item.substr(colon + 1), 1, 1'000'000, members);
    if (!read) return read;
    if (!out.emplace(item.substr(0, colon), members).second) return Wrong("a site twice:", item);
    return {};
  });
}

Status ReadLines(std::string_view text, std::vector<SitePair>& out) {
  return ReadList(text, [&](std::string_view item) -> Status {
    const std::size_t tilde = item.find('~');
    if (tilde == std::string_view::npos) return Wrong("no line:", item);
    SitePair line{item.substr(0, tilde), item.substr(tilde + 1)};
    if (!IsSiteName(line.first) || !IsSiteName(line.second) || line.second < line.first) {
      return Wrong("no line:", item);
    }
    out.push_back(std::move(line));
    return {};
  });
}

Status ReadPrints(std::string_view text, std::vector<std::string>& out) {
  return ReadList(text, [&](std::string_view item) -> Status {
    const bool hex = item.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (item.size() != 12 || !hex) return Wrong("no member:", item);
    if (out.size() == kMostMembers) return Wrong("too many members, at", item);
    out.emplace_back(item);
    return {};
  });
}

}  // namespace fairlead::extender::record_fields
