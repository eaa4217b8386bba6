// NCCL's variables for one line, each with its reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

struct NcclSetting {
  std::string variable;
  std::string value;  // empty: leave it to NCCL
  std::string why;    // whole sentences, with the arithmetic
};

// A value that guides give for all, and what this node and line say to it.
struct GuideValue {
  std::string assignment;  // "NCCL_IB_TIMEOUT=22"
  bool holds = false;
  std::string why;
};

struct NcclAdvice {
  std::optional<LineLoad> line;  // nothing: no line, or not enough is known of it
  std::vector<NcclSetting> settings;
  std::vector<GuideValue> guides;
};

struct NcclQuestion {
  std::optional<LineLoad> line;
  std::optional<std::uint64_t> message_bytes;  // of one all-reduce
};

// For jobs that use all of this node's HCAs and cross that line. Pure.
NcclAdvice AdviseNccl(const NodeFacts& facts, const NcclQuestion& question);

// The value advised for the variable; empty where it is left.
std::string ValueOf(const NcclAdvice& advice, const std::string& variable);

}  // namespace fairlead::deviceplugin
