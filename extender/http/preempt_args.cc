#include "extender/http/preempt_args.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "extender/http/json_request.h"
#include "extender/http/node_reader.h"

namespace fairlead::extender {

class PreemptArgsReader::Impl {
 public:
  tl::expected<const std::vector<NodeVictims>*, DecodeFault> Read(std::string_view body) {
    victims_.clear();
    whole_.clear();
    const auto fault = request_.Read(body, [&](auto key, Value value) {
      if (json::SameKey(key, "NodeNameToMetaVictims")) return ReadNodes(value, false, victims_);
      if (json::SameKey(key, "NodeNameToVictims")) return ReadNodes(value, true, whole_);
      return simdjson::SUCCESS;
    });
    if (fault) return tl::unexpected(*fault);
    std::set<std::string_view> known;
    for (const NodeVictims& node : victims_) known.insert(node.node);
    for (NodeVictims& node : whole_) {
      if (!known.contains(node.node)) victims_.push_back(std::move(node));
    }
    return &victims_;
  }

  std::size_t memory_bytes() const {
    return request_.memory_bytes() +
           (victims_.capacity() + whole_.capacity()) * sizeof(NodeVictims);
  }

 private:
  using Value = json::od::value;
  using Nodes = std::vector<NodeVictims>;

  json::error_code ReadNodes(Value& nodes, bool whole_pods, Nodes& out) {
    const std::string_view name = whole_pods ? "NodeNameToVictims" : "NodeNameToMetaVictims";
    out.clear();
    std::map<std::string_view, std::size_t> places;
    const auto error = json::ForEachField(nodes, request_.limit(), [&](auto key, Value value) {
      const auto [place, fresh] = places.emplace(key, out.size());
      if (fresh) out.emplace_back();
      if (out.size() > json::kMaxNodes || key.size() > json::kMostNodeNameBytes) {
        return simdjson::CAPACITY;
      }
      NodeVictims& node = out[place->second];
      node = {.node = key, .pod_uids = {}, .pdb_violations = 0};  // of a repeated key the last
      return ReadVictims(value, whole_pods, node);
    });
    return request_.Named(name, error);
  }

  json::error_code ReadVictims(Value& victims, bool whole_pods, NodeVictims& out) {
    return json::ForEachField(victims, request_.limit(), [&](auto key, Value value) {
      if (json::SameKey(key, "NumPDBViolations") && json::Kind(value) != 'n') {
        return value.get_int64().get(out.pdb_violations);
      }
      if (!json::SameKey(key, "Pods")) return simdjson::SUCCESS;
      out.pod_uids.clear();
      return json::ForEachElement(
          value, [&](Value& pod) { return ReadUid(pod, whole_pods, out.pod_uids.emplace_back()); });
    });
  }

  json::error_code ReadUid(Value& pod, bool whole, std::string_view& uid) {
    return json::ForEachField(pod, request_.limit(), [&](auto key, Value value) {
      if (whole && json::SameKey(key, "metadata")) return ReadUid(value, false, uid);
      if (!whole && json::SameKey(key, "UID")) return json::ReadText(value, uid);
      return simdjson::SUCCESS;
    });
  }

  json::Request request_{"ExtenderPreemptionArgs"};
  Nodes victims_;
  Nodes whole_;
};

PreemptArgsReader::PreemptArgsReader() : impl_(std::make_unique<Impl>()) {}
PreemptArgsReader::~PreemptArgsReader() = default;

tl::expected<const std::vector<NodeVictims>*, DecodeFault> PreemptArgsReader::Read(
    std::string_view body) {
  return impl_->Read(body);
}

std::size_t PreemptArgsReader::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace fairlead::extender
