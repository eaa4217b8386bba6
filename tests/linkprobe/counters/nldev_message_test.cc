#include "linkprobe/counter_files/nldev_message.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include <cstring>
#include <random>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kSequence = 7;

void Append(Bytes& to, const void* from, std::size_t size) {
  const auto* begin = static_cast<const std::uint8_t*>(from);
  to.insert(to.end(), begin, begin + size);
  to.resize(NLMSG_ALIGN(to.size()));
}

Bytes Attribute(std::uint16_t type, const void* payload, std::size_t size) {
  Bytes bytes;
  const nlattr header{.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + size), .nla_type = type};
  Append(bytes, &header, sizeof header);
  Append(bytes, payload, size);
  return bytes;
}

Bytes Nested(std::uint16_t type, const Bytes& inside) {
  return Attribute(type | NLA_F_NESTED, inside.data(), inside.size());
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes Text(std::uint16_t type, const std::string& text) {
  return Attribute(type, text.c_str(), text.size() + 1);
}

template <class T>
Bytes Number(std::uint16_t type, T value) {
  return Attribute(type, &value, sizeof value);
}

Bytes Message(std::uint16_t type, std::uint16_t flags, const Bytes& payload,
              std::uint32_t sequence = kSequence) {
  Bytes bytes;
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(NLMSG_HDRLEN + payload.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = flags;
  header.nlmsg_seq = sequence;
  Append(bytes, &header, sizeof header);
  return bytes + payload;
}

Bytes Counter(const std::string& name, std::uint64_t value) {
  return Nested(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY,
                Text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, name) +
                    Number(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, value));
}

Bytes CountersAnswer() {
  return Message(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_STAT_GET), 0,
                 Number<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 3) +
                     Nested(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS,
                            Counter("cc_rx_ce_pkts", 12) + Counter("rdma_tx_bytes", 1ULL << 40)));
}

TEST(NldevMessageTest, ReadsCounters) {
  const NldevAnswer answer = ReadNldev(CountersAnswer(), kSequence);
  EXPECT_TRUE(answer.last);
  EXPECT_EQ(answer.counters,
            (std::vector<CounterValue>{{CounterSource::kOptional, "cc_rx_ce_pkts", 12},
                                       {CounterSource::kOptional, "rdma_tx_bytes", 1ULL << 40}}));
}

TEST(NldevMessageTest, ReadsDevicesUpToTheEnd) {
  const std::uint16_t type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET);
  const auto device = [&](const std::string& name, std::uint32_t index) {
    return Message(type, NLM_F_MULTI,
                   Number(RDMA_NLDEV_ATTR_DEV_INDEX, index) + Text(RDMA_NLDEV_ATTR_DEV_NAME, name));
  };
  const NldevAnswer some = ReadNldev(device("mlx5_0", 0) + device("rxe0", 4), kSequence);
  EXPECT_EQ(some.devices, (std::map<std::string, std::uint32_t>{{"mlx5_0", 0}, {"rxe0", 4}}));
  EXPECT_FALSE(some.last);
  EXPECT_TRUE(ReadNldev(Message(NLMSG_DONE, NLM_F_MULTI, Bytes(4)), kSequence).last);
  EXPECT_TRUE(ReadNldev(Message(NLMSG_ERROR, 0, Bytes(20)), kSequence).last);
}

TEST(NldevMessageTest, AnAnswerToAnotherQuestionIsPassedOver) {
  const NldevAnswer answer = ReadNldev(CountersAnswer(), kSequence + 1);
  EXPECT_TRUE(answer.counters.empty());
  EXPECT_FALSE(answer.last);
}

TEST(NldevMessageTest, ARequestReadsBackAsWhatItAsks) {
  const Bytes request = CountersRequest(3, 1, kSequence);
  nlmsghdr header{};
  ASSERT_GE(request.size(), sizeof header);
  std::memcpy(&header, request.data(), sizeof header);
  EXPECT_EQ(header.nlmsg_len, request.size());
  EXPECT_EQ(header.nlmsg_type, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_STAT_GET));
  EXPECT_EQ(header.nlmsg_flags, NLM_F_REQUEST);
  EXPECT_EQ(request.size(), NLMSG_HDRLEN + 2 * (NLA_HDRLEN + 4));
  std::memcpy(&header, DevicesRequest(kSequence).data(), sizeof header);
  EXPECT_EQ(header.nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
}

TEST(NldevMessageTest, WhatIsCutOrGarbledNeverReadsBeyondItsEnd) {
  const Bytes whole = CountersAnswer();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of exactly this size, so that a sanitizer sees any step beyond it.
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(ReadNldev(cut, kSequence).counters.empty()) << size;
  }
  std::mt19937 random(99);
  for (int i = 0; i < 20'000; ++i) {
    Bytes garbled = whole;
    for (int k = 0; k < 3; ++k)
      garbled[random() % garbled.size()] = static_cast<std::uint8_t>(random());
    EXPECT_LE(ReadNldev(garbled, kSequence).counters.size(), 4U);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
