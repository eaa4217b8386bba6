#include "deviceplugin/cli/attention.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace fairlead::deviceplugin {
namespace {

std::string Bracketed(std::string_view reason) { return " (" + std::string(reason) + "): "; }

// How the HCA is, as a predicate; empty where all is well.
std::string HealthText(const WatchedHca& watched) {
  if (watched.reason.empty()) {
    return watched.healthy ? "" : "is unhealthy: it is well again, but not for long enough yet";
  }
  std::string text = watched.healthy ? "ails" : "is unhealthy";
  if (!watched.known) text = watched.healthy ? "counts as healthy" : "stays unhealthy";
  return text + Bracketed(watched.reason) + watched.sentence;
}

// Those in a pool; the others' health is told with why they are in none.
void AddHealth(const NodeState& state, std::vector<std::string>& out) {
  std::vector<bool> in_no_pool(state.watched.size());
  for (const LeftOut& left_out : state.match.left_out) in_no_pool[left_out.hca] = true;
  for (std::size_t i = 0; i < state.watched.size(); ++i) {
    const std::string text = HealthText(state.watched[i]);
    if (!text.empty() && !in_no_pool[i]) out.push_back(state.watched[i].hca.name + " " + text);
  }
  for (const Gpu& gpu : state.inventory.gpus) {
    if (gpu.healthy) continue;
    out.push_back("GPU " + std::to_string(gpu.index) + " is unhealthy: " + gpu.reason);
  }
}

// One line for each device.
void AddLeftOut(const NodeState& state, std::vector<std::string>& out) {
  for (const LeftOut& left_out : state.match.left_out) {
    const WatchedHca& watched = state.watched[left_out.hca];
    std::string text = watched.hca.name;
    bool told = false;  // what ails it is why it is in no pool
    for (const Rejection& rejection : left_out.rejections) {
      const std::string_view reason = RejectReasonName(rejection.reason);
      if (&rejection != &left_out.rejections.front()) text += " It";
      text += " is not in " + (rejection.pool.empty() ? "any pool" : rejection.pool) +
              Bracketed(reason) + rejection.sentence;
      told = told || reason == watched.reason;
    }
    if (left_out.rejections.empty()) text += " is in no pool: none is configured.";
    const std::string health = HealthText(watched);
    if (!health.empty() && !told) text += " It " + health;
    out.push_back(std::move(text));
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
