#include "linkprobe/transport/open_transport.h"

#include "linkprobe/udp/udp_transport.h"
#include "linkprobe/verbs/device_inventory.h"
#include "linkprobe/verbs/verbs_transport.h"

namespace fairlead::linkprobe {
namespace {

Result<std::unique_ptr<Transport>> OpenVerbs(const TransportOptions& options) {
  const auto devices = ReadRdmaDevices();
  if (!devices) return Fail(devices.error());
  const auto source = ChooseRdmaSource(*devices, options.device);
  if (!source) return Fail(source.error());
  return CreateVerbsTransport({.device = source->device,
                               .port = source->port,
                               .gid_index = static_cast<std::uint8_t>(source->gid_index),
                               .gid = source->gid.bytes,
                               .paths = options.paths,
                               .traffic_class = options.traffic_class,
                               .roce_version = source->roce_version});
}

Result<std::unique_ptr<Transport>> OpenUdp(const TransportOptions& options) {
  return CreateUdpTransport({.host = options.udp_host,
                             .first_port = options.udp_first_port,
                             .paths = options.paths,
                             .traffic_class = options.traffic_class});
}

}  // namespace

TransportFactory FactoryFor(TransportKind kind, const TransportOptions& options) {
  switch (kind) {
    case TransportKind::kRdmaUd:
      return [options] { return OpenVerbs(options); };
    case TransportKind::kUdp:
      return [options] { return OpenUdp(options); };
  }
  return
      [] { return Result<std::unique_ptr<Transport>>(Fail(ErrorCode::kUnsupported, "unknown")); };
}

}  // namespace fairlead::linkprobe
