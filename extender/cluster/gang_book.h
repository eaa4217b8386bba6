// The gangs and their members.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "extender/cluster/cluster_view.h"
#include "extender/cluster/gang_facts.h"
#include "extender/cluster/member.h"

namespace fairlead::extender {

// Single-threaded.
class GangBook {
 public:
  // Members must outlive their time here and belong to a gang.
  void Add(const Member& member);
  void Remove(const Member& member);

  GangFacts& facts() { return facts_; }
  void Note(const GangFacts::Change& change);
  // The site of some node has changed.
  void SitesChanged();

  bool dirty() const { return dirty_; }
  // Renews the gangs of `parts` as far as they have changed since the last time.
  using SiteOf = std::function<std::string_view(std::string_view node)>;
  void Publish(ClusterView::Parts& parts, const SiteOf& site_of);

 private:
  struct Entry {
    std::map<std::string_view, const Member*> members;  // by uid
    std::shared_ptr<const GangView> view;               // null: to be made anew
  };
  using Entries = std::map<GangKey, Entry>;

  void NoteGang(const GangKey& key);
  void JudgeNamespaces();
  GangView ViewOf(const GangKey& key, const Entry& entry, const SiteOf& site_of) const;

  GangFacts facts_;
  Entries entries_;
  std::set<std::string> judge_anew_;  // namespaces
  bool dirty_ = false;
};

}  // namespace fairlead::extender
