#include "deviceplugin/node/node_changes.h"

#include <algorithm>
#include <map>
#include <set>

namespace fairlead::deviceplugin {
namespace {

using Watched = std::map<std::string, const WatchedHca*>;

Watched ById(const NodeState& state) {
  Watched all;
  for (const WatchedHca& watched : state.watched) all.emplace(watched.id, &watched);
  return all;
}

std::string WhyLeftOut(const LeftOut& left_out) {
  std::string text;
  for (const Rejection& rejection : left_out.rejections) {
    if (!text.empty()) text += "; ";
    if (!rejection.pool.empty()) text += rejection.pool + ": ";
    text += rejection.sentence;
  }
  return text.empty() ? "no pool is configured" : text;
}

// Sentences by the device that they are about; the device's name is empty for the node.
using Sentences = std::set<std::pair<std::string, std::string>>;

Sentences Problems(const NodeState& state) {
  Sentences all;
  for (const std::string& problem : state.inventory.problems) all.emplace("", problem);
  for (const Hca& hca : state.inventory.hcas) {
    for (const std::string& problem : hca.problems) all.emplace(hca.name, problem);
  }
  return all;
}

Sentences LeftOuts(const NodeState& state) {
  Sentences all;
  for (const LeftOut& left_out : state.match.left_out) {
    all.emplace(state.inventory.hcas[left_out.hca].name, WhyLeftOut(left_out));
  }
  return all;
}

Sentences Overlaps(const NodeState& state) {
  Sentences all;
  for (const Overlap& overlap : state.match.overlaps) {
    all.emplace(state.inventory.hcas[overlap.hca].name, overlap.sentence);
  }
  return all;
}

Sentences Warnings(const NodeState& state) {
  Sentences all;
  for (const std::string& warning : state.warnings) all.emplace("", warning);
  return all;
}

// Of one device; the list has the rest. A port whose table cannot be read has 256 of them.
constexpr std::size_t kMostTold = 8;

void TellNew(const Sentences& before, const Sentences& now, std::string_view message,
             std::vector<NodeChange>& out) {
  std::map<std::string, std::size_t> fresh;
  for (const auto& [device, sentence] : now) {
    if (before.contains({device, sentence}) || ++fresh[device] > kMostTold) continue;
    out.push_back({.bad = true, .message = message, .device = device, .detail = sentence});
  }
  for (const auto& [device, count] : fresh) {
    if (count <= kMostTold) continue;
    out.push_back({.bad = true,
                   .message = message,
                   .device = device,
                   .detail = "and " + std::to_string(count - kMostTold) +
                             " more; fairlead-deviceplugin list tells them all"});
  }
}

void TellHealth(const WatchedHca* before, const WatchedHca& now, std::vector<NodeChange>& out) {
  const std::string& name = now.hca.name;
  if (before == nullptr) {
    out.push_back({.bad = !now.healthy,
                   .message = now.healthy ? "an HCA is there" : "an HCA is there but not healthy",
                   .device = name,
                   .detail = now.sentence});
    return;
  }
  if (!now.known) {
    if (!before->known) return;
    out.push_back({.bad = true,
                   .message = "how an HCA is cannot be told; its last verdict stands",
                   .device = name,
                   .detail = now.sentence});
  } else if (before->healthy != now.healthy) {
    out.push_back(
        {.bad = !now.healthy,
         .message = now.healthy ? "an HCA is healthy again" : "an HCA is not healthy any more",
         .device = name,
         .detail = now.sentence});
  } else if (now.healthy && !now.reason.empty() && before->reason != now.reason) {
    out.push_back({.bad = true,
                   .message = "an HCA ails; it counts as healthy until that has lasted",
                   .device = name,
                   .detail = now.sentence});
  }
}

}  // namespace

std::vector<NodeChange> ChangesBetween(const NodeState& before, const NodeState& now) {
  std::vector<NodeChange> out;
  const Watched old = ById(before);
  const Watched current = ById(now);
  for (const auto& [id, watched] : current) {
    const auto known = old.find(id);
    TellHealth(known == old.end() ? nullptr : known->second, *watched, out);
  }
  for (const auto& [id, watched] : old) {
    if (current.contains(id)) continue;
    out.push_back({.bad = false,
                   .message = "an HCA that vanished is no longer listed",
                   .device = watched->hca.name,
                   .detail = ""});
  }
  TellNew(LeftOuts(before), LeftOuts(now), "an HCA is in no pool", out);
  TellNew(Overlaps(before), Overlaps(now), "several pools want one HCA", out);
  TellNew(Problems(before), Problems(now), "not everything could be read", out);
  TellNew(Warnings(before), Warnings(now), "containers are told less than they could be", out);
  return out;
}

}  // namespace fairlead::deviceplugin
