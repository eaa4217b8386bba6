// Volcano's NodeInfo structs in JSON.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <vector>

#include "extender/decision/offered_node.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// The nodes of one request, and the memory that they point into, kept for the next. Not
// thread-safe.
class VolcanoNodes {
 public:
  // Forgets all nodes. `job` is whose tasks count as peers; none where it is empty.
  void Reset(std::string_view site_label, std::string_view job);
  // A node without a name is passed over. CAPACITY for more than kMaxNodes.
  error_code Add(od::value& node, std::size_t limit);

  std::vector<OfferedNode>& nodes() { return nodes_; }
  std::string_view job() const { return job_; }
  std::size_t memory_bytes() const;

 private:
  // What an OfferedNode points to.
  struct Details {
    IdleCapacity idle;
    std::vector<std::string_view> peers;
  };

  error_code ReadPeers(od::value& tasks, std::size_t limit, std::vector<std::string_view>& peers);

  std::string_view site_label_;
  std::string_view job_;
  std::vector<OfferedNode> nodes_;
  std::deque<Details> details_;  // parallel to nodes_, or longer
};

}  // namespace fairlead::extender::json
