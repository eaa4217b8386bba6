#include "extender/cluster/node_book.h"

#include <set>
#include <utility>

#include "extender/cluster/amounts.h"

namespace fairlead::extender {

std::string NodeBook::SiteIn(const ClusterNode& node) const {
  return std::string(node.labels.Find(site_label_).value_or(std::string_view()));
}

bool NodeBook::SetSiteLabel(std::string site_label) {
  if (site_label == site_label_) return false;
  site_label_ = std::move(site_label);
  bool changed = false;
  for (auto& [name, entry] : entries_) {
    if (!entry.facts) continue;
    std::string site = SiteIn(*entry.facts);
    changed |= site != entry.site;
    entry.site = std::move(site);
  }
  renamed_ |= changed;
  dirty_ |= changed;
  return changed;
}

void NodeBook::Touch(const std::string& name, Entry& entry) {
  dirty_ = true;
  if (std::exchange(entry.dirty, true)) return;
  touched_.push_back(name);
}

void NodeBook::NoteFacts(Entry& entry, std::shared_ptr<const ClusterNode> facts) {
  if (entry.facts && !entry.facts->unreadable.empty()) --unreadable_;
  entry.facts = std::move(facts);
  if (entry.facts && !entry.facts->unreadable.empty()) ++unreadable_;
}

bool NodeBook::Upsert(ClusterNode node) {
  const auto found = entries_.try_emplace(node.name).first;
  Entry& entry = found->second;
  if (entry.facts && *entry.facts == node) return false;
  std::string site = SiteIn(node);
  const bool moved = !entry.facts || site != entry.site;
  entry.site = std::move(site);
  NoteFacts(entry, std::make_shared<const ClusterNode>(std::move(node)));
  renamed_ |= moved;
  facts_changed_ = true;
  Touch(found->first, entry);
  return moved;
}

// True where the node was known.
bool NodeBook::Forget(Entries::iterator entry) {
  if (!entry->second.facts) return false;
  NoteFacts(entry->second, nullptr);
  entry->second.site.clear();
  if (entry->second.pods == 0) entries_.erase(entry);
  renamed_ = true;
  facts_changed_ = true;
  dirty_ = true;
  return true;
}

bool NodeBook::Remove(std::string_view name) {
  const auto found = entries_.find(name);
  return found != entries_.end() && Forget(found);
}

bool NodeBook::Replace(std::vector<ClusterNode> nodes) {
  bool moved = false;
  std::set<std::string, std::less<>> names;
  for (ClusterNode& node : nodes) {
    names.insert(node.name);
    moved |= Upsert(std::move(node));
  }
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (!names.contains(entry->first)) moved |= Forget(entry);
    entry = next;
  }
  return moved;
}

void NodeBook::Occupy(const std::string& name, const PodNeeds& needs) {
  const auto found = entries_.try_emplace(name).first;
  Add(found->second.used, needs.requests);
  ++found->second.pods;
  if (!needs.unreadable.empty()) ++found->second.unreadable_pods;
  if (found->second.facts) Touch(found->first, found->second);
}

void NodeBook::Vacate(const std::string& name, const PodNeeds& needs) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  Subtract(found->second.used, needs.requests);
  --found->second.pods;
  if (!needs.unreadable.empty()) --found->second.unreadable_pods;
  if (found->second.facts) {
    Touch(found->first, found->second);
  } else if (found->second.pods == 0) {
    entries_.erase(found);
  }
}

std::string_view NodeBook::SiteOf(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? std::string_view() : std::string_view(found->second.site);
}

NodeCapacity NodeBook::CapacityOf(const std::string& name, const Entry& entry) {
  const ClusterNode& facts = *entry.facts;
  NodeCapacity capacity;
  capacity.name = name;
  capacity.site = entry.site;
  capacity.free = Left(facts.allocatable, entry.used);
  capacity.pods = facts.pods - entry.pods;
  capacity.room_known = facts.unreadable.empty() && entry.unreadable_pods == 0;
  capacity.taints = facts.taints;
  capacity.labels = facts.labels;
  capacity.ready = facts.ready;
  capacity.schedulable = facts.schedulable;
  return capacity;
}

void NodeBook::PublishAll(ClusterView::Parts& parts) {
  std::vector<NodeNames::Entry> names;
  std::vector<NodeCapacity> nodes;
  std::vector<std::shared_ptr<const ClusterNode>> facts;
  for (auto& [name, entry] : entries_) {
    entry.dirty = false;
    if (!entry.facts) continue;
    entry.place = static_cast<std::uint32_t>(nodes.size());
    names.push_back({.name = name, .site = entry.site});
    nodes.push_back(CapacityOf(name, entry));
    facts.push_back(entry.facts);
  }
  parts.names = std::make_shared<const NodeNames>(names);
  newest_ = std::make_shared<Capacities>(std::move(nodes));
  retired_ = nullptr;
  parts.nodes = newest_;
  parts.facts =
      std::make_shared<const std::vector<std::shared_ptr<const ClusterNode>>>(std::move(facts));
}

// The newest to be changed: the retired one brought up to date where nobody else has it, a copy
// otherwise.
std::shared_ptr<NodeBook::Capacities> NodeBook::NextCapacities() {
  if (!retired_ || retired_.use_count() != 1) return std::make_shared<Capacities>(*newest_);
  // Nobody can take hold of it again. Giving up a copy orders what its last reader did before what
  // is written now, which looking at the count does not.
  { const std::shared_ptr<Capacities> order = retired_; }
  for (const std::string& name : newer_) {
    const Entry& entry = entries_.find(name)->second;
    (*retired_)[entry.place] = (*newest_)[entry.place];
  }
  return std::move(retired_);
}

void NodeBook::Publish(ClusterView::Parts& parts) {
  if (!std::exchange(dirty_, false)) return;
  if (renamed_) {
    PublishAll(parts);
  } else {
    std::shared_ptr<Capacities> nodes = NextCapacities();
    for (const std::string& name : touched_) {
      Entry& entry = entries_.find(name)->second;
      entry.dirty = false;
      (*nodes)[entry.place] = CapacityOf(name, entry);
    }
    if (facts_changed_) {
      auto facts = std::make_shared<std::vector<std::shared_ptr<const ClusterNode>>>(*parts.facts);
      for (const std::string& name : touched_) {
        const Entry& entry = entries_.find(name)->second;
        (*facts)[entry.place] = entry.facts;
      }
      parts.facts = std::move(facts);
    }
    retired_ = std::exchange(newest_, std::move(nodes));
    newer_ = touched_;
    parts.nodes = newest_;
  }
  if (std::exchange(facts_changed_, false) || renamed_) parts.nodes_revision = ++revision_;
  renamed_ = false;
  touched_.clear();
  parts.unreadable_nodes = unreadable_;
}

}  // namespace fairlead::extender
