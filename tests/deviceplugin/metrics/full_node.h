// A node of which there is something to tell in every family.
#pragma once

#include <prometheus/text_serializer.h>

#include <memory>
#include <string>
#include <vector>

#include "deviceplugin/metrics/node_metrics.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

class ListedResource final : public Resource {
 public:
  ListedResource(std::string name, std::vector<OfferedDevice> devices)
      : name_(std::move(name)), devices_(std::move(devices)) {}
  const std::string& name() const override { return name_; }
  const std::vector<OfferedDevice>& devices() const override { return devices_; }
  Result<Grant> Allocate(std::span<const std::string>) const override { return Grant(); }
  std::vector<std::string> Prefer(const Preference&) const override { return {}; }

 private:
  const std::string name_;
  const std::vector<OfferedDevice> devices_;
};

struct FullNode {
  FullNode() {
    WatchedHca& good = AddHca("mlx5_0");
    good.hca.pci = PciAddress{0, 0x3b, 0, 0};
    good.hca.numa_node = 1;
    good.hca.driver = "mlx5_core";
    good.hca.firmware = "28.39.1002";
    WatchedHca& bad = AddHca("mlx5_1");
    bad.healthy = false;
    bad.reason = "port_down";
    bad.sentence = "port 1 is down";
    bad.hca.ports[0].state = PortState::kDown;
    bad.hca.problems = {"a file cannot be read"};
    for (const WatchedHca& watched : state.watched) state.inventory.hcas.push_back(watched.hca);
    state.inventory.problems = {"something else cannot be read"};
    Gpu& gpu = state.inventory.gpus.emplace_back();
    gpu.uuid = "GPU-1";
    state.match.left_out = {
        {1,
         {{"rdma/a", RejectReason::kDriver, "..."}, {"rdma/b", RejectReason::kLinkType, "..."}}}};
    state.match.overlaps = {{0, "rdma/a", {"rdma/b", "rdma/c"}, "..."}};
    state.reads = 7;
    state.read_took = Milliseconds(25);
    offer = {std::make_shared<ListedResource>(
        "rdma/hca",
        std::vector<OfferedDevice>{{"a-s0", true, {}}, {"a-s1", true, {}}, {"b-s0", false, {}}})};
    kubelet.kubelet_present = true;
    ResourceStatus& status = kubelet.resources.emplace_back();
    status.resource = "rdma/hca";
    status.registered = status.connected = true;
    status.registrations = 2;
    status.registration_failures = 1;
    status.lists = 5;
    status.allocations = 10;
    status.allocation_failures = 3;
    status.starts = 20;
    status.start_failures = 1;
    status.allocation_durations.calls[1] = 7;
    status.allocation_durations.calls[6] = 2;
    status.allocation_durations.calls[kCallBounds.size()] = 1;
    status.allocation_durations.nanoseconds = 2'500'000;
    holdings.holdings = {{"team", "trainer-0", "main", "rdma/hca", {"a-s0", "a-s1"}}};
    holdings.read_at = MonotonicTime(Seconds(1));
    pods.polls = 12;
    pods.failures = 4;
    verdicts.listening = true;
    verdicts.heard = 6;
    verdicts.lines = {.site = "hk", .lines = {{.peer = "sg", .rtt = Milliseconds(36)}}};
    verdicts.verdicts = {{.device = "mlx5_0", .port = 1, .bad = true}};
    reloads = {.successes = 2, .failures = 1, .restart_keys = {{"deviceplugin.opsListen", true}}};
  }

  WatchedHca& AddHca(const std::string& name) {
    WatchedHca& watched = state.watched.emplace_back();
    watched.id = name + "-id";
    watched.hca.name = name;
    watched.hca.protocol = RdmaProtocol::kInfiniband;
    HcaPort& port = watched.hca.ports.emplace_back();
    port.link_layer = LinkLayer::kInfiniband;
    port.state = PortState::kActive;
    port.physical_state = PhysicalState::kLinkUp;
    port.rate_bits_per_second = 400'000'000'000;
    return watched;
  }

  std::vector<prometheus::MetricFamily> Collect() const {
    return NodeMetrics(
               {.node = "hk-1",
                .version = "1.2.3",
                .state = [this] { return std::make_shared<const NodeState>(state); },
                .offer = [this] { return std::make_shared<const Offer>(offer); },
                .kubelet = [this] { return kubelet; },
                .holdings = [this] { return std::make_shared<const PodHoldings>(holdings); },
                .pod_resources = [this] { return pods; },
                .verdicts = [this] { return verdicts; },
                .files = [this] { return files; },
                .config_reloads = [this] { return reloads; }})
        .Collect();
  }
  std::string Scrape() const { return prometheus::TextSerializer().Serialize(Collect()); }

  NodeState state;
  Offer offer;
  KubeletStatus kubelet;
  PodHoldings holdings;
  PodResourcesStatus pods;
  VerdictCounts verdicts;
  NodeFileFailures files{.cdi = 9, .nfd = 8};
  ReloadStats reloads;
};

}  // namespace fairlead::deviceplugin
