#include "linkprobe/verbs/waiting_sends.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

// A send ring as UdQueue has one: so many slots, refusing what finds none.
class Ring {
 public:
  bool IsFull() const { return in_flight_ == kSendsPerPath; }
  Status Send(const UdAddress& to, std::span<const std::uint8_t> packet, std::uint64_t token) {
    if (IsFull()) return Fail(ErrorCode::kResourceExhausted, "full");
    ++in_flight_;
    tokens.push_back(token);
    numbers.push_back(to.qp_number);
    bytes.push_back(packet.front());
    return {};
  }
  void Complete(std::uint32_t sends) { in_flight_ -= sends; }

  std::vector<std::uint64_t> tokens;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint8_t> bytes;

 private:
  std::uint32_t in_flight_ = 0;
};

class WaitingSendsTest : public testing::Test {
 protected:
  // The packet's bytes are the caller's and change as soon as the call is over.
  Status Send(std::uint64_t token) {
    std::vector<std::uint8_t> packet(128, static_cast<std::uint8_t>(token));
    const UdAddress to{.qp_number = static_cast<std::uint32_t>(token) + 100};
    auto sent = sends_.Send(ring_, kept_, to, packet, token);
    packet.assign(128, 0xff);
    return sent;
  }
  void ExpectPosted(std::uint64_t count) const {
    ASSERT_EQ(ring_.tokens.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(ring_.tokens[i], i);
      EXPECT_EQ(ring_.numbers[i], i + 100);
      EXPECT_EQ(ring_.bytes[i], i);
    }
  }

  Ring ring_;
  std::shared_ptr<const int> kept_ = std::make_shared<const int>(0);
  WaitingSends<Ring> sends_{kReceivesPerPath};
};

TEST_F(WaitingSendsTest, AnswersToAFullReceiveRingAllLeaveInOrder) {
  static_assert(kReceivesPerPath > kSendsPerPath, "else nothing would ever wait");
  for (std::uint64_t token = 0; token < kReceivesPerPath; ++token) {
    EXPECT_TRUE(Send(token)) << token;
  }
  ExpectPosted(kSendsPerPath);
  for (std::uint32_t done = 0; done < kReceivesPerPath; done += kSendsPerPath / 2) {
    ring_.Complete(kSendsPerPath / 2);
    sends_.Resume(ring_);
  }
  ExpectPosted(kReceivesPerPath);
}

TEST_F(WaitingSendsTest, NoneOvertakesWhatWaits) {
  for (std::uint64_t token = 0; token <= kSendsPerPath; ++token) ASSERT_TRUE(Send(token));
  ring_.Complete(4);
  ASSERT_TRUE(Send(kSendsPerPath + 1));  // there is room, but one waits
  ExpectPosted(kSendsPerPath);
  sends_.Resume(ring_);
  ExpectPosted(kSendsPerPath + 2);
  EXPECT_TRUE(Send(kSendsPerPath + 2));
  ExpectPosted(kSendsPerPath + 3);
}

TEST_F(WaitingSendsTest, TooManyAreRefusedAndHarmNoOther) {
  constexpr std::uint64_t kTaken = kSendsPerPath + kReceivesPerPath;
  for (std::uint64_t token = 0; token < kTaken; ++token) ASSERT_TRUE(Send(token));
  const Status refused = Send(kTaken);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  while (ring_.tokens.size() < kTaken) {
    ring_.Complete(kSendsPerPath);
    sends_.Resume(ring_);
  }
  ExpectPosted(kTaken);
}

TEST_F(WaitingSendsTest, TheAddressLivesUntilItIsUsed) {
  for (std::uint64_t token = 0; token < kSendsPerPath; ++token) ASSERT_TRUE(Send(token));
  EXPECT_EQ(kept_.use_count(), 1) << "nothing waits";
  ASSERT_TRUE(Send(kSendsPerPath));
  EXPECT_EQ(kept_.use_count(), 2);
  ring_.Complete(1);
  sends_.Resume(ring_);
  EXPECT_EQ(kept_.use_count(), 1);
}

}  // namespace
}  // namespace fairlead::linkprobe
