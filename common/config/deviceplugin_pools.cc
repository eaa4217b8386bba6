#include "common/config/deviceplugin_pools.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/hca_selector.h"
#include "common/config/resource_name.h"

namespace fairlead {
namespace {

constexpr std::uint32_t kMostSlots = 256;
constexpr std::uint32_t kEct0 = 2;  // the ECN bits of a sender that understands ECN (RFC 3168)

// One item of the list while the whole is checked; the reader knows its line.
struct Entry {
  Entry(const DocumentNode& node, std::string path, Problems& problems)
      : reader(node, std::move(path), problems) {}

  SectionReader reader;
  PoolConfig pool;
  bool says_variables = false;
};

Result<std::string> ParsePoolResource(std::string_view text) {
  if (text == kProbeResource) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " is the plugin's own for linkprobe; choose another name");
  }
  return ParseResourceName(text);
}

void ReadOptional(SectionReader& reader, std::string_view key, std::uint32_t most,
                  std::optional<std::uint32_t>& out) {
  std::uint32_t value = 0;
  reader.Count(key, value, 0, most);
  if (reader.Has(key)) out = value;
}

void ReadPriority(SectionReader& reader, PriorityConfig& priority) {
  ReadOptional(reader, "trafficClass", 255, priority.traffic_class);
  std::optional<std::uint32_t> dscp;
  ReadOptional(reader, "dscp", 63, dscp);
  if (dscp && priority.traffic_class) {
    reader.Complain("dscp", "stands beside trafficClass, which holds it already; remove one");
  } else if (dscp) {
    priority.traffic_class = (*dscp << 2) | kEct0;
  }
  ReadOptional(reader, "serviceLevel", 15, priority.service_level);
  ReadOptional(reader, "controlTrafficClass", 255, priority.control_traffic_class);
}

void ReadPool(Entry& entry, Problems& problems) {
  SectionReader& reader = entry.reader;
  PoolConfig& pool = entry.pool;
  pool.resource.clear();
  reader.Require("resource");
  reader.Value("resource", pool.resource, ParsePoolResource);
  reader.Value(
      "network", pool.network,
      OneOf<PodNetwork>("network", {{"host", PodNetwork::kHost}, {"pod", PodNetwork::kPod}}));
  reader.Count("slots", pool.slots, 1, kMostSlots);
  if (const DocumentNode* select = reader.Child("select")) {
    ReadHcaSelector(*select, reader.PathOf("select"), pool.select, problems);
  }
  ReadPriority(reader, pool.priority);
  reader.Value("priorityOf", pool.priority_of, ParseResourceName);
  entry.says_variables = reader.Has("variables");
  reader.Flag("variables", pool.variables);
  reader.Flag("ncclConf", pool.nccl_conf);
  reader.Finish();
  if (pool.priority_of.empty()) return;
  for (const std::string_view key : {"select", "network", "variables", "ncclConf"}) {
    if (!reader.Has(key)) continue;
    reader.Complain(key, "stands beside priorityOf; a priority takes it from " + pool.priority_of +
                             ", remove the key");
  }
}

void RefuseDoubles(std::deque<Entry>& entries) {
  std::map<std::string, std::string> seen;  // by the word in variables' names
  for (Entry& entry : entries) {
    const std::string& name = entry.pool.resource;
    if (name.empty()) continue;
    const auto [before, is_new] = seen.emplace(VariableWord(name), name);
    if (is_new) continue;
    entry.reader.Complain(
        "resource", before->second == name
                        ? "pool " + Quoted(name) + " is listed twice; keep one"
                        : Quoted(name) + " is spelt like " + Quoted(before->second) +
                              " in names of variables; choose a name that differs in a letter");
  }
}

Entry* Find(std::deque<Entry>& entries, std::string_view resource) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.pool.resource == resource;
  });
  return found == entries.end() ? nullptr : &*found;
}

// The pool that a chain of priorities ends in; null where it is a circle or ends in nothing.
Entry* RootOf(std::deque<Entry>& entries, Entry& from) {
  std::set<const Entry*> visited;
  Entry* at = &from;
  while (at != nullptr && !at->pool.priority_of.empty()) {
    if (!visited.insert(at).second) return nullptr;
    at = Find(entries, at->pool.priority_of);
  }
  return at;
}

void CheckPriority(std::deque<Entry>& entries, Entry& entry) {
  const std::string& base = entry.pool.priority_of;
  if (base.empty() || entry.pool.resource.empty()) return;
  Entry* const of = Find(entries, base);
  if (of == nullptr) {
    std::vector<std::string_view> known;
    for (const Entry& other : entries) {
      if (other.pool.priority_of.empty()) known.push_back(other.pool.resource);
    }
    return entry.reader.Complain(
        "priorityOf", "pool " + Quoted(base) + " is unknown" +
                          (known.empty() ? "; list it under pools" : Suggest(base, known)));
  }
  if (of->pool.priority_of.empty()) {
    entry.pool.network = of->pool.network;
    entry.pool.nccl_conf = of->pool.nccl_conf;
    return;
  }
  const Entry* const root = RootOf(entries, entry);
  entry.reader.Complain(
      "priorityOf",
      root == nullptr
          ? Quoted(base) + " leads back to itself or to no pool; one of them must select HCAs"
          : Quoted(base) + " is a priority itself; name " + Quoted(root->pool.resource) +
                ", whose HCAs they are");
}

// Two pools of one container that set one variable: kubelet would take either value.
void ChooseWhoSetsVariables(std::deque<Entry>& entries) {
  Entry* chosen = nullptr;
  for (Entry& entry : entries) {
    if (!entry.pool.priority_of.empty() || !entry.says_variables || !entry.pool.variables) continue;
    if (chosen == nullptr) {
      chosen = &entry;
      continue;
    }
    entry.reader.Complain("variables", "is true for " + Quoted(chosen->pool.resource) +
                                           " too; a container with both would get one's values at "
                                           "random, choose one");
  }
  for (Entry& entry : entries) {
    if (chosen != nullptr) break;
    if (entry.pool.priority_of.empty() && !entry.says_variables) chosen = &entry;
  }
  for (Entry& entry : entries) {
    const std::string& base = entry.pool.priority_of;
    entry.pool.variables = chosen != nullptr && (&entry == chosen || base == chosen->pool.resource);
    if (!entry.pool.nccl_conf || entry.pool.variables || !base.empty()) continue;
    entry.reader.Complain("ncclConf",
                          "is true where no variables are set; add variables: true, or remove it");
  }
}

}  // namespace

void ReadPools(SectionReader& section, std::vector<PoolConfig>& pools, Problems& problems) {
  const std::vector<DocumentNode>& items = section.List("pools");
  const DocumentNode* node = section.Child("pools");
  if (node == nullptr) return;
  if (node->kind == DocumentNode::Kind::kNull) {
    return section.Complain("pools", "has no value; list pools, or write [] for none");
  }
  std::deque<Entry> entries;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Entry& entry = entries.emplace_back(
        items[i], section.PathOf("pools") + "[" + std::to_string(i) + "]", problems);
    ReadPool(entry, problems);
  }
  RefuseDoubles(entries);
  for (Entry& entry : entries) CheckPriority(entries, entry);
  ChooseWhoSetsVariables(entries);
  pools.clear();
  for (Entry& entry : entries) pools.push_back(std::move(entry.pool));
}

}  // namespace fairlead
