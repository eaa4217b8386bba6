// Stands in for probes: connects as each node of a script and reports what the script says.
//
//   extender_feeder ADDRESS TOKEN_DIRECTORY SCRIPT
//
// The script is read anew before each report, so that a test can change what is seen. Lines:
//   path NODE PEER PEER_SITE RTT_MS JITTER_MS FORWARD_LOSS REVERSE_LOSS STATE REASON
// STATE and REASON are the enum's words without prefix, for example HEALTHY NONE. Runs until
// SIGTERM; prints a line for each plan and each stream that ends.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fairlead/v1/registry.grpc.pb.h"

namespace {

namespace v1 = fairlead::v1;

constexpr auto kInterval = std::chrono::milliseconds(250);

struct Script {
  std::map<std::string, std::vector<v1::LinkReport>> paths;  // by node
};

void FillDirection(double loss, std::uint64_t jitter_ns, v1::DirectionReport& out) {
  constexpr std::uint64_t kSent = 10'000;
  const auto lost = static_cast<std::uint64_t>(loss * kSent);
  out.set_sent(kSent);
  out.set_lost(lost);
  out.set_jitter_ns(jitter_ns);
  out.set_pdv_ns(jitter_ns * 3);
  out.set_hops(4);
  out.set_loss_lower(loss / 2);
  out.set_loss_upper(std::min(1.0, loss * 2 + 4e-4));
}

Script ReadScript(const std::string& path) {
  Script script;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, node, peer, site, state, reason;
    double rtt_ms = 0, jitter_ms = 0, forward = 0, reverse = 0;
    words >> kind >> node >> peer >> site >> rtt_ms >> jitter_ms >> forward >> reverse >> state >>
        reason;
    if (!words || kind != "path") continue;
    v1::LinkReport& report = script.paths[node].emplace_back();
    report.set_peer_node(peer);
    report.set_peer_site(site);
    report.set_rung(v1::TRANSPORT_RUNG_RDMA_UD_SW);
    report.set_window_ns(60'000'000'000);
    report.set_samples(600);
    const auto rtt_ns = static_cast<std::uint64_t>(rtt_ms * 1e6);
    const auto jitter_ns = static_cast<std::uint64_t>(jitter_ms * 1e6);
    report.set_rtt_min_ns(rtt_ns - std::min(rtt_ns / 10, jitter_ns));
    report.set_rtt_p50_ns(rtt_ns);
    report.set_rtt_p99_ns(rtt_ns + 4 * jitter_ns);
    FillDirection(forward, jitter_ns, *report.mutable_forward());
    FillDirection(reverse, jitter_ns, *report.mutable_reverse());
    v1::LinkState parsed_state = v1::LINK_STATE_UNSPECIFIED;
    v1::LinkReason parsed_reason = v1::LINK_REASON_UNSPECIFIED;
    v1::LinkState_Parse("LINK_STATE_" + state, &parsed_state);
    v1::LinkReason_Parse("LINK_REASON_" + reason, &parsed_reason);
    report.set_state(parsed_state);
    report.set_reason(parsed_reason);
    report.set_state_age_ns(5'000'000'000);
    report.set_evidence("as the script says: p50 " + std::to_string(rtt_ms) + " ms");
    report.set_age_ns(100'000'000);
  }
  return script;
}

std::string ReadToken(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  file >> token;
  return token;
}

class Probe {
 public:
  Probe(const std::string& address, const std::string& node, const std::string& token)
      : node_(node),
        stub_(v1::LinkRegistry::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))) {
    context_.AddMetadata("authorization", "Bearer " + token);
    stream_ = stub_->Connect(&context_);
    v1::ProbeMessage message;
    v1::Hello& hello = *message.mutable_hello();
    hello.set_protocol_version(1);
    hello.set_node(node);
    hello.set_epoch(1);
    hello.set_session_address("127.0.0.1:1");
    hello.set_software_version("feeder");
    stream_->Write(message);
    reader_ = std::jthread([this] { ReadPlans(); });
  }

  ~Probe() { context_.TryCancel(); }

  void Report(const std::vector<v1::LinkReport>& paths) {
    v1::ProbeMessage message;
    v1::ReportBatch& batch = *message.mutable_reports();
    batch.set_sequence(++sequence_);
    batch.set_unix_time_ns(static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count()));
    for (const v1::LinkReport& path : paths) *batch.add_links() = path;
    stream_->Write(message);
  }

 private:
  void ReadPlans() {
    for (v1::ProbePlan plan; stream_->Read(&plan);) {
      std::printf("plan for %s: revision %llu, site %s, %d peers\n", node_.c_str(),
                  static_cast<unsigned long long>(plan.revision()), plan.site().c_str(),
                  plan.peers_size());
      std::fflush(stdout);
    }
    const grpc::Status status = stream_->Finish();
    std::printf("stream of %s ended: %d %s\n", node_.c_str(), status.error_code(),
                status.error_message().c_str());
    std::fflush(stdout);
  }

  const std::string node_;
  std::unique_ptr<v1::LinkRegistry::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ProbeMessage, v1::ProbePlan>> stream_;
  std::uint64_t sequence_ = 0;
  std::jthread reader_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s ADDRESS TOKEN_DIRECTORY SCRIPT\n", argv[0]);
    return 2;
  }
  std::map<std::string, std::unique_ptr<Probe>> probes;
  while (true) {
    for (const auto& [node, paths] : ReadScript(argv[3]).paths) {
      std::unique_ptr<Probe>& probe = probes[node];
      if (!probe) {
        const std::string token = ReadToken(std::string(argv[2]) + "/" + node);
        probe = std::make_unique<Probe>(argv[1], node, token);
      }
      probe->Report(paths);
    }
    std::this_thread::sleep_for(kInterval);
  }
}
