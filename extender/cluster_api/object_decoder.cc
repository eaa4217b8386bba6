#include "extender/cluster_api/object_decoder.h"

#include <string>
#include <utility>

#include "common/json/json_cursor.h"
#include "common/json/padding.h"
#include "extender/cluster/interned.h"
#include "extender/cluster_api/read_group.h"
#include "extender/cluster_api/read_node.h"
#include "extender/cluster_api/read_pod.h"
#include "extender/gang/pod_facts.h"
#include "extender/http/pod_reader.h"

namespace fairlead::extender {

using fairlead::json::error_code;
using fairlead::json::od::object;
using fairlead::json::od::value;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

class ObjectDecoder::Impl {
 public:
  // Calls read(object, where) on the document.
  template <class Read>
  Status Decode(std::string_view json, Read read) {
    std::string_view where;
    simdjson::ondemand::document document;
    object whole;
    error_code error =
        parser_.iterate(json.data(), json.size(), json.size() + kJsonPadding).get(document);
    if (!error) error = document.get_object().get(whole);
    if (!error) error = read(whole, where);
    if (!error) return {};
    std::string text = where.empty() ? std::string() : std::string(where) + ": ";
    return Fail(ErrorCode::kInvalidArgument, text + simdjson::error_message(error));
  }

  Status ReadFacts(std::string_view json, PodFacts& facts) {
    std::string_view where;
    simdjson::ondemand::document document;
    value whole;
    error_code error =
        parser_.iterate(json.data(), json.size(), json.size() + kJsonPadding).get(document);
    if (!error) error = document.get_value().get(whole);
    if (!error) error = json::ReadPod(whole, json.size(), facts, where);
    if (!error) return {};
    std::string text = where.empty() ? std::string() : std::string(where) + ": ";
    return Fail(ErrorCode::kInvalidArgument, text + simdjson::error_message(error));
  }

  Interned<std::string>& texts() { return texts_; }

 private:
  simdjson::ondemand::parser parser_;
  Interned<std::string> texts_;  // of nodes' labels
};

ObjectDecoder::ObjectDecoder() : impl_(std::make_unique<Impl>()) {}
ObjectDecoder::~ObjectDecoder() = default;

Result<ClusterNode> ObjectDecoder::Node(const kube::ObjectId& id, std::string_view json) {
  ClusterNode node;
  node.name = id.name;
  const Status read = impl_->Decode(json, [&](object& whole, std::string_view& where) {
    return json::ReadNode(whole, json.size(), impl_->texts(), node, where);
  });
  if (!read) return Fail(read.error());
  return node;
}

Result<ClusterPod> ObjectDecoder::Pod(const kube::ObjectId& id, std::string_view json) {
  if (id.uid.empty()) return Fail(ErrorCode::kInvalidArgument, "metadata.uid is missing");
  PodFacts facts;
  if (const Status read = impl_->ReadFacts(json, facts); !read) return Fail(read.error());
  ClusterPod pod;
  pod.uid = id.uid;
  pod.namespace_name = id.namespace_name;
  pod.name = id.name;
  pod.node = facts.node_name;
  pod.gang = RecogniseGang(facts);
  if (pod.gang) pod.wishes = ReadMoveWishes(facts);
  for (const OwnerFacts& owner : facts.owners) {
    if (owner.controller) pod.controller = owner;
  }
  const Status read = impl_->Decode(json, [&](object& whole, std::string_view& where) {
    return json::ReadClusterPod(whole, json.size(), facts, pod, where);
  });
  if (!read) return Fail(read.error());
  return pod;
}

Result<BatchJob> ObjectDecoder::Job(const kube::ObjectId& id, std::string_view json) {
  if (id.uid.empty()) return Fail(ErrorCode::kInvalidArgument, "metadata.uid is missing");
  BatchJob job;
  job.namespace_name = id.namespace_name;
  job.name = id.name;
  job.uid = id.uid;
  const Status read = impl_->Decode(json, [&](object& whole, std::string_view& where) {
    return json::ReadJob(whole, json.size(), job, where);
  });
  if (!read) return Fail(read.error());
  return job;
}

Result<PodGroup> ObjectDecoder::Group(PodGroupKind kind, const kube::ObjectId& id,
                                      std::string_view json) {
  PodGroup group;
  group.kind = kind;
  group.namespace_name = id.namespace_name;
  group.name = id.name;
  group.uid = id.uid;
  const Status read = impl_->Decode(json, [&](object& whole, std::string_view& where) {
    return json::ReadPodGroup(whole, json.size(), group, where);
  });
  if (!read) return Fail(read.error());
  return group;
}

}  // namespace fairlead::extender
