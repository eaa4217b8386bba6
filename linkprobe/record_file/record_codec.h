// A recording as lines of JSON; docs/record.md says what each field means.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "common/base/result.h"
#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

inline constexpr int kRecordVersion = 1;

inline constexpr char kCompleteEnd[] = "complete";
inline constexpr char kInterruptedEnd[] = "interrupted";
struct RecordEnd {
  std::string reason;  // one of these
};
// A line of a type that this version does not know, which a later writer may add.
struct OtherRecordLine {};
using RecordLine = std::variant<RecordingFacts, LineWindow, RecordEnd, OtherRecordLine>;

// One line each, without a line break.
std::string EncodeHeader(const RecordingFacts& facts);
std::string EncodeWindow(const LineWindow& window);
std::string EncodeEnd(const RecordEnd& end);

// kInvalidArgument says what is wrong; kUnsupported is a header of another version.
Result<RecordLine> DecodeRecordLine(std::string_view text);

}  // namespace fairlead::linkprobe
