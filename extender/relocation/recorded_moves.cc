#include "extender/relocation/recorded_moves.h"

#include <utility>

namespace fairlead::extender {

RecordedMoves::RecordedMoves(std::string text) {
  if (text.empty()) return;
  Result<MoveHistory> history = ReadMoves(text);
  read_ = std::make_shared<const Read>(Read{std::move(text), std::move(history)});
}

const std::shared_ptr<const RecordedMoves::Read>& RecordedMoves::None() {
  static const auto none = std::make_shared<const Read>(Read{{}, MoveHistory{}});
  return none;
}

}  // namespace fairlead::extender
