// The part of NVML's binary interface that is used here: what NVIDIA documents and keeps stable
// from driver to driver, so that no header of NVIDIA's is needed.
#pragma once

#include <cstdint>

namespace fairlead::deviceplugin::nvml {

using Return = int;
using Device = void*;
using EventSet = void*;

inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNoPermission = 4;
inline constexpr Return kTimeout = 10;
inline constexpr Return kFunctionNotFound = 13;
inline constexpr Return kGpuIsLost = 15;
inline constexpr Return kResetRequired = 16;
inline constexpr Return kUnknown = 999;

inline constexpr std::uint32_t kUuidBytes = 96;
inline constexpr std::uint32_t kNameBytes = 96;
inline constexpr std::uint32_t kTemperatureOfGpu = 0;

// Bits of an event's type. The last two came with the drivers 550 and 570.
inline constexpr std::uint64_t kEventXid = 0x8;
inline constexpr std::uint64_t kEventGpuUnavailable = 0x4000;
inline constexpr std::uint64_t kEventRecoveryAction = 0x8000;

// The field that says what it takes to get a GPU right again; drivers from 570 on.
inline constexpr std::uint32_t kFieldRecoveryAction = 230;
inline constexpr std::uint32_t kRecoveryNone = 0;
inline constexpr std::uint32_t kRecoveryReset = 1;
inline constexpr std::uint32_t kRecoveryReboot = 2;
inline constexpr std::uint32_t kRecoveryDrainPeers = 3;
inline constexpr std::uint32_t kRecoveryDrainAndReset = 4;

// Third form. The first 28 bytes are the same in all; only the third has the long `bus_id`.
struct PciInfo {
  char bus_id_legacy[16];  // "0000:3b:00.0"
  std::uint32_t domain;
  std::uint32_t bus;
  std::uint32_t device;
  std::uint32_t pci_device_id;
  std::uint32_t pci_subsystem_id;
  char bus_id[32];  // "00000000:3B:00.0"
};
static_assert(sizeof(PciInfo) == 68);

// Second form; the first ends after `data`, which for an XID is its number.
struct EventData {
  Device device;
  std::uint64_t type;
  std::uint64_t data;
  std::uint32_t gpu_instance;
  std::uint32_t compute_instance;
};
static_assert(sizeof(EventData) == 32);

struct FieldValue {
  std::uint32_t field;
  std::uint32_t scope;
  std::int64_t timestamp;
  std::int64_t latency_us;
  std::uint32_t value_type;
  Return result;
  union {
    double as_double;
    std::uint32_t as_uint;
    std::uint64_t as_ulong;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

}  // namespace fairlead::deviceplugin::nvml
