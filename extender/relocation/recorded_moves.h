// An owner's record of its moves, as text and as what it says.
#pragma once

#include <memory>
#include <string>

#include "common/base/result.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

// An immutable value that copies share, so that a record is read once however often it is asked
// for.
class RecordedMoves {
 public:
  RecordedMoves() = default;  // there are none
  explicit RecordedMoves(std::string text);

  // Empty: there are none.
  const std::string& text() const { return read_->text; }
  // As ReadMoves says.
  const Result<MoveHistory>& history() const { return read_->history; }

  bool operator==(const RecordedMoves& other) const { return text() == other.text(); }

 private:
  struct Read {
    std::string text;
    Result<MoveHistory> history;
  };
  static const std::shared_ptr<const Read>& None();

  std::shared_ptr<const Read> read_ = None();  // not null
};

}  // namespace fairlead::extender
