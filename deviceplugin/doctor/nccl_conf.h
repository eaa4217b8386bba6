// NCCL's settings of one container as a file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "deviceplugin/doctor/known.h"
#include "deviceplugin/doctor/line_facts.h"
#include "deviceplugin/profile/nccl_job.h"

namespace fairlead::deviceplugin {

struct NcclConfFacts {
  const NcclJob& job;
  // NCCL's variables as MakeProfile gives them for this job, of which each goes before an advice.
  const std::map<std::string, std::string>& env;
  Known<SiteLines> lines;
  Known<std::string> default_route;  // the interface; for pools on the host's network
};

// How each such file begins.
inline constexpr std::string_view kNcclConfBegin = "# NCCL's settings of a container with";

// What NCCL reads at NCCL_CONF_FILE: a line for each variable, its reason before it as comment, and
// at the end what is left to NCCL and why. The values are AdviseNccl's for a job of this
// container's HCAs over the line that wants most under way; without facts of any line those that
// need none, and the file says so. As setEnvFile in NCCL's src/misc/param.cc reads it: a line that
// begins with '#' is a comment, the others are "variable=value", both of at most 1023 bytes; a
// variable that the environment has already stays as it is there. Pure.
std::string NcclConfText(const NcclConfFacts& facts);

// Whether a variable can stand in such a file: NCCL's, one line, not too long. Pure.
bool FitsNcclConf(const std::string& variable, const std::string& value);

}  // namespace fairlead::deviceplugin
