#include "deviceplugin/cli/attention.h"

#include <string_view>

namespace fairlead::deviceplugin {
namespace {

std::string Bracketed(std::string_view reason) { return " (" + std::string(reason) + "): "; }

void AddHealth(const NodeState& state, std::vector<std::string>& out) {
  for (const WatchedHca& watched : state.watched) {
    const std::string& name = watched.hca.name;
    if (!watched.healthy && watched.reason.empty()) {
      out.push_back(name + " is unhealthy: it is well again, but not for long enough yet");
    } else if (!watched.reason.empty()) {
      out.push_back(name + (watched.healthy ? " ails" : " is unhealthy") +
                    Bracketed(watched.reason) + watched.sentence);
    }
  }
  for (const Gpu& gpu : state.inventory.gpus) {
    if (gpu.healthy) continue;
    out.push_back("GPU " + std::to_string(gpu.index) + " is unhealthy: " + gpu.reason);
  }
}

void AddLeftOut(const NodeState& state, std::vector<std::string>& out) {
  for (const LeftOut& left_out : state.match.left_out) {
    const std::string name = state.inventory.hcas[left_out.hca].name;
    for (const Rejection& rejection : left_out.rejections) {
      const std::string pool = rejection.pool.empty() ? "any pool" : rejection.pool;
      out.push_back(name + " is not in " + pool + Bracketed(RejectReasonName(rejection.reason)) +
                    rejection.sentence);
    }
    if (left_out.rejections.empty()) out.push_back(name + " is in no pool: none is configured");
  }
}

}  // namespace

std::vector<std::string> Attention(const NodeState& state) {
  std::vector<std::string> out;
  if (state.watched.empty()) {
    out.push_back("There is no RDMA device; is its driver loaded, and /sys where --root says?");
  }
  AddHealth(state, out);
  AddLeftOut(state, out);
  for (const Overlap& overlap : state.match.overlaps) out.push_back(overlap.sentence);
  for (const std::string& problem : state.inventory.problems) out.push_back(problem);
  for (const WatchedHca& watched : state.watched) {
    for (const std::string& problem : watched.hca.problems) {
      out.push_back(watched.hca.name + ": " + problem);
    }
  }
  for (const std::string& warning : state.warnings) out.push_back(warning);
  return out;
}

}  // namespace fairlead::deviceplugin
