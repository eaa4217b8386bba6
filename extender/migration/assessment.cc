#include "extender/migration/assessment.h"

#include <algorithm>
#include <cmath>

#include "common/units/human.h"
#include "extender/migration/lines_summary.h"
#include "extender/migration/place_choice.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kDay = Seconds(24 * 3600);

// Lines whose limits were broken for long enough.
std::vector<const LimitBreach*> LongBreaches(const GangCondition& gang,
                                             const MigrationConfig& config) {
  std::vector<const LimitBreach*> broken;
  for (const LimitBreach& breach : gang.breaches) {
    if (breach.broken_for >= config.policy_for) broken.push_back(&breach);
  }
  return broken;
}

const ClassOverride* ClassOf(const GangCondition& gang, const MigrationConfig& config) {
  for (const ClassOverride& entry : config.classes) {
    if (!gang.priority_class.empty() && entry.priority_class == gang.priority_class) return &entry;
  }
  return nullptr;
}

// The newest move that counts as one: under way, or over.
const PastMove* Newest(const GangCondition& gang) {
  const PastMove* newest = nullptr;
  for (const PastMove& move : gang.history) {
    if (newest == nullptr || move.begun_ago < newest->begun_ago) newest = &move;
  }
  return newest;
}

// Judges one gang; each step either settles the verdict or leaves it to the next.
class Judge {
 public:
  Judge(const GangCondition& gang, ExcessMeter& meter, const Surroundings& around)
      : gang_(gang),
        meter_(meter),
        around_(around),
        config_(around.config),
        class_(ClassOf(gang, around.config)),
        lines_(SummariseLines(gang.crosses, around.lines)),
        breaches_(LongBreaches(gang, around.config)) {
    verdict_.gang = gang.key;
    verdict_.name = gang.name;
    verdict_.mode = ModeOf(gang, config_);
  }

  Assessment Run() {
    Meter();
    if (!(Resting() && Attended() && Lines() && Places() && Paid() && History() && Allowed())) {
      return {std::move(verdict_), {}};
    }
    verdict_.reason = MigrationReason::kMove;
    verdict_.sentence = Why() + ", and " + GainText();
    return {std::move(verdict_), std::move(allowed_)};
  }

 private:
  bool No(MigrationReason reason, std::string sentence,
          std::optional<Nanoseconds> may_change_in = std::nullopt) {
    verdict_.reason = reason;
    verdict_.sentence = std::move(sentence);
    verdict_.may_change_in = may_change_in;
    return false;
  }

  void Meter() {
    verdict_.by_policy = !breaches_.empty() && lines_.reason != MigrationReason::kStale;
    better_ = BetterPlaces(gang_, verdict_.by_policy ? 0 : config_.better_by, around_);
    const PastMove* newest = Newest(gang_);
    if (newest != nullptr && meter_.onset() && (newest->disturbed || !newest->ended_ago) &&
        around_.now - std::max(newest->begun_ago, Nanoseconds(0)) >= *meter_.onset()) {
      meter_.Reset();
    }
    const bool running = gang_.size > 0 && gang_.ready >= gang_.size;
    MeterInput input = MeterInput::kUnclear;
    double rate = 0;
    if (lines_.reason == MigrationReason::kMove && running && !better_.empty()) {
      input = MeterInput::kBad;
      rate = ExcessRate(gang_.step_seconds, better_.front()->step_seconds);
    } else if (lines_.reason == MigrationReason::kLinesWell) {
      input = MeterInput::kWell;
    }
    meter_.Observe(input, rate, around_.now, config_.evidence_stale, config_.reset_after);
    verdict_.paid = meter_.paid();
    verdict_.rate = meter_.rate();
    verdict_.cost = TotalCost(gang_.cost);
    if (verdict_.cost) {
      const double margin = class_ != nullptr && class_->margin ? *class_->margin : config_.margin;
      const double threshold = static_cast<double>(verdict_.cost->count()) * (1 + margin);
      verdict_.threshold = Nanoseconds(std::llround(threshold));
    }
    if (!better_.empty()) verdict_.to = *better_.front();
    verdict_.leaves = lines_.bad;
    if (verdict_.by_policy) {
      for (const LimitBreach* breach : breaches_) {
        if (std::ranges::find(verdict_.leaves, breach->line) == verdict_.leaves.end()) {
          verdict_.leaves.push_back(breach->line);
        }
      }
    }
  }

  bool Resting() {
    const PastMove* newest = Newest(gang_);
    if (newest == nullptr || newest->ended_ago) return true;
    verdict_.may_be_given_up = !newest->disturbed;
    if (verdict_.may_be_given_up) verdict_.unwanted = Unwanted(*newest);
    return No(MigrationReason::kMoving,
              "move " + newest->id + " began " + HumanAge(newest->begun_ago) + " ago");
  }

  // Why a move that has not disturbed anything would not be decided any more; empty: it would.
  std::string Unwanted(const PastMove& move) const {
    if (verdict_.mode != MigrationMode::kEnforce) {
      return "its mode is " + std::string(MigrationModeName(verdict_.mode)) + " now";
    }
    if (!around_.cluster_fresh) return "the API server has not been heard of lately";
    if (lines_.reason != MigrationReason::kMove && !verdict_.by_policy) return lines_.sentence;
    const bool there =
        std::ranges::any_of(better_, [&](const Place* place) { return place->members == move.to; });
    return there ? ""
                 : "the place with " + DescribePlacement(move.to) +
                       " has no room for it any more, or is no better";
  }

  bool Attended() {
    if (verdict_.mode == MigrationMode::kOff) {
      meter_.Reset();
      verdict_.paid = {};
      verdict_.rate = 0;
      return No(MigrationReason::kOff, "migration is off for it");
    }
    if (around_.ledger.Pending(gang_.key)) {
      return No(MigrationReason::kMoving, "a move was decided and is being recorded");
    }
    if (!gang_.not_movable.empty()) return No(MigrationReason::kNotMovable, gang_.not_movable);
    return true;
  }

  bool Lines() {
    if (!around_.cluster_fresh) {
      return No(MigrationReason::kStale, "the API server has not been heard of lately");
    }
    const bool bad = lines_.reason == MigrationReason::kMove || verdict_.by_policy;
    if (!bad) return No(lines_.reason, lines_.sentence);
    if (gang_.size == 0 || gang_.ready < gang_.size) {
      return No(MigrationReason::kNotRunning, std::to_string(gang_.ready) + " of " +
                                                  Counted(gang_.size, "member", "members") +
                                                  " are ready");
    }
    return true;
  }

  bool Places() {
    if (!verdict_.cost) {
      return No(MigrationReason::kBadCost,
                "what moving costs makes no sense: " + CostText(gang_.cost) +
                    "; mend the annotations of its pods");
    }
    if (better_.empty()) {
      return No(MigrationReason::kNoBetterPlace,
                Why() + ", but nowhere is room for all " +
                    Counted(gang_.size, "member", "members") + " where a step is shorter by " +
                    HumanPercent(verdict_.by_policy ? 0 : config_.better_by) +
                    " or more, on lines known to be well");
    }
    return true;
  }

  bool Paid() {
    if (verdict_.by_policy) return true;
    if (verdict_.paid < *verdict_.threshold) {
      std::optional<Nanoseconds> left;
      const auto missing = static_cast<double>((*verdict_.threshold - verdict_.paid).count());
      if (verdict_.rate > 0 && missing / verdict_.rate < 9e18) {
        left = Nanoseconds(std::llround(missing / verdict_.rate));
      }
      return No(MigrationReason::kSaving, Why() + "; " + GainText(), left);
    }
    if (gang_.remaining) {
      const double gain = verdict_.rate * static_cast<double>(gang_.remaining->count());
      if (gain <= static_cast<double>(verdict_.cost->count())) {
        return No(MigrationReason::kTooLittleLeft,
                  Why() + ", but over the " + HumanAge(*gang_.remaining) +
                      " that remain moving would gain " +
                      HumanAge(Nanoseconds(std::llround(std::max(gain, 0.0)))) + " and costs " +
                      HumanAge(*verdict_.cost));
      }
    }
    return true;
  }

  bool History() {
    if (gang_.succeeded > 0 || (gang_.remaining && *gang_.remaining <= config_.near_completion)) {
      return No(MigrationReason::kNearCompletion,
                gang_.succeeded > 0
                    ? Counted(gang_.succeeded, "member has", "members have") + " finished already"
                    : HumanAge(*gang_.remaining) + " remain, too little to disturb it");
    }
    const Nanoseconds least =
        class_ != nullptr && class_->min_runtime ? *class_->min_runtime : config_.min_runtime;
    if (gang_.running_for < least) {
      return No(MigrationReason::kMinRuntime,
                "it has run for " + HumanAge(gang_.running_for) + " and is left alone for " +
                    HumanAge(least),
                least - gang_.running_for);
    }
    if (const PastMove* newest = Newest(gang_)) {
      const Nanoseconds ago = std::max(newest->ended_ago.value_or(Nanoseconds(0)), Nanoseconds(0));
      if (ago < config_.gang_cooldown) {
        return No(MigrationReason::kGangCooldown,
                  "its last move ended " + HumanAge(ago) + " ago; the next may begin after " +
                      HumanAge(config_.gang_cooldown),
                  config_.gang_cooldown - ago);
      }
    }
    const auto today = std::ranges::count_if(gang_.history, [](const PastMove& move) {
      return move.disturbed && move.begun_ago < kDay;
    });
    if (today >= static_cast<std::ptrdiff_t>(config_.gang_moves)) {
      return No(MigrationReason::kGangMoves,
                "it was moved " + Counted(static_cast<std::uint64_t>(today), "time", "times") +
                    " within a day, which is all that gangMoves allows");
    }
    if (gang_.retries_left && *gang_.retries_left < config_.retries_left) {
      return No(MigrationReason::kRetryBudget,
                "its owner may restart it " + Counted(*gang_.retries_left, "time", "times") +
                    " more before it fails, and a move takes one; retriesLeft is " +
                    std::to_string(config_.retries_left));
    }
    return true;
  }

  bool Allowed() {
    std::optional<PlaceBlock> first;
    for (const Place* place : better_) {
      auto block = BlockOf(gang_, *place, around_);
      if (!block) {
        allowed_.push_back(place);
      } else if (!first) {
        first = std::move(block);
      }
    }
    if (allowed_.empty()) {
      return No(first->reason, Why() + ", but " + first->sentence, first->ends_in);
    }
    verdict_.to = *allowed_.front();
    return true;
  }

  std::string Why() const {
    if (!verdict_.by_policy) return lines_.sentence;
    const LimitBreach& breach = *breaches_.front();
    return "line " + LineText(breach.line) + " breaks a limit for " + HumanAge(breach.broken_for) +
           " (" + breach.text + ")";
  }

  std::string GainText() const {
    return "a step takes " + StepTime(gang_.step_seconds) + " here and " +
           StepTime(verdict_.to->step_seconds) + " with " +
           DescribePlacement(verdict_.to->members) + "; staying has cost " +
           HumanAge(verdict_.paid) + " so far, moving costs " + HumanAge(*verdict_.cost) +
           " and pays from " + HumanAge(*verdict_.threshold) + " on";
  }

  const GangCondition& gang_;
  ExcessMeter& meter_;
  const Surroundings& around_;
  const MigrationConfig& config_;
  const ClassOverride* class_;
  const LinesSummary lines_;
  const std::vector<const LimitBreach*> breaches_;
  std::vector<const Place*> better_;
  std::vector<const Place*> allowed_;
  MigrationVerdict verdict_;
};

}  // namespace

Assessment Assess(const GangCondition& gang, ExcessMeter& meter, const Surroundings& around) {
  return Judge(gang, meter, around).Run();
}

}  // namespace fairlead::extender
