// The text of a MoveHistory.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <utility>

#include "common/base/quote.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kVersion = "1";
// Beyond any clock that works: year 2200.
constexpr std::int64_t kLatestSecond = 7'258'118'400;

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

// On one line, so that it cannot be taken for another key.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text.substr(0, 1000);
}

Status Wrong(std::string_view what, std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + " " + Quoted(text));
}

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

Status ReadSecond(std::string_view text, WallTime& out) {
  std::int64_t seconds = 0;
  if (auto read = ReadNumber<std::int64_t>(text, 0, kLatestSecond, seconds); !read) return read;
  out = WallTime(Seconds(seconds));
  return {};
}

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

template <class Enum, class Name>
Status ReadWord(std::string_view text, std::initializer_list<Enum> words, Name name, Enum& out) {
  for (const Enum word : words) {
    if (name(word) != text) continue;
    out = word;
    return {};
  }
  return Wrong("no such word:", text);
}

Status ReadOutcome(std::string_view text, MoveOutcome& out) {
  using enum MoveOutcome;
  return ReadWord(
      text, {kNone, kDone, kSamePlace, kCancelled, kRefused, kUnanswered, kFinished, kTakenOver},
      MoveOutcomeName, out);
}

Status ReadFlag(std::string_view text, bool& out) {
  if (text != "yes" && text != "no") return Wrong("neither yes nor no:", text);
  out = text == "yes";
  return {};
}

Status ReadToken(std::string_view text, std::string& out) {
  if (text.size() > 253 || text.find(' ') != std::string_view::npos) {
    return Wrong("no single word:", text);
  }
  out = text;
  return {};
}

// "6 done yes 1796000000 1796000300 hk:8,sg:8 hk:16 hk~sg"
Status ReadPast(std::string_view text, std::vector<ClosedMove>& out) {
  if (out.size() == kMostPast) return Wrong("too many past moves, at", text);
  std::vector<std::string_view> words;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t space = rest.find(' ');
    words.push_back(rest.substr(0, space));
    rest = space == std::string_view::npos ? "" : rest.substr(space + 1);
  }
  if (words.size() != 8) return Wrong("not the eight words of a past move:", text);
  ClosedMove move;
  Status status = ReadNumber<std::uint32_t>(words[0], 1, 1'000'000'000, move.number);
  if (status) status = ReadOutcome(words[1], move.outcome);
  if (status) status = ReadFlag(words[2], move.disturbed);
  if (status) status = ReadSecond(words[3], move.began);
  if (status) status = ReadSecond(words[4], move.ended);
  if (status) status = ReadCounts(words[5], move.from);
  if (status) status = ReadCounts(words[6], move.to);
  if (status) status = ReadLines(words[7], move.left);
  if (status) out.push_back(std::move(move));
  return status;
}

// One for each key of the text.
struct Reader {
  std::string_view key;
  bool needed = false;
  Status (*read)(std::string_view text, MoveHistory& out) = nullptr;
};

Status ReadVersion(std::string_view text, MoveHistory& /*out*/) {
  if (text == kVersion) return {};
  return Wrong("a version that this program does not know:", text);
}

Status ReadStep(std::string_view text, MoveHistory& out) {
  using enum MoveStep;
  return ReadWord(text, {kIntended, kCheckpoint, kStop, kFollow, kClosed}, MoveStepName,
                  out.current.step);
}

Status ReadLever(std::string_view text, MoveHistory& out) {
  using enum LeverKind;
  return ReadWord(text, {kSuspend, kKueue, kVolcano, kEvict}, LeverName, out.current.lever);
}

Status ReadCount(std::string_view text, MoveHistory& out) {
  return ReadNumber<std::uint32_t>(text, 1, 1'000'000'000, out.current.number);
}

Status ReadBefore(std::string_view text, MoveHistory& out) {
  return ReadNumber<std::int64_t>(text, 0, 1'000'000'000, out.current.before);
}

template <auto Member, auto Read>
Status Into(std::string_view text, MoveHistory& out) {
  return Read(text, out.current.*Member);
}

Status ReadText(std::string_view text, std::string& out) {
  out = text;
  return {};
}

Status ReadPastMove(std::string_view text, MoveHistory& out) { return ReadPast(text, out.past); }

constexpr std::array<Reader, 18> kReaders{{
    {"version", true, ReadVersion},
    {"move", true, ReadCount},
    {"step", true, ReadStep},
    {"outcome", true, Into<&MoveRecord::outcome, ReadOutcome>},
    {"lever", true, ReadLever},
    {"began", true, Into<&MoveRecord::began, ReadSecond>},
    {"since", true, Into<&MoveRecord::since, ReadSecond>},
    {"from", true, Into<&MoveRecord::from, ReadCounts>},
    {"to", true, Into<&MoveRecord::to, ReadCounts>},
    {"left", true, Into<&MoveRecord::left, ReadLines>},
    {"checkpoint", false, Into<&MoveRecord::checkpoint, ReadFlag>},
    {"by", false, Into<&MoveRecord::by, ReadToken>},
    {"object", false, Into<&MoveRecord::object, ReadToken>},
    {"before", false, ReadBefore},
    {"members", false, Into<&MoveRecord::members, ReadPrints>},
    {"stuck", false, Into<&MoveRecord::stuck, ReadText>},
    {"why", false, Into<&MoveRecord::why, ReadText>},
    {"past", false, ReadPastMove},
}};

// What no move of ours looks like, though each line can be read.
std::string Contradiction(const MoveRecord& r) {
  if (r.number == 0) return "no move is named";
  if ((r.step == MoveStep::kClosed) != (r.outcome != MoveOutcome::kNone)) {
    return "step " + std::string(MoveStepName(r.step)) + " with outcome " +
           std::string(MoveOutcomeName(r.outcome));
  }
  if (r.disturbed() && r.by.empty()) return "nobody is named who stopped the gang";
  if (r.lever == LeverKind::kEvict && r.step == MoveStep::kStop && r.members.empty()) {
    return "no member to evict is named";
  }
  return "";
}

}  // namespace

std::string WriteMoves(const MoveHistory& moves) {
  const MoveRecord& r = moves.current;
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    if (value.empty()) return;
    text.append(key).append(": ").append(value).append("\n");
  };
  if (r.number == 0) return text;
  line("version", std::string(kVersion));
  line("move", std::to_string(r.number));
  line("step", std::string(MoveStepName(r.step)));
  line("outcome", std::string(MoveOutcomeName(r.outcome)));
  line("lever", std::string(LeverName(r.lever)));
  line("began", SecondText(r.began));
  line("since", SecondText(r.since));
  line("from", CountsText(r.from));
  line("to", CountsText(r.to));
  line("left", LinesText(r.left));
  line("checkpoint", r.checkpoint ? "yes" : "no");
  line("by", r.by);
  line("object", r.object);
  line("before", std::to_string(r.before));
  std::string members;
  for (const std::string& print : r.members) members += (members.empty() ? "" : ",") + print;
  line("members", members);
  line("stuck", OneLine(r.stuck));
  line("why", OneLine(r.why));
  for (const ClosedMove& past : moves.past) {
    line("past", std::to_string(past.number) + " " + std::string(MoveOutcomeName(past.outcome)) +
                     (past.disturbed ? " yes " : " no ") + SecondText(past.began) + " " +
                     SecondText(past.ended) + " " + CountsText(past.from) + " " +
                     CountsText(past.to) + " " + LinesText(past.left));
  }
  return text;
}

Result<MoveHistory> ReadMoves(std::string_view text) {
  MoveHistory moves;
  if (text.empty()) return moves;
  const auto refuse = [](std::size_t line, const std::string& what) {
    return Fail(ErrorCode::kInvalidArgument,
                "line " + std::to_string(line) + ": " + what +
                    "; look at what the gang does, then remove the annotation");
  };
  if (text.size() > kMostRecordBytes) {
    return refuse(1, "the record has " + std::to_string(text.size()) + " bytes, at most " +
                         std::to_string(kMostRecordBytes) + " are read");
  }
  std::array<bool, kReaders.size()> seen{};
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) {
      return refuse(number, "no key with its value: " + Quoted(line));
    }
    const std::string_view key = line.substr(0, colon);
    const auto* reader = std::ranges::find(kReaders, key, &Reader::key);
    if (reader == kReaders.end()) return refuse(number, "unknown key " + Quoted(key));
    bool& before = seen[static_cast<std::size_t>(reader - kReaders.begin())];
    if (before && key != "past") return refuse(number, Quoted(key) + " twice");
    before = true;
    if (const Status read = reader->read(line.substr(colon + 2), moves); !read) {
      return refuse(number, std::string(key) + ": " + read.error().message);
    }
  }
  for (std::size_t i = 0; i < kReaders.size(); ++i) {
    if (!kReaders[i].needed || seen[i]) continue;
    return refuse(number, "the key " + std::string(kReaders[i].key) + " is missing");
  }
  if (const std::string what = Contradiction(moves.current); !what.empty()) {
    return refuse(number, what);
  }
  return moves;
}

}  // namespace fairlead::extender
