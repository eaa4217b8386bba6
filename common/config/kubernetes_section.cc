// `extender.kubernetes`: where the extender learns of nodes, pods and gangs.
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/names.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"

namespace fairlead {
namespace {

Result<std::string> ParseServiceAccount(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool two = slash != std::string_view::npos && slash > 0 && slash + 1 < text.size() &&
                   text.find('/', slash + 1) == std::string_view::npos;
  if (two && text.find_first_of(": \t") == std::string_view::npos) return std::string(text);
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is no service account; write it like fairlead/fairlead-linkprobe");
}

Result<std::string> ParseAudience(std::string_view text) {
  if (!text.empty()) return std::string(text);
  return Fail(ErrorCode::kInvalidArgument,
              "is empty; tokens for the API server itself would then prove a probe");
}

}  // namespace

void ReadKubernetes(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "extender.kubernetes", problems);
  KubernetesConfig& kubernetes = config.extender.kubernetes;
  reader.Value("mode", kubernetes.source,
               OneOf<ClusterSource>("mode", {{"standalone", ClusterSource::kStandalone},
                                             {"inCluster", ClusterSource::kInCluster},
                                             {"kubeconfig", ClusterSource::kKubeconfig}}));
  reader.Text("kubeconfig", kubernetes.kubeconfig);
  reader.Text("context", kubernetes.context);
  reader.Duration("stale", kubernetes.stale, Seconds(1), Seconds(3600));
  reader.Value("tokenAudience", kubernetes.token_audience, ParseAudience);
  reader.Value("probeServiceAccount", kubernetes.probe_service_account, ParseServiceAccount);
  reader.Finish();
  if (kubernetes.source == ClusterSource::kKubeconfig) {
    if (kubernetes.kubeconfig.empty()) {
      reader.Complain("kubeconfig", "is missing; mode kubeconfig needs the file's path");
    }
  } else {
    for (const std::string_view key : {"kubeconfig", "context"}) {
      if (reader.Has(key)) reader.Complain(key, "is only used with mode: kubeconfig; remove it");
    }
  }
  if (kubernetes.source != ClusterSource::kStandalone && !config.nodes.empty()) {
    reader.Complain("mode",
                    "is not standalone, but nodes lists nodes, which then come from the "
                    "API server; remove one or the other");
  }
}

}  // namespace fairlead
