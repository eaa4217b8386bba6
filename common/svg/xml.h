// Text for XML documents.
#pragma once

#include <string>
#include <string_view>

namespace fairlead {

// The text as the content of an element or attribute: markup is escaped; what is not UTF-8, or a
// character that XML 1.0 forbids, becomes U+FFFD.
std::string XmlEscaped(std::string_view text);

}  // namespace fairlead
