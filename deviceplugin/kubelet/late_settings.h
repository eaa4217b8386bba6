// What a container is given that no offer can hold.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

enum class ContainerMoment {
  kAllocate,  // once in a pod's life; kubelet keeps the grant
  kStart,     // before each start; the grant is not looked at any more
};

// One call of kubelet for one container.
struct ContainerCall {
  std::string_view resource;
  std::span<const std::string> ids;
  ContainerMoment moment = ContainerMoment::kAllocate;
};

// May change the grant and files that it names. Called from several threads; kubelet waits.
using LateSettings = std::function<void(const ContainerCall& call, Grant& grant)>;

}  // namespace fairlead::deviceplugin
