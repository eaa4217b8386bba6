#include "tests/extender/http/scheduler_server.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "extender/cluster/standalone.h"
#include "extender/http/scheduler_routes.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {

SchedulerServer::SchedulerServer()
    : kube_(decider_, setup_, [this](std::string_view reason) { faults_.emplace_back(reason); }),
      volcano_(decider_, judge_, setup_,
               [this](const DecodeFault& fault) { faults_.emplace_back(fault.reason); }) {
  for (const char* site : {"hk", "sg", "tyo"}) config_.sites.push_back({site, std::nullopt});
  config_.nodes = {{"n1", "hk", 8}, {"n2", "hk", 8}, {"n3", "sg", 8}, {"n4", "tyo", 8}};
  cluster_.Publish(StandaloneView(config_.nodes));
  setup_.Publish(MakeSetup(config_, cluster_.Get()->names()));
  PublishLinks();
  auto server = HttpServer::Bind({"127.0.0.1", 0}, SchedulerHttpLimits());
  if (!server) throw std::runtime_error(server.error().message);
  server_ = *std::move(server);
  AddSchedulerRoutes(*server_, kube_, volcano_, [this] {
    const auto closed = closed_.Get();
    return closed->empty() ? std::nullopt : std::optional(*closed);
  });
  server_->Start();
  client_ = std::make_unique<httplib::Client>("127.0.0.1", server_->port());
  client_->set_keep_alive(true);
  client_->set_tcp_nodelay(true);
  client_->set_read_timeout(60);
}

SchedulerServer::~SchedulerServer() = default;

SchedulerServer::Answer SchedulerServer::Post(const std::string& path, const std::string& body) {
  const auto answer = client_->Post(path.c_str(), body, "application/json");
  if (!answer) return {};
  return {.status = answer->status, .body = answer->body};
}

void SchedulerServer::TakeDown(const std::string& site_a, const std::string& site_b) {
  down_.emplace_back(site_a, site_b);
  PublishLinks();
}

void SchedulerServer::Scale(double volcano, std::uint32_t fine) {
  config_.extender.volcano_scale = volcano;
  config_.extender.fine_scale = fine;
  setup_.Publish(MakeSetup(config_, cluster_.Get()->names()));
}

std::shared_ptr<const DecisionRecord> SchedulerServer::Newest() const {
  const auto newest = log_.Newest();
  return newest.empty() ? nullptr : newest.front();
}

void SchedulerServer::PublishLinks() {
  sample::Links links = sample::Lab();
  for (const auto& [a, b] : down_) links.State(a, b, LinkState::kDown, LinkReason::kNoReply);
  links_.Publish(links.Snapshot());
}

std::string ReadTestdata(const std::string& name) {
  std::ifstream file("tests/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace fairlead::extender
