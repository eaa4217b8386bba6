#include "extender/cluster_api/read_pod.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/units/time_text.h"
#include "extender/cluster/pod_requests.h"
#include "extender/cluster_api/read_amounts.h"
#include "extender/cluster_api/read_selector.h"
#include "extender/cluster_api/read_where.h"

namespace fairlead::extender::json {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

std::optional<TolerationOperator> ParseTolerationOperator(std::string_view text) {
  if (text.empty() || text == "Equal") return TolerationOperator::kEqual;
  if (text == "Exists") return TolerationOperator::kExists;
  if (text == "Lt") return TolerationOperator::kLess;
  if (text == "Gt") return TolerationOperator::kGreater;
  return std::nullopt;
}

class SpecReader {
 public:
  SpecReader(std::size_t limit, const PodFacts& facts, ClusterPod& pod, std::string_view& where)
      : limit_(limit), facts_(facts), pod_(pod), where_(where) {}

  error_code Read(od::value& spec) {
    const error_code error = ForEachField(spec, limit_, [&](auto key, od::value value) {
      return Where(where_, NameOf(key), Field(key, value));
    });
    pod_.needs.requests = RequestsOf(amounts_);
    return error;
  }

 private:
  static std::string_view NameOf(std::string_view key) {
    for (const std::string_view name :
         {"spec.containers", "spec.initContainers", "spec.overhead", "spec.resources",
          "spec.tolerations", "spec.nodeSelector", "spec.affinity", "spec.priority"}) {
      if (name.substr(5) == key) return name;
    }
    return "spec";
  }

  error_code Field(std::string_view key, od::value& value) {
    if (key == "containers") return Containers(value, amounts_.containers);
    if (key == "initContainers") return Containers(value, amounts_.init_containers);
    if (key == "overhead") return ReadList(value, amounts_.overhead);
    if (key == "resources") return Requests(value, amounts_.of_pod);
    if (key == "tolerations") {
      return ForEachElement(value, [&](od::value& one) { return ReadToleration(one); });
    }
    if (key == "nodeSelector") {
      return ForEachField(value, limit_, [&](auto label, od::value text) {
        return ReadText(text, pod_.needs.node_selector[std::string(label)]);
      });
    }
    if (key == "affinity") return Affinity(value);
    if (key == "priorityClassName") return ReadText(value, pod_.wishes.priority_class);
    if (key == "priority" && Kind(value) != 'n') {
      std::int64_t priority = 0;  // an int32 of the API
      const error_code error = value.get_int64().get(priority);
      pod_.wishes.priority = static_cast<std::int32_t>(priority);
      return error;
    }
    return simdjson::SUCCESS;
  }

  error_code Requests(od::value& resources, Amounts& amounts) {
    return ForEachField(resources, limit_, [&](auto key, od::value value) {
      // The API server has put limits where requests were missing.
      return key == "requests" ? ReadList(value, amounts) : simdjson::SUCCESS;
    });
  }

  error_code ReadList(od::value& list, Amounts& amounts) {
    std::int64_t pods = 0;  // that a pod has none of
    return ReadAmounts(list, limit_, amounts, pods, pod_.needs.unreadable);
  }

  error_code Containers(od::value& list, std::vector<ContainerRequests>& containers) {
    containers.clear();
    return ForEachElement(list, [&](od::value& item) {
      ContainerRequests& container = containers.emplace_back();
      return ForEachField(item, limit_, [&](auto key, od::value value) {
        if (key == "resources") return Requests(value, container.amounts);
        if (key != "restartPolicy") return simdjson::SUCCESS;
        std::string_view policy;
        const error_code error = ReadText(value, policy);
        container.restartable = policy == "Always";
        return error;
      });
    });
  }

  error_code ReadToleration(od::value& item) {
    Toleration toleration;
    std::string_view op;
    std::string_view effect;
    const error_code error = ForEachField(item, limit_, [&](auto key, od::value value) {
      if (key == "key") return ReadText(value, toleration.key);
      if (key == "value") return ReadText(value, toleration.value);
      if (key == "operator") return ReadText(value, op);
      if (key == "effect") return ReadText(value, effect);
      return simdjson::SUCCESS;
    });
    if (error) return error;
    const auto known = ParseTolerationOperator(op);
    toleration.effect = ParseEffect(effect);
    // One that is not understood tolerates nothing.
    if (!known || (!effect.empty() && !toleration.effect)) return simdjson::SUCCESS;
    toleration.op = *known;
    pod_.needs.tolerations.push_back(std::move(toleration));
    return simdjson::SUCCESS;
  }

  error_code Affinity(od::value& affinity) {
    return ForEachField(affinity, limit_, [&](auto kind, od::value rules) {
      const bool of_node = kind == "nodeAffinity";
      if (!of_node && kind != "podAntiAffinity") return simdjson::SUCCESS;
      return ForEachField(rules, limit_, [&](auto when, od::value required) {
        if (when != kRequired || Kind(required) == 'n') return simdjson::SUCCESS;
        return of_node ? NodeAffinity(required) : AntiAffinity(required);
      });
    });
  }

  error_code NodeAffinity(od::value& required) {
    std::vector<SelectorTerm>& terms = pod_.needs.node_affinity.emplace();
    return ForEachField(required, limit_, [&](auto key, od::value list) {
      if (key != "nodeSelectorTerms") return simdjson::SUCCESS;
      return ForEachElement(list, [&](od::value& item) {
        SelectorTerm& term = terms.emplace_back();
        return ForEachField(item, limit_, [&](auto match, od::value expressions) {
          if (match == "matchExpressions") return ReadExpressions(expressions, limit_, term.labels);
          if (match == "matchFields") return ReadExpressions(expressions, limit_, term.fields);
          return simdjson::SUCCESS;
        });
      });
    });
  }

  error_code AntiAffinity(od::value& required) {
    return ForEachElement(required, [&](od::value& item) {
      std::string_view topology;
      bool own = false;
      const error_code error = ForEachField(item, limit_, [&](auto key, od::value value) {
        if (key == "topologyKey") return ReadText(value, topology);
        if (key == "labelSelector") return ReadSelects(value, limit_, facts_.labels, own);
        return simdjson::SUCCESS;
      });
      pod_.needs.one_per_host |= own && topology == kHostname;
      return error;
    });
  }

  const std::size_t limit_;
  const PodFacts& facts_;
  ClusterPod& pod_;
  std::string_view& where_;
  PodAmounts amounts_;
};

// One condition; only Ready counts.
error_code ReadPodCondition(od::value& condition, std::size_t limit, ClusterPod& pod) {
  std::string_view type;
  std::string_view status;
  std::string_view since;
  const error_code error = ForEachField(condition, limit, [&](auto key, od::value value) {
    if (key == "type") return ReadText(value, type);
    if (key == "status") return ReadText(value, status);
    if (key == "lastTransitionTime") return ReadText(value, since);
    return simdjson::SUCCESS;
  });
  if (error || type != "Ready") return error;
  pod.ready = status == "True";
  const auto at = ParseTime(since);
  if (pod.ready && at) pod.ready_since = *at;
  return simdjson::SUCCESS;
}

}  // namespace

error_code ReadClusterPod(od::object& object, std::size_t limit, const PodFacts& facts,
                          ClusterPod& pod, std::string_view& where) {
  return ForEachField(object, limit, [&](auto part, od::value value) {
    if (part == "spec") {
      return Where(where, "spec", SpecReader(limit, facts, pod, where).Read(value));
    }
    if (part == "metadata") {
      return ForEachField(value, limit, [&](auto key, od::value field) {
        if (key == "deletionTimestamp") pod.terminating = Kind(field) != 'n';
        return simdjson::SUCCESS;
      });
    }
    if (part != "status") return simdjson::SUCCESS;
    return ForEachField(value, limit, [&](auto key, od::value field) {
      if (key == "conditions") {
        return Where(where, "status.conditions", ForEachElement(field, [&](od::value& condition) {
                       return ReadPodCondition(condition, limit, pod);
                     }));
      }
      if (key != "phase") return simdjson::SUCCESS;
      std::string_view phase;
      const error_code error = Where(where, "status.phase", ReadText(field, phase));
      pod.finished = phase == "Succeeded" || phase == "Failed";
      return error;
    });
  });
}

}  // namespace fairlead::extender::json
