#include "deviceplugin/gpu/gpu_health.h"

#include <algorithm>
#include <set>
#include <utility>

#include "deviceplugin/gpu/nvml_abi.h"
#include "deviceplugin/gpu/xid.h"

namespace fairlead::deviceplugin {
namespace {

std::string DescribeRecovery(std::uint32_t action) {
  const std::string asks = "the driver asks for ";
  switch (action) {
    case nvml::kRecoveryReset:
      return asks + "a reset of the GPU";
    case nvml::kRecoveryReboot:
      return asks + "a reboot of the node";
    case nvml::kRecoveryDrainPeers:
      return asks + "an end of the traffic between this GPU and its peers";
    case nvml::kRecoveryDrainAndReset:
      return asks + "a reset of the GPU once its programs have ended";
  }
  return asks + "recovery action " + std::to_string(action);
}

bool NeedsRecovery(std::optional<std::uint32_t> action) {
  return action && *action != nvml::kRecoveryNone;
}

}  // namespace

bool GpuHealthBook::Hear(const std::string& uuid, std::uint64_t xid) {
  const auto found = entries_.find(uuid);
  if (found == entries_.end()) return false;
  const XidKind kind = KindOfXid(xid);
  if (kind == XidKind::kHarmless) return true;
  Entry& entry = found->second;
  entry.needs_reset |= kind == XidKind::kFatal;
  entry.well_since.reset();  // the quiet time starts anew
  entry.gpu.healthy = false;
  entry.gpu.reason = DescribeXid(xid);
  return true;
}

std::optional<GpuHealthBook::Complaint> GpuHealthBook::ComplaintAbout(const GpuReading& reading) {
  if (reading.answer == GpuAnswer::kLost) return Complaint{true, reading.fault};
  if (NeedsRecovery(reading.recovery_action)) {
    return Complaint{true, DescribeRecovery(*reading.recovery_action)};
  }
  if (reading.mig) return Complaint{true, "MIG is enabled, and MIG devices are not handed out"};
  if (reading.answer == GpuAnswer::kFails) return Complaint{false, reading.fault};
  return std::nullopt;
}

std::string GpuHealthBook::IdentityOf(const GpuReading& reading,
                                      std::span<const GpuReading> all) const {
  if (!reading.gpu.uuid.empty()) return reading.gpu.uuid;
  for (const auto& [uuid, entry] : entries_) {
    if (entry.gpu.index != reading.gpu.index) continue;
    const bool elsewhere = std::any_of(
        all.begin(), all.end(), [&](const GpuReading& other) { return other.gpu.uuid == uuid; });
    if (!elsewhere) return uuid;
  }
  return "";
}

void GpuHealthBook::Ail(Entry& entry, const Complaint& complaint, MonotonicTime now) {
  entry.well_since.reset();
  if (!entry.ails_since) entry.ails_since = now;
  const bool told = complaint.at_once || now - *entry.ails_since >= settings_.down_after;
  if (!told && entry.gpu.healthy) return;
  entry.gpu.healthy = false;
  entry.gpu.reason = complaint.sentence;
}

void GpuHealthBook::See(Entry& entry, const GpuReading& reading, MonotonicTime now) {
  if (reading.answer == GpuAnswer::kAnswers) {
    // What a failing GPU says of itself may be half of it.
    Gpu fresh = reading.gpu;
    fresh.healthy = entry.gpu.healthy;
    fresh.reason = entry.gpu.reason;
    entry.gpu = std::move(fresh);
  }
  const bool back = entry.away && reading.answer != GpuAnswer::kLost;
  const bool recovered = NeedsRecovery(entry.recovery_action) && reading.recovery_action &&
                         !NeedsRecovery(reading.recovery_action);
  if (back || recovered) entry.needs_reset = false;
  entry.away = reading.answer == GpuAnswer::kLost;
  entry.gone_since.reset();
  if (reading.recovery_action) entry.recovery_action = reading.recovery_action;
  if (const auto complaint = ComplaintAbout(reading)) {
    Ail(entry, *complaint, now);
    return;
  }
  entry.ails_since.reset();
  if (!entry.well_since) entry.well_since = now;
  const bool unsure = entry.needs_reset && !reading.recovery_action;
  const Nanoseconds patience = unsure ? settings_.up_after_fatal : settings_.up_after;
  if (!entry.gpu.healthy && now - *entry.well_since >= patience) {
    entry.gpu.healthy = true;
    entry.gpu.reason.clear();
    entry.needs_reset = false;
  }
}

void GpuHealthBook::Miss(Entry& entry, const Complaint& complaint, MonotonicTime now) {
  if (!entry.gone_since) entry.gone_since = now;
  Ail(entry, complaint, now);
}

GpuReport GpuHealthBook::Update(std::span<const GpuReading> readings, MonotonicTime now) {
  std::vector<std::string> problems;
  std::set<std::string> seen;
  for (const GpuReading& reading : readings) {
    const std::string name = "GPU " + std::to_string(reading.gpu.index);
    const std::string uuid = IdentityOf(reading, readings);
    if (uuid.empty()) {
      problems.push_back(name + " is not offered, since its UUID is not known: " + reading.fault);
    } else if (!seen.insert(uuid).second) {
      problems.push_back(name + " is not offered: its UUID " + uuid + " is another GPU's too");
    } else {
      if (reading.mig) {
        problems.push_back(name + " (" + uuid +
                           ") is in MIG mode; MIG devices are not handed out, so turn MIG off or "
                           "leave this node's GPUs to NVIDIA's own plugin");
      }
      const auto [entry, first] = entries_.try_emplace(uuid);
      if (first) {
        entry->second.gpu = reading.gpu;
        entry->second.gpu.healthy = reading.answer == GpuAnswer::kAnswers;
        entry->second.gpu.reason = reading.fault;
      }
      See(entry->second, reading, now);
    }
  }
  for (auto& [uuid, entry] : entries_) {
    if (seen.contains(uuid)) continue;
    entry.away = true;
    Miss(entry, {true, "the driver does not list the GPU any more"}, now);
  }
  return Report(std::move(problems), now);
}

GpuReport GpuHealthBook::UpdateUnreadable(const std::string& why, MonotonicTime now) {
  for (auto& [uuid, entry] : entries_) Miss(entry, {false, why}, now);
  return Report({why}, now);
}

GpuReport GpuHealthBook::Report(std::vector<std::string> problems, MonotonicTime now) {
  std::erase_if(entries_, [&](const auto& one) {
    const auto& gone = one.second.gone_since;
    return gone && now - *gone >= settings_.remove_after;
  });
  GpuReport report;
  report.problems = std::move(problems);
  for (const auto& [uuid, entry] : entries_) report.gpus.push_back(entry.gpu);
  std::stable_sort(report.gpus.begin(), report.gpus.end(),
                   [](const Gpu& a, const Gpu& b) { return a.index < b.index; });
  return report;
}

}  // namespace fairlead::deviceplugin
