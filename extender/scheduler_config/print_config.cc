#include "extender/scheduler_config/print_config.h"

#include <algorithm>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/resource_name.h"
#include "extender/scheduler_config/endpoint.h"
#include "extender/scheduler_config/go_duration.h"
#include "extender/scheduler_config/suitable.h"
#include "extender/scheduler_config/yaml_value.h"

namespace fairlead::extender {
namespace {

constexpr std::uint32_t kUsualWeight = 5;

// A text in single quotes, in which YAML escapes nothing but the quote itself.
std::string YamlText(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-").find(c) != std::string_view::npos;
  };
  const bool text_alone = ResolvePlain(text) == YamlType::kText;
  if (text_alone && std::ranges::all_of(text, plain) && text[0] != '-') return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

Status Refuse(std::string message) { return Fail(ErrorCode::kInvalidArgument, std::move(message)); }

bool Printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

Status CheckWeight(const SchedulerConfigWish& wish) {
  if (!wish.weight) return {};
  if (wish.kind == SchedulerKind::kVolcano) {
    return Refuse(
        "--weight is kube-scheduler's alone; leave it out, extender.volcanoScale in this side's "
        "configuration does the same for Volcano");
  }
  if (*wish.weight >= kLeastWeight && *wish.weight <= kMostWeight) return {};
  return Refuse("--weight " + std::to_string(*wish.weight) + " is not from " +
                std::to_string(kLeastWeight) + " to " + std::to_string(kMostWeight) +
                ": less is drowned by the default plugins, more outvotes every other reason to "
                "prefer a node; 5 suits most");
}

Status Check(const SchedulerConfigWish& wish, const Endpoint& endpoint) {
  for (const std::string* text :
       {&wish.url, &wish.ca_file, &wish.certificate_file, &wish.key_file, &wish.resource}) {
    if (!Printable(*text)) return Refuse(Quoted(*text) + " has a space or control character");
  }
  const bool https = endpoint.scheme == "https";
  if (!https && endpoint.scheme != "http") {
    return Refuse("--url " + Quoted(wish.url) +
                  " is no URL with a host and a port that there can be; write it like "
                  "http://127.0.0.1:8471");
  }
  if (!endpoint.path.empty()) {
    return Refuse("--url " + Quoted(wish.url) +
                  " has a path; leave it out, each scheduler has its own");
  }
  const auto timeout = ParseGoDuration(wish.timeout);
  if (!timeout) {
    return Refuse("--timeout " + Quoted(wish.timeout) + " is no duration; write it like 200ms");
  }
  if (*timeout < kShortestTimeout || *timeout > kLongestTimeout) {
    return Refuse("--timeout " + Quoted(wish.timeout) +
                  " is not from 50ms to 1s: a ranking that comes late is dropped without a word, "
                  "and an extender that hangs holds up every pod; write it like 200ms");
  }
  if (const Status checked = CheckWeight(wish); !checked) return checked;
  if (const auto name = ParseResourceName(wish.resource); !name) {
    return Refuse("--resource " + name.error().message);
  }
  const bool any_file =
      !wish.ca_file.empty() || !wish.certificate_file.empty() || !wish.key_file.empty();
  if (any_file && !https) return Refuse("TLS files are given, but --url is not https://");
  if (wish.certificate_file.empty() != wish.key_file.empty()) {
    return Refuse("--cert-file and --key-file go together; give both, or neither");
  }
  if (wish.kind == SchedulerKind::kVolcano && any_file) {
    return Refuse("Volcano's extender plugin takes no TLS files; have the CA in its image's own");
  }
  if (wish.kind == SchedulerKind::kKubeScheduler && https && wish.ca_file.empty()) {
    return Refuse(
        "https without --ca-file would check no certificate; name the CA's file as the scheduler "
        "sees it");
  }
  return {};
}

std::string KubeText(const SchedulerConfigWish& wish, const std::string& url, bool https) {
  std::string out =
      "apiVersion: kubescheduler.config.k8s.io/v1\n"
      "kind: KubeSchedulerConfiguration\n"
      "# Keep what else yours has: clientConnection, leaderElection, profiles.\n"
      "percentageOfNodesToScore: 100  # else a sample is ranked, and the best site may not be in "
      "it\n"
      "extenders:\n"
      "- urlPrefix: " +
      YamlText(url + "/kube") + "\n";
  if (https) {
    out += "  enableHTTPS: true\n  tlsConfig:\n    caFile: " + YamlText(wish.ca_file) + "\n";
    if (!wish.certificate_file.empty()) {
      out += "    certFile: " + YamlText(wish.certificate_file) + "\n";
      out += "    keyFile: " + YamlText(wish.key_file) + "\n";
    }
  }
  out +=
      "  filterVerb: filter\n"
      "  prioritizeVerb: prioritize\n"
      "  weight: " +
      std::to_string(wish.weight.value_or(kUsualWeight)) +
      "                     # 10 points count this times 100; the default plugins give 1,200 "
      "together\n"
      "  nodeCacheCapable: true        # names in place of whole nodes: a hundredth of the bytes\n"
      "  ignorable: true               # without the extender pods are placed as if it were not "
      "there\n"
      "  httpTimeout: " +
      wish.timeout +
      "\n"
      "  managedResources:             # only pods that ask for it are worth a call\n"
      "  - name: " +
      YamlText(wish.resource) + "\n    ignoredByScheduler: false\n";
  return out;
}

std::string VolcanoText(const SchedulerConfigWish& wish, const std::string& url, bool https) {
  std::string out =
      "# The key volcano-scheduler.conf of the ConfigMap volcano-scheduler-configmap.\n"
      "actions: \"enqueue, allocate, backfill\"\n"
      "tiers:\n"
      "- plugins:\n"
      "  - name: priority\n"
      "  - name: gang\n"
      "  - name: conformance\n"
      "- plugins:\n"
      "  - name: overcommit\n"
      "  - name: drf\n"
      "  - name: predicates\n"
      "  - name: proportion\n"
      "  - name: nodeorder\n"
      "  - name: extender            # behind gang and conformance\n"
      "    arguments:\n";
  if (https) out += "      # Trusted only with the CA among those of the scheduler's image.\n";
  out += "      extender.urlPrefix: " + YamlText(url + "/volcano") + "\n";
  out += "      extender.httpTimeout: " + wish.timeout + "\n";
  out +=
      "      extender.prioritizeVerb: prioritize\n"
      "      extender.jobEnqueueableVerb: jobEnqueueable\n"
      "      extender.ignorable: true\n"
      "      extender.managedResources:\n"
      "      - " +
      YamlText(wish.resource) + "\n";
  return out;
}

}  // namespace

Result<std::string> PrintSchedulerConfig(const SchedulerConfigWish& wish) {
  std::string url = wish.url;
  while (url.ends_with('/')) url.pop_back();
  const Endpoint endpoint = ParseEndpoint(url);
  if (const Status checked = Check(wish, endpoint); !checked) return Fail(checked.error());
  const bool https = endpoint.scheme == "https";
  switch (wish.kind) {
    case SchedulerKind::kKubeScheduler:
      return KubeText(wish, url, https);
    case SchedulerKind::kVolcano:
      return VolcanoText(wish, url, https);
  }
  return std::string();
}

}  // namespace fairlead::extender
