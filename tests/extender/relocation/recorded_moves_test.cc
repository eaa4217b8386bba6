#include "extender/relocation/recorded_moves.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(RecordedMoves, TellWhatTheirTextSays) {
  MoveRecord record;
  record.number = 3;
  record.step = MoveStep::kIntended;
  const std::string text = WriteMoves({record, {}});
  const RecordedMoves moves(text);
  EXPECT_EQ(moves.text(), text);
  EXPECT_EQ(moves.history().value().current.number, 3U);
  EXPECT_EQ(moves, RecordedMoves(text));
  EXPECT_NE(moves, RecordedMoves());
}

TEST(RecordedMoves, NoneIsAHistoryAndNonsenseIsAnError) {
  EXPECT_EQ(RecordedMoves().text(), "");
  EXPECT_EQ(RecordedMoves().history().value(), MoveHistory{});
  EXPECT_EQ(RecordedMoves(""), RecordedMoves());
  const RecordedMoves nonsense("move: 1");
  EXPECT_EQ(nonsense.text(), "move: 1");
  EXPECT_EQ(nonsense.history().error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace fairlead::extender
