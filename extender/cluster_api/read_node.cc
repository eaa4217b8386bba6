#include "extender/cluster_api/read_node.h"

#include <string>
#include <utility>
#include <vector>

#include "extender/cluster_api/read_amounts.h"
#include "extender/cluster_api/read_where.h"

namespace fairlead::extender::json {
namespace {

class NodeReader {
 public:
  NodeReader(std::size_t limit, Interned<std::string>& texts, ClusterNode& node,
             std::string_view& where)
      : limit_(limit), texts_(texts), node_(node), where_(where) {}

  error_code Metadata(od::value& metadata) {
    return ForEachField(metadata, limit_, [&](auto key, od::value value) {
      if (key != "labels") return simdjson::SUCCESS;
      std::vector<std::pair<LabelSet::Text, LabelSet::Text>> labels;
      const error_code error = ForEachField(value, limit_, [&](auto label, od::value field) {
        std::string text;
        const error_code inner = ReadText(field, text);
        labels.emplace_back(texts_.Get(std::string(label)), texts_.Get(std::move(text)));
        return inner;
      });
      node_.labels = LabelSet(std::move(labels));
      return Where(where_, "metadata.labels", error);
    });
  }

  error_code Spec(od::value& spec) {
    return ForEachField(spec, limit_, [&](auto key, od::value value) {
      if (key == "unschedulable" && Kind(value) != 'n') {
        bool off = false;
        const error_code error = value.get_bool().get(off);
        node_.schedulable = !off;
        return Where(where_, "spec.unschedulable", error);
      }
      if (key != "taints") return simdjson::SUCCESS;
      return Where(where_, "spec.taints",
                   ForEachElement(value, [&](od::value& taint) { return ReadTaint(taint); }));
    });
  }

  error_code Status(od::value& status) {
    return ForEachField(status, limit_, [&](auto key, od::value value) {
      if (key == "allocatable") {
        std::string unreadable;
        const error_code error =
            ReadAmounts(value, limit_, node_.allocatable, node_.pods, unreadable);
        if (!unreadable.empty()) node_.unreadable = "status.allocatable: " + unreadable;
        return Where(where_, "status.allocatable", error);
      }
      if (key != "conditions") return simdjson::SUCCESS;
      return Where(where_, "status.conditions", ForEachElement(value, [&](od::value& condition) {
                     return ReadCondition(condition);
                   }));
    });
  }

 private:
  error_code ReadTaint(od::value& value) {
    Taint taint;
    std::string_view effect;
    const error_code error = ForEachField(value, limit_, [&](auto key, od::value field) {
      if (key == "key") return ReadText(field, taint.key);
      if (key == "value") return ReadText(field, taint.value);
      if (key == "effect") return ReadText(field, effect);
      return simdjson::SUCCESS;
    });
    if (error) return error;
    if (const auto known = ParseEffect(effect)) {
      taint.effect = *known;
      node_.taints.push_back(std::move(taint));
    }
    return simdjson::SUCCESS;
  }

  error_code ReadCondition(od::value& value) {
    std::string_view type;
    std::string_view status;
    const error_code error = ForEachField(value, limit_, [&](auto key, od::value field) {
      if (key == "type") return ReadText(field, type);
      if (key == "status") return ReadText(field, status);
      return simdjson::SUCCESS;
    });
    if (type == "Ready") node_.ready = status == "True";
    return error;
  }

  const std::size_t limit_;
  Interned<std::string>& texts_;
  ClusterNode& node_;
  std::string_view& where_;
};

}  // namespace

error_code ReadNode(od::object& object, std::size_t limit, Interned<std::string>& texts,
                    ClusterNode& node, std::string_view& where) {
  NodeReader reader(limit, texts, node, where);
  // A node that no kubelet has reported yet has no conditions.
  node.ready = false;
  return ForEachField(object, limit, [&](auto key, od::value value) {
    if (key == "metadata") return Where(where, "metadata", reader.Metadata(value));
    if (key == "spec") return Where(where, "spec", reader.Spec(value));
    if (key == "status") return Where(where, "status", reader.Status(value));
    return simdjson::SUCCESS;
  });
}

}  // namespace fairlead::extender::json
