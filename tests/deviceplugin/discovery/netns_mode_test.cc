#include "deviceplugin/discovery/netns_mode.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace fairlead::deviceplugin {
namespace {

// Numbers as the kernel writes them: little-endian hosts only, as everywhere in these tests.
template <class T>
std::string Bytes(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

std::string Message(std::uint16_t type, const std::string& body) {
  return Bytes<std::uint32_t>(static_cast<std::uint32_t>(16 + body.size())) + Bytes(type) +
         Bytes<std::uint16_t>(0) + Bytes<std::uint32_t>(0) + Bytes<std::uint32_t>(0) + body;
}

std::string Attribute(std::uint16_t type, const std::string& value) {
  std::string out =
      Bytes<std::uint16_t>(static_cast<std::uint16_t>(4 + value.size())) + Bytes(type) + value;
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}

constexpr std::uint16_t kSysGet = (5 << 10) + 6;  // client NLDEV, command SYS_GET
constexpr std::uint16_t kMode = 66;               // RDMA_NLDEV_SYS_ATTR_NETNS_MODE

TEST(NetnsMode, IsReadFromTheAnswer) {
  const std::string other = Attribute(1, "abcde");
  EXPECT_EQ(ParseNetnsAnswer(Message(kSysGet, Attribute(kMode, std::string(1, '\1')))),
            NetnsMode::kShared);
  EXPECT_EQ(ParseNetnsAnswer(Message(kSysGet, other + Attribute(kMode, std::string(1, '\0')))),
            NetnsMode::kExclusive);
}

TEST(NetnsMode, IsUnsupportedWhereTheKernelDoesNotTell) {
  for (const std::string& datagram :
       {Message(kSysGet, ""), Message(kSysGet, Attribute(1, "x")),
        Message(2, Bytes<std::int32_t>(-EINVAL) + std::string(16, '\0')),
        Message(2, Bytes<std::int32_t>(0) + std::string(16, '\0'))}) {
    const auto mode = ParseNetnsAnswer(datagram);
    ASSERT_FALSE(mode);
    EXPECT_EQ(mode.error().code, ErrorCode::kUnsupported);
  }
  const auto denied =
      ParseNetnsAnswer(Message(2, Bytes<std::int32_t>(-EPERM) + std::string(16, 0)));
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, ErrorCode::kPermissionDenied);
}

TEST(NetnsMode, RefusesWhatIsCutOff) {
  const std::string whole = Message(kSysGet, Attribute(1, "abcdefg") + Attribute(kMode, "\1"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParseNetnsAnswer(whole.substr(0, size))) << size;
  }
  std::string lying = whole;
  lying[16] = '\x7f';  // the first attribute claims more than there is
  EXPECT_FALSE(ParseNetnsAnswer(lying));
  lying[16] = '\0';  // ... or less than its own header
  EXPECT_FALSE(ParseNetnsAnswer(lying));
  EXPECT_FALSE(ParseNetnsAnswer(Message(17, Attribute(kMode, "\1"))));
}

// On any machine: with RDMA a mode, without it a reason.
TEST(NetnsMode, AsksThisKernel) {
  const auto mode = ReadNetnsMode();
  if (mode) {
    EXPECT_NE(*mode, NetnsMode::kUnknown);
  } else {
    EXPECT_EQ(mode.error().code, ErrorCode::kUnsupported) << mode.error().message;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
