#include "extender/known_cluster.h"

#include <utility>

#include "common/base/quote.h"
#include "extender/cluster/standalone.h"
#include "extender/cluster_api/cluster_link.h"
#include "extender/cluster_api/config_access.h"
#include "extender/leader/identity.h"
#include "extender/leader_api/leader_election.h"
#include "extender/leader_api/leader_words.h"
#include "extender/leader_api/pod_label.h"
#include "extender/metrics/cluster_collector.h"
#include "extender/metrics/leader_collector.h"
#include "extender/registry/token_directory.h"

namespace fairlead::extender {
namespace {

using Collectables = std::vector<std::shared_ptr<prometheus::Collectable>>;

constexpr char kUserAgent[] = "fairlead-extender/" FAIRLEAD_VERSION;

class Standalone final : public KnownCluster {
 public:
  Standalone(const Config& config, const Clock& clock)
      : tokens_(config.extender.token_directory, clock) {
    Configure(config);
  }

  Status Check() {
    if (const auto known = tokens_.Check(); !known) {
      return Fail(known.error().Within("extender.tokenDirectory"));
    }
    return {};
  }

  void Start() override {}
  void Configure(const Config& config) override { view_.Publish(StandaloneView(config.nodes)); }
  Status CheckEdit(const Config& config) const override {
    return CheckStandaloneEdit(*view_.Get(), config.nodes);
  }
  EventSink& events() override { return events_; }
  TokenVerifier& tokens() override { return tokens_; }
  void LinesHealed(std::vector<std::string>) override {}
  std::optional<std::string> WhyNotHere(MonotonicTime) override { return std::nullopt; }
  Health health(MonotonicTime) const override {
    if (!view_.Get()->nodes().empty()) return {.ok = true, .reason = ""};
    return {.ok = false, .reason = "no nodes are known; list them under nodes"};
  }
  bool settled() const override { return true; }
  Collectables collectables() const override { return {}; }
  Result<std::unique_ptr<kube::ApiConnection>> Connect(kube::ConnectionLimits) override {
    return std::unique_ptr<kube::ApiConnection>();
  }
  void Stop() override {}

 private:
  TokenDirectory tokens_;
  NoEvents events_;
};

class Followed final : public KnownCluster {
 public:
  static Result<std::unique_ptr<KnownCluster>> Create(const Config& config,
                                                      const kube::Access& access,
                                                      const std::string& pod, const Clock& clock,
                                                      std::function<void()> renewed) {
    auto cluster = std::make_unique<Followed>(access, clock);
    auto link = MakeClusterLink(config, access, kUserAgent, pod.empty() ? "extender" : pod, clock,
                                cluster->view_, std::move(renewed));
    if (!link) return Fail(link.error().Within("extender.kubernetes"));
    cluster->link_ = *std::move(link);
    if (!pod.empty()) {
      cluster->leadership_.Publish({});
      auto election = LeaderElection::Start({.access = access,
                                             .user_agent = kUserAgent,
                                             .namespace_name = access.namespace_name,
                                             .lease = "fairlead-extender",
                                             .pod = pod,
                                             .times = {}},
                                            clock, cluster->leadership_);
      if (!election) return Fail(election.error().Within("extender.kubernetes"));
      cluster->election_ = *std::move(election);
    }
    cluster->Collect();
    return cluster;
  }

  Followed(kube::Access access, const Clock& clock) : access_(std::move(access)), clock_(clock) {}

  void Start() override {
    link_.feed->Start();
    link_.writer->Start();
  }
  void Configure(const Config& config) override {
    link_.feed->SetSiteLabel(config.site_node_label);
  }
  EventSink& events() override { return *link_.writer; }
  TokenVerifier& tokens() override { return *link_.tokens; }
  void LinesHealed(std::vector<std::string> sites) override {
    link_.writer->LinesHealed(std::move(sites));
  }
  std::optional<std::string> WhyNotHere(MonotonicTime now) override {
    const auto leadership = leadership_.Get();
    if (!election_ || leadership->LeadsAt(now)) return std::nullopt;
    leader_collector_->RefusedAsFollower();
    const std::string leader = leadership->holder.empty()
                                   ? "no leader is known yet"
                                   : Quoted(PodOfIdentity(leadership->holder), 256) + " leads";
    return "this replica does not lead, " + leader + "; ask by a Service that selects " +
           LeaderLabelName() + "=true";
  }
  Health health(MonotonicTime now) const override {
    FeedHealth feed = JudgeFeed(link_.feed->status());
    Health health{.ok = feed.ready, .reason = std::move(feed.trouble)};
    if (!election_) return health;
    const Health elected = JudgeElection(*leadership_.Get(), election_->status(), now);
    health.ok = health.ok && elected.ok;
    if (!health.reason.empty() && !elected.reason.empty()) health.reason += "; ";
    health.reason += elected.reason;
    return health;
  }
  bool settled() const override { return JudgeFeed(link_.feed->status()).settled; }
  Collectables collectables() const override { return collectables_; }
  Result<std::unique_ptr<kube::ApiConnection>> Connect(kube::ConnectionLimits limits) override {
    return kube::ApiConnection::Create(access_, kUserAgent, clock_, limits);
  }
  void Stop() override {
    if (election_) election_->Stop();
  }

 private:
  void Collect() {
    collectables_.push_back(std::make_shared<ClusterCollector>(
        ClusterSources{.resources = [this] { return link_.feed->status(); },
                       .reviews = [this] { return link_.tokens->counts(); },
                       .writes = [this] { return link_.writer->counts(); }},
        view_, clock_));
    if (!election_) return;
    leader_collector_ = std::make_shared<LeaderCollector>(
        leadership_, [this] { return election_->status(); }, clock_);
    collectables_.push_back(leader_collector_);
  }

  const kube::Access access_;
  const Clock& clock_;
  ClusterLink link_;
  std::unique_ptr<LeaderElection> election_;
  std::shared_ptr<LeaderCollector> leader_collector_;
  Collectables collectables_;
};

}  // namespace

Result<std::unique_ptr<KnownCluster>> KnownCluster::Create(const Config& config,
                                                           const std::string& pod,
                                                           const Clock& clock,
                                                           std::function<void()> renewed) {
  const auto access = AccessOf(config.extender.kubernetes);
  if (!access) return Fail(access.error());
  if (*access) return Followed::Create(config, **access, pod, clock, std::move(renewed));
  auto standalone = std::make_unique<Standalone>(config, clock);
  if (const Status checked = standalone->Check(); !checked) return Fail(checked.error());
  return std::unique_ptr<KnownCluster>(std::move(standalone));
}

}  // namespace fairlead::extender
