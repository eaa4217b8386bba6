// `fairlead-deviceplugin doctor`
#pragma once

#include <string>

#include "common/base/result.h"
#include "deviceplugin/doctor_cli/doctor_command.h"

namespace fairlead::deviceplugin {

struct DoctorOutput {
  std::string text;
  int exit_status = 0;
};

// Reads this node and says what the command asks for. Fails where the configuration cannot be read.
// Needs no running daemon and disturbs none.
Result<DoctorOutput> RunDoctor(const DoctorCommand& command);

}  // namespace fairlead::deviceplugin
