// How often the API server is to be heard of.
#pragma once

#include "common/base/clock.h"
#include "common/kube/reflector.h"

namespace fairlead::extender {

// Limits by which a server that is well is heard of twice within `stale`, which is 1 s or more.
// Bookmarks do not do: of a resource that does not change none need come, and where etcd tells no
// progress (before 3.5) none does. So a watch lasts a third of `stale` to half of it and is begun
// anew from where it was, which the server answers at once from its cache.
kube::ReflectorLimits WatchTimesFor(Nanoseconds stale);

}  // namespace fairlead::extender
