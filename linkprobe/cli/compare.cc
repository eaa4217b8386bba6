#include "linkprobe/cli/compare.h"

#include <cstdio>

#include "common/base/file.h"
#include "linkprobe/record/comparison_svg.h"
#include "linkprobe/record/comparison_text.h"
#include "linkprobe/record_file/comparison_json.h"
#include "linkprobe/record_file/recording_file.h"

namespace fairlead::linkprobe {

Result<bool> RunCompare(const CompareCommand& command) {
  const auto before = ReadRecording(command.before);
  if (!before) return Fail(before.error());
  const auto after = ReadRecording(command.after);
  if (!after) return Fail(after.error());
  const Comparison comparison =
      Compare(*before, *after, {.confidence = command.confidence, .seed = command.seed});
  const NamedRecording first{command.before, *before};
  const NamedRecording second{command.after, *after};
  if (!command.svg.empty()) {
    const Status written = ReplaceNamedFile(command.svg, ComparisonSvg(comparison, first, second));
    if (!written) return Fail(written.error());
  }
  const std::string shown = command.json ? ComparisonJson(comparison, first, second)
                                         : ComparisonText(comparison, first, second);
  std::fputs(shown.c_str(), stdout);
  return !comparison.lines.empty();
}

}  // namespace fairlead::linkprobe
