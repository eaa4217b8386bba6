#include "extender/replay/replay_svg.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "common/svg/svg_writer.h"
#include "common/units/human.h"
#include "common/units/time_text.h"
#include "extender/placement/explain.h"
#include "extender/replay/words.h"

namespace fairlead::extender {
namespace {

constexpr double kWidth = 1240;
constexpr double kMargin = 24;
constexpr double kLeft = 190;
constexpr double kPlotWidth = kWidth - kLeft - kMargin;
constexpr double kBar = 14;
constexpr double kMeterHeight = 56;
constexpr int kTicks = 4;
// As many runs of one state as pixels can be seen.
constexpr std::size_t kColumns = static_cast<std::size_t>(kPlotWidth);

constexpr char kInk[] = "#1f2328";
constexpr char kFaint[] = "#6e7781";
constexpr char kRule[] = "#d8dee4";
constexpr char kMeter[] = "#1f6feb";
constexpr char kMove[] = "#cf222e";
constexpr std::array kPlaceColours{"#54aeff", "#4ac26b", "#d4a72c",
                                   "#c297ff", "#ff8182", "#57606a"};

const char* StateColour(LinkState state) {
  switch (state) {
    case LinkState::kUnknown:
      return "#d0d7de";
    case LinkState::kHealthy:
      return "#aceebb";
    case LinkState::kSuspect:
      return "#fae17d";
    case LinkState::kDegraded:
      return "#fb8f44";
    case LinkState::kDown:
      return "#cf222e";
  }
  return "#d0d7de";
}

class Picture {
 public:
  explicit Picture(const ReplayReport& report) : report_(report), links_(report.question.links) {}

  std::string Draw() {
    const GangOutcome all = Together(report_.outcome);
    const std::string title = Counted(report_.run.moves.size(), "move", "moves") + ", gain " +
                              SpanText(all.gain) + " of at most " + SpanText(all.best_gain) +
                              ", regret " + SpanText(all.regret());
    svg_.Text(kMargin, y_, title, {.size = 18, .colour = kInk, .bold = true});
    y_ += 22;
    svg_.Text(kMargin, y_, report_.links_name + ", " + report_.jobs_name,
              {.size = 12, .colour = kFaint});
    y_ += 18;
    Legend();
    Ticks();
    Lines();
    for (std::size_t i = 0; i < report_.question.jobs.gangs.size(); ++i) Gang(i);
    return svg_.Document(kWidth, y_ + kMargin, "Replay of recorded links: " + title);
  }

 private:
  double X(WallTime at) const {
    const double whole = static_cast<double>(Nanoseconds(links_.end - links_.begin).count());
    const double part = static_cast<double>(Nanoseconds(at - links_.begin).count());
    return kLeft + kPlotWidth * std::clamp(part / whole, 0.0, 1.0);
  }

  void Label(double y, const std::string& text, bool bold = false) {
    svg_.Text(
        kLeft - 8, y, text,
        {.size = 11, .colour = bold ? kInk : kFaint, .anchor = TextAnchor::kEnd, .bold = bold});
  }

  void Legend() {
    double x = kLeft;
    for (const LinkState state : kAllLinkStates) {
      svg_.Rect(x, y_ - 9, 12, 10, StateColour(state));
      svg_.Text(x + 16, y_, LinkStateName(state), {.size = 11, .colour = kFaint});
      x += 92;
    }
    svg_.Line(x, y_ - 4, x + 14, y_ - 4, kMeter, 2);
    svg_.Text(x + 18, y_, "paid, of what a move takes", {.size = 11, .colour = kFaint});
    svg_.Line(x + 200, y_ - 10, x + 200, y_ + 2, kMove, 2);
    svg_.Text(x + 206, y_, "a move", {.size = 11, .colour = kFaint});
    y_ += 26;
  }

  void Ticks() {
    for (int i = 0; i <= kTicks; ++i) {
      const WallTime at = links_.begin + (links_.end - links_.begin) * i / kTicks;
      const TextAnchor anchor = i == 0        ? TextAnchor::kStart
                                : i == kTicks ? TextAnchor::kEnd
                                              : TextAnchor::kMiddle;
      svg_.Text(X(at), y_, FormatTime(at), {.size = 10.5, .colour = kFaint, .anchor = anchor});
      svg_.Line(X(at), y_ + 4, X(at), y_ + 9, kRule);
    }
    y_ += 18;
  }

  // The worst state in each column, of both directions.
  void Lines() {
    std::map<SitePair, std::vector<LinkState>> lines;
    for (const auto& [key, points] : links_.links) {
      if (key.from_site == key.to_site) continue;
      auto& columns = lines[std::minmax(key.from_site, key.to_site)];
      columns.resize(kColumns, LinkState::kUnknown);
      for (std::size_t i = 0; i < points.size(); ++i) {
        WallTime until = points[i].at + links_.Hold();
        if (i + 1 < points.size()) until = std::min(until, points[i + 1].at);
        const auto from = static_cast<std::size_t>(X(points[i].at) - kLeft);
        const auto to = static_cast<std::size_t>(X(until) - kLeft);
        for (std::size_t c = from; c <= std::min(to, kColumns - 1); ++c) {
          if (c < to || c == from) columns[c] = std::max(columns[c], points[i].state);
        }
      }
    }
    for (const auto& [line, columns] : lines) {
      Label(y_ + 11, LineText(line));
      for (std::size_t c = 0; c < kColumns;) {
        std::size_t end = c;
        while (end < kColumns && columns[end] == columns[c]) ++end;
        svg_.Rect(kLeft + static_cast<double>(c), y_, static_cast<double>(end - c), kBar,
                  StateColour(columns[c]));
        c = end;
      }
      y_ += kBar + 5;
    }
  }

  using Course = std::vector<std::pair<WallTime, SiteCounts>>;

  void Gang(std::size_t index) {
    const ReplayGang& gang = report_.question.jobs.gangs[index];
    y_ += 16;
    svg_.Line(kMargin, y_, kWidth - kMargin, y_, kRule);
    y_ += 20;
    svg_.Text(kMargin, y_, gang.Name(), {.size = 14, .colour = kInk, .bold = true});
    y_ += 10;
    const WallTime begin = std::max(gang.start.value_or(links_.begin), links_.begin);
    const WallTime end = std::min(gang.end.value_or(links_.end), links_.end);
    if (begin >= end) return;
    Course run{{begin, gang.members}};
    Course best = run;
    for (const ReplayedMove& move : report_.run.moves) {
      if (move.gang == index) run.push_back({move.at, move.to});
    }
    for (const BestMove& move : report_.outcome.gangs[index].best) {
      best.push_back({move.at, move.to});
    }
    Places("where it was", run, end);
    Places("best course", best, end);
    Meter(report_.run.gangs[index].meter, run, end);
  }

  void Places(const char* label, const Course& course, WallTime end) {
    Label(y_ + 11, label);
    for (std::size_t i = 0; i < course.size(); ++i) {
      const WallTime until = i + 1 < course.size() ? course[i + 1].first : end;
      const double x = X(course[i].first);
      const double width = X(until) - x;
      svg_.Rect(x, y_, width, kBar, ColourOf(course[i].second), 0.6);
      const std::string text = DescribePlacement(course[i].second);
      if (width > 7.0 * static_cast<double>(text.size())) {
        svg_.Text(x + 4, y_ + 11, text, {.size = 11, .colour = kInk});
      }
    }
    y_ += kBar + 4;
  }

  const char* ColourOf(const SiteCounts& place) {
    const auto found = colours_.try_emplace(place, colours_.size()).first;
    return kPlaceColours[found->second % kPlaceColours.size()];
  }

  // As a share of the threshold, which is the upper edge.
  void Meter(const std::vector<MeterPoint>& meter, const Course& run, WallTime end) {
    const double bottom = y_ + kMeterHeight;
    Label(y_ + 10, "a move's cost");
    Label(bottom, "nothing paid");
    svg_.Line(kLeft, bottom, kLeft + kPlotWidth, bottom, kRule);
    svg_.Line(kLeft, y_ + 4, kLeft + kPlotWidth, y_ + 4, kRule);
    WallTime last_at = run.front().first;
    double last_y = bottom;
    const auto draw = [&](WallTime at, double to_y) {
      svg_.Line(X(last_at), last_y, X(at), to_y, kMeter, 1.5);
      last_at = at;
      last_y = to_y;
    };
    for (const MeterPoint& point : meter) {
      double share = 0;
      if (point.threshold.count() > 0) {
        share = std::min(1.0, static_cast<double>(point.paid.count()) /
                                  static_cast<double>(point.threshold.count()));
      }
      // Between two points that are no neighbours nothing was paid.
      const WallTime before = point.at - report_.run.round;
      if (before > last_at + report_.run.round) draw(before, last_y);
      const double height = bottom - share * (kMeterHeight - 4);
      // Less than half a pixel is not seen.
      if (X(point.at) - X(last_at) >= 0.5 || height > last_y || &point == &meter.back()) {
        draw(point.at, height);
      }
    }
    draw(end, last_y);
    for (std::size_t i = 1; i < run.size(); ++i) {
      svg_.Line(X(run[i].first), y_, X(run[i].first), bottom, kMove, 2);
    }
    y_ = bottom;
  }

  const ReplayReport& report_;
  const LinkTrace& links_;
  SvgWriter svg_;
  double y_ = kMargin + 14;
  std::map<SiteCounts, std::size_t> colours_;
};

}  // namespace

std::string ReplaySvg(const ReplayReport& report) { return Picture(report).Draw(); }

}  // namespace fairlead::extender
