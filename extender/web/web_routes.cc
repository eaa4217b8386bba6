#include "extender/web/web_routes.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "extender/web/explanation.h"
#include "extender/web/links_json.h"
#include "extender/web/links_page.h"
#include "extender/web/migrations_json.h"
#include "extender/web/migrations_page.h"

namespace fairlead::extender {
namespace {

bool AsksForJson(const HttpServer::Request& request) {
  return request.get_header_value("Accept").find("application/json") != std::string::npos;
}

void Send(HttpServer::Response& response, std::string_view type, std::string body) {
  response.status = 200;
  response.set_header("Content-Type", std::string(type));
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.body = std::move(body);
}

std::optional<LinkKey> HistoryAskedFor(const HttpServer::Request& request) {
  if (!request.has_param("from") || !request.has_param("to")) return std::nullopt;
  return LinkKey{.from_site = request.get_param_value("from"),
                 .to_site = request.get_param_value("to")};
}

void SendLinks(const WebSources& sources, const HttpServer::Request& request,
               HttpServer::Response& response) {
  Send(response, "application/json",
       WriteLinksJson(*sources.links.Get(), *sources.status.Get(), HistoryAskedFor(request),
                      sources.clock.Now(), sources.clock.WallNow()));
}

void SendMigrations(const WebSources& sources, HttpServer::Response& response) {
  Send(response, "application/json",
       WriteMigrationsJson(*sources.migrations.Get(), *sources.moves.Get(), sources.clock.Now(),
                           sources.clock.WallNow()));
}

void SendPage(std::string_view page, HttpServer::Response& response) {
  Send(response, "text/html; charset=utf-8", std::string(page));
}

// With `pod=namespace/name` those about that pod alone.
DecisionList DecisionsAskedFor(const WebSources& sources, const HttpServer::Request& request) {
  DecisionList decisions = sources.decisions.Newest();
  if (!request.has_param("pod")) return decisions;
  const std::string pod = request.get_param_value("pod");
  std::erase_if(decisions, [&](const auto& decision) { return decision->pod != pod; });
  return decisions;
}

void SendExplanation(const WebSources& sources, const HttpServer::Request& request,
                     HttpServer::Response& response) {
  Send(response, "application/json",
       WriteExplanationJson(DecisionsAskedFor(sources, request), *sources.migrations.Get()));
}

void SendExplanationText(const WebSources& sources, const HttpServer::Request& request,
                         HttpServer::Response& response) {
  const DecisionList decisions = DecisionsAskedFor(sources, request);
  std::string text =
      WriteExplanationText(decisions, *sources.migrations.Get(), sources.clock.WallNow());
  if (decisions.empty() && request.has_param("pod")) {
    text = "No scheduler has asked about pod " + Quoted(request.get_param_value("pod")) +
           " among the last decisions that are kept; name it as namespace/name.\n";
  }
  Send(response, "text/plain; charset=utf-8", std::move(text));
}

}  // namespace

void AddWebRoutes(HttpServer& server, WebSources sources) {
  server.Route("GET", "/", [](const auto&, auto& response) { SendPage(LinksPage(), response); });
  server.Route("GET", "/links", [sources](const auto& request, auto& response) {
    AsksForJson(request) ? SendLinks(sources, request, response) : SendPage(LinksPage(), response);
  });
  server.Route("GET", "/links.json", [sources](const auto& request, auto& response) {
    SendLinks(sources, request, response);
  });
  server.Route("GET", "/migrations", [sources](const auto& request, auto& response) {
    AsksForJson(request) ? SendMigrations(sources, response) : SendPage(MigrationsPage(), response);
  });
  server.Route("GET", "/migrations.json",
               [sources](const auto&, auto& response) { SendMigrations(sources, response); });
  server.Route("GET", "/explain", [sources](const auto& request, auto& response) {
    AsksForJson(request) ? SendExplanation(sources, request, response)
                         : SendExplanationText(sources, request, response);
  });
  server.Route("GET", "/explain.json", [sources](const auto& request, auto& response) {
    SendExplanation(sources, request, response);
  });
}

}  // namespace fairlead::extender
