// The checks by name; each is defined in the file of its family. docs/doctor.md says what each
// looks at, checks.cc lists them. All are pure.
#pragma once

#include "deviceplugin/doctor/findings.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// device_checks.cc
void CheckDevices(const NodeFacts& facts, Findings& out);
void CheckPortState(const NodeFacts& facts, Findings& out);
void CheckNetnsMode(const NodeFacts& facts, Findings& out);
void CheckLag(const NodeFacts& facts, Findings& out);
void CheckSoftRdma(const NodeFacts& facts, Findings& out);
// gid_checks.cc
void CheckGids(const NodeFacts& facts, Findings& out);
// mtu_checks.cc
void CheckRoceMtu(const NodeFacts& facts, Findings& out);
// traffic_class_checks.cc
void CheckTrafficClass(const NodeFacts& facts, Findings& out);
void CheckDscpTrust(const NodeFacts& facts, Findings& out);
void CheckCmaDefaults(const NodeFacts& facts, Findings& out);
// pfc_checks.cc
void CheckPfc(const NodeFacts& facts, Findings& out);
void CheckPfcOverWan(const NodeFacts& facts, Findings& out);
void CheckPause(const NodeFacts& facts, Findings& out);
void CheckEts(const NodeFacts& facts, Findings& out);
// ecn_checks.cc
void CheckEcn(const NodeFacts& facts, Findings& out);
void CheckDcqcnOverWan(const NodeFacts& facts, Findings& out);
// retransmission_checks.cc
void CheckAdaptiveRetransmission(const NodeFacts& facts, Findings& out);
void CheckTransportErrors(const NodeFacts& facts, Findings& out);
// firmware_checks.cc
void CheckFirmwareVersions(const NodeFacts& facts, Findings& out);
void CheckFirmwareSettings(const NodeFacts& facts, Findings& out);
// memlock_check.cc
void CheckMemlock(const NodeFacts& facts, Findings& out);
// pci_checks.cc
void CheckPciLink(const NodeFacts& facts, Findings& out);
// memory_path_checks.cc
void CheckPciTuning(const NodeFacts& facts, Findings& out);
void CheckIommu(const NodeFacts& facts, Findings& out);
void CheckAcs(const NodeFacts& facts, Findings& out);
// gpu_direct_checks.cc
void CheckGpuDirect(const NodeFacts& facts, Findings& out);
void CheckGpuDistance(const NodeFacts& facts, Findings& out);
// tcp_checks.cc
void CheckTcpBuffers(const NodeFacts& facts, Findings& out);
void CheckTcpBootstrap(const NodeFacts& facts, Findings& out);
// fallback_check.cc
void CheckTcpFallback(const NodeFacts& facts, Findings& out);
// line_checks.cc
void CheckRttFloor(const NodeFacts& facts, Findings& out);
void CheckLineCapacity(const NodeFacts& facts, Findings& out);
void CheckAckTimeout(const NodeFacts& facts, Findings& out);

// peer_checks.cc
void CheckPeerEnds(const NodeFacts& facts, Findings& out);

}  // namespace fairlead::deviceplugin
