// The text of a MoveHistory.
#include <algorithm>
#include <array>
#include <utility>

#include "common/base/quote.h"
#include "extender/relocation/move_record.h"
#include "extender/relocation/record_fields.h"

namespace fairlead::extender {
namespace {

namespace fields = record_fields;

constexpr std::string_view kVersion = "1";
template <class Enum, class Name>
Status ReadWord(std::string_view text, std::initializer_list<Enum> words, Name name, Enum& out) {
  for (const Enum word : words) {
    if (name(word) != text) continue;
    out = word;
    return {};
  }
  return fields::Wrong("no such word:", text);
}

Status ReadOutcome(std::string_view text, MoveOutcome& out) {
  using enum MoveOutcome;
  return ReadWord(
      text, {kNone, kDone, kSamePlace, kCancelled, kRefused, kUnanswered, kFinished, kTakenOver},
      MoveOutcomeName, out);
}

Status ReadFlag(std::string_view text, bool& out) {
  if (text != "yes" && text != "no") return fields::Wrong("neither yes nor no:", text);
  out = text == "yes";
  return {};
}

Status ReadToken(std::string_view text, std::string& out) {
  if (text.size() > 253 || text.find(' ') != std::string_view::npos) {
    return fields::Wrong("no single word:", text);
  }
  out = text;
  return {};
}

// "6 done yes 1796000000 1796000300 hk:8,sg:8 hk:16 hk~sg"
Status ReadPast(std::string_view text, std::vector<ClosedMove>& out) {
  if (out.size() == kMostPast) return fields::Wrong("too many past moves, at", text);
  std::vector<std::string_view> words;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t space = rest.find(' ');
    words.push_back(rest.substr(0, space));
    rest = space == std::string_view::npos ? "" : rest.substr(space + 1);
  }
  if (words.size() != 8) return fields::Wrong("not the eight words of a past move:", text);
  ClosedMove move;
  Status status = fields::ReadNumber<std::uint32_t>(words[0], 1, 1'000'000'000, move.number);
  if (status) status = ReadOutcome(words[1], move.outcome);
  if (status) status = ReadFlag(words[2], move.disturbed);
  if (status) status = fields::ReadSecond(words[3], move.began);
  if (status) status = fields::ReadSecond(words[4], move.ended);
  if (status) status = fields::ReadCounts(words[5], move.from);
  if (status) status = fields::ReadCounts(words[6], move.to);
  if (status) status = fields::ReadLines(words[7], move.left);
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
  return fields::Wrong("a version that this program does not know:", text);
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
  return fields::ReadNumber<std::uint32_t>(text, 1, 1'000'000'000, out.current.number);
}

Status ReadBefore(std::string_view text, MoveHistory& out) {
  return fields::ReadNumber<std::int64_t>(text, 0, 1'000'000'000, out.current.before);
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
    {"began", true, Into<&MoveRecord::began, fields::ReadSecond>},
    {"since", true, Into<&MoveRecord::since, fields::ReadSecond>},
    {"from", true, Into<&MoveRecord::from, fields::ReadCounts>},
    {"to", true, Into<&MoveRecord::to, fields::ReadCounts>},
    {"left", true, Into<&MoveRecord::left, fields::ReadLines>},
    {"checkpoint", false, Into<&MoveRecord::checkpoint, ReadFlag>},
    {"by", false, Into<&MoveRecord::by, ReadToken>},
    {"object", false, Into<&MoveRecord::object, ReadToken>},
    {"before", false, ReadBefore},
    {"members", false, Into<&MoveRecord::members, fields::ReadPrints>},
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
  line("began", fields::SecondText(r.began));
  line("since", fields::SecondText(r.since));
  line("from", fields::CountsText(r.from));
  line("to", fields::CountsText(r.to));
  line("left", fields::LinesText(r.left));
  line("checkpoint", r.checkpoint ? "yes" : "no");
  line("by", r.by);
  line("object", r.object);
  line("before", std::to_string(r.before));
  std::string members;
  for (const std::string& print : r.members) members += (members.empty() ? "" : ",") + print;
  line("members", members);
  line("stuck", fields::OneLine(r.stuck));
  line("why", fields::OneLine(r.why));
  for (const ClosedMove& past : moves.past) {
    line("past", std::to_string(past.number) + " " + std::string(MoveOutcomeName(past.outcome)) +
                     (past.disturbed ? " yes " : " no ") + fields::SecondText(past.began) + " " +
                     fields::SecondText(past.ended) + " " + fields::CountsText(past.from) + " " +
                     fields::CountsText(past.to) + " " + fields::LinesText(past.left));
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
