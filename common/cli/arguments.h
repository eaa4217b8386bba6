// The arguments of one command of a program.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/log.h"
#include "common/base/result.h"

namespace fairlead {

// Which long options a command takes, and whether each has a value.
struct OptionRule {
  const char* name;
  bool has_value;
};
using OptionRules = std::vector<OptionRule>;

OptionRules operator+(OptionRules a, const OptionRules& b);

struct Arguments {
  std::map<std::string, std::string> options;
  std::vector<std::string> operands;

  bool Has(const std::string& name) const { return options.contains(name); }
  std::string Get(const std::string& name, const std::string& absent = "") const;
};

// `argv[0]` is passed over. kInvalidArgument names the argument that is unknown or lacks its value.
// Not thread-safe (getopt).
Result<Arguments> ReadArguments(int argc, char** argv, const OptionRules& rules);

// The option's value as a whole number in least..most; `absent` where it is not there.
Result<std::uint64_t> NumberArgument(const Arguments& from, const std::string& name,
                                     std::uint64_t absent, std::uint64_t least, std::uint64_t most);

// --log-level, one of debug, info, warning, error; info where it is not there.
Result<LogLevel> LogLevelArgument(const Arguments& from);

}  // namespace fairlead
