// Link objects as the API server takes and gives them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/kube/api_request.h"
#include "extender/link_status/link_object.h"
#include "extender/link_status/link_stamps.h"

namespace fairlead::extender {

// As RBAC calls it.
inline constexpr char kLinksResource[] = "links.fairlead.dev";

// Whether the API server knows the group at all; needs no right.
kube::ApiRequest FindLinksRequest();
// Those that are labelled as ours.
kube::ApiRequest ListLinksRequest();
// Server-side apply of the object without a status, which makes it where it is not there.
kube::ApiRequest ApplyLinkRequest(const std::string& name);
// Server-side apply of the whole status; what another wrote in it is overwritten.
kube::ApiRequest ApplyLinkStatusRequest(const LinkObject& object, const LinkStamps& stamps);
kube::ApiRequest RemoveLinkRequest(const std::string& name);

// Name and stamps of each Link of a list. What is missing or unreadable in one is as new; a body
// that is no list is kInvalidArgument.
Result<std::map<std::string, LinkStamps>> DecodeLinks(std::string_view body);

}  // namespace fairlead::extender
