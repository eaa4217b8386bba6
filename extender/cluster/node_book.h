// The nodes and what the pods on them use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extender/cluster/cluster_node.h"
#include "extender/cluster/cluster_view.h"

namespace fairlead::extender {

// Single-threaded. Nodes are kept by name, pods counted on nodes also before these are known.
class NodeBook {
 public:
  explicit NodeBook(std::string site_label) : site_label_(std::move(site_label)) {}

  // Whether a site of any node has changed.
  bool SetSiteLabel(std::string site_label);
  // Whether the node's site has changed, which a node that comes or goes does too.
  bool Upsert(ClusterNode node);
  bool Remove(std::string_view name);
  bool Replace(std::vector<ClusterNode> nodes);

  // A pod's requests are laid on a node, or taken off again.
  void Occupy(const std::string& name, const PodNeeds& needs);
  void Vacate(const std::string& name, const PodNeeds& needs);

  std::string_view SiteOf(std::string_view name) const;
  bool dirty() const { return dirty_; }
  // Renews names, nodes and facts of `parts` as far as they have changed since the last time.
  void Publish(ClusterView::Parts& parts);

 private:
  struct Entry {
    std::shared_ptr<const ClusterNode> facts;  // null: not known
    std::string site;
    Amounts used;
    std::int64_t pods = 0;
    std::int64_t unreadable_pods = 0;  // of them, those whose requests cannot be read
    std::uint32_t place = 0;           // in what was published last
    bool dirty = false;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  using Capacities = std::vector<NodeCapacity>;

  std::string SiteIn(const ClusterNode& node) const;
  bool Forget(Entries::iterator entry);
  void Touch(const std::string& name, Entry& entry);
  void NoteFacts(Entry& entry, std::shared_ptr<const ClusterNode> facts);
  static NodeCapacity CapacityOf(const std::string& name, const Entry& entry);
  void PublishAll(ClusterView::Parts& parts);
  std::shared_ptr<Capacities> NextCapacities();

  std::string site_label_;
  Entries entries_;
  std::vector<std::string> touched_;  // where what is free or known has changed
  // Published last, and the time before. When nobody reads that one any more it becomes the next,
  // so that only what has changed since is written, however many nodes there are.
  std::shared_ptr<Capacities> newest_;
  std::shared_ptr<Capacities> retired_;
  std::vector<std::string> newer_;  // where the newest differs from the retired
  bool renamed_ = true;             // a node came, went or changed its site
  bool facts_changed_ = true;
  bool dirty_ = true;
  std::uint64_t revision_ = 0;
  std::size_t unreadable_ = 0;  // nodes whose own amounts cannot be read
};

}  // namespace fairlead::extender
