// Who holds the Lease: a process of a pod.
#pragma once

#include <string>
#include <string_view>

namespace fairlead::extender {

// "<pod>_<process>". A pod's name has no '_'.
std::string IdentityOf(std::string_view pod, std::string_view process);

// The pod in an identity of ours, "extender-7d9f-abcde_0123456789abcdef"; empty where it has none.
std::string PodOfIdentity(std::string_view identity);

}  // namespace fairlead::extender
