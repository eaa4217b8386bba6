// Which keys a program reads only when it starts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/config/config.h"

namespace fairlead {

enum class Program { kExtender, kLinkprobe, kDeviceplugin };

// A key by its path, "extender.httpListen"; pending while the file says something else than what
// the program started with.
struct RestartKey {
  std::string_view key;
  bool pending = false;
};

// Every key that `program` reads when it starts and never again. All other keys of the file take
// effect while it runs, or are none of its business. A certificate that is renewed needs no
// restart; a file under another name does. Pure.
std::vector<RestartKey> CompareRestartKeys(Program program, const Config& started_with,
                                           const Config& now);

// The pending ones, "tls.keyFile, extender.httpListen"; empty where there are none.
std::string PendingKeys(const std::vector<RestartKey>& keys);

// `reason` and what a reader of it must know of pending keys: "ok; a restart is needed for ...".
std::string WithPendingKeys(std::string reason, const std::vector<RestartKey>& keys);

}  // namespace fairlead
