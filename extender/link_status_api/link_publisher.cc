#include "extender/link_status_api/link_publisher.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/log.h"
#include "common/kube/reflector.h"
#include "extender/link_status_api/link_codec.h"

namespace fairlead::extender {
namespace {

using kube::ApiError;
using kube::ApiFailure;
using kube::ApiResult;

// A request that failed, and what RBAC would have to grant.
struct Trouble {
  ApiError error;
  std::string verb;
  std::string resource;
};

std::string Words(const Trouble& trouble) {
  return kube::TroubleWith(
      {.name = trouble.resource, .path = {}, .label_selector = {}, .field_selector = {}},
      trouble.verb, trouble.error);
}

// Whether it is about this one object, so that the others may be written all the same.
bool OfThisObject(ApiFailure failure) {
  return failure == ApiFailure::kRejected || failure == ApiFailure::kConflict;
}

}  // namespace

class LinkPublisher::Loop {
 public:
  Loop(LinkPublisherSources sources, std::unique_ptr<kube::ApiConnection> connection,
       std::uint64_t seed, LinkPace pace, LinkPublisherTimes times)
      : sources_(std::move(sources)),
        connection_(std::move(connection)),
        times_(times),
        ledger_(pace),
        backoff_(times.first_wait, times.longest_wait, seed),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  LinkPublishStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  void Stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    while (!stop.stop_requested()) {
      const Nanoseconds wait = Round(stop);
      std::unique_lock lock(mutex);
      never.wait_for(lock, stop, wait, [] { return false; });
    }
  }

  bool Leads() const { return sources_.leadership.Get()->LeadsAt(sources_.clock.Now()); }

  // How long to wait for the next one.
  Nanoseconds Round(const std::stop_token& stop) {
    if (!Leads()) {
      ledger_.Forget();
      backoff_.Reset();
      const std::lock_guard lock(mutex_);
      status_.objects = 0;
      status_.defined = false;
      status_.trouble.clear();
      return times_.round;
    }
    std::optional<Trouble> trouble = ledger_.adopted() ? std::nullopt : List(stop);
    if (!trouble) trouble = WriteDue(stop);
    if (stop.stop_requested()) return {};
    const auto defined = trouble ? IsDefined(trouble->error, stop) : true;
    if (defined) TellDefined(*defined);
    if (defined == false) {
      ledger_.Forget();
      return backoff_.Next();
    }
    // A Link that is refused is tried again only later.
    if (trouble || !ledger_.AnyRefused()) Tell(trouble ? Words(*trouble) : std::string());
    if (trouble && !OfThisObject(trouble->error.failure)) return backoff_.Next();
    backoff_.Reset();
    return times_.round;
  }

  // Nothing where the error does not tell. Where RBAC grants nothing an unknown kind is refused
  // like any other.
  std::optional<bool> IsDefined(const ApiError& error, const std::stop_token& stop) {
    if (error.failure == ApiFailure::kNotFound) return false;
    if (error.failure != ApiFailure::kForbidden) return std::nullopt;
    const auto found = connection_->Call(FindLinksRequest(), stop);
    if (found) return true;
    if (found.error().failure == ApiFailure::kNotFound) return false;
    return std::nullopt;
  }

  std::optional<Trouble> List(const std::stop_token& stop) {
    const auto answer = connection_->Call(ListLinksRequest(), stop);
    if (!answer) return Failed(answer.error(), "list", kLinksResource);
    auto found = DecodeLinks(*answer);
    if (!found) {
      const ApiError error{.failure = ApiFailure::kMalformed, .message = found.error().message};
      return Failed(error, "list", kLinksResource);
    }
    ledger_.Adopt(*std::move(found), sources_.clock.Now());
    return std::nullopt;
  }

  // What ended it, or the last object that was refused.
  std::optional<Trouble> WriteDue(const std::stop_token& stop) {
    std::optional<Trouble> last;
    const auto wanted = LinkObjectsOf(*sources_.links.Get());
    for (const LinkWrite& write :
         ledger_.Due(wanted, sources_.settled(), sources_.clock.Now(), sources_.clock.WallNow())) {
      if (!Leads()) break;
      auto trouble = write.remove ? Remove(write, stop) : Put(write, stop);
      if (!trouble) {
        ledger_.Done(write, sources_.clock.Now());
        Count(write.remove ? &LinkPublishStatus::removed : &LinkPublishStatus::written);
        continue;
      }
      if (!OfThisObject(trouble->error.failure)) return trouble;
      ledger_.Refused(write, sources_.clock.Now());
      last = std::move(trouble);
    }
    return last;
  }

  std::optional<Trouble> Put(const LinkWrite& write, const std::stop_token& stop) {
    const auto request = ApplyLinkStatusRequest(write.object, write.stamps);
    const std::string status = std::string(kLinksResource) + "/status";
    auto done = connection_->Call(request, stop);
    if (done) return std::nullopt;
    if (done.error().failure != ApiFailure::kNotFound) {
      return Failed(done.error(), "patch", status);
    }
    // It is not there yet, or was deleted.
    done = connection_->Call(ApplyLinkRequest(write.object.name), stop);
    if (!done) return Failed(done.error(), "create and patch", kLinksResource);
    done = connection_->Call(request, stop);
    if (!done) return Failed(done.error(), "patch", status);
    return std::nullopt;
  }

  std::optional<Trouble> Remove(const LinkWrite& write, const std::stop_token& stop) {
    const auto done = connection_->Call(RemoveLinkRequest(write.object.name), stop);
    if (done || done.error().failure == ApiFailure::kNotFound) return std::nullopt;
    return Failed(done.error(), "delete", kLinksResource);
  }

  Trouble Failed(ApiError error, std::string verb, std::string resource) {
    if (error.failure != ApiFailure::kStopped) {
      const std::lock_guard lock(mutex_);
      ++status_.failures[static_cast<std::size_t>(error.failure)];
    }
    return {std::move(error), std::move(verb), std::move(resource)};
  }

  void Count(std::uint64_t LinkPublishStatus::*what) {
    const std::lock_guard lock(mutex_);
    ++(status_.*what);
  }

  void TellDefined(bool defined) {
    {
      const std::lock_guard lock(mutex_);
      status_.defined = defined;
      if (!defined) {
        status_.objects = 0;
        status_.trouble.clear();
      }
    }
    if (std::exchange(told_defined_, defined) == defined) return;
    LogInfo(defined ? "the api server has links.fairlead.dev"
                    : "no links are written, for the api server has no links.fairlead.dev");
  }

  void Tell(const std::string& trouble) {
    {
      const std::lock_guard lock(mutex_);
      status_.objects = ledger_.size();
      if (std::exchange(status_.trouble, trouble) == trouble) return;
    }
    if (trouble.empty()) {
      LogInfo("links are written to the api server again");
    } else {
      LogWarning("links are not written to the api server", {{"reason", trouble}});
    }
  }

  const LinkPublisherSources sources_;
  const std::unique_ptr<kube::ApiConnection> connection_;
  const LinkPublisherTimes times_;
  LinkLedger ledger_;
  Backoff backoff_;
  std::optional<bool> told_defined_;
  mutable std::mutex mutex_;
  LinkPublishStatus status_;
  std::jthread thread_;
};

LinkPublisher::LinkPublisher(LinkPublisherSources sources,
                             std::unique_ptr<kube::ApiConnection> connection, std::uint64_t seed,
                             LinkPace pace, LinkPublisherTimes times)
    : loop_(std::make_unique<Loop>(std::move(sources), std::move(connection), seed, pace, times)) {}
LinkPublisher::~LinkPublisher() = default;

LinkPublishStatus LinkPublisher::status() const { return loop_->status(); }
void LinkPublisher::Stop() { loop_->Stop(); }

}  // namespace fairlead::extender
