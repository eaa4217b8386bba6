// The two kinds of bandwidth test that send something.
#pragma once

#include <string_view>

namespace fairlead::linkprobe {

enum class TestKind { kTrain, kSaturation };

// "train", "saturation".
constexpr std::string_view TestKindName(TestKind kind) {
  return kind == TestKind::kTrain ? "train" : "saturation";
}

}  // namespace fairlead::linkprobe
