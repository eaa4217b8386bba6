// What a link carries, as JSON.
#pragma once

#include "extender/lease/lease_status.h"
#include "extender/link/link_view.h"
#include "extender/web/json_writer.h"

namespace fairlead::extender {

// Adds the keys of docs/links-json.md from capacity_bytes_per_second to declared_doubt.
void WriteBandwidth(JsonWriter& json, const LinkView& link, const LeaseStatus& leases);

}  // namespace fairlead::extender
