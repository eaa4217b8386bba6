#include "extender/http/volcano_job.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "extender/cluster/quantity.h"
#include "extender/http/volcano_task.h"

namespace fairlead::extender::json {
namespace {

constexpr std::size_t kMostNameBytes = 512;
constexpr double kMostHcas = 1e15;  // far beyond any cluster, and exact in a double
constexpr std::string_view kHcaResource = "rdma/hca";
constexpr std::array<std::string_view, 3> kHcaNames{"rdma/hca", "requests.rdma/hca",
                                                    "limits.rdma/hca"};

error_code ReadName(od::value& value, std::string& out) {
  std::string_view text;
  if (Kind(value) != '"') return simdjson::SUCCESS;
  if (const error_code error = ReadText(value, text)) return error;
  if (text.size() > kMostNameBytes) return simdjson::CAPACITY;
  out = text;
  return simdjson::SUCCESS;
}

// A number that is no whole one, or beyond 32 bits, tells nothing.
error_code ReadMembers(od::value& value, std::optional<std::uint32_t>& out) {
  std::uint64_t number = 0;
  if (value.get_uint64().get(number) || number > UINT32_MAX) return simdjson::SUCCESS;
  out = static_cast<std::uint32_t>(number);
  return simdjson::SUCCESS;
}

class JobReader {
 public:
  JobReader(std::size_t limit, JobNeed& need) : limit_(limit), need_(need) {}

  error_code Read(od::value& job) {
    const error_code error = ForEachField(job, limit_, [&](auto key, od::value value) {
      if (SameKey(key, "UID")) return ReadName(value, need_.uid);
      if (SameKey(key, "Name")) return ReadName(value, need_.name);
      if (SameKey(key, "Namespace")) return ReadName(value, need_.namespace_name);
      if (SameKey(key, "MinAvailable")) return ReadMembers(value, need_.members);
      if (SameKey(key, "Tasks") && Kind(value) == '{') return ReadTasks(value);
      if (SameKey(key, "PodGroup") && Kind(value) == '{') return ReadPodGroup(value);
      return simdjson::SUCCESS;
    });
    Conclude();
    return error;
  }

 private:
  error_code ReadPodGroup(od::value& group) {
    return ForEachField(group, limit_, [&](auto key, od::value spec) {
      if (!SameKey(key, "spec") || Kind(spec) != '{') return simdjson::SUCCESS;
      return ForEachField(spec, limit_, [&](auto name, od::value value) {
        if (SameKey(name, "minMember")) return ReadMembers(value, group_members_);
        if (!SameKey(name, "minResources") || Kind(value) != '{') return simdjson::SUCCESS;
        return ForEachField(value, limit_, [&](auto resource, od::value amount) {
          return ReadMinimum(resource, amount);
        });
      });
    });
  }

  error_code ReadMinimum(std::string_view resource, od::value& amount) {
    if (std::ranges::find(kHcaNames, resource) == kHcaNames.end()) return simdjson::SUCCESS;
    std::string_view text;
    if (Kind(amount) != '"') return simdjson::SUCCESS;
    if (const error_code error = ReadText(amount, text)) return error;
    if (const auto units = ParseAmount(text)) {
      minimum_ = std::max(minimum_.value_or(0), static_cast<std::uint64_t>(*units));
    } else {
      unreadable_ = true;
    }
    return simdjson::SUCCESS;
  }

  error_code ReadTasks(od::value& tasks) {
    least_.reset();
    return ForEachField(tasks, limit_, [&](auto, od::value task) {
      TaskGlance glance;
      if (const error_code error = ReadTaskGlance(task, limit_, true, glance)) return error;
      const double hcas = std::clamp(glance.request.Of(kHcaResource), 0.0, double{UINT32_MAX});
      least_ = std::min(least_.value_or(hcas), hcas);
      return simdjson::SUCCESS;
    });
  }

  void Conclude() {
    if (!need_.members) need_.members = group_members_;
    need_.hcas = minimum_;
    if (need_.members && least_) {
      const double all = std::min(*least_ * *need_.members, kMostHcas);
      need_.hcas = std::max(need_.hcas.value_or(0), static_cast<std::uint64_t>(all));
    }
    if (unreadable_) need_.hcas.reset();
  }

  const std::size_t limit_;
  JobNeed& need_;
  std::optional<std::uint32_t> group_members_;
  std::optional<std::uint64_t> minimum_;
  bool unreadable_ = false;  // something that would raise the minimum
  std::optional<double> least_;
};

}  // namespace

error_code ReadJob(od::value& job, std::size_t limit, JobNeed& need, std::string_view& where) {
  need = {};
  const error_code error = JobReader(limit, need).Read(job);
  if (error && where.empty()) where = "job";
  return error;
}

}  // namespace fairlead::extender::json
