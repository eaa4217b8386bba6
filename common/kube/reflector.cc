#include "common/kube/reflector.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/kube/list_splitter.h"
#include "common/kube/object_intake.h"
#include "common/kube/object_reader.h"
#include "common/kube/status_board.h"
#include "common/kube/watch_reader.h"

namespace fairlead::kube {

std::string TroubleWith(const Resource& resource, const std::string& verb, const ApiError& error) {
  const std::string what = verb + " on " + resource.name;
  switch (error.failure) {
    case ApiFailure::kForbidden:
      return "RBAC lacks " + what + " (" + error.message +
             "); grant it to the service account in its ClusterRole";
    case ApiFailure::kUnauthenticated:
      return what + ": the API server does not know our token or certificate (" + error.message +
             "); renew it";
    case ApiFailure::kNotFound:
      return what + ": the API server has no such resource (" + error.message +
             "); install it, or leave out what needs it";
    case ApiFailure::kUnreachable:
    case ApiFailure::kSilent:
    case ApiFailure::kStopped:
    case ApiFailure::kThrottled:
    case ApiFailure::kConflict:
    case ApiFailure::kExpired:
    case ApiFailure::kRejected:
    case ApiFailure::kServerError:
    case ApiFailure::kMalformed:
    case ApiFailure::kTooLarge:
    case ApiFailure::kAccess:
      break;
  }
  return what + ": " + error.message;
}

class Reflector::Loop {
 public:
  Loop(Resource resource, std::unique_ptr<ApiConnection> connection, ObjectStore& store,
       const Clock& clock, std::uint64_t seed, ReflectorLimits limits)
      : resource_(std::move(resource)),
        connection_(std::move(connection)),
        store_(store),
        clock_(clock),
        limits_(limits),
        machine_(limits.times, resource_.optional, seed),
        intake_(resource_, reader_, store_, machine_, board_, clock_) {}

  void Start() {
    thread_ = std::jthread([this](std::stop_token stop) { Run(stop); });
  }
  ReflectorStatus status() const { return board_.Get(); }

 private:
  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const ReflectorAction action = machine_.Next(clock_.Now());
      switch (action.kind) {
        case ReflectorAction::Kind::kList:
          List(action, stop);
          break;
        case ReflectorAction::Kind::kWatch:
          Watch(action, stop);
          break;
        case ReflectorAction::Kind::kWait:
          WaitUntil(action.until, stop);
          break;
      }
    }
  }

  void WaitUntil(MonotonicTime until, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_until(lock, stop, until, [] { return false; });
  }

  ApiRequest Request() const {
    ApiRequest request;
    request.path = resource_.path;
    if (!resource_.label_selector.empty()) {
      request.query.emplace_back("labelSelector", resource_.label_selector);
    }
    if (!resource_.field_selector.empty()) {
      request.query.emplace_back("fieldSelector", resource_.field_selector);
    }
    return request;
  }

  void List(const ReflectorAction& action, const std::stop_token& stop) {
    ApiRequest request = Request();
    if (!action.whole) request.query.emplace_back("limit", std::to_string(limits_.page));
    if (!action.continue_token.empty()) {
      request.query.emplace_back("continue", action.continue_token);
    }
    if (action.first_page) intake_.BeginList();
    ListSplitter splitter(limits_.most_object_bytes, [this](std::string_view json, bool whole) {
      intake_.OnItem(json, whole);
    });
    const ApiResult<void> done = connection_->Stream(
        request, limits_.list_silence,
        [&](std::string_view bytes) { return splitter.Take(bytes).has_value(); }, stop);
    const MonotonicTime now = clock_.Now();
    if (!done) return ListFailed(done.error(), now);
    const Result<std::string_view> metadata = splitter.Finish();
    if (!metadata) return ListFailed(Malformed(metadata.error()), now);
    const Result<ListPage> page = reader_.ReadPage(*metadata);
    if (!page) return ListFailed(Malformed(page.error()), now);
    switch (machine_.OnPage(*page, now)) {
      case ReflectorMachine::PageVerdict::kMore:
        board_.Update([now](ReflectorStatus& status) { status.last_heard = now; });
        break;
      case ReflectorMachine::PageVerdict::kComplete:
        Commit(false, now);
        break;
      case ReflectorMachine::PageVerdict::kMalformed:
        Note("list", {.failure = ApiFailure::kMalformed,
                      .message = "the list has no resourceVersion, or pages without end"});
        break;
    }
  }

  void ListFailed(const ApiError& error, MonotonicTime now) {
    if (error.failure == ApiFailure::kStopped) return;
    Note("list", error);
    if (machine_.OnListFailed(error.failure, error.retry_after, now)) {
      store_.BeginList();
      Commit(true, now);
    }
  }

  // What was listed, or nothing where the resource is absent, is the whole.
  void Commit(bool absent, MonotonicTime now) {
    store_.CommitList();
    store_.Settle();
    board_.Update([absent, now](ReflectorStatus& status) {
      status.synced = true;
      status.absent = absent;
      status.last_heard = now;
      status.trouble.clear();
      ++status.lists;
    });
  }

  void Watch(const ReflectorAction& action, const std::stop_token& stop) {
    ApiRequest request = Request();
    request.query.emplace_back("watch", "1");
    request.query.emplace_back("allowWatchBookmarks", "true");
    request.query.emplace_back("resourceVersion", action.resource_version);
    request.query.emplace_back("timeoutSeconds", std::to_string(action.timeout.count()));
    board_.Update([](ReflectorStatus& status) { ++status.watches; });
    WatchReader watch(limits_.most_object_bytes, reader_, intake_);
    const auto take = [&](std::string_view bytes) {
      if (bytes.empty()) return Opened();
      const bool more = watch.Take(bytes);
      store_.Settle();
      return more;
    };
    const ApiResult<void> done = connection_->Stream(request, limits_.watch_silence, take, stop);
    const MonotonicTime now = clock_.Now();
    if (watch.error()) return WatchFailed(*watch.error(), now);
    if (!done) return WatchFailed(done.error(), now);
    machine_.OnWatchEnded(std::nullopt, std::nullopt, now);
  }

  // The server has taken the watch, though it may have nothing to say yet.
  bool Opened() {
    const MonotonicTime now = clock_.Now();
    board_.Update([now](ReflectorStatus& status) {
      status.last_heard = now;
      status.trouble.clear();
    });
    return true;
  }

  void WatchFailed(const ApiError& error, MonotonicTime now) {
    if (error.failure == ApiFailure::kStopped) return;
    Note("watch", error);
    machine_.OnWatchEnded(error.failure, error.retry_after, now);
  }

  static ApiError Malformed(const Error& error) {
    return {.failure = ApiFailure::kMalformed, .message = error.message};
  }

  void Note(const std::string& verb, const ApiError& error) {
    std::string trouble = TroubleWith(resource_, verb, error);
    board_.Update([&](ReflectorStatus& status) {
      ++status.failures[static_cast<std::size_t>(error.failure)];
      status.trouble = std::move(trouble);
    });
  }

  const Resource resource_;
  const std::unique_ptr<ApiConnection> connection_;
  ObjectStore& store_;
  const Clock& clock_;
  const ReflectorLimits limits_;
  ObjectReader reader_;
  StatusBoard board_;
  ReflectorMachine machine_;
  ObjectIntake intake_;
  std::jthread thread_;
};

Reflector::Reflector(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
Reflector::~Reflector() = default;

Result<std::unique_ptr<Reflector>> Reflector::Create(Resource resource, const Access& access,
                                                     const std::string& user_agent,
                                                     ObjectStore& store, const Clock& clock,
                                                     std::uint64_t seed, ReflectorLimits limits) {
  auto connection = ApiConnection::Create(access, user_agent, clock, limits.connection);
  if (!connection) return Fail(connection.error());
  return std::unique_ptr<Reflector>(new Reflector(std::make_unique<Loop>(
      std::move(resource), *std::move(connection), store, clock, seed, limits)));
}

void Reflector::Start() { loop_->Start(); }
ReflectorStatus Reflector::status() const { return loop_->status(); }

}  // namespace fairlead::kube
