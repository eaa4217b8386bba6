#include "deviceplugin/nccl_conf/late_nccl.h"

#include <map>
#include <utility>

#include "deviceplugin/doctor/nccl_conf.h"

namespace fairlead::deviceplugin {
namespace {

void Settle(ConfFiles& files, const LateSources& sources, const ContainerCall& call, Grant& grant) {
  std::map<std::string, std::string> env;
  for (const auto& [variable, value] : grant.env) {
    if (FitsNcclConf(variable, value)) env.emplace(variable, value);
  }
  const bool on_host = grant.nccl->settings.network == PodNetwork::kHost;
  const std::string text =
      NcclConfText({.job = *grant.nccl,
                    .env = env,
                    .lines = sources.lines(),
                    .default_route = on_host ? sources.default_route() : Known<std::string>()});
  const std::string name = ConfFileName(call.resource, call.ids);
  if (!files.Write(name, text) || call.moment == ContainerMoment::kStart) return;
  for (const auto& [variable, value] : env) grant.env.erase(variable);
  grant.env["NCCL_CONF_FILE"] = kConfInContainer;
  grant.mounts.push_back(
      {.container_path = kConfInContainer, .host_path = files.PathOf(name), .read_only = true});
}

}  // namespace

LateSettings LateNccl(ConfFiles& files, LateSources sources) {
  return [&files, sources = std::move(sources)](const ContainerCall& call, Grant& grant) {
    if (grant.nccl) Settle(files, sources, call, grant);
  };
}

}  // namespace fairlead::deviceplugin
