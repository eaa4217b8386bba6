#include "linkprobe/transport/open_bulk.h"

#include "linkprobe/verbs/bulk_device.h"
#include "linkprobe/verbs/device_inventory.h"

namespace fairlead::linkprobe {
namespace {

Result<BulkOptions> LocalOptions(const std::string& device, std::uint8_t traffic_class) {
  const auto devices = ReadRdmaDevices();
  if (!devices) return Fail(devices.error());
  const auto source = ChooseRdmaSource(*devices, device);
  if (!source) return Fail(source.error());
  return BulkOptions{.device = source->device,
                     .port = source->port,
                     .gid_index = static_cast<std::uint8_t>(source->gid_index),
                     .gid = source->gid.bytes,
                     .traffic_class = traffic_class};
}

}  // namespace

Result<std::unique_ptr<BulkSender>> OpenBulkSender(const std::string& device,
                                                   std::uint8_t traffic_class, std::size_t queues) {
  const auto options = LocalOptions(device, traffic_class);
  if (!options) return Fail(options.error());
  return CreateBulkSender(*options, queues);
}

BulkReceiverFactory BulkReceivers(const std::string& device, std::uint8_t traffic_class) {
  return [device, traffic_class](const BulkEnd& sender) -> Result<std::unique_ptr<BulkReceiver>> {
    const auto options = LocalOptions(device, traffic_class);
    if (!options) return Fail(options.error());
    return CreateBulkReceiver(*options, sender);
  };
}

}  // namespace fairlead::linkprobe
