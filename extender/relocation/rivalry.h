// Moves that compete: which one gives way before it has disturbed anything.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "extender/gang/gang_key.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

struct OpenMove {
  GangKey gang;
  MoveRecord record;
};

// What the others mean for a move that has not disturbed anything yet.
struct Rivalry {
  std::string gives_way;  // it is to be given up; empty: it is not
  std::string holds;      // it waits until others have given way; empty: it does not
};

// Two leaders that overlap for a moment, or one that was stopped on the way, may have recorded more
// moves than the limits, of the cluster or to one site. Those that have begun to disturb come
// first, of the others the earlier ones. A move with `concurrent` or more before it, or with
// `to_one_site` or more before it that go to a site to which it goes, gives way. The one that stays
// waits until those behind it have been closed, because a call of theirs may be on its way; so, if
// each looks at the others after its own record was written, never more than the limit disturb
// anything.
Rivalry Compare(const OpenMove& mine, std::span<const OpenMove> all, std::uint32_t concurrent,
                std::uint32_t to_one_site = 1);

}  // namespace fairlead::extender
