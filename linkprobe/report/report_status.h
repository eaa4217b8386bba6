// How reporting to the extender goes.
#pragma once

#include <cstdint>
#include <string>

namespace fairlead::linkprobe {

// Of the stream to one replica.
struct StreamStatus {
  bool connected = false;
  std::string last_error{};  // why not connected; empty while connected
  std::uint64_t connects = 0;
  std::uint64_t batches_sent = 0;
};

// Of all of them. Counts go on when a replica goes.
struct ReportStatus {
  bool connected = false;         // one replica at least takes reports
  std::uint32_t replicas = 0;     // addresses that linkprobe.extender leads to
  std::uint32_t connections = 0;  // of those, how many take reports
  std::string last_error{};       // where none does: why; empty otherwise
  std::uint64_t connects = 0;
  std::uint64_t batches_sent = 0;
  std::uint64_t plans_taken = 0;
  std::uint64_t plans_ignored = 0;       // of an old term or revision
  std::uint64_t plans_refused = 0;       // malformed
  std::uint64_t plan_lines_refused = 0;  // impossible, of plans that were good otherwise
  std::uint64_t lookup_failures = 0;
};

}  // namespace fairlead::linkprobe
