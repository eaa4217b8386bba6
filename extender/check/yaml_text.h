// Bytes that a YAML parser of Go takes.
#pragma once

#include <string_view>

#include "common/base/result.h"

namespace fairlead::extender {

// kInvalidArgument, "LINE: why" with lines counted from 1, for what is no UTF-8 and for characters
// that YAML 1.1 does not print, control characters among them: go.yaml.in/yaml/v2 refuses both, and
// so do Kubernetes and Volcano, and a %YAML directive of another version than 1.1. UTF-16 with its
// byte order mark passes.
Status CheckYamlText(std::string_view text);

}  // namespace fairlead::extender
