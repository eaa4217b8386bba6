#include "extender/http/pod_reader.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/base/quote.h"
#include "extender/cluster/quantity.h"

namespace fairlead::extender::json {
namespace {

using Requests = std::map<std::string, std::uint64_t, std::less<>>;

// Kubernetes allows 253 bytes for a name, 63 for a label's value and 317 for its key.
constexpr std::size_t kMostNameBytes = 512;
// Of everything kept of one Pod; etcd takes no larger object, and annotations are 256 KiB at most.
constexpr std::size_t kMostPodBytes = 1U << 20;
// What an entry of a map costs besides its text.
constexpr std::size_t kEntryBytes = 64;

class PodReader {
 public:
  PodReader(std::size_t limit, PodFacts& facts, std::string_view& where)
      : limit_(limit), facts_(facts), where_(where) {}

  error_code Read(od::value& pod) {
    const error_code error = Named("Pod", ForEachField(pod, limit_, [&](auto key, od::value value) {
                                     if (SameKey(key, "metadata")) return ReadMetadata(value);
                                     if (SameKey(key, "spec")) return ReadSpec(value);
                                     return simdjson::SUCCESS;
                                   }));
    for (const auto& [name, count] : init_requests_) {
      std::uint64_t& total = facts_.requests[name];
      total = std::max(total, count);
    }
    return error;
  }

 private:
  // The innermost field that failed is the one that is named.
  error_code Named(std::string_view name, error_code error) {
    if (error && where_.empty()) where_ = name;
    return error;
  }

  // Counts what is kept for as long as the decision is, so that no body can make it grow.
  error_code Keep(std::size_t bytes) {
    kept_ += bytes;
    return kept_ > kMostPodBytes ? simdjson::CAPACITY : simdjson::SUCCESS;
  }

  error_code Kept(od::value& value, std::size_t most, std::string& out) {
    std::string_view text = out;
    if (const error_code error = ReadText(value, text)) return error;
    if (text.size() > most) return simdjson::CAPACITY;
    if (const error_code error = Keep(text.size())) return error;
    if (text.data() != out.data()) out.assign(text);
    return simdjson::SUCCESS;
  }

  error_code Text(std::string_view name, od::value& value, std::string& out) {
    return Named(name, Kept(value, kMostNameBytes, out));
  }

  error_code ReadMetadata(od::value& metadata) {
    return Named("Pod.metadata", ForEachField(metadata, limit_, [&](auto key, od::value value) {
                   if (SameKey(key, "name")) return Text("Pod.metadata.name", value, facts_.name);
                   if (SameKey(key, "uid")) return Text("Pod.metadata.uid", value, facts_.uid);
                   if (SameKey(key, "namespace")) {
                     return Text("Pod.metadata.namespace", value, facts_.namespace_name);
                   }
                   if (SameKey(key, "labels"))
                     return ReadMap("Pod.metadata.labels", value, kMostNameBytes, facts_.labels);
                   if (SameKey(key, "annotations")) {
                     return ReadMap("Pod.metadata.annotations", value, kMostPodBytes,
                                    facts_.annotations);
                   }
                   if (SameKey(key, "ownerReferences")) return ReadOwners(value);
                   return simdjson::SUCCESS;
                 }));
  }

  error_code ReadMap(std::string_view name, od::value& map, std::size_t most, StringMap& out) {
    return Named(name, ForEachField(map, limit_, [&](auto key, od::value value) {
                   if (key.size() > kMostNameBytes) return simdjson::CAPACITY;
                   if (const error_code error = Keep(key.size() + kEntryBytes)) return error;
                   return Kept(value, most, out[std::string(key)]);
                 }));
  }

  error_code ReadOwners(od::value& owners) {
    facts_.owners.clear();
    const error_code error = ForEachElement(owners, [&](od::value& owner) {
      if (const error_code full = Keep(sizeof(OwnerFacts))) return full;
      OwnerFacts& facts = facts_.owners.emplace_back();
      return ForEachField(owner, limit_, [&](auto key, od::value value) {
        if (SameKey(key, "kind")) return Kept(value, kMostNameBytes, facts.kind);
        if (SameKey(key, "name")) return Kept(value, kMostNameBytes, facts.name);
        if (SameKey(key, "uid")) return Kept(value, kMostNameBytes, facts.uid);
        if (SameKey(key, "apiVersion")) return Kept(value, kMostNameBytes, facts.api_version);
        if (SameKey(key, "controller") && Kind(value) != 'n') {
          return value.get_bool().get(facts.controller);
        }
        return simdjson::SUCCESS;
      });
    });
    return Named("Pod.metadata.ownerReferences", error);
  }

  error_code ReadSpec(od::value& spec) {
    return Named("Pod.spec", ForEachField(spec, limit_, [&](auto key, od::value value) {
                   if (SameKey(key, "nodeName"))
                     return Text("Pod.spec.nodeName", value, facts_.node_name);
                   if (SameKey(key, "schedulingGroup")) return ReadSchedulingGroup(value);
                   if (SameKey(key, "containers")) {
                     facts_.requests.clear();
                     facts_.unreadable_request.clear();
                     return ReadContainers(value, [this](const Requests& requests) {
                       for (const auto& [name, count] : requests) facts_.requests[name] += count;
                     });
                   }
                   if (SameKey(key, "initContainers")) {
                     init_requests_.clear();
                     return ReadContainers(value, [this](const Requests& requests) {
                       for (const auto& [name, count] : requests) {
                         init_requests_[name] = std::max(init_requests_[name], count);
                       }
                     });
                   }
                   return simdjson::SUCCESS;
                 }));
  }

  error_code ReadSchedulingGroup(od::value& group) {
    return Named("Pod.spec.schedulingGroup",
                 ForEachField(group, limit_, [&](auto key, od::value value) {
                   if (!SameKey(key, "podGroupName")) return simdjson::SUCCESS;
                   return Kept(value, kMostNameBytes, facts_.scheduling_pod_group);
                 }));
  }

  template <class Add>
  error_code ReadContainers(od::value& containers, Add add) {
    const error_code error = ForEachElement(containers, [&](od::value& container) {
      Requests requests;
      Requests limits;
      const error_code inner = ForEachField(container, limit_, [&](auto key, od::value value) {
        if (!SameKey(key, "resources")) return simdjson::SUCCESS;
        return ForEachField(value, limit_, [&](auto kind, od::value amounts) {
          if (SameKey(kind, "requests")) return ReadAmounts(amounts, requests);
          if (SameKey(kind, "limits")) return ReadAmounts(amounts, limits);
          return simdjson::SUCCESS;
        });
      });
      requests.merge(limits);
      add(requests);
      return inner;
    });
    return Named("Pod.spec.containers.resources", error);
  }

  error_code ReadAmounts(od::value& amounts, Requests& out) {
    return ForEachField(amounts, limit_, [&](auto key, od::value value) {
      if (key.find('/') == std::string_view::npos) return simdjson::SUCCESS;
      if (key.size() > kMostNameBytes) return simdjson::CAPACITY;
      if (const error_code error = Keep(key.size() + kEntryBytes)) return error;
      std::string_view text = value.raw_json_token();
      if (text[0] == 'n') return simdjson::SUCCESS;
      if (text[0] == '"') {
        if (const error_code error = ReadText(value, text)) return error;
      } else {
        text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
      }
      if (const auto units = ParseAmount(text)) {
        out[std::string(key)] = static_cast<std::uint64_t>(*units);
      } else if (facts_.unreadable_request.empty()) {
        facts_.unreadable_request = std::string(key) + " " + Quoted(text);
      }
      return simdjson::SUCCESS;
    });
  }

  const std::size_t limit_;
  PodFacts& facts_;
  std::string_view& where_;
  Requests init_requests_;
  std::size_t kept_ = 0;
};

}  // namespace

error_code ReadPod(od::value& pod, std::size_t limit, PodFacts& facts, std::string_view& where) {
  return PodReader(limit, facts, where).Read(pod);
}

}  // namespace fairlead::extender::json
