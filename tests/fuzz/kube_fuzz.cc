// Any bytes as what an API server answers, and as a kubeconfig: never a crash, the same however the
// bytes are cut, and a refusal says why.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/padding.h"
#include "common/kube/kubeconfig.h"
#include "common/kube/list_splitter.h"
#include "common/kube/object_reader.h"
#include "common/kube/watch_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace fairlead;
using namespace fairlead::kube;

constexpr std::size_t kMostBytes = 4096;

void Require(bool condition) {
  if (!condition) std::abort();
}

// A buffer of exactly this size, so that a read behind the padding is seen.
class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(text.size() + kJsonPadding), size_(text.size()) {
    for (std::size_t i = 0; i < text.size(); ++i) bytes_[i] = text[i];
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::vector<char> bytes_;
  std::size_t size_;
};

// What a reader makes of one object.
std::string Describe(ObjectReader& reader, std::string_view json) {
  const Exact exact(json);
  const auto head = reader.ReadHead(exact.text());
  if (!head) {
    Require(!head.error().message.empty());
    return "?" + head.error().message;
  }
  Require(!head->id.name.empty() && head->id.name.size() <= 512);
  return head->id.Text() + "@" + head->resource_version;
}

std::string SplitList(std::string_view text, std::size_t piece) {
  ObjectReader reader;
  std::string seen;
  std::size_t bytes = 0;
  ListSplitter splitter(kMostBytes, [&](std::string_view json, bool whole) {
    Require(json.size() <= kMostBytes && !json.empty());
    bytes += json.size();
    seen += whole ? Describe(reader, json) + ";" : "cut;";
  });
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!splitter.Take(text.substr(at, piece))) break;
  }
  Require(bytes <= text.size());
  const auto metadata = splitter.Finish();
  if (!metadata) {
    Require(!metadata.error().message.empty());
    return seen + metadata.error().message;
  }
  const auto page = reader.ReadPage(Exact(*metadata).text());
  return seen + (page ? page->resource_version + "/" + page->continue_token : "no page");
}

class Events final : public WatchEvents {
 public:
  explicit Events(std::string& seen) : seen_(seen) {}
  void OnObject(WatchEvent::Kind kind, std::string_view object) override {
    seen_ += std::to_string(static_cast<int>(kind)) + Describe(reader_, object) + ";";
  }
  void OnBookmark(const std::string& version) override { seen_ += "b" + version + ";"; }
  void OnUnknown() override { seen_ += "?;"; }

 private:
  std::string& seen_;
  ObjectReader reader_;
};

std::string Watch(std::string_view text, std::size_t piece) {
  ObjectReader reader;
  std::string seen;
  Events events(seen);
  WatchReader watch(kMostBytes, reader, events);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!watch.Take(text.substr(at, piece))) break;
  }
  if (watch.error()) {
    Require(!watch.error()->message.empty());
    seen += ApiFailureName(watch.error()->failure);
  }
  return seen;
}

void ReadStatus(std::string_view text) {
  ObjectReader reader;
  const ApiError error = reader.ReadStatus(Exact(text).text(), 0);
  Require(!error.retry_after || *error.retry_after > Nanoseconds(0));
}

void ReadConfig(std::string_view text) {
  const auto access =
      ParseKubeconfig(text, "f", "/x", "", {"http://p:1", "", ".example,10.0.0.0/8"});
  if (!access) {
    Require(access.error().message.starts_with("kubeconfig"));
    return;
  }
  Require(access->server.starts_with("http"));
  Require(!access->namespace_name.empty());
}

}  // namespace

// The first byte says what the rest is and how it is cut.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1U + (data[0] >> 2);
  switch (data[0] & 3) {
    case 0:
      Require(SplitList(text, piece) == SplitList(text, size));
      break;
    case 1:
      Require(Watch(text, piece) == Watch(text, size));
      break;
    case 2:
      ReadStatus(text);
      break;
    default:
      ReadConfig(text);
      break;
  }
  return 0;
}
