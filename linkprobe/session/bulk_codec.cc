#include "linkprobe/session/bulk_codec.h"

#include <algorithm>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kMost24Bits = 0xffffff;

}  // namespace

void ToProto(const BulkEnd& end, v1::BulkEnd& out) {
  for (const BulkQueue& queue : end.queues) {
    v1::BulkQueue& added = *out.add_queues();
    added.set_gid(queue.gid.data(), queue.gid.size());
    added.set_qp_number(queue.qp_number);
    added.set_psn(queue.psn);
  }
  out.set_path_mtu_bytes(end.path_mtu_bytes);
  out.set_buffer_address(end.buffer_address);
  out.set_buffer_key(end.buffer_key);
  out.set_buffer_bytes(end.buffer_bytes);
}

Result<BulkEnd> FromProto(const v1::BulkEnd& end) {
  const auto count = static_cast<std::size_t>(end.queues_size());
  if (count == 0 || count > kMostBulkQueues) {
    return Fail(ErrorCode::kInvalidArgument, std::to_string(count) +
                                                 " queue pairs in a bandwidth test; 1.." +
                                                 std::to_string(kMostBulkQueues) + " can be used");
  }
  BulkEnd out{.queues = {},
              .path_mtu_bytes = end.path_mtu_bytes(),
              .buffer_address = end.buffer_address(),
              .buffer_key = end.buffer_key(),
              .buffer_bytes = end.buffer_bytes()};
  for (const v1::BulkQueue& queue : end.queues()) {
    BulkQueue read{.qp_number = queue.qp_number(), .psn = queue.psn()};
    if (queue.gid().size() != read.gid.size()) {
      return Fail(ErrorCode::kInvalidArgument,
                  "queue pair's GID has " + std::to_string(queue.gid().size()) + " bytes, not 16");
    }
    if (read.qp_number == 0 || read.qp_number > kMost24Bits || read.psn > kMost24Bits) {
      return Fail(ErrorCode::kInvalidArgument,
                  "queue pair " + std::to_string(read.qp_number) + " with packet number " +
                      std::to_string(read.psn) + " does not fit 24 bits");
    }
    std::copy(queue.gid().begin(), queue.gid().end(), read.gid.begin());
    out.queues.push_back(read);
  }
  return out;
}

}  // namespace fairlead::linkprobe
