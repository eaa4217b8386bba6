#include "extender/leader/identity.h"

namespace fairlead::extender {

std::string IdentityOf(std::string_view pod, std::string_view process) {
  return std::string(pod) + '_' + std::string(process);
}

std::string PodOfIdentity(std::string_view identity) {
  const std::size_t end = identity.rfind('_');
  return std::string(identity.substr(0, end == std::string_view::npos ? 0 : end));
}

}  // namespace fairlead::extender
