// What the Link object of a pair of sites is called.
#pragma once

#include <string>
#include <string_view>

namespace fairlead::extender {

// The same for both directions and for ever, a DNS subdomain for any names of sites, and another
// one for each pair:
//   "hk-sg"                       names of lower-case letters and digits
//   "ap-southeast-1.eu-west-1"    names with '-' among these, for two of them may read as three
//   "hk.new-york.9f86d081884c7d65"  any other: what DNS does not have becomes '-', and a hash of
//                                   both names tells it from others that then look alike
std::string LinkObjectName(std::string_view site, std::string_view other);

}  // namespace fairlead::extender
