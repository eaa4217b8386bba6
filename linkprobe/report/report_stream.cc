#include "linkprobe/report/report_stream.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/log.h"
#include "fairlead/v1/registry.grpc.pb.h"
#include "linkprobe/report/bandwidth_report.h"
#include "linkprobe/report/link_report.h"
#include "linkprobe/report/stream_failure.h"
#include "linkprobe/report/traffic_report.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kReportProtocolVersion = 1;
constexpr Nanoseconds kFirstBackoff = Milliseconds(500);
constexpr Nanoseconds kLargestBackoff = Seconds(15);

using Stream = grpc::ClientReaderWriter<v1::ProbeMessage, v1::ProbePlan>;

}  // namespace

struct ReportStream::State {
  State(ReportSettings s, std::string n, ReportPorts p, std::vector<ProbeEngine*> e, const Clock& c)
      : settings(std::move(s)),
        name(std::move(n)),
        ports(std::move(p)),
        engines(std::move(e)),
        clock(c),
        backoff(kFirstBackoff, kLargestBackoff, settings.epoch ^ std::hash<std::string>()(name)) {}

  void Run(std::stop_token stop);
  Status Connect(std::stop_token stop);
  void ReadPlans(Stream& stream);
  void WriteReports(Stream& stream, std::stop_token stop);
  v1::ProbeMessage Hello(const std::string& session_address) const;
  v1::ProbeMessage Batch(std::uint64_t sequence) const;
  void SetConnected() {
    status.connected = true;
    status.last_error.clear();
  }
  // True when the stop came first.
  bool Sleep(std::stop_token stop, Nanoseconds duration);

  const ReportSettings settings;
  const std::string name;
  const ReportPorts ports;
  const std::vector<ProbeEngine*> engines;
  const Clock& clock;
  Backoff backoff;

  mutable std::mutex mutex;
  std::condition_variable_any changed;
  StreamStatus status;
  bool reading = false;
  std::jthread thread;
};

bool ReportStream::State::Sleep(std::stop_token stop, Nanoseconds duration) {
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, duration, [] { return false; });
  return stop.stop_requested();
}

v1::ProbeMessage ReportStream::State::Hello(const std::string& session_address) const {
  v1::ProbeMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.set_protocol_version(kReportProtocolVersion);
  hello.set_node(settings.node);
  hello.set_epoch(settings.epoch);
  hello.set_session_address(session_address);
  hello.set_software_version(settings.software_version);
  for (const ReportedHca& from : ports.hcas()) {
    v1::Hca& hca = *hello.add_hcas();
    hca.set_device(from.device);
    hca.set_port(from.port);
    hca.set_gid(from.gid);
    hca.set_gid_index(from.gid_index);
    hca.set_active_mtu_bytes(from.active_mtu_bytes);
    hca.set_active(from.active);
  }
  return message;
}

v1::ProbeMessage ReportStream::State::Batch(std::uint64_t sequence) const {
  v1::ProbeMessage message;
  v1::ReportBatch& batch = *message.mutable_reports();
  batch.set_sequence(sequence);
  batch.set_unix_time_ns(static_cast<std::uint64_t>(clock.WallNow().time_since_epoch().count()));
  const MonotonicTime now = clock.Now();
  const auto counters = ports.counters ? ports.counters() : nullptr;
  const auto leases = ports.leases ? ports.leases() : nullptr;
  for (const ProbeEngine* engine : engines) {
    const auto state = engine->Latest();  // kept: the engine publishes a new one meanwhile
    for (const PathStatus& path : state->paths) {
      v1::LinkReport& link = *batch.add_links();
      FillLinkReport(path, settings.traffic_class, now, link);
      if (counters) FillUse(*counters, now, link);
      if (counters && state->nic) AddResending(*counters, *state->nic, now, link);
      if (leases) FillTests(*leases, path.peer_site, now, link);
    }
  }
  if (counters) FillTraffic(*counters, now, batch);
  if (leases) FillLeases(*leases, batch);
  return message;
}

void ReportStream::State::ReadPlans(Stream& stream) {
  v1::ProbePlan arrived;
  while (stream.Read(&arrived)) {
    {
      std::lock_guard lock(mutex);
      SetConnected();
    }
    ports.plan(arrived);
  }
  std::lock_guard lock(mutex);
  reading = false;
  changed.notify_all();
}

void ReportStream::State::WriteReports(Stream& stream, std::stop_token stop) {
  std::uint64_t sequence = 0;
  while (true) {
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, stop, settings.interval, [this] { return !reading; });
      if (!reading || stop.stop_requested()) return;
    }
    if (!stream.Write(Batch(++sequence))) return;
    std::lock_guard lock(mutex);
    ++status.batches_sent;
    // A refused Hello ends the stream within one interval.
    if (sequence > 1 && reading) SetConnected();
  }
}

Status ReportStream::State::Connect(std::stop_token stop) {
  grpc::ClientContext context;
  if (auto authorized = ports.authorize(context); !authorized) return authorized;
  const auto session_address = ports.session_address();
  if (!session_address) return Fail(session_address.error());
  const auto channel = ports.channel();
  if (!channel) return Fail(channel.error());
  const auto stub = v1::LinkRegistry::NewStub(*channel);
  // A call that is being made or written blocks; the stop cuts it off.
  const std::stop_callback cancel(stop, [&context] { context.TryCancel(); });
  const auto stream = stub->Connect(&context);
  {
    std::lock_guard lock(mutex);
    ++status.connects;
    reading = true;
  }
  ports.opened();
  std::jthread reader([&] { ReadPlans(*stream); });
  if (stream->Write(Hello(*session_address))) WriteReports(*stream, stop);
  {
    std::lock_guard lock(mutex);
    // Still reading means that this side gave up first.
    if (reading) context.TryCancel();
  }
  reader.join();
  const grpc::Status finished = stream->Finish();
  ports.closed();
  std::lock_guard lock(mutex);
  if (status.connected) backoff.Reset();
  status.connected = false;
  return DescribeStreamFailure(finished);
}

void ReportStream::State::Run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const Status ended = Connect(stop);
    if (stop.stop_requested()) return;
    const std::string error = ended ? "the extender ended the stream" : ended.error().message;
    {
      std::lock_guard lock(mutex);
      if (ended) {
        LogInfo(error, {{"extender", name}});
      } else if (status.last_error != error) {
        LogWarning(
            "no stream to the extender",
            {{"extender", name}, {"error", error}, {"code", ErrorCodeName(ended.error().code)}});
      }
      status.last_error = error;
    }
    if (Sleep(stop, backoff.Next())) return;
  }
}

ReportStream::ReportStream(ReportSettings settings, std::string name, ReportPorts ports,
                           std::vector<ProbeEngine*> engines, const Clock& clock)
    : state_(std::make_unique<State>(std::move(settings), std::move(name), std::move(ports),
                                     std::move(engines), clock)) {
  state_->thread = std::jthread([state = state_.get()](std::stop_token stop) { state->Run(stop); });
}

ReportStream::~ReportStream() {
  state_->thread.request_stop();
  state_->thread.join();
}

StreamStatus ReportStream::status() const {
  std::lock_guard lock(state_->mutex);
  return state_->status;
}

}  // namespace fairlead::linkprobe
