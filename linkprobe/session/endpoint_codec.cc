#include "linkprobe/session/endpoint_codec.h"

#include <algorithm>
#include <string>

namespace fairlead::linkprobe {

v1::TransportKind ToProto(TransportKind kind) {
  switch (kind) {
    case TransportKind::kRdmaUd:
      return v1::TRANSPORT_KIND_RDMA_UD;
    case TransportKind::kUdp:
      return v1::TRANSPORT_KIND_UDP;
  }
  return v1::TRANSPORT_KIND_UNSPECIFIED;
}

void ToProto(const Endpoint& endpoint, v1::Endpoint& out) {
  out.set_transport(ToProto(endpoint.kind));
  out.set_hardware_stamps(endpoint.hardware_stamps);
  if (endpoint.traffic_class) out.set_traffic_class(*endpoint.traffic_class);
  switch (endpoint.kind) {
    case TransportKind::kRdmaUd:
      out.set_gid(endpoint.gid.data(), endpoint.gid.size());
      out.set_qp_number(endpoint.qp_number);
      out.set_qkey(endpoint.qkey);
      out.set_path_mtu_bytes(endpoint.path_mtu_bytes);
      out.set_roce_version(endpoint.roce_version);
      return;
    case TransportKind::kUdp:
      out.set_address(endpoint.address);
      out.set_port(endpoint.port);
      return;
  }
}

Result<Endpoint> FromProto(const v1::Endpoint& endpoint) {
  Endpoint out;
  out.hardware_stamps = endpoint.hardware_stamps();
  // What it only says of itself is no reason to refuse it.
  if (endpoint.has_traffic_class() && endpoint.traffic_class() <= 255) {
    out.traffic_class = static_cast<std::uint8_t>(endpoint.traffic_class());
  }
  if (endpoint.transport() == v1::TRANSPORT_KIND_UDP) {
    if (endpoint.port() == 0 || endpoint.port() > 65535) {
      return Fail(ErrorCode::kInvalidArgument,
                  "endpoint port " + std::to_string(endpoint.port()) + " is not in 1..65535");
    }
    out.kind = TransportKind::kUdp;
    out.address = endpoint.address();
    out.port = static_cast<std::uint16_t>(endpoint.port());
    return out;
  }
  if (endpoint.transport() != v1::TRANSPORT_KIND_RDMA_UD) {
    return Fail(ErrorCode::kInvalidArgument,
                "endpoint of unknown transport " + std::to_string(endpoint.transport()));
  }
  if (endpoint.gid().size() != out.gid.size()) {
    return Fail(ErrorCode::kInvalidArgument,
                "endpoint GID has " + std::to_string(endpoint.gid().size()) + " bytes, not 16");
  }
  out.kind = TransportKind::kRdmaUd;
  std::copy(endpoint.gid().begin(), endpoint.gid().end(), out.gid.begin());
  out.qp_number = endpoint.qp_number();
  out.qkey = endpoint.qkey();
  out.path_mtu_bytes = endpoint.path_mtu_bytes();
  if (endpoint.roce_version() <= 2) {
    out.roce_version = static_cast<std::uint8_t>(endpoint.roce_version());
  }
  return out;
}

Result<std::vector<Endpoint>> EndpointsOfKind(
    const google::protobuf::RepeatedPtrField<v1::Endpoint>& endpoints, TransportKind kind) {
  std::vector<Endpoint> out;
  for (const v1::Endpoint& endpoint : endpoints) {
    if (endpoint.transport() != ToProto(kind)) continue;
    auto read = FromProto(endpoint);
    if (!read) return Fail(read.error());
    out.push_back(std::move(*read));
  }
  return out;
}

}  // namespace fairlead::linkprobe
