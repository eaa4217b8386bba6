#include "linkprobe/cli/record_from.h"

#include <cstdio>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "common/kube/api_connection.h"
#include "common/units/human.h"
#include "linkprobe/cli/recorder.h"
#include "linkprobe/record_file/links_answer.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLookEvery = Milliseconds(100);
constexpr Nanoseconds kAnswerWithin = Seconds(5);

// The address before the path of the page or of its data, which people copy from a browser.
std::string ServerOf(std::string url) {
  for (const std::string_view end : {"/", "/links.json", "/links"}) {
    if (url.ends_with(end)) url.resize(url.size() - end.size());
  }
  return url;
}

class Teller {
 public:
  static Result<Teller> Create(const RecordCommand& command, const std::string& program_version,
                               const Clock& clock) {
    kube::Access access;
    access.server = ServerOf(command.from);
    access.ca_file = command.ca_file;
    access.plaintext = true;  // nothing secret is sent
    auto connection =
        kube::ApiConnection::Create(access, "fairlead-linkprobe/" + program_version, clock,
                                    {.connect = kAnswerWithin, .answer = kAnswerWithin});
    if (!connection) return Fail(connection.error().Within("--from"));
    return Teller(command.from, *std::move(connection));
  }

  Result<std::vector<ToldLink>> Ask() {
    kube::ApiRequest request;
    request.path = "/links.json";
    const auto answer = connection_->Call(request);
    if (!answer) return Fail(answer.error().ToError().Within(url_));
    auto links = ReadLinksAnswer(*answer);
    if (!links) return Fail(links.error().Within(url_ + ": /links.json"));
    return links;
  }

 private:
  Teller(std::string url, std::unique_ptr<kube::ApiConnection> connection)
      : url_(std::move(url)), connection_(std::move(connection)) {}

  std::string url_;
  std::unique_ptr<kube::ApiConnection> connection_;
};

}  // namespace

Result<bool> RunRecordFrom(const RecordCommand& command, const std::string& program_version,
                           const sigset_t& signals) {
  const SystemClock clock;
  auto teller = Teller::Create(command, program_version, clock);
  if (!teller) return Fail(teller.error());
  const auto first = teller->Ask();
  if (!first) return Fail(first.error());
  RecordingFacts facts = FactsOf(command, program_version, clock.WallNow());
  facts.host = command.from;
  facts.source = kByExtender;
  auto recorder = Recorder::Create(command, facts, clock);
  if (!recorder) return Fail(recorder.error());

  ToldWindows windows(command.window);
  windows.Observe(*first, Nanoseconds(0), clock.WallNow());
  std::set<std::string> lines;
  Nanoseconds next = command.window;
  const auto look = [&]() -> Status {
    if (recorder->Passed() < next) return {};
    next += command.window;
    const auto links = teller->Ask();
    if (!links) {
      std::fprintf(stderr, "%s\n", links.error().message.c_str());
      return {};
    }
    for (const LineWindow& window : windows.Observe(*links, recorder->Passed(), clock.WallNow())) {
      lines.insert(window.line);
      if (Status written = recorder->Append(window); !written) return written;
    }
    return {};
  };
  return recorder->Run(signals, kLookEvery, look,
                       [&] { return Counted(lines.size(), "link", "links"); });
}

}  // namespace fairlead::linkprobe
