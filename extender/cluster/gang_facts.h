// What PodGroups and Jobs say about gangs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extender/cluster/membership.h"
#include "extender/cluster/pod_group.h"
#include "extender/gang/gang_key.h"

namespace fairlead::extender {

// Single-threaded. Each change says which gangs may look different after it: of these keys in any
// incarnation; and where owners of a whole namespace's pods are seen anew, every gang in it.
class GangFacts {
 public:
  struct Change {
    std::vector<GangKey> gangs;
    std::optional<std::string> namespace_name;
  };

  Change Upsert(PodGroup group);
  Change RemoveGroup(const GangKey& key);
  // Keys of all groups of a kind, of all Jobs' uids.
  std::vector<GangKey> Groups(PodGroupKind kind) const;
  std::vector<std::string> Jobs() const;
  // One that is finished tells nothing and is forgotten.
  Change Upsert(BatchJob job);
  Change RemoveJob(std::string_view uid);

  // Null where nothing is known.
  const PodGroup* GroupOf(const GangKey& gang) const;
  const BatchJob* Job(std::string_view uid) const;
  // Of a gang of kind "job" the Job, of a JobSet its Jobs of this incarnation.
  std::vector<const BatchJob*> JobsOf(const GangKey& gang) const;
  GangOwners OwnersOf(const GangKey& gang, const OwnerFacts& controller) const;
  // Whether anything here names the gang by exactly this key.
  bool Tells(const GangKey& gang) const;

 private:
  std::map<GangKey, PodGroup> groups_;
  std::map<std::string, BatchJob, std::less<>> jobs_;  // by uid
  std::map<GangKey, std::set<std::string>> jobsets_;   // uids of their Jobs
};

}  // namespace fairlead::extender
