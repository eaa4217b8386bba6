#include "extender/http/kube_protocol.h"

#include <mutex>
#include <utility>
#include <vector>

#include "extender/http/extender_args.h"
#include "extender/http/kube_answer.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kKeptReaders = 4;
constexpr std::size_t kKeptReaderBytes = 128U << 20;

}  // namespace

// Readers that wait for the next body.
class KubeProtocol::Readers {
 public:
  std::unique_ptr<ExtenderArgsReader> Take() {
    {
      std::lock_guard lock(mutex_);
      if (!kept_.empty()) {
        auto reader = std::move(kept_.back());
        kept_.pop_back();
        return reader;
      }
    }
    return std::make_unique<ExtenderArgsReader>();
  }

  void Return(std::unique_ptr<ExtenderArgsReader> reader) {
    if (reader->memory_bytes() > kKeptReaderBytes) return;
    std::lock_guard lock(mutex_);
    if (kept_.size() < kKeptReaders) kept_.push_back(std::move(reader));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ExtenderArgsReader>> kept_;
};

KubeProtocol::KubeProtocol(Decider& decider, const Snapshot<Setup>& setup,
                           std::function<void(std::string_view)> on_fault)
    : decider_(decider),
      setup_(setup),
      on_fault_(std::move(on_fault)),
      readers_(std::make_unique<Readers>()) {}

KubeProtocol::~KubeProtocol() = default;

HttpAnswer KubeProtocol::Filter(std::string_view body) {
  return Answer(body, [this](const ExtenderArgs& args) {
    return WriteFilterResult(args, decider_.Filter(args.pod, args.nodes));
  });
}

HttpAnswer KubeProtocol::Prioritize(std::string_view body) {
  return Answer(body, [this](const ExtenderArgs& args) {
    return WriteHostPriorityList(args, decider_.Prioritize(args.pod, args.nodes));
  });
}

template <class Write>
HttpAnswer KubeProtocol::Answer(std::string_view body, Write write) {
  auto reader = readers_->Take();
  HttpAnswer answer;
  if (const auto args = reader->Read(body, setup_.Get()->site_label)) {
    answer.body = write(**args);
  } else {
    on_fault_(args.error().reason);
    answer = ErrorAnswer(400, args.error().message);
  }
  readers_->Return(std::move(reader));
  return answer;
}

}  // namespace fairlead::extender
