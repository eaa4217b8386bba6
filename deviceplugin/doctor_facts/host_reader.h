// What concerns the whole host, from /proc and /sys.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/doctor/host_facts.h"

namespace fairlead::deviceplugin {

HostFacts ReadHost(const HostFiles& files);

// Of /proc/net/route alone; empty where there is none.
Known<std::string> ReadDefaultRoute(const HostFiles& files);

// "Max locked memory" of a /proc/PID/limits; nothing where it is not told, an empty inner value
// where it is unlimited. Pure.
std::optional<std::optional<std::uint64_t>> ParseMemlock(std::string_view limits);

// The interface of the IPv4 default route with the least metric in a /proc/net/route; empty: none.
// Pure.
std::string DefaultRouteOf(std::string_view table);

}  // namespace fairlead::deviceplugin
