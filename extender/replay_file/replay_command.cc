#include "extender/replay_file/replay_command.h"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "common/base/file.h"
#include "common/config/config_watcher.h"
#include "extender/replay/outcome.h"
#include "extender/replay/replay_svg.h"
#include "extender/replay/replay_text.h"
#include "extender/replay/threshold_table.h"
#include "extender/replay_file/jobs_file.h"
#include "extender/replay_file/links_file.h"
#include "extender/replay_file/replay_json.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kLargestLinks = std::size_t{1} << 30;
constexpr std::size_t kLargestJobs = std::size_t{1} << 20;

// The picture must not take the place of what it is drawn from, by whatever path that is named.
Status PictureStandsApart(const ReplayWish& wish) {
  if (wish.svg_file.empty()) return {};
  const std::array<std::pair<const char*, const std::string*>, 3> inputs{
      {{"--links", &wish.links_file},
       {"--jobs", &wish.jobs_file},
       {"--config", &wish.config_file}}};
  for (const auto& [option, file] : inputs) {
    std::error_code absent;
    if (wish.svg_file != *file && !std::filesystem::equivalent(wish.svg_file, *file, absent)) {
      continue;
    }
    return Fail(ErrorCode::kInvalidArgument,
                "--svg " + wish.svg_file + " is the file of " + option +
                    ", which the picture would replace; name another one");
  }
  return {};
}

}  // namespace

Result<std::string> RunReplay(const ReplayWish& wish) {
  if (Status apart = PictureStandsApart(wish); !apart) return Fail(apart.error());
  const auto config = ReadConfigFile(wish.config_file);
  if (!config) return Fail(config.error());
  const LineCatalogue lines(config->sites, config->lines);
  const auto links_text = ReadFile(wish.links_file, kLargestLinks);
  if (!links_text) return Fail(links_text.error());
  const auto links = ParseLinks(wish.links_file, *links_text, lines);
  if (!links) return Fail(links.error());
  const auto jobs_text = ReadFile(wish.jobs_file, kLargestJobs);
  if (!jobs_text) return Fail(jobs_text.error());
  auto jobs = ParseJobs(wish.jobs_file, *jobs_text, *links, config->migration.costs);
  if (!jobs) return Fail(jobs.error());

  const MigrationConfig acting = Acting(config->migration);
  const ReplayJobs acting_jobs = Acting(*std::move(jobs));
  const ReplayQuestion question{*links, acting_jobs, acting, lines};
  const ReplayRun run = Replay(question);
  const Outcome outcome = OutcomeOf(question, run);
  const auto table = ThresholdTable(question);
  const ReplayReport report{wish.links_file, wish.jobs_file, question, run, outcome, table};
  if (!wish.svg_file.empty()) {
    if (Status written = ReplaceNamedFile(wish.svg_file, ReplaySvg(report)); !written) {
      return Fail(written.error());
    }
  }
  return wish.json ? ReplayJson(report) : ReplayText(report);
}

}  // namespace fairlead::extender
