// From what GPUs answer, and what their driver reports, to the health that kubelet is told.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

enum class GpuAnswer {
  kAnswers,
  kFails,  // a query went wrong; it may be one bad moment
  kLost,   // the driver has given the GPU up, until it is reset or comes back
};

// One GPU as it answered just now.
struct GpuReading {
  Gpu gpu;  // without a UUID if that could not be read; health and reason are not set
  GpuAnswer answer = GpuAnswer::kAnswers;
  std::string fault;                             // what went wrong, unless it answers
  std::optional<std::uint32_t> recovery_action;  // nvml::kRecovery...; drivers before 570 have none
  bool mig = false;
};

struct GpuHealthSettings {
  Nanoseconds down_after = Seconds(10);  // queries fail for so long: unhealthy
  // Free of complaints for so long, healthy again. The longer time is for an error that needs a
  // reset, where the driver can't tell whether there has been one.
  Nanoseconds up_after = Seconds(60);
  Nanoseconds up_after_fatal = Seconds(600);
  Nanoseconds remove_after = Seconds(600);  // gone for so long: no longer listed
};

struct GpuReport {
  std::vector<Gpu> gpus;              // sorted by index
  std::vector<std::string> problems;  // sentences about what is not in the list, or limits it

  bool operator==(const GpuReport&) const = default;
};

// Remembers GPUs by UUID: one that is lost or gone stays listed, unhealthy, since kubelet takes a
// device that a pod holds and that is no longer listed for a healthy one. Single-threaded; times
// must not go backwards.
class GpuHealthBook {
 public:
  explicit GpuHealthBook(GpuHealthSettings settings) : settings_(settings) {}

  // The driver has reported an XID. False where no such GPU is known.
  bool Hear(const std::string& uuid, std::uint64_t xid);

  // A complete reading. A GPU is at once what it is when seen for the first time; one that is lost,
  // gone, in MIG mode or that needs a recovery action is unhealthy at once.
  GpuReport Update(std::span<const GpuReading> readings, MonotonicTime now);

  // No GPU could be read at all; `why` is a sentence. They are unhealthy once that has lasted.
  GpuReport UpdateUnreadable(const std::string& why, MonotonicTime now);

 private:
  struct Complaint {
    bool at_once = false;
    std::string sentence;
  };
  struct Entry {
    Gpu gpu;
    bool needs_reset = false;                 // after an XID, and no reset was seen
    bool away = false;                        // lost or not listed, so that a return is a reset
    std::optional<MonotonicTime> ails_since;  // without a break
    std::optional<MonotonicTime> well_since;
    std::optional<MonotonicTime> gone_since;
    std::optional<std::uint32_t> recovery_action;
  };

  std::string IdentityOf(const GpuReading& reading, std::span<const GpuReading> all) const;
  static std::optional<Complaint> ComplaintAbout(const GpuReading& reading);
  void See(Entry& entry, const GpuReading& reading, MonotonicTime now);
  void Miss(Entry& entry, const Complaint& complaint, MonotonicTime now);
  void Ail(Entry& entry, const Complaint& complaint, MonotonicTime now);
  GpuReport Report(std::vector<std::string> problems, MonotonicTime now);

  const GpuHealthSettings settings_;
  std::map<std::string, Entry> entries_;  // by UUID
};

}  // namespace fairlead::deviceplugin
