#include "extender/http/extender_args.h"

#include <cstdint>
#include <utility>

#include "common/http/http_body.h"
#include "extender/http/json_cursor.h"
#include "extender/http/json_extent.h"
#include "extender/http/name_index.h"
#include "extender/http/pod_reader.h"

namespace fairlead::extender {
namespace {

static_assert(kBodyPadding >= simdjson::SIMDJSON_PADDING);

// Far above the largest cluster; bounds the work of one request.
constexpr std::size_t kMaxNodes = 100'000;
// Kubernetes allows 253; an answer may be remembered by its node.
constexpr std::size_t kMostNameBytes = 512;

// A text that simdjson finds neither whole nor wrong inside: it looks at the last bracket first,
// and calls incomplete what ends with anything else.
DecodeFault FaultOfExtent(std::string_view body) {
  const JsonExtent extent = ExtentOf(body);
  const std::string at = "byte " + std::to_string(extent.at) + ", counted from 0";
  switch (extent.kind) {
    case JsonExtent::Kind::kFollowed:
      return {"trailing_bytes", "the JSON has ended, but more follows it at " + at};
    case JsonExtent::Kind::kTruncated:
      return {"truncated", "the body ends before its JSON does"};
    case JsonExtent::Kind::kWhole:
      break;
    case JsonExtent::Kind::kMismatched:
      return {"not_json", "the body is not valid JSON: the bracket at " + at + ", closes none"};
  }
  return {"not_json", "the body is not valid JSON"};
}

DecodeFault FaultOf(simdjson::error_code error, std::string_view where, std::string_view body) {
  const std::string place = where.empty() ? "the body" : std::string(where);
  switch (error) {
    case simdjson::EMPTY:
      return {"empty_body", "the body is empty; send ExtenderArgs as JSON"};
    case simdjson::UTF8_ERROR:
      return {"not_utf8", "the body is not valid UTF-8"};
    case simdjson::CAPACITY:
      return {"too_long", place + " is longer than Kubernetes allows"};
    case simdjson::INCORRECT_TYPE:
    case simdjson::SCALAR_DOCUMENT_AS_VALUE:
      if (where.empty()) {
        return {"wrong_type", "the body is not a JSON object; send ExtenderArgs as JSON"};
      }
      return {"wrong_type", place + " has another JSON type than ExtenderArgs asks for"};
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
    case simdjson::UNCLOSED_STRING:
      return FaultOfExtent(body);
    default:
      return {"not_json",
              place + " is not valid JSON: " + std::string(simdjson::error_message(error))};
  }
}

}  // namespace

class ExtenderArgsReader::Impl {
 public:
  tl::expected<const ExtenderArgs*, DecodeFault> Read(std::string_view body,
                                                      std::string_view site_label) {
    Reset();
    site_label_ = site_label;
    limit_ = body.size();
    if (body.empty()) return tl::unexpected(FaultOf(simdjson::EMPTY, {}, body));
    if (const simdjson::error_code error = ReadDocument(body)) {
      if (too_many_) {
        return tl::unexpected(DecodeFault{
            "too_many_nodes",
            "more than " + std::to_string(kMaxNodes) + " nodes are offered; send fewer"});
      }
      return tl::unexpected(FaultOf(error, where_, body));
    }
    if (trailing_) return tl::unexpected(FaultOfExtent(body));
    Merge();
    return &args_;
  }

  std::size_t memory_bytes() const {
    return parser_.capacity() * 6 + (names_.capacity() + items_.capacity()) * sizeof(OfferedNode);
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
    where_ = {};
    too_many_ = false;
    trailing_ = false;
  }

  simdjson::error_code ReadDocument(std::string_view body) {
    json::od::document document;
    const auto padded = simdjson::padded_string_view(body, body.size() + kBodyPadding);
    if (const auto error = parser_.iterate(padded).get(document)) return error;
    json::od::object root;
    if (const auto error = document.get_object().get(root)) return error;
    const auto error = json::ForEachField(root, limit_, [&](auto key, Value value) {
      if (json::SameKey(key, "Pod")) return ReadPod(value);
      if (json::SameKey(key, "NodeNames")) return ReadNames(value);
      if (json::SameKey(key, "Nodes")) return ReadNodes(value, document);
      return simdjson::SUCCESS;
    });
    trailing_ = !error && document.current_location().error() != simdjson::OUT_OF_BOUNDS;
    return error;
  }

  simdjson::error_code ReadPod(Value& pod) {
    args_.pod = PodFacts{};
    args_.has_pod = json::Kind(pod) != 'n';
    return json::ReadPod(pod, limit_, args_.pod, where_);
  }

  simdjson::error_code ReadNames(Value& names) {
    names_.clear();
    args_.has_node_names = json::Kind(names) != 'n';
    const auto error = json::ForEachElement(names, [&](Value& element) {
      std::string_view name;
      if (const auto inner = json::ReadText(element, name)) return inner;
      if (name.size() > kMostNameBytes) return simdjson::CAPACITY;
      if (!name.empty()) names_.push_back(name);
      too_many_ = names_.size() > kMaxNodes;
      return too_many_ ? simdjson::CAPACITY : simdjson::SUCCESS;
    });
    if (error && where_.empty()) where_ = "NodeNames";
    return error;
  }

  simdjson::error_code ReadNodes(Value& list, json::od::document& document) {
    items_.clear();
    args_.nodes_metadata = {};
    args_.has_nodes = json::Kind(list) != 'n';
    const auto error = json::ForEachField(list, limit_, [&](auto key, Value value) {
      if (json::SameKey(key, "metadata")) return ReadListMetadata(value, document);
      if (!json::SameKey(key, "items")) return simdjson::SUCCESS;
      items_.clear();
      return json::ForEachElement(value, [&](Value& item) { return ReadNode(item, document); });
    });
    if (error && where_.empty()) where_ = "Nodes";
    return error;
  }

  simdjson::error_code ReadListMetadata(Value& metadata, json::od::document& document) {
    const char* const begin = metadata.raw_json_token().data();
    if (*begin != '{') return simdjson::SUCCESS;
    const auto error =
        json::ForEachField(metadata, limit_, [](auto, Value) { return simdjson::SUCCESS; });
    if (!error) args_.nodes_metadata = BytesUpTo(begin, document);
    return error;
  }

  simdjson::error_code ReadNode(Value& item, json::od::document& document) {
    OfferedNode node;
    const char* const begin = item.raw_json_token().data();
    const bool object = *begin == '{';
    const auto error = json::ForEachField(item, limit_, [&](auto key, Value value) {
      if (!json::SameKey(key, "metadata")) return simdjson::SUCCESS;
      return ReadNodeMetadata(value, node);
    });
    if (error) return error;
    if (object) node.raw = BytesUpTo(begin, document);
    if (node.name.size() > kMostNameBytes) return simdjson::CAPACITY;
    if (!node.name.empty()) items_.push_back(node);
    too_many_ = items_.size() > kMaxNodes;
    return too_many_ ? simdjson::CAPACITY : simdjson::SUCCESS;
  }

  simdjson::error_code ReadNodeMetadata(Value& metadata, OfferedNode& node) {
    return json::ForEachField(metadata, limit_, [&](auto key, Value value) {
      if (json::SameKey(key, "name")) return json::ReadText(value, node.name);
      if (!json::SameKey(key, "labels")) return simdjson::SUCCESS;
      return json::ForEachField(value, limit_, [&](auto label, Value text) {
        return label == site_label_ ? json::ReadText(text, node.site) : simdjson::SUCCESS;
      });
    });
  }

  // From `begin` to the closing brace before the cursor, which stands at the next token.
  std::string_view BytesUpTo(const char* begin, json::od::document& document) const {
    const char* end = nullptr;
    if (document.current_location().get(end)) return {};
    while (end > begin && end[-1] != '}') --end;
    return {begin, static_cast<std::size_t>(end - begin)};
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

  // The node of that name, which is `node` where the name is new.
  OfferedNode& Add(const OfferedNode& node) {
    const auto fresh = static_cast<std::uint32_t>(args_.nodes.size());
    const std::uint32_t at = index_.FindOrAdd(node.name, args_.nodes, fresh);
    if (at == fresh) args_.nodes.push_back(node);
    return args_.nodes[at];
  }

  json::od::parser parser_;
  ExtenderArgs args_;
  std::vector<std::string_view> names_;
  std::vector<OfferedNode> items_;
  NameIndex index_;
  std::string_view site_label_;
  std::string_view where_;
  std::size_t limit_ = 0;
  bool too_many_ = false;
  bool trailing_ = false;
};

ExtenderArgsReader::ExtenderArgsReader() : impl_(std::make_unique<Impl>()) {}
ExtenderArgsReader::~ExtenderArgsReader() = default;

tl::expected<const ExtenderArgs*, DecodeFault> ExtenderArgsReader::Read(
    std::string_view body, std::string_view site_label) {
  return impl_->Read(body, site_label);
}

std::size_t ExtenderArgsReader::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace fairlead::extender
