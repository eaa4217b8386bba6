#include "extender/registry/probe_roster.h"

#include <utility>

#include "common/base/quote.h"

namespace fairlead::extender {

bool ProbeRoster::Join(ProbeIdentity identity, std::shared_ptr<ProbeLine> line) {
  Member& member = members_[identity.node];
  bool duplicate = false;
  if (member.line && !member.line->closed()) {
    duplicate = member.identity.epoch != identity.epoch;
    member.line->Close(
        Error{ErrorCode::kUnavailable,
              "a newer stream of node " + Quoted(identity.node) + " has taken over"});
  }
  member =
      Member{.identity = std::move(identity), .line = std::move(line), .left_at = {}, .sent = {}};
  return duplicate;
}

bool ProbeRoster::Sweep(const NodeNames& inventory, MonotonicTime now,
                        std::vector<std::string>& gone) {
  bool changed = false;
  for (auto it = members_.begin(); it != members_.end();) {
    Member& member = it->second;
    const bool known = inventory.SiteOf(it->first) == member.identity.site;
    if (member.line && !known) {
      member.line->Close(Error{ErrorCode::kNotFound, "node " + Quoted(it->first) +
                                                         " is no longer listed in site " +
                                                         Quoted(member.identity.site)});
    }
    if (member.line && member.line->closed()) {
      member.line = nullptr;
      member.left_at = now;
    }
    if (!known || (!member.line && now - member.left_at >= grace_)) {
      gone.push_back(it->first);
      it = members_.erase(it);
      changed = true;
    } else {
      ++it;
    }
  }
  return changed;
}

std::map<std::string, std::uint32_t, std::less<>> ProbeRoster::ConnectedBySite() const {
  std::map<std::string, std::uint32_t, std::less<>> count;
  for (const auto& [node, member] : members_) {
    if (member.line) ++count[member.identity.site];
  }
  return count;
}

}  // namespace fairlead::extender
