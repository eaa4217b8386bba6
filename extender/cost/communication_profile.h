// How a gang communicates in one training step.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::extender {

enum class CommPattern {
  kAllreduce,     // one flat ring over all members
  kHierarchical,  // reduce inside each site, ring over sites, gather inside each site
  kPipeline,      // stages in a chain, activations forward and gradients back
  kLocalSgd,      // hierarchical, but only every sync_every steps
  kTree,          // two complementary binary trees over all members
};

// The annotation's words: "allreduce", "hierarchical", "pipeline", "localsgd", "tree".
std::string_view CommPatternName(CommPattern pattern);
std::optional<CommPattern> ParseCommPattern(std::string_view name);

// DiLoCo synchronises every 500 steps (arXiv 2311.08105).
inline constexpr std::uint32_t kLocalSgdSyncEvery = 500;

// With bytes not told, 100 ms worth of a 10 Gb/s line: neither latency nor bandwidth rules alone.
inline constexpr double kDefaultBytesPerStep = 125e6;

struct CommunicationProfile {
  CommPattern pattern = CommPattern::kHierarchical;
  // Bytes reduced in a step; for kPipeline, bytes that cross one stage boundary one way.
  double bytes_per_step = kDefaultBytesPerStep;
  Nanoseconds compute_per_step{};                 // zero: not known
  std::uint32_t sync_every = kLocalSgdSyncEvery;  // kLocalSgd only
  auto operator<=>(const CommunicationProfile&) const = default;
};

}  // namespace fairlead::extender
