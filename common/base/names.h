// Names that users see and several programs use.
#pragma once

#include <string>
#include <string_view>

namespace fairlead {

// Every label and annotation of ours begins with it.
inline constexpr std::string_view kLabelPrefix = "fairlead.dev/";

// The pod annotation `word`: "max-rtt" is fairlead.dev/max-rtt.
inline std::string AnnotationName(std::string_view word) {
  return std::string(kLabelPrefix) + std::string(word);
}

}  // namespace fairlead
