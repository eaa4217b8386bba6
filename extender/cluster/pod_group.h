// Objects that tell how many pods belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"
#include "extender/relocation/recorded_moves.h"

namespace fairlead::extender {

// The kinds of GangKey that are named by a PodGroup. One object that the API server has in two
// versions is one PodGroup; it is the version's that told of it last.
enum class PodGroupKind {
  kNative,       // scheduling.k8s.io v1beta1: "podgroup"
  kNativeAlpha,  // scheduling.k8s.io v1alpha3: "podgroup"
  kVolcano,      // scheduling.volcano.sh: "volcano"
  kCoscheduling  // scheduling.x-k8s.io: "coscheduling"
};

inline std::string_view GangKindOf(PodGroupKind kind) {
  switch (kind) {
    case PodGroupKind::kNative:
    case PodGroupKind::kNativeAlpha:
      return "podgroup";
    case PodGroupKind::kVolcano:
      return "volcano";
    case PodGroupKind::kCoscheduling:
      return "coscheduling";
  }
  return "";
}

struct PodGroup {
  PodGroupKind kind = PodGroupKind::kNative;
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<std::uint32_t> min_members;  // minMember, minCount; absent: no gang, or not told
  OwnerFacts controller;                     // without a uid: made by hand

  bool operator==(const PodGroup&) const = default;
  // Of the gang, incarnations aside.
  GangKey Key() const { return {std::string(GangKindOf(kind)), namespace_name, name, {}}; }
};

// The annotation of a gang's owner with the record of its moves.
inline constexpr std::string_view kMovesAnnotation = "moves";

struct BatchJob {
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<std::uint32_t> parallelism;
  std::optional<std::uint32_t> completions;
  bool suspended = false;
  bool finished = false;                        // Complete or Failed: tells nothing any more
  std::optional<std::uint32_t> succeeded = {};  // pods that have ended well; absent: not told
  RecordedMoves moves = {};                     // annotation kMovesAnnotation
  OwnerFacts controller;
  std::optional<GangKey> jobset;  // RecogniseGang of its labels, where that is a JobSet

  bool operator==(const BatchJob&) const = default;
  GangKey Key() const { return {"job", namespace_name, uid, {}}; }
};

}  // namespace fairlead::extender
