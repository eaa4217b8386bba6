// What is known about the links, as the JSON that docs/links-json.md describes.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"
#include "extender/link/link_view.h"
#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// With `history_of` the named link carries its history; the others are told without, because the
// histories of many links are large. Ages are counted from `now`. Pure.
std::string WriteLinksJson(const LinkSnapshot& links, const RegistryStatus& status,
                           const std::optional<LinkKey>& history_of, MonotonicTime now,
                           WallTime wall_now);

}  // namespace fairlead::extender
