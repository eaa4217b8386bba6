#include "extender/http/extender_args.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/base/quote.h"
#include "extender/http/json_check.h"
#include "extender/http/json_request.h"
#include "extender/http/name_index.h"
#include "extender/http/node_reader.h"
#include "extender/http/pod_reader.h"

namespace fairlead::extender {

class ExtenderArgsReader::Impl {
 public:
  tl::expected<const ExtenderArgs*, DecodeFault> Read(std::string_view body,
                                                      std::string_view site_label, Echo echo) {
    Reset();
    site_label_ = site_label;
    const auto fault = request_.Read(body, [&](auto key, Value value) {
      if (json::SameKey(key, "Pod")) return ReadPod(value);
      if (json::SameKey(key, "NodeNames")) return ReadNames(value);
      if (json::SameKey(key, "Nodes")) return ReadNodes(value);
      return simdjson::SUCCESS;
    });
    if (too_many_) {
      return tl::unexpected(DecodeFault{
          "too_many_nodes",
          "more than " + std::to_string(json::kMaxNodes) + " nodes are offered; send fewer"});
    }
    if (fault) return tl::unexpected(*fault);
    Merge();
    if (echo == Echo::kYes) {
      if (const auto bad = CheckEchoed()) return tl::unexpected(*bad);
    }
    return &args_;
  }

  std::size_t memory_bytes() const {
    return request_.memory_bytes() + check_.memory_bytes() +
           (names_.capacity() + items_.capacity()) * sizeof(OfferedNode);
  }

 private:
  using Value = json::od::value;

  void Reset() {
    std::vector<OfferedNode> nodes = std::move(args_.nodes);
    nodes.clear();
    args_ = ExtenderArgs{};
    args_.nodes = std::move(nodes);
    names_.clear();
    items_.clear();
    too_many_ = false;
  }

  simdjson::error_code ReadPod(Value& pod) {
    args_.pod = PodFacts{};
    args_.has_pod = json::Kind(pod) != 'n';
    return json::ReadPod(pod, request_.limit(), args_.pod, request_.where());
  }

  simdjson::error_code ReadNames(Value& names) {
    names_.clear();
    args_.has_node_names = json::Kind(names) != 'n';
    const auto error = json::ForEachElement(names, [&](Value& element) {
      std::string_view name;
      if (const auto inner = json::ReadText(element, name)) return inner;
      if (name.size() > json::kMostNodeNameBytes) return simdjson::CAPACITY;
      if (!name.empty()) names_.push_back(name);
      too_many_ = names_.size() > json::kMaxNodes;
      return too_many_ ? simdjson::CAPACITY : simdjson::SUCCESS;
    });
    return request_.Named("NodeNames", error);
  }

  simdjson::error_code ReadNodes(Value& list) {
    items_.clear();
    args_.nodes_metadata = {};
    args_.has_nodes = json::Kind(list) != 'n';
    const auto error = json::ForEachField(list, request_.limit(), [&](auto key, Value value) {
      if (json::SameKey(key, "metadata")) return ReadListMetadata(value);
      if (!json::SameKey(key, "items")) return simdjson::SUCCESS;
      items_.clear();
      return json::ForEachElement(value, [&](Value& item) { return ReadNode(item); });
    });
    return request_.Named("Nodes", error);
  }

  simdjson::error_code ReadListMetadata(Value& metadata) {
    const char* const begin = metadata.raw_json_token().data();
    if (*begin != '{') return simdjson::SUCCESS;
    const auto error = json::ForEachField(metadata, request_.limit(),
                                          [](auto, Value) { return simdjson::SUCCESS; });
    if (!error) args_.nodes_metadata = request_.BytesUpTo(begin);
    return error;
  }

  simdjson::error_code ReadNode(Value& item) {
    OfferedNode node;
    const char* const begin = item.raw_json_token().data();
    const bool object = *begin == '{';
    const auto error = json::ForEachField(item, request_.limit(), [&](auto key, Value value) {
      if (!json::SameKey(key, "metadata")) return simdjson::SUCCESS;
      return json::ReadNodeMetadata(value, request_.limit(), site_label_, node);
    });
    if (error) return error;
    if (object) node.raw = request_.BytesUpTo(begin);
    if (node.name.size() > json::kMostNodeNameBytes) return simdjson::CAPACITY;
    if (!node.name.empty()) items_.push_back(node);
    too_many_ = items_.size() > json::kMaxNodes;
    return too_many_ ? simdjson::CAPACITY : simdjson::SUCCESS;
  }

  void Merge() {
    index_.Reset(names_.size() + items_.size());
    args_.nodes.reserve(names_.size() + items_.size());
    for (const std::string_view name : names_) {
      Add(OfferedNode{.name = name, .site = {}, .raw = {}});
    }
    for (const OfferedNode& item : items_) {
      OfferedNode& known = Add(item);
      if (known.raw.empty()) known = item;
    }
  }

  std::optional<DecodeFault> CheckEchoed() {
    if (const auto error = CheckPiece(args_.nodes_metadata)) {
      return NotToBeEchoed("Nodes.metadata", error);
    }
    for (const OfferedNode& node : args_.nodes) {
      if (const auto error = CheckPiece(node.raw)) {
        return NotToBeEchoed("node " + Quoted(node.name, json::kMostNodeNameBytes) + " in Nodes",
                             error);
      }
    }
    return std::nullopt;
  }

  simdjson::error_code CheckPiece(std::string_view piece) {
    return piece.empty() ? simdjson::SUCCESS : check_.Check(piece);
  }

  static DecodeFault NotToBeEchoed(const std::string& what, simdjson::error_code error) {
    if (error == simdjson::CAPACITY) {
      return {"too_long", what + " is longer than Kubernetes allows"};
    }
    return {"not_json", what + " is not JSON that could be answered with: " +
                            std::string(simdjson::error_message(error))};
  }

  // The node of that name, which is `node` where the name is new.
  OfferedNode& Add(const OfferedNode& node) {
    const auto fresh = static_cast<std::uint32_t>(args_.nodes.size());
    const std::uint32_t at = index_.FindOrAdd(node.name, args_.nodes, fresh);
    if (at == fresh) args_.nodes.push_back(node);
    return args_.nodes[at];
  }

  json::Request request_{"ExtenderArgs"};
  json::JsonCheck check_;
  ExtenderArgs args_;
  std::vector<std::string_view> names_;
  std::vector<OfferedNode> items_;
  NameIndex index_;
  std::string_view site_label_;
  bool too_many_ = false;
};

ExtenderArgsReader::ExtenderArgsReader() : impl_(std::make_unique<Impl>()) {}
ExtenderArgsReader::~ExtenderArgsReader() = default;

tl::expected<const ExtenderArgs*, DecodeFault> ExtenderArgsReader::Read(std::string_view body,
                                                                        std::string_view site_label,
                                                                        Echo echo) {
  return impl_->Read(body, site_label, echo);
}

std::size_t ExtenderArgsReader::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace fairlead::extender
