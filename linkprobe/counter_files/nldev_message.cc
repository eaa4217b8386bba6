#include "linkprobe/counter_files/nldev_message.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

namespace fairlead::linkprobe {
namespace {

template <class T>
std::optional<T> ReadAs(std::span<const std::uint8_t> bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class T>
void Append(Bytes& to, const T& value) {
  const std::size_t size = to.size();
  to.resize(size + sizeof value);
  std::memcpy(to.data() + size, &value, sizeof value);
}

void AppendNumber(Bytes& to, std::uint16_t type, std::uint32_t value) {
  Append(to, nlattr{.nla_len = NLA_HDRLEN + sizeof value, .nla_type = type});
  Append(to, value);
}

Bytes Request(std::uint16_t command, std::uint16_t flags, std::uint32_t sequence,
              const Bytes& attributes) {
  Bytes message;
  Append(
      message,
      nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(NLMSG_HDRLEN + attributes.size()),
               .nlmsg_type = static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command)),
               .nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags),
               .nlmsg_seq = sequence,
               .nlmsg_pid = 0});
  for (const std::uint8_t byte : attributes) message.push_back(byte);
  return message;
}

// Takes the first attribute off `rest`; false at the end or where it is cut short.
bool Next(std::span<const std::uint8_t>& rest, std::uint16_t& type,
          std::span<const std::uint8_t>& payload) {
  const auto header = ReadAs<nlattr>(rest);
  if (!header || header->nla_len < NLA_HDRLEN || header->nla_len > rest.size()) return false;
  type = header->nla_type & NLA_TYPE_MASK;
  payload = rest.subspan(NLA_HDRLEN, header->nla_len - NLA_HDRLEN);
  rest = rest.subspan(std::min<std::size_t>(NLA_ALIGN(header->nla_len), rest.size()));
  return true;
}

std::string Text(std::span<const std::uint8_t> payload) {
  const auto end = std::find(payload.begin(), payload.end(), 0);
  return {payload.begin(), end};
}

void ReadCounters(std::span<const std::uint8_t> table, std::vector<CounterValue>& to) {
  std::uint16_t type = 0;
  std::span<const std::uint8_t> entry;
  while (Next(table, type, entry)) {
    if (type != RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY) continue;
    std::string name;
    std::optional<std::uint64_t> value;
    std::span<const std::uint8_t> field;
    while (Next(entry, type, field)) {
      if (type == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME) name = Text(field);
      if (type == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE) value = ReadAs<std::uint64_t>(field);
    }
    if (!name.empty() && value) to.push_back({CounterSource::kOptional, std::move(name), *value});
  }
}

void ReadAttributes(std::span<const std::uint8_t> rest, NldevAnswer& to) {
  std::uint16_t type = 0;
  std::span<const std::uint8_t> payload;
  std::string name;
  std::optional<std::uint32_t> index;
  while (Next(rest, type, payload)) {
    if (type == RDMA_NLDEV_ATTR_DEV_NAME) name = Text(payload);
    if (type == RDMA_NLDEV_ATTR_DEV_INDEX) index = ReadAs<std::uint32_t>(payload);
    if (type == RDMA_NLDEV_ATTR_STAT_HWCOUNTERS) ReadCounters(payload, to.counters);
  }
  if (!name.empty() && index) to.devices[name] = *index;
}

}  // namespace

Bytes DevicesRequest(std::uint32_t sequence) {
  return Request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP, sequence, {});
}

Bytes CountersRequest(std::uint32_t device_index, std::uint32_t port, std::uint32_t sequence) {
  Bytes attributes;
  AppendNumber(attributes, RDMA_NLDEV_ATTR_DEV_INDEX, device_index);
  AppendNumber(attributes, RDMA_NLDEV_ATTR_PORT_INDEX, port);
  return Request(RDMA_NLDEV_CMD_STAT_GET, 0, sequence, attributes);
}

NldevAnswer ReadNldev(std::span<const std::uint8_t> datagram, std::uint32_t sequence) {
  NldevAnswer answer;
  while (const auto header = ReadAs<nlmsghdr>(datagram)) {
    if (header->nlmsg_len < NLMSG_HDRLEN || header->nlmsg_len > datagram.size()) break;
    const auto payload = datagram.subspan(NLMSG_HDRLEN, header->nlmsg_len - NLMSG_HDRLEN);
    datagram =
        datagram.subspan(std::min<std::size_t>(NLMSG_ALIGN(header->nlmsg_len), datagram.size()));
    if (header->nlmsg_seq != sequence) continue;
    if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR) {
      answer.last = true;
      break;
    }
    if ((header->nlmsg_flags & NLM_F_MULTI) == 0) answer.last = true;
    ReadAttributes(payload, answer);
  }
  return answer;
}

}  // namespace fairlead::linkprobe
