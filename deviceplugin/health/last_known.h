// What a device still has though it cannot be read.
#pragma once

#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// `now` with those ports of `before` that it lacks, their state not known: a kernel device never
// loses a port, so what is missing could not be read, and one bad file must not take the device out
// of its pool. Another device of the same name, by its GUID, gets none. Pure.
Hca WithPortsAsKnown(Hca now, const Hca& before);

}  // namespace fairlead::deviceplugin
