#include "extender/cluster_api/read_group.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "common/base/names.h"
#include "extender/cluster_api/read_where.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"

namespace fairlead::extender::json {

using namespace fairlead::json;

namespace {

// Beyond what the API takes; whether it is a size is for others to say.
constexpr std::uint64_t kMostCount = std::numeric_limits<std::uint32_t>::max();

error_code ReadCount(od::value& value, std::optional<std::uint32_t>& count) {
  if (Kind(value) == 'n') return simdjson::SUCCESS;
  std::uint64_t number = 0;
  if (const error_code error = value.get_uint64().get(number)) return error;
  if (number > kMostCount) return simdjson::NUMBER_OUT_OF_RANGE;
  count = static_cast<std::uint32_t>(number);
  return simdjson::SUCCESS;
}

error_code ReadController(od::value& owners, std::size_t limit, OwnerFacts& controller) {
  return ForEachElement(owners, [&](od::value& owner) {
    OwnerFacts facts;
    const error_code error = ForEachField(owner, limit, [&](auto key, od::value value) {
      if (key == "kind") return ReadText(value, facts.kind);
      if (key == "name") return ReadText(value, facts.name);
      if (key == "uid") return ReadText(value, facts.uid);
      if (key == "apiVersion") return ReadText(value, facts.api_version);
      if (key == "controller" && Kind(value) != 'n') return value.get_bool().get(facts.controller);
      return simdjson::SUCCESS;
    });
    if (facts.controller) controller = std::move(facts);
    return error;
  });
}

error_code ReadMoves(od::value& annotations, std::size_t limit, RecordedMoves& moves) {
  return ForEachField(annotations, limit, [&](auto key, od::value value) {
    if (key != AnnotationName(kMovesAnnotation)) return simdjson::SUCCESS;
    std::string text;
    const error_code error = ReadText(value, text);
    moves = RecordedMoves(std::move(text));
    return error;
  });
}

error_code ReadLabels(od::value& map, std::size_t limit, StringMap& labels) {
  return ForEachField(map, limit, [&](auto key, od::value value) {
    return ReadText(value, labels[std::string(key)]);
  });
}

// spec.schedulingPolicy.gang.minCount.
error_code ReadPolicy(od::value& policy, std::size_t limit, PodGroup& group) {
  return ForEachField(policy, limit, [&](auto kind, od::value gang) {
    if (kind != "gang") return simdjson::SUCCESS;
    return ForEachField(gang, limit, [&](auto key, od::value value) {
      return key == "minCount" ? ReadCount(value, group.min_members) : simdjson::SUCCESS;
    });
  });
}

// One condition of a Job; true where it says that the Job has ended.
error_code ReadCondition(od::value& condition, std::size_t limit, bool& ended) {
  std::string_view type;
  std::string_view status;
  const error_code error = ForEachField(condition, limit, [&](auto key, od::value value) {
    if (key == "type") return ReadText(value, type);
    if (key == "status") return ReadText(value, status);
    return simdjson::SUCCESS;
  });
  ended |= status == "True" && (type == "Complete" || type == "Failed");
  return error;
}

}  // namespace

error_code ReadPodGroup(od::object& object, std::size_t limit, PodGroup& group,
                        std::string_view& where) {
  return ForEachField(object, limit, [&](auto part, od::value value) {
    if (part == "metadata") {
      return ForEachField(value, limit, [&](auto key, od::value field) {
        if (key != "ownerReferences") return simdjson::SUCCESS;
        return Where(where, "metadata.ownerReferences",
                     ReadController(field, limit, group.controller));
      });
    }
    if (part != "spec") return simdjson::SUCCESS;
    return ForEachField(value, limit, [&](auto key, od::value field) {
      if (key == "minMember") {
        return Where(where, "spec.minMember", ReadCount(field, group.min_members));
      }
      if (key != "schedulingPolicy") return simdjson::SUCCESS;
      return Where(where, "spec.schedulingPolicy", ReadPolicy(field, limit, group));
    });
  });
}

error_code ReadJob(od::object& object, std::size_t limit, BatchJob& job, std::string_view& where) {
  PodFacts facts;
  facts.namespace_name = job.namespace_name;
  const error_code error = ForEachField(object, limit, [&](auto part, od::value value) {
    // A watch tells kind and apiVersion, too, which are no objects; a list does not.
    if (part != "metadata" && part != "spec" && part != "status") return simdjson::SUCCESS;
    return ForEachField(value, limit, [&](auto key, od::value field) {
      if (part == "metadata" && key == "labels") {
        return Where(where, "metadata.labels", ReadLabels(field, limit, facts.labels));
      }
      if (part == "metadata" && key == "annotations") {
        return Where(where, "metadata.annotations", ReadMoves(field, limit, job.moves));
      }
      if (part == "metadata" && key == "ownerReferences") {
        return Where(where, "metadata.ownerReferences",
                     ReadController(field, limit, job.controller));
      }
      if (part == "spec" && key == "parallelism") {
        return Where(where, "spec.parallelism", ReadCount(field, job.parallelism));
      }
      if (part == "spec" && key == "completions") {
        return Where(where, "spec.completions", ReadCount(field, job.completions));
      }
      if (part == "spec" && key == "suspend" && Kind(field) != 'n') {
        return Where(where, "spec.suspend", field.get_bool().get(job.suspended));
      }
      if (part == "status" && key == "succeeded") {
        return Where(where, "status.succeeded", ReadCount(field, job.succeeded));
      }
      if (part == "status" && key == "conditions") {
        return Where(where, "status.conditions", ForEachElement(field, [&](od::value& condition) {
                       return ReadCondition(condition, limit, job.finished);
                     }));
      }
      return simdjson::SUCCESS;
    });
  });
  // A JobSet writes the same labels on its Jobs and on their pods.
  if (const auto gang = RecogniseGang(facts); gang && gang->key.kind == "jobset") {
    job.jobset = gang->key;
  }
  return error;
}

}  // namespace fairlead::extender::json
