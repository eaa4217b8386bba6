// gRPC's own log.
#pragma once

namespace fairlead {

// What gRPC logs becomes lines of ours, level info at most: it calls an error also what an ordinary
// end or a stranger's connection brings. What fails for us is logged by who called it. Once, before
// gRPC is used.
void RouteGrpcLog();

}  // namespace fairlead
