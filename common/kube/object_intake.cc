#include "common/kube/object_intake.h"

#include "common/base/quote.h"

namespace fairlead::kube {

ObjectIntake::ObjectIntake(const Resource& resource, ObjectReader& reader, ObjectStore& store,
                           ReflectorMachine& machine, StatusBoard& board, const Clock& clock)
    : resource_(resource),
      reader_(reader),
      store_(store),
      machine_(machine),
      board_(board),
      clock_(clock) {}

void ObjectIntake::BeginList() {
  items_ = 0;
  store_.BeginList();
}

void ObjectIntake::OnItem(std::string_view json, bool whole) {
  const std::string place = "item " + std::to_string(items_++) + " of the list";
  if (!whole) return PassOver(place, "it is larger than any object can be");
  const Result<ObjectHead> head = reader_.ReadHead(json);
  if (!head) return PassOver(place, head.error().message);
  if (Status status = store_.AddToList(head->id, json); !status) {
    PassOver(Quoted(head->id.Text(), 256), status.error().message);
  }
}

void ObjectIntake::OnObject(WatchEvent::Kind kind, std::string_view object) {
  const MonotonicTime now = clock_.Now();
  board_.Update([&](ReflectorStatus& status) {
    ++status.events;
    status.last_heard = now;
  });
  const Result<ObjectHead> head = reader_.ReadHead(object);
  if (!head) {
    const Result<std::string> version = reader_.ReadVersion(object);
    machine_.OnEvent(version ? *version : std::string(), now);
    return PassOver("an event", head.error().message);
  }
  if (kind == WatchEvent::Kind::kDeleted) {
    store_.Remove(head->id);
  } else if (Status status = store_.Upsert(head->id, object); !status) {
    PassOver(Quoted(head->id.Text(), 256), status.error().message);
  }
  machine_.OnEvent(head->resource_version, now);
}

void ObjectIntake::OnBookmark(const std::string& resource_version) {
  const MonotonicTime now = clock_.Now();
  board_.Update([&](ReflectorStatus& status) {
    ++status.bookmarks;
    status.last_heard = now;
  });
  machine_.OnEvent(resource_version, now);
}

void ObjectIntake::OnUnknown() {
  board_.Update([](ReflectorStatus& status) { ++status.unknown_events; });
}

void ObjectIntake::PassOver(const std::string& which, const std::string& why) {
  board_.Update([&](ReflectorStatus& status) {
    ++status.bad_objects;
    status.last_bad_object = resource_.name + ": " + which + ": " + why;
  });
}

}  // namespace fairlead::kube
