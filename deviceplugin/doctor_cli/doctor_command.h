// What `fairlead-deviceplugin doctor` was asked to do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::deviceplugin {

enum class DoctorAction { kExamine, kExplain, kNccl, kFix, kUndo };

struct DoctorCommand {
  DoctorAction action = DoctorAction::kExamine;
  std::string config_file;                  // empty: the defaults, without any line
  std::string root;                         // where the host's /sys and /proc are
  std::string node_name;                    // empty: the host's own name
  std::string site;                         // empty: as linkprobe or the configuration's nodes say
  std::map<std::string, Nanoseconds> rtts;  // by site
  bool json = false;
  std::string name;       // of the knob, or of the check to mend
  std::string peer_site;  // of NCCL's line; empty: the one that wants most under way
  std::optional<std::uint64_t> message_bytes;
  bool apply = false;  // a fix is not only shown
  std::string state_directory;
};

// `argv[0]` is "doctor". kInvalidArgument says which argument is wrong. Not thread-safe (getopt).
Result<DoctorCommand> ReadDoctorCommand(int argc, char** argv);

// The part of --help about it.
std::string DoctorHelp();

}  // namespace fairlead::deviceplugin
