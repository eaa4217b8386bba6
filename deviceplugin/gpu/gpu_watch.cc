#include "deviceplugin/gpu/gpu_watch.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/gpu/gpu_events.h"
#include "deviceplugin/gpu/gpu_reader.h"

namespace fairlead::deviceplugin {
namespace {

// The longest that the thread waits in NVML, from where nothing can wake it.
constexpr Milliseconds kListen(500);
// Between two batches of events.
constexpr Milliseconds kBreath(50);

void Append(std::vector<std::string>& to, std::vector<std::string> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

bool IsTroubled(const GpuListing& listing, const GpuReport& report) {
  return report.gpus.size() != listing.readings.size() ||
         std::any_of(listing.readings.begin(), listing.readings.end(),
                     [](const GpuReading& one) { return one.answer != GpuAnswer::kAnswers; });
}

}  // namespace

struct GpuWatch::Session {
  Session(std::unique_ptr<NvmlLibrary> opened, const HostFiles& files)
      : library(std::move(opened)), reader(*library, files), events(*library) {}

  std::unique_ptr<NvmlLibrary> library;
  GpuReader reader;
  GpuEvents events;
};

GpuWatch::GpuWatch(GpuWatchOptions options, const HostFiles& files, const Clock& clock,
                   std::function<void()> on_change)
    : options_(std::move(options)),
      files_(files),
      clock_(clock),
      on_change_(std::move(on_change)),
      book_(options_.health),
      report_(GpuReport{.gpus = {}, .problems = {"The NVIDIA driver has not answered yet"}}) {
  last_turn_ = clock_.Now();
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

GpuWatch::~GpuWatch() {
  thread_.request_stop();
  thread_.join();
}

std::unique_ptr<GpuWatch> GpuWatch::Start(GpuWatchOptions options, const HostFiles& files,
                                          const Clock& clock, std::function<void()> on_change) {
  std::unique_ptr<GpuWatch> watch(
      new GpuWatch(std::move(options), files, clock, std::move(on_change)));
  std::unique_lock lock(watch->mutex_);
  watch->turned_.wait_for(lock, watch->options_.patience, [&] { return watch->published_; });
  return watch;
}

GpuWatchCounts GpuWatch::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

MonotonicTime GpuWatch::last_turn() const {
  std::lock_guard lock(mutex_);
  return last_turn_;
}

void GpuWatch::Run(const std::stop_token& stop) {
  Open();
  while (!stop.stop_requested()) {
    if (troubled_ && clock_.Now() - opened_at_ >= options_.reopen) Open();
    if (!looked_at_ || clock_.Now() - *looked_at_ >= options_.poll) Look();
    {
      std::lock_guard lock(mutex_);
      last_turn_ = clock_.Now();
    }
    Listen(stop);
  }
  session_.reset();
}

void GpuWatch::Open() {
  session_.reset();  // NVML is initialised anew only once its last user has left it
  opened_at_ = clock_.Now();
  looked_at_.reset();
  troubled_ = true;
  auto library = NvmlLibrary::Open(options_.library);
  if (library) {
    session_ = std::make_unique<Session>(*std::move(library), files_);
  } else {
    no_session_ = library.error().message;
  }
  std::lock_guard lock(mutex_);
  ++counts_.loads;
}

void GpuWatch::Look() {
  looked_at_ = clock_.Now();
  {
    std::lock_guard lock(mutex_);
    ++counts_.readings;
  }
  if (!session_) return Publish(book_.UpdateUnreadable(no_session_, *looked_at_));
  auto listing = session_->reader.Read();
  if (!listing) {
    troubled_ = true;
    return Publish(
        book_.UpdateUnreadable("Cannot list the GPUs: " + listing.error().sentence, *looked_at_));
  }
  session_->events.Add(listing->handles);
  GpuReport report = book_.Update(listing->readings, *looked_at_);
  troubled_ = IsTroubled(*listing, report);
  Append(report.problems, std::move(listing->problems));
  Append(report.problems, session_->events.problems());
  if (!event_problem_.empty()) report.problems.push_back(event_problem_);
  Publish(std::move(report));
}

void GpuWatch::Listen(const std::stop_token& stop) {
  const Nanoseconds nap = std::min<Nanoseconds>({kListen, options_.poll, options_.reopen});
  if (!session_ || !session_->events.listening()) return Rest(stop, nap);
  const MonotonicTime begin = clock_.Now();
  const GpuEventBatch batch = session_->events.Wait(std::chrono::duration_cast<Milliseconds>(nap));
  std::uint64_t unknown = 0;
  for (const GpuXid& xid : batch.xids) {
    if (!book_.Hear(xid.uuid, xid.xid)) ++unknown;
  }
  {
    std::lock_guard lock(mutex_);
    counts_.xids += batch.xids.size();
    counts_.unknown_gpu += unknown;
    counts_.event_failures += batch.failure ? 1 : 0;
  }
  event_problem_ = batch.failure
                       ? "Cannot wait for XIDs: " + batch.failure->sentence + "; health is polled"
                       : "";
  // Neither a flood of events nor a wait that fails, or ends too soon, makes a busy loop.
  if (batch.xids.empty() && !batch.other) return Rest(stop, nap - (clock_.Now() - begin));
  Look();
  Rest(stop, std::min<Nanoseconds>(nap, kBreath));
}

void GpuWatch::Publish(GpuReport report) {
  const bool changed = !(*report_.Get() == report);
  if (changed) report_.Publish(std::move(report));
  {
    std::lock_guard lock(mutex_);
    published_ = true;
  }
  turned_.notify_all();
  if (changed) on_change_();
}

void GpuWatch::Rest(const std::stop_token& stop, Nanoseconds time) {
  if (time <= Nanoseconds(0)) return;
  std::unique_lock lock(mutex_);
  turned_.wait_for(lock, stop, time, [] { return false; });
}

GpuReport ReadGpusOnce(const std::string& library, const HostFiles& files) {
  GpuHealthBook book{GpuHealthSettings{}};
  const auto opened = NvmlLibrary::Open(library);
  if (!opened) return book.UpdateUnreadable(opened.error().message, {});
  auto listing = GpuReader(**opened, files).Read();
  if (!listing) {
    return book.UpdateUnreadable("Cannot list the GPUs: " + listing.error().sentence, {});
  }
  GpuReport report = book.Update(listing->readings, {});
  Append(report.problems, std::move(listing->problems));
  return report;
}

}  // namespace fairlead::deviceplugin
