#include <nlohmann/json.hpp>

#include "deviceplugin/cli/describe_node.h"
#include "deviceplugin/pool/rejection.h"

namespace fairlead::deviceplugin {
namespace {

using Json = nlohmann::ordered_json;

Json NullIfEmpty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json NumaNode(int node) { return node < 0 ? Json(nullptr) : Json(node); }
Json Address(const std::optional<PciAddress>& pci) {
  return pci ? Json(FormatPci(*pci)) : Json(nullptr);
}

Json NodeNames(const std::vector<PortNode>& nodes) {
  Json names = Json::array();
  for (const PortNode& node : nodes) names.push_back(node.name);
  return names;
}

Json PortJson(const HcaPort& port) {
  Json gids = Json::array();
  for (const RankedGid& ranked : port.ranked) {
    const GidEntry* entry = FindGid(port.gids, ranked.index);
    if (entry == nullptr) continue;
    gids.push_back({{"gid_index", entry->index},
                    {"gid", HumanGid(entry->gid)},
                    {"type", GidTypeName(entry->type)},
                    {"netdev", NullIfEmpty(entry->netdev)},
                    {"usable", ranked.usable},
                    {"rank", ranked.rank},
                    {"warning", ranked.warning},
                    {"reason", ranked.reason}});
  }
  return {
      {"port", port.number},
      {"state", port.state == PortState::kNop ? Json(nullptr) : Json(PortStateName(port.state))},
      {"physical_state", PhysicalStateName(port.physical_state)},
      {"link_layer", LinkLayerName(port.link_layer)},
      {"rate_bits_per_second", port.rate_bits_per_second},
      {"mtu_bytes", port.mtu_bytes},
      {"lid", port.lid},
      {"netdevs", port.netdevs},
      {"gid_table_length", port.gid_table_length},
      {"gids", std::move(gids)}};
}

Json LeftOutJson(const NodeState& state, std::size_t hca) {
  Json reasons = Json::array();
  for (const LeftOut& left_out : state.match.left_out) {
    if (left_out.hca != hca) continue;
    for (const Rejection& rejection : left_out.rejections) {
      reasons.push_back({{"pool", NullIfEmpty(rejection.pool)},
                         {"reason", RejectReasonName(rejection.reason)},
                         {"sentence", rejection.sentence}});
    }
  }
  return reasons;
}

Json HcaJson(const NodeListing& listing, std::size_t position) {
  const WatchedHca& watched = listing.state.watched[position];
  const Hca& hca = watched.hca;
  Json ports = Json::array();
  for (const HcaPort& port : hca.ports) ports.push_back(PortJson(port));
  return {{"device", hca.name},
          {"id", watched.id},
          {"present", watched.present},
          {"healthy", watched.healthy},
          {"ailment", watched.reason.empty()
                          ? Json(nullptr)
                          : Json{{"reason", watched.reason}, {"sentence", watched.sentence}}},
          {"protocol", ProtocolName(hca.protocol)},
          {"driver", NullIfEmpty(hca.driver)},
          {"vendor", NullIfEmpty(hca.vendor)},
          {"device_id", NullIfEmpty(hca.device_id)},
          {"pci", Address(hca.pci)},
          {"function", FunctionName(hca.function)},
          {"parent", Address(hca.parent)},
          {"numa_node", NumaNode(hca.numa_node)},
          {"bonded", hca.bonded},
          {"firmware", NullIfEmpty(hca.firmware)},
          {"board", NullIfEmpty(hca.board)},
          {"node_guid", NullIfEmpty(hca.node_guid)},
          {"uverbs", NullIfEmpty(hca.uverbs)},
          {"uverbs_abi", hca.uverbs_abi},
          {"umad", NodeNames(hca.umad)},
          {"issm", NodeNames(hca.issm)},
          {"pools", PoolsOf(listing, position)},
          {"left_out", LeftOutJson(listing.state, position)},
          {"ports", std::move(ports)},
          {"problems", hca.problems}};
}

Json GpuJson(const Gpu& gpu, const std::vector<Hca>& hcas) {
  Json distances = Json::object();
  for (const Hca& hca : hcas) distances[hca.name] = PciDistanceName(DistanceBetween(hca, gpu));
  return {{"index", gpu.index},
          {"uuid", gpu.uuid},
          {"product", gpu.product},
          {"pci", Address(gpu.pci)},
          {"numa_node", NumaNode(gpu.numa_node)},
          {"healthy", gpu.healthy},
          {"reason", NullIfEmpty(gpu.reason)},
          {"distance", std::move(distances)}};
}

Json OfferJson(const Offer& offer) {
  Json resources = Json::array();
  for (const auto& resource : offer) {
    Json devices = Json::array();
    for (const OfferedDevice& device : resource->devices()) {
      devices.push_back(
          {{"id", device.id}, {"healthy", device.healthy}, {"numa_nodes", device.numa_nodes}});
    }
    resources.push_back({{"resource", resource->name()}, {"devices", std::move(devices)}});
  }
  return resources;
}

Json HoldingsJson(const PodHoldings& holdings) {
  if (!holdings.known()) return nullptr;
  Json list = Json::array();
  for (const Holding& holding : holdings.holdings) {
    list.push_back({{"namespace", holding.pod_namespace},
                    {"pod", holding.pod},
                    {"container", holding.container},
                    {"resource", holding.resource},
                    {"ids", holding.device_ids}});
  }
  return list;
}

}  // namespace

std::string NodeAsJson(const NodeListing& listing) {
  const NodeState& state = listing.state;
  Json hcas = Json::array();
  for (std::size_t i = 0; i < state.watched.size(); ++i) hcas.push_back(HcaJson(listing, i));
  Json gpus = Json::array();
  for (const Gpu& gpu : state.inventory.gpus) gpus.push_back(GpuJson(gpu, state.inventory.hcas));
  Json overlaps = Json::array();
  for (const Overlap& overlap : state.match.overlaps) overlaps.push_back(overlap.sentence);
  Json document{{"hcas", std::move(hcas)},
                {"gpus", std::move(gpus)},
                {"rdma_cm", state.inventory.rdma_cm},
                {"netns_mode", NullIfEmpty(std::string(NetnsModeName(state.inventory.netns_mode)))},
                {"resources", OfferJson(listing.offer)},
                {"overlaps", std::move(overlaps)},
                {"problems", state.inventory.problems},
                {"warnings", state.warnings}};
  if (listing.holdings != nullptr) document["held"] = HoldingsJson(*listing.holdings);
  // What a device calls itself may be any bytes; they must not make the output unreadable.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fairlead::deviceplugin
