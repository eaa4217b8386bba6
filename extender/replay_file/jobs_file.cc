#include "extender/replay_file/jobs_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "common/base/names.h"
#include "common/base/quote.h"
#include "common/config/names.h"
#include "common/config/section_reader.h"
#include "common/units/human.h"
#include "common/units/number.h"
#include "common/units/time_text.h"
#include "extender/gang/gang_key.h"
#include "extender/migration/moving_cost.h"
#include "extender/migration_round/moving_cost_of.h"

namespace fairlead::extender {
namespace {

// Those of docs/migration.md but last-checkpoint, which is one moment's.
constexpr std::array<std::string_view, 13> kAnnotations{
    "comm-pattern",        "comm-bytes",       "compute-ms",   "max-rtt",
    "max-jitter",          "min-bandwidth",    "migration",    "checkpoint-on-request",
    "checkpoint-interval", "checkpoint-write", "restart-time", "requeue-time",
    "expected-end"};

Result<WallTime> Time(std::string_view text) { return ParseTime(text); }

// As objects of Kubernetes are called; nodes are called so, too.
Result<std::string> ObjectName(std::string_view text) {
  if (ParseNodeName(text)) return std::string(text);
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is not a name; use lower-case letters, digits, '-' and '.'");
}

Result<std::int32_t> Priority(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto size =
      ParseCount(text.substr(negative ? 1 : 0), 0,
                 static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()));
  if (!size) return Fail(size.error());
  const auto value = static_cast<std::int32_t>(*size);
  return negative ? -value : value;
}

class JobsFile {
 public:
  JobsFile(const LinkTrace& links, const MovingCostDefaults& costs, Problems& problems)
      : links_(links), costs_(costs), problems_(problems) {
    for (const auto& [key, points] : links.links) sites_.insert({key.from_site, key.to_site});
  }

  ReplayJobs Read(const DocumentNode& root) {
    SectionReader top(root, "", problems_);
    top.Require("room");
    top.Require("gangs");
    jobs_.room = Counts(top, "room");
    for (const DocumentNode& node : top.List("gangs")) Gang(node);
    if (problems_.empty() && jobs_.gangs.empty()) {
      top.Complain("gangs", "there is none; list those that run while links were recorded");
    }
    top.Finish();
    if (problems_.empty()) CheckSize(root.line);
    if (problems_.empty()) CheckOverlap(root.line);
    if (problems_.empty()) CheckRoom();
    return std::move(jobs_);
  }

 private:
  // Members by site; sites must be known.
  SiteCounts Counts(SectionReader& section, std::string_view key) {
    SiteCounts counts;
    const DocumentNode* node = section.Child(key);
    if (node == nullptr) return counts;
    SectionReader sites(*node, section.PathOf(key), problems_);
    for (const DocumentNode& site : node->children) {
      if (!sites_.contains(site.key)) {
        // Of any bytes, so not part of a path.
        sites.Child(site.key);
        problems_.Add(
            site.line, section.PathOf(key),
            "of site " + Quoted(site.key) + " no link was recorded; there are " + KnownSites());
        continue;
      }
      std::uint32_t count = 0;
      sites.Count(site.key, count, 0, kMostGangMembers);
      if (count > 0) counts.emplace(site.key, count);
    }
    sites.Finish();
    return counts;
  }

  std::string KnownSites() const {
    std::string text;
    for (const std::string& site : sites_) text += (text.empty() ? "" : ", ") + site;
    return text;
  }

  void Gang(const DocumentNode& node) {
    const std::string path = "gangs[" + std::to_string(jobs_.gangs.size()) + "]";
    SectionReader section(node, path, problems_);
    ReplayGang gang;
    for (const char* key : {"name", "namespace", "members"}) section.Require(key);
    section.Value("name", gang.name, ObjectName);
    section.Value("namespace", gang.namespace_name, ObjectName);
    gang.members = Counts(section, "members");
    const auto time = [&](const char* key, std::optional<WallTime>& out) {
      WallTime at{};
      if (!section.Has(key)) return;
      section.Value(key, at, Time);
      out = at;
    };
    time("start", gang.start);
    time("end", gang.end);
    const DocumentNode* annotations = section.Child("annotations");
    if (annotations != nullptr) Annotations(*annotations, section.PathOf("annotations"), gang);
    section.Value("priority", gang.wishes.priority, Priority);
    section.Text("priorityClass", gang.wishes.priority_class);
    section.Finish();
    Check(section, gang);
    lines_of_gangs_.push_back(node.line);
    jobs_.gangs.push_back(std::move(gang));
  }

  void Annotations(const DocumentNode& node, const std::string& path, ReplayGang& gang) {
    SectionReader section(node, path, problems_);
    PodFacts pod;
    for (const DocumentNode& child : node.children) {
      std::string_view word = child.key;
      if (word.starts_with(kLabelPrefix)) word.remove_prefix(kLabelPrefix.size());
      if (std::ranges::find(kAnnotations, word) == kAnnotations.end()) {
        section.Child(child.key);
        problems_.Add(child.line, path,
                      word == "last-checkpoint"
                          ? "last-checkpoint is one moment's; tell checkpoint-interval instead"
                          : Quoted(child.key) +
                                " is no annotation by which moves are decided; "
                                "docs/migration.md has them");
        continue;
      }
      std::string value;
      section.Value(child.key, value,
                    [](std::string_view text) -> Result<std::string> { return std::string(text); });
      if (!pod.annotations.emplace(AnnotationName(word), std::move(value)).second) {
        section.Complain(child.key, "is there already, with or without fairlead.dev/; remove one");
      }
    }
    section.Finish();
    const PodWishes of_lines = ReadWishes(pod);
    gang.wishes = ReadMoveWishes(pod);
    for (const std::string& error : of_lines.errors)
      problems_.Add(node.line, path, "in a cluster, " + error);
    if (!gang.wishes.fault.empty()) problems_.Add(node.line, path, gang.wishes.fault);
  }

  void Check(SectionReader& section, const ReplayGang& gang) {
    if (section.Has("members") && gang.members.empty()) {
      section.Complain("members", "it has none; write how many are at which site, {hk: 8, sg: 8}");
    }
    if (gang.start && gang.end && *gang.start >= *gang.end) {
      section.Complain(
          "end", FormatTime(*gang.end) + " is not after its start, " + FormatTime(*gang.start));
    }
    const bool twice = std::ranges::any_of(
        jobs_.gangs, [&](const ReplayGang& other) { return other.Name() == gang.Name(); });
    if (twice) section.Complain("name", Quoted(gang.Name()) + " is there already; rename one");
    for (auto a = gang.members.begin(); a != gang.members.end(); ++a) {
      for (auto b = std::next(a); b != gang.members.end(); ++b) {
        if (links_.Knows({a->first, b->first}) || !sites_.contains(a->first) ||
            !sites_.contains(b->first)) {
          continue;
        }
        section.Complain("members", "no link between " + a->first + " and " + b->first +
                                        " was recorded; without one nothing can be said of it");
      }
    }
    const MovingCost cost = MovingCostOf(gang.wishes, costs_, links_.begin);
    if (!TotalCost(cost)) {
      section.Complain("annotations", "what moving costs makes no sense: " + CostText(cost) +
                                          "; each part is from 0 s to 30 days");
    }
  }

  // Each member is kept for itself.
  void CheckSize(int line) {
    std::uint64_t all = 0;
    for (const ReplayGang& gang : jobs_.gangs) {
      for (const auto& [site, count] : gang.members) all += count;
    }
    if (all <= kMostGangMembers) return;
    problems_.Add(line, "gangs",
                  "they have " + std::to_string(all) +
                      " members together, at most 1000000 can be replayed; leave "
                      "some of them out");
  }

  void CheckOverlap(int line) {
    const bool any = std::ranges::any_of(jobs_.gangs, [&](const ReplayGang& gang) {
      return (!gang.start || *gang.start < links_.end) && (!gang.end || *gang.end > links_.begin);
    });
    if (any) return;
    problems_.Add(line, "gangs",
                  "none of them runs from " + FormatTime(links_.begin) + " to " +
                      FormatTime(links_.end) + ", while links were recorded; mend start and end");
  }

  // Whenever a gang begins, those that run must have room as they are placed.
  void CheckRoom() {
    for (std::size_t i = 0; i < jobs_.gangs.size(); ++i) {
      const WallTime begins = std::max(jobs_.gangs[i].start.value_or(links_.begin), links_.begin);
      SiteCounts used;
      for (const ReplayGang& gang : jobs_.gangs) {
        if (!gang.RunsAt(begins)) continue;
        for (const auto& [site, count] : gang.members) used[site] += count;
      }
      for (const auto& [site, count] : jobs_.gangs[i].members) {
        const auto room = jobs_.room.find(site);
        const std::uint32_t most = room == jobs_.room.end() ? 0 : room->second;
        if (!jobs_.gangs[i].RunsAt(begins) || used[site] <= most) continue;
        problems_.Add(lines_of_gangs_[i], "gangs[" + std::to_string(i) + "].members." + site,
                      "at " + FormatTime(begins) + " gangs have " +
                          Counted(used[site], "member", "members") + " there, but room." + site +
                          " is " + std::to_string(most) +
                          "; room counts all members that fit, those of these gangs too");
      }
    }
  }

  const LinkTrace& links_;
  const MovingCostDefaults& costs_;
  Problems& problems_;
  std::set<std::string> sites_;
  ReplayJobs jobs_;
  std::vector<int> lines_of_gangs_;
};

}  // namespace

Result<ReplayJobs> ParseJobs(const std::string& name, std::string_view text, const LinkTrace& links,
                             const MovingCostDefaults& costs) {
  Problems problems;
  const DocumentNode root = ReadDocument(text, problems);
  ReplayJobs jobs;
  if (problems.empty()) jobs = JobsFile(links, costs, problems).Read(root);
  if (!problems.empty()) return Fail(problems.ToError(name));
  return jobs;
}

}  // namespace fairlead::extender
