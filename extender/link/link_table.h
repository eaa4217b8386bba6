// Reports of all probes in, what is known about each pair of sites out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "extender/link/before_test.h"
#include "extender/link/external_reading.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/line_rate.h"
#include "extender/link/link_aggregate.h"
#include "extender/link/link_history.h"
#include "extender/link/link_view.h"
#include "extender/link/node_rows.h"
#include "extender/link/path_report.h"
#include "extender/link/port_loss.h"

namespace fairlead::extender {

struct LinkTableSettings {
  Nanoseconds stale_after = Seconds(30);  // a path not reported for so long is not known
  Nanoseconds history_step = Seconds(5);
  std::size_t history_points = 180;  // 15 minutes
  std::size_t max_nodes = 8192;
  std::size_t max_paths_per_node = 4096;
  std::uint32_t representatives_per_site = 3;  // that probe another site; no more can agree
  TestLifetimes tests{};
};

// What became of a batch that was taken. Refused paths leave the others untouched.
struct IngestOutcome {
  std::size_t accepted = 0;
  std::vector<std::string> refused;  // one sentence for each refused path
};

// Nodes per site that are alive and could probe; the quorum is min(2, this). A site that is not
// named counts the nodes that have reported and are fresh.
using HealthyNodes = std::map<std::string, std::uint32_t, std::less<>>;

// Single-threaded; its owner publishes the snapshots it takes.
class LinkTable {
 public:
  explicit LinkTable(LinkTableSettings settings = {}, LineCatalogue lines = {});

  // New settings or lines from a reload; reports and histories stay.
  void Configure(LinkTableSettings settings, LineCatalogue lines);

  // A new stream of `node` begins: its sequence numbers and clock start afresh, its last reports
  // stay until newer ones come or they are stale. A probe whose clock was set back heals this way.
  void OpenStream(std::string_view node);

  // Takes a batch; it replaces the node's paths before it as a whole. Refused as a whole, with
  // kInvalidArgument, when sequence, sent_at or received_at does not advance within the stream, or
  // node or site is empty; with kResourceExhausted beyond max_nodes. A path with impossible values
  // is refused alone.
  Result<IngestOutcome> Ingest(PathReportBatch batch);

  // The probe has left: what it reported is forgotten at once. What others report about it stays,
  // because a broken stream does not prove that the node is gone.
  void ForgetNode(std::string_view node);

  // What others measured, from now on; see MergeExternal.
  void SetExternal(std::shared_ptr<const ExternalReadings> external);

  // Links that are being tested, each in the direction of its test, and those of them that a
  // saturation test fills: what that sends is not their use, so that of before is kept. For both
  // directions of these lines see BeforeTest, for what ports lose beside them CrossedLines.
  void SetTested(std::set<LinkKey> tested, const std::set<LinkKey>& saturated, MonotonicTime now);

  // The lines that gangs cross now; nothing where that is not known. See CrossedLines.
  void SetCrossed(const std::optional<CrossedLines::Lines>& crossed, MonotonicTime now) {
    crossed_.Set(crossed, now);
  }

  // Drops stale reports, adds to the histories and returns all links. `now` must not go backwards.
  LinkSnapshot TakeSnapshot(MonotonicTime now, const HealthyNodes& healthy);

  const LineCatalogue& lines() const { return lines_; }

 private:
  struct Tracked {
    LinkHistoryRing history;
    std::optional<LinkState> state;  // absent before the first view
    MonotonicTime since{};
    TestMemory tests;
    std::optional<LineUse> used;  // while no test went on; with its age at used_at
    MonotonicTime used_at{};
    BeforeTest before_test;
  };

  // Fills in what its line carries and has left.
  void DescribeBandwidth(MonotonicTime now, const std::vector<FreshPath>& paths, LinkView& view);
  // Adds the view to its link's history and tells how long its state has stood.
  void Track(MonotonicTime now, LinkView& view);

  LinkTableSettings settings_;
  LineCatalogue lines_;
  std::shared_ptr<const ExternalReadings> external_;  // null: none
  std::set<LinkKey> tested_;
  CrossedLines crossed_;
  std::map<std::string, NodeRows, std::less<>> nodes_;
  std::map<LinkKey, Tracked> tracked_;
};

}  // namespace fairlead::extender
