// What has happened to a move, for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "extender/cluster/cluster_event.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

struct MoveNews {
  enum class What {
    kTakenOver,    // another process, or this one before, left it open
    kEndedBefore,  // it had ended shortly before this process began to lead
    kStep,         // it came to record.step, which is not the last
    kStuck,        // see record.stuck
    kEnded,        // see record.outcome
    kNotBegun,     // it could not be recorded, because of `text`
    kDropped,      // before it was recorded it was not wanted any more, because of `text`
    kOwnerGone,    // with the record
  };
  What what = What::kStep;
  GangKey gang{};
  std::string name{};
  OwnerFacts owner{};
  LeverKind lever = LeverKind::kSuspend;
  MoveRecord record{};
  std::string text{};
};

// What is new in `now` against `before`, as read from the owner; absent: nothing.
std::optional<MoveNews::What> WhatIsNew(const MoveRecord& before, const MoveRecord& now);

// The word of moves_total: MoveOutcomeName, "not_begun" or "owner_gone".
std::string OutcomeWord(const MoveNews& news);

// "stop", "ended", ..., for the log.
std::string_view NewsName(const MoveNews& news);

// On the gang's owner; absent where nobody need know. What is known from the record has a name of
// its own, so that a process that takes over may say it again in case the one before could not.
std::optional<ClusterEvent> EventOf(const MoveNews& news);

}  // namespace fairlead::extender
