// What is told about an object with a Kubernetes Event.
#pragma once

#include <string>
#include <utility>

#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

struct EventRegarding {
  std::string api_version = "v1";
  std::string kind = "Pod";
  std::string namespace_name;  // empty for what belongs to none
  std::string name;
  std::string uid;
};

inline EventRegarding Regarding(const OwnerFacts& owner, std::string namespace_name) {
  return {.api_version = owner.api_version,
          .kind = owner.kind,
          .namespace_name = std::move(namespace_name),
          .name = owner.name,
          .uid = owner.uid};
}

struct ClusterEvent {
  enum class Type { kNormal, kWarning };

  EventRegarding regarding;
  Type type = Type::kNormal;
  std::string reason;  // CamelCase, "GangPlanned"
  std::string action;  // what was done, "Planning"
  std::string note;    // a sentence for people; what is beyond 1 KiB is cut
  // Of the Event: who says the same once more, in whichever process, says it by the same name, and
  // there is one. Lower-case letters, digits, '-' and '.'. Empty: one is made up.
  std::string name{};
};

// Thread-safe and never waits.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // False where it could not be kept; that is counted.
  virtual bool Tell(ClusterEvent event) = 0;
};

// Where there is no API server to keep Events.
class NoEvents final : public EventSink {
 public:
  bool Tell(ClusterEvent) override { return true; }
};

}  // namespace fairlead::extender
