#include "extender/http/volcano_node.h"

#include "extender/http/node_reader.h"
#include "extender/http/volcano_resource.h"
#include "extender/http/volcano_task.h"

namespace fairlead::extender::json {

void VolcanoNodes::Reset(std::string_view site_label, std::string_view job) {
  site_label_ = site_label;
  job_ = job;
  nodes_.clear();
}

error_code VolcanoNodes::Add(od::value& node, std::size_t limit) {
  OfferedNode offered;
  OfferedNode labelled;  // of the Node object inside
  if (details_.size() <= nodes_.size()) details_.emplace_back();
  Details& details = details_[nodes_.size()];
  details.peers.clear();
  const error_code error = ForEachField(node, limit, [&](auto key, od::value value) {
    if (SameKey(key, "Name")) return ReadText(value, offered.name);
    if (SameKey(key, "Node")) {
      return ForEachField(value, limit, [&](auto part, od::value metadata) {
        if (!SameKey(part, "metadata")) return simdjson::SUCCESS;
        return ReadNodeMetadata(metadata, limit, site_label_, labelled);
      });
    }
    if (SameKey(key, "Idle") && Kind(value) == '{') {
      offered.idle = &details.idle;
      return ReadResource(value, limit, details.idle);
    }
    if (SameKey(key, "Tasks") && Kind(value) == '{' && !job_.empty()) {
      details.peers.clear();
      return ReadPeers(value, limit, details.peers);
    }
    return simdjson::SUCCESS;
  });
  if (error) return error;
  if (offered.name.empty()) offered.name = labelled.name;
  offered.site = labelled.site;
  offered.peers = details.peers;
  if (offered.name.size() > kMostNodeNameBytes || nodes_.size() >= kMaxNodes) {
    return simdjson::CAPACITY;
  }
  if (!offered.name.empty()) nodes_.push_back(offered);
  return simdjson::SUCCESS;
}

error_code VolcanoNodes::ReadPeers(od::value& tasks, std::size_t limit,
                                   std::vector<std::string_view>& peers) {
  return ForEachField(tasks, limit, [&](auto, od::value task) {
    TaskGlance glance;
    if (const error_code error = ReadTaskGlance(task, limit, false, glance)) return error;
    if (glance.job == job_ && glance.holds_place() && !glance.uid.empty()) {
      peers.push_back(glance.uid);
    }
    return simdjson::SUCCESS;
  });
}

std::size_t VolcanoNodes::memory_bytes() const {
  std::size_t bytes = nodes_.capacity() * sizeof(OfferedNode) + details_.size() * sizeof(Details);
  for (const Details& details : details_) {
    bytes += details.idle.others.capacity() * sizeof(details.idle.others[0]) +
             details.peers.capacity() * sizeof(std::string_view);
  }
  return bytes;
}

}  // namespace fairlead::extender::json
