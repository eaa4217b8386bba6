#include "linkprobe/cli/ad_hoc.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/base/file.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/transport/open_transport.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kShortestKeyBytes = 16;
constexpr std::size_t kLongestKeyBytes = 4096;

std::vector<TransportKind> Kinds(const std::optional<TransportKind>& chosen) {
  if (chosen) return {*chosen};
  return {TransportKind::kRdmaUd, TransportKind::kUdp};
}

}  // namespace

Result<std::vector<std::uint8_t>> ReadKeyFile(const std::string& path) {
  struct stat attributes {};
  if (::stat(path.c_str(), &attributes) != 0) {
    return Fail(ErrorCode::kNotFound, "key file " + path + ": " + std::strerror(errno));
  }
  if ((attributes.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Fail(ErrorCode::kPermissionDenied,
                "key file " + path + " can be read by others; run `chmod 600 " + path + "`");
  }
  const auto text = ReadFile(path, kLongestKeyBytes);
  if (!text) return Fail(text.error());
  constexpr char kSpace[] = " \t\r\n";
  const auto begin = text->find_first_not_of(kSpace);
  const std::string key = begin == std::string::npos
                              ? std::string()
                              : text->substr(begin, text->find_last_not_of(kSpace) - begin + 1);
  if (key.size() < kShortestKeyBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                "key file " + path + " holds " + std::to_string(key.size()) +
                    " bytes; it needs 16, for example from `openssl rand -hex 32`");
  }
  return std::vector<std::uint8_t>(key.begin(), key.end());
}

std::vector<ProbeEngine*> AdHocNode::EnginePointers() const {
  std::vector<ProbeEngine*> pointers;
  for (const auto& engine : engines) pointers.push_back(engine.get());
  return pointers;
}

Result<std::unique_ptr<AdHocNode>> MakeAdHocNode(const AdHocOptions& options,
                                                 const EngineSettings& settings,
                                                 const char* own_name, PlannedPeer peer) {
  auto key = ReadKeyFile(options.key_file);
  if (!key) return Fail(key.error());
  peer.key = std::move(*key);
  peer.key_id = 1;
  auto node = std::make_unique<AdHocNode>();
  node->plan.Publish(Plan{.term = 0, .revision = 1, .site = own_name, .peers = {peer}});
  const TransportOptions transport{.device = options.device,
                                   .udp_host = "0.0.0.0",
                                   .udp_first_port = 0,
                                   .paths = options.paths,
                                   .traffic_class = options.traffic_class};
  for (const TransportKind kind : Kinds(options.transport)) {
    // Built once here, so that what cannot work is said at once and not tried for ever.
    auto probe = FactoryFor(kind, transport)();
    if (!probe && options.transport) return Fail(probe.error());
    if (!probe) continue;
    probe->reset();
    node->engines.push_back(
        std::make_unique<ProbeEngine>(kind, settings, FactoryFor(kind, transport), node->clock));
  }
  node->desk =
      std::make_unique<SessionDesk>(SessionIdentity{.node = own_name, .epoch = settings.epoch},
                                    node->plan, node->EnginePointers(), node->clock);
  return node;
}

}  // namespace fairlead::linkprobe
