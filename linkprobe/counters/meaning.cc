#include "linkprobe/counters/meaning.h"

#include <algorithm>
#include <array>
#include <span>

#include "linkprobe/counters/pause_names.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t AllOnes(std::uint32_t bits) { return (std::uint64_t{1} << bits) - 1; }

struct Known {
  std::string_view name;
  std::string_view metric;
  std::string_view help;
  double factor = 1;
};

constexpr std::string_view kSent = "hca_transmit_bytes_total";
constexpr std::string_view kReceived = "hca_receive_bytes_total";
constexpr std::string_view kSentPackets = "hca_transmit_packets_total";
constexpr std::string_view kReceivedPackets = "hca_receive_packets_total";
constexpr std::string_view kBytesHelp =
    "Bytes of the port. Of counters/ it is port_xmit_data or port_rcv_data, in words of 4 bytes, "
    "times 4; of the others the driver counts bytes.";
constexpr std::string_view kPacketsHelp = "Packets of the port.";

// One amount under different names. Bytes of counters/ and of drivers are those of RDMA packets;
// those of a network interface are of all its frames.
constexpr std::array kPortNames{
    Known{"port_xmit_data", kSent, kBytesHelp, 4},
    Known{"port_rcv_data", kReceived, kBytesHelp, 4},
    Known{"port_xmit_packets", kSentPackets, kPacketsHelp},
    Known{"port_rcv_packets", kReceivedPackets, kPacketsHelp},
    Known{"port_xmit_wait", "hca_transmit_wait_ticks_total",
          "Ticks, whose length is the device's own, in which data waited and nothing was sent."},
};
constexpr std::array kDriverNames{
    Known{"tx_bytes", kSent, kBytesHelp},
    Known{"rx_bytes", kReceived, kBytesHelp},
    Known{"tx_pkts", kSentPackets, kPacketsHelp},
    Known{"rx_pkts", kReceivedPackets, kPacketsHelp},
    Known{"sent_pkts", kSentPackets, kPacketsHelp},
    Known{"rcvd_pkts", kReceivedPackets, kPacketsHelp},
    Known{"rdma_tx_bytes", kSent, kBytesHelp},
    Known{"rdma_rx_bytes", kReceived, kBytesHelp},
    Known{"rdma_tx_packets", kSentPackets, kPacketsHelp},
    Known{"rdma_rx_packets", kReceivedPackets, kPacketsHelp},
};
constexpr std::array kNetdevNames{
    Known{"tx_bytes", kSent, kBytesHelp},
    Known{"rx_bytes", kReceived, kBytesHelp},
    Known{"tx_packets", kSentPackets, kPacketsHelp},
    Known{"rx_packets", kReceivedPackets, kPacketsHelp},
};

struct Sticky {
  std::string_view name;
  std::uint32_t bits;
};
// PortCounters as the specification has them. Those of 32 bits are 64 wide on every device with
// extended counters, so one of them is stuck only where it stands at all ones of 32 bits.
constexpr std::array kSticky{
    Sticky{"symbol_error", 16},
    Sticky{"link_error_recovery", 8},
    Sticky{"link_downed", 8},
    Sticky{"port_rcv_errors", 16},
    Sticky{"port_rcv_remote_physical_errors", 16},
    Sticky{"port_rcv_switch_relay_errors", 16},
    Sticky{"port_xmit_discards", 16},
    Sticky{"port_xmit_constraint_errors", 8},
    Sticky{"port_rcv_constraint_errors", 8},
    Sticky{"local_link_integrity_errors", 4},
    Sticky{"excessive_buffer_overrun_errors", 4},
    Sticky{"VL15_dropped", 16},
    Sticky{"port_xmit_data", 32},
    Sticky{"port_rcv_data", 32},
    Sticky{"port_xmit_packets", 32},
    Sticky{"port_rcv_packets", 32},
    Sticky{"port_xmit_wait", 32},
};

// Those that the mlx5 firmware keeps in 32 bits (query_q_counter, query_cong_statistics is wider).
constexpr std::array<std::string_view, 26> kThirtyTwoBits{"rx_write_requests",
                                                          "rx_read_requests",
                                                          "rx_atomic_requests",
                                                          "rx_dct_connect",
                                                          "out_of_buffer",
                                                          "out_of_sequence",
                                                          "duplicate_request",
                                                          "rnr_nak_retry_err",
                                                          "packet_seq_err",
                                                          "implied_nak_seq_err",
                                                          "local_ack_timeout_err",
                                                          "resp_local_length_error",
                                                          "resp_cqe_error",
                                                          "req_cqe_error",
                                                          "req_remote_invalid_request",
                                                          "req_remote_access_errors",
                                                          "resp_remote_access_errors",
                                                          "resp_cqe_flush_error",
                                                          "req_cqe_flush_error",
                                                          "req_transport_retries_exceeded",
                                                          "req_rnr_retries_exceeded",
                                                          "roce_adp_retrans",
                                                          "roce_adp_retrans_to",
                                                          "roce_slow_restart",
                                                          "roce_slow_restart_cnps",
                                                          "roce_slow_restart_trans"};

// Drivers list what exists now beside what has happened.
constexpr std::array<std::string_view, 10> kGauges{
    "active_pds", "active_ahs", "active_qps",    "active_srqs",   "active_cqs",
    "active_mrs", "active_mws", "active_rc_qps", "active_ud_qps", "active_qp"};

template <std::size_t N>
bool Holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::span<const Known> NamesOf(CounterSource source) {
  switch (source) {
    case CounterSource::kPort:
      return kPortNames;
    case CounterSource::kHardware:
    case CounterSource::kOptional:
      return kDriverNames;
    case CounterSource::kNetdev:
      return kNetdevNames;
    case CounterSource::kEthtool:
      break;
  }
  return {};
}

// Letters, digits and underscores only, as a metric's name must be.
std::string AsMetric(std::string_view name) {
  std::string metric = "hca_";
  for (const char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    metric += fits ? c : '_';
  }
  return metric;
}

}  // namespace

std::optional<CounterMeaning> MeaningOf(CounterSource source, std::string_view name) {
  if (source == CounterSource::kEthtool) return PauseMeaning(name);
  if (name == "lifespan") return std::nullopt;  // how long the driver keeps a value, in ms
  CounterMeaning meaning{.metric = "", .help = "A counter of the driver, as it counts."};
  for (const Known& known : NamesOf(source)) {
    if (known.name != name) continue;
    meaning.metric = known.metric;
    meaning.help = known.help;
    meaning.factor = known.factor;
  }
  if (meaning.metric.empty()) {
    meaning.gauge = Holds(kGauges, name);
    meaning.metric = AsMetric(name) + (meaning.gauge ? "" : "_total");
  }
  if (source == CounterSource::kPort) {
    for (const Sticky& sticky : kSticky) {
      if (sticky.name == name) meaning.sticks_at = AllOnes(sticky.bits);
    }
  }
  if (source == CounterSource::kHardware && Holds(kThirtyTwoBits, name)) meaning.bits = 32;
  return meaning;
}

}  // namespace fairlead::linkprobe
