#include <gtest/gtest.h>

#include <random>

#include "extender/relocation/move_record.h"

namespace fairlead::extender {
namespace {

WallTime Second(std::int64_t second) { return WallTime(Seconds(second)); }

MoveHistory Everything() {
  MoveHistory moves;
  moves.current = {.number = 7,
                   .step = MoveStep::kStop,
                   .outcome = MoveOutcome::kNone,
                   .lever = LeverKind::kEvict,
                   .began = Second(1'796'000'000),
                   .since = Second(1'796'000'060),
                   .from = {{"hk", 8}, {"sg-2.a_B", 4}},
                   .to = {{"tyo", 12}},
                   .left = {{"hk", "sg"}, {"hk", "hk"}},
                   .checkpoint = true,
                   .by = "extender-abc_0123",
                   .object = "uid-1",
                   .before = 3,
                   .members = {PodPrint("uid-a"), PodPrint("uid-b")},
                   .stuck = "1 pod to end, train-0 the first of them",
                   .why = "line hk-sg is Degraded (rtt_step) for 30 min: 50 % lost"};
  moves.past = {{.number = 6,
                 .outcome = MoveOutcome::kDone,
                 .disturbed = true,
                 .began = Second(1'795'000'000),
                 .ended = Second(1'795'000'300),
                 .from = {{"hk", 12}},
                 .to = {{"hk", 8}, {"sg", 4}},
                 .left = {}},
                {.number = 5,
                 .outcome = MoveOutcome::kCancelled,
                 .disturbed = false,
                 .began = Second(1'794'000'000),
                 .ended = Second(1'794'000'001),
                 .from = {},
                 .to = {},
                 .left = {{"hk", "sg"}}}};
  return moves;
}

TEST(MoveText, IsReadBackAsItWasWritten) {
  EXPECT_EQ(ReadMoves(WriteMoves(Everything())).value(), Everything());
  EXPECT_EQ(WriteMoves({}), "");
  EXPECT_EQ(ReadMoves("").value(), MoveHistory{});
}

TEST(MoveText, IsForPeopleToo) {
  MoveHistory moves = Everything();
  moves.current.members.clear();
  moves.current.step = MoveStep::kFollow;
  EXPECT_EQ(WriteMoves(moves),
            "version: 1\nmove: 7\nstep: follow\noutcome: none\nlever: evict\nbegan: 1796000000\n"
            "since: 1796000060\nfrom: hk:8,sg-2.a_B:4\nto: tyo:12\nleft: hk~sg,hk~hk\n"
            "checkpoint: yes\nby: extender-abc_0123\nobject: uid-1\nbefore: 3\n"
            "stuck: 1 pod to end, train-0 the first of them\n"
            "why: line hk-sg is Degraded (rtt_step) for 30 min: 50 % lost\n"
            "past: 6 done yes 1795000000 1795000300 hk:12 hk:8,sg:4 -\n"
            "past: 5 cancelled no 1794000000 1794000001 - - hk~sg\n");
}

TEST(MoveText, OfALineMoreInAReasonIsStillOneLine) {
  MoveHistory moves = Everything();
  moves.current.why = "a\nstep: closed";
  EXPECT_EQ(ReadMoves(WriteMoves(moves))->current.why, "a step: closed");
  EXPECT_EQ(ReadMoves(WriteMoves(moves))->current.step, MoveStep::kStop);
}

std::string With(std::string_view from, std::string_view to) {
  std::string text = WriteMoves(Everything());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MoveText, ThatIsNonsenseIsNamedAndRefused) {
  const std::string remedy = "; look at what the gang does, then remove the annotation";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"yes", "line 1: no key with its value: \"yes\""},
      {With("version: 1", "version: 2"),
       "line 1: version: a version that this program does not know: \"2\""},
      {With("move: 7", "move: 0"), "line 2: move: no such number: \"0\""},
      {With("move: 7", "move: 7x"), "line 2: move: no such number: \"7x\""},
      {With("step: stop", "step: halt"), "line 3: step: no such word: \"halt\""},
      {With("lever: evict", "lever: magic"), "line 5: lever: no such word: \"magic\""},
      {With("began: 1796000000", "began: -1"), "line 6: began: no such number: \"-1\""},
      {With("began: 1796000000", "began: 99999999999999"),
       "line 6: began: no such number: \"99999999999999\""},
      {With("from: hk:8", "from: hk"), "line 8: from: no site with its members: \"hk\""},
      {With("from: hk:8", "from: h k:8"), "line 8: from: no site with its members: \"h k:8\""},
      {With("from: hk:8", "from: sg-2.a_B:8"), "line 8: from: a site twice: \"sg-2.a_B:4\""},
      {With("left: hk~sg", "left: sg~hk"), "line 10: left: no line: \"sg~hk\""},
      {With("checkpoint: yes", "checkpoint: true"),
       "line 11: checkpoint: neither yes nor no: \"true\""},
      {With("past: 6 done yes", "past: 6 done"),
       "line 18: past: not the eight words of a past move: \"6 done 1795000000 1795000300 hk:12 "
       "hk:8,sg:4 -\""},
      {With("object", "colour"), "line 13: unknown key \"colour\""},
      {With("object: uid-1", "move: 8"), "line 13: \"move\" twice"},
      {With("outcome: none\n", ""), "line 18: the key outcome is missing"},
      {With("outcome: none", "outcome: done"), "line 19: step stop with outcome done"},
      {With("step: stop", "step: closed"), "line 19: step closed with outcome none"},
      {With("by: extender-abc_0123\n", ""), "line 18: nobody is named who stopped the gang"},
      {std::string(kMostRecordBytes + 1, 'x'),
       "line 1: the record has 131073 bytes, at most 131072 are read"},
  };
  for (const auto& [text, message] : cases) {
    const auto moves = ReadMoves(text);
    ASSERT_FALSE(moves) << message;
    EXPECT_EQ(moves.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(moves.error().message, message + remedy);
  }
}

// Whatever is read is written and read again as the same.
TEST(MoveText, HoldsForRandomDamage) {
  std::mt19937 random(5);
  const std::string whole = WriteMoves(Everything());
  std::size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random() % 256);
      } else {
        text.erase(at, 1 + random() % 5);
      }
    }
    const auto moves = ReadMoves(text);
    if (!moves) continue;
    ++read;
    const auto again = ReadMoves(WriteMoves(*moves));
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(again->current.number, moves->current.number) << text;
    ASSERT_EQ(again->past, moves->past) << text;
  }
  EXPECT_GT(read, 100U);
}

TEST(MoveHistory, KeepsTheLastEightAndTellsAges) {
  MoveHistory moves;
  for (std::uint32_t number = 1; number <= 12; ++number) {
    MoveRecord next;
    next.number = number;
    next.began = Second(1000 * number);
    next.since = Second(1000 * number + 100);
    moves = WithNext(moves, next);
    moves.current.step = MoveStep::kClosed;
    moves.current.outcome = MoveOutcome::kDone;
    moves.current.by = "a";
  }
  ASSERT_EQ(moves.past.size(), kMostPast);
  EXPECT_EQ(moves.past.front().number, 11U);
  moves.current.step = MoveStep::kStop;
  const auto past = PastMovesOf(moves, Second(13'000));
  ASSERT_EQ(past.size(), 9U);
  EXPECT_EQ(past[0].id, "12");
  EXPECT_EQ(past[0].begun_ago, Seconds(1000));
  EXPECT_FALSE(past[0].ended_ago);
  EXPECT_TRUE(past[0].disturbed);
  EXPECT_EQ(past[1].ended_ago, Seconds(1900));
}

TEST(MoveRecord, OfTheLargestGangFitsIntoItsAnnotation) {
  MoveHistory moves = Everything();
  moves.current.members.clear();
  for (std::size_t i = 0; i < kMostMembers; ++i) {
    moves.current.members.push_back(PodPrint(std::to_string(i)));
  }
  EXPECT_LT(WriteMoves(moves).size(), kMostRecordBytes);
  EXPECT_TRUE(ReadMoves(WriteMoves(moves)));
}

}  // namespace
}  // namespace fairlead::extender
