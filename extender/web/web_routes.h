// The paths that people open.
#pragma once

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "common/http/http_server.h"
#include "extender/decision/decision_log.h"
#include "extender/link/link_view.h"
#include "extender/migration_round/migration_report.h"
#include "extender/moves_in_hand/moves_report.h"
#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// All must outlive the server.
struct WebSources {
  const Snapshot<LinkSnapshot>& links;
  const Snapshot<RegistryStatus>& status;
  const DecisionLog& decisions;
  const Snapshot<MigrationReport>& migrations;
  const Snapshot<MovesReport>& moves;
  const Clock& clock;
};

// GET /links: the page, or JSON where that is asked for; /links.json, with ?from=A&to=B the history
// of that link as well; /explain: text, or JSON where that is asked for; /explain.json;
// /migrations: the page, or JSON where that is asked for; /migrations.json; / the page of links.
void AddWebRoutes(HttpServer& server, WebSources sources);

}  // namespace fairlead::extender
