#include "linkprobe/counters/transport_loss.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/link/loss_interval.h"

namespace fairlead::linkprobe {
namespace {

struct Name {
  CounterSource source;
  std::string_view name;
};

// Adds up those that a port has; `known` turns false where one of them does not tell.
class Adder {
 public:
  explicit Adder(const TrackedPort& port) : port_(port) {}

  // The first that the port has; false without any.
  template <std::size_t N>
  bool First(const std::array<Name, N>& names, std::uint64_t& to) {
    for (const Name& name : names) {
      if (Add(name, to)) return true;
    }
    return false;
  }
  bool Add(const Name& name, std::uint64_t& to) {
    const TrackedCounter* counter = port_.Find(name.source, name.name);
    if (counter == nullptr) return false;
    known_ = known_ && counter->counted.has_value();
    to += counter->counted.value_or(0);
    return true;
  }
  bool known() const { return known_; }

 private:
  const TrackedPort& port_;
  bool known_ = true;
};

constexpr double kRxeWindow = 128;

// See LossEvents::behind.
std::uint64_t Behind(const LossEvents& events, bool rxe, Nanoseconds interval,
                     std::optional<Nanoseconds> rtt) {
  double window = 0;
  if (rxe) {
    window = kRxeWindow;
  } else if (rtt && interval > Nanoseconds::zero()) {
    window = static_cast<double>(events.packets) * static_cast<double>(rtt->count()) /
             static_cast<double>(interval.count());
  }
  const double behind =
      window * (static_cast<double>(events.proven) + static_cast<double>(events.possible));
  const double packets = static_cast<double>(events.packets);
  return behind < packets ? static_cast<std::uint64_t>(behind) : events.packets;
}

constexpr CounterSource kHw = CounterSource::kHardware;
constexpr std::array kSent{Name{CounterSource::kPort, "port_xmit_packets"}, Name{kHw, "tx_pkts"},
                           Name{kHw, "sent_pkts"}};
constexpr std::array kReceived{Name{CounterSource::kPort, "port_rcv_packets"}, Name{kHw, "rx_pkts"},
                               Name{kHw, "rcvd_pkts"}};

std::optional<LossEvents> TransmitLoss(const TrackedPort& port, std::optional<Nanoseconds> rtt) {
  Adder adder(port);
  LossEvents events;
  if (!adder.First(kSent, events.packets)) return std::nullopt;
  bool any = false;
  for (const std::string_view name : {"packet_seq_err", "seq_err_naks_rcvd", "rcvd_seq_err"}) {
    any = adder.Add({kHw, name}, events.proven) || any;
  }
  for (const std::string_view name :
       {"local_ack_timeout_err", "roce_adp_retrans", "to_retransmits"}) {
    any = adder.Add({kHw, name}, events.possible) || any;
  }
  // rxe counts a retry for each negative acknowledgement and for each timeout.
  std::uint64_t retries = 0;
  any = adder.Add({kHw, "completer_retry_err"}, retries) || any;
  events.possible += retries - std::min(retries, events.proven);
  if (!any || !adder.known()) return std::nullopt;
  const bool rxe = port.Find(kHw, "sent_pkts") != nullptr;
  events.behind = Behind(events, rxe, port.interval, rtt);
  return events;
}

std::optional<LossEvents> ReceiveLoss(const TrackedPort& port) {
  Adder adder(port);
  LossEvents events;
  if (!adder.First(kReceived, events.packets)) return std::nullopt;
  bool any = false;
  for (const std::string_view name : {"implied_nak_seq_err", "out_of_seq_request"}) {
    any = adder.Add({kHw, name}, events.proven) || any;
  }
  // These are the packets behind gaps themselves.
  for (const std::string_view name : {"out_of_sequence", "oos_drop_count"}) {
    any = adder.Add({kHw, name}, events.possible) || any;
  }
  if (!any || !adder.known()) return std::nullopt;
  const bool rxe = port.Find(kHw, "rcvd_pkts") != nullptr;
  events.behind = rxe ? Behind(events, rxe, port.interval, std::nullopt)
                      : std::min(events.possible, events.packets);
  return events;
}

}  // namespace

LossEvents& LossEvents::operator+=(const LossEvents& more) {
  packets += more.packets;
  proven += more.proven;
  possible += more.possible;
  behind += more.behind;
  return *this;
}

PortLoss LossOf(const TrackedPort& port, std::optional<Nanoseconds> rtt) {
  return {.transmit = TransmitLoss(port, rtt), .receive = ReceiveLoss(port)};
}

std::optional<LossInterval> BoundLoss(const LossEvents& events) {
  if (events.packets == 0) return std::nullopt;
  LossInterval interval = MakeLossInterval(events.proven, events.packets);
  const std::uint64_t all =
      events.proven + std::min(events.possible, events.packets - interval.lost);
  const std::uint64_t seen = events.packets - std::min(events.behind, events.packets);
  interval.upper = MakeLossInterval(all, std::max({all, seen, std::uint64_t{1}})).upper;
  return interval;
}

}  // namespace fairlead::linkprobe
