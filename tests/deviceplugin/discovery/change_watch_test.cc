#include "deviceplugin/discovery/change_watch.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "deviceplugin/discovery/scan_schedule.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(60);

// Counts calls and waits for them.
class Calls {
 public:
  std::optional<Nanoseconds> operator()(bool changed) {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (changed) ++changes_;
    called_.notify_all();
    return again_;
  }
  bool WaitFor(int count) {
    std::unique_lock lock(mutex_);
    return called_.wait_for(lock, kPatience, [&] { return count_ >= count; });
  }
  bool WaitForChanges(int count) {
    std::unique_lock lock(mutex_);
    return called_.wait_for(lock, kPatience, [&] { return changes_ >= count; });
  }
  int changes() {
    const std::lock_guard lock(mutex_);
    return changes_;
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  void again_after(Nanoseconds again) { again_ = again; }

 private:
  std::mutex mutex_;
  std::condition_variable called_;
  int count_ = 0;
  int changes_ = 0;
  std::optional<Nanoseconds> again_;
};

class ChangeWatchTest : public testing::Test {
 protected:
  void TearDown() override { watch_.reset(); }

  // A source whose events the test writes.
  ChangeSource Source() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    writers_.emplace_back(ends[1]);
    return {"test", FileDescriptor(ends[0]), [](std::string_view text) { return text != "other"; }};
  }
  void Send(std::size_t source, std::string_view text) {
    ASSERT_EQ(send(writers_[source].get(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  // Without the kernel's own sources, which tell what others do to this machine.
  static ChangeSources Bare(const std::string& directory) {
    ChangeSources sources = OpenChangeSources(directory);
    sources.open.clear();
    return sources;
  }
  void Start(int sources, const std::string& directory) {
    ChangeSources all = Bare(directory);
    for (int i = 0; i < sources; ++i) all.open.push_back(Source());
    Start(std::move(all));
  }
  void Start(ChangeSources sources) {
    watch_ = ChangeWatch::Start(std::move(sources), [this](bool changed) {
               return calls_(changed);
             }).value();
  }

  const TempDirectory temp_;
  const std::string directory_ = temp_.path();
  Calls calls_;
  std::vector<FileDescriptor> writers_;
  std::unique_ptr<ChangeWatch> watch_;
};

TEST_F(ChangeWatchTest, CallsAtOnceAndForEachSource) {
  Start(2, directory_);
  ASSERT_TRUE(calls_.WaitFor(1));
  Send(0, "add");
  ASSERT_TRUE(calls_.WaitFor(2));
  Send(1, "add");
  ASSERT_TRUE(calls_.WaitFor(3));
  EXPECT_EQ(watch_->counts().events, 2U);
}

TEST_F(ChangeWatchTest, TheFirstCallIsNoChangeUnlessSomethingHasHappenedSinceTheSourcesWereOpened) {
  const std::string nodes = directory_ + "/infiniband";
  Start(Bare(directory_));
  ASSERT_TRUE(calls_.WaitFor(1));
  EXPECT_EQ(calls_.changes(), 0);

  ChangeSources watched = Bare(directory_);
  ChangeSources missing = Bare(nodes);
  fs::create_directory(nodes);
  Start(std::move(watched));
  EXPECT_TRUE(calls_.WaitForChanges(1));
  Start(std::move(missing));
  EXPECT_TRUE(calls_.WaitForChanges(2));

  ChangeSources told = Bare(directory_);
  told.open.push_back(Source());
  Send(0, "add");
  Start(std::move(told));
  EXPECT_TRUE(calls_.WaitForChanges(3));
}

TEST_F(ChangeWatchTest, PassesOverWhatDoesNotMatter) {
  Start(1, directory_);
  ASSERT_TRUE(calls_.WaitFor(1));
  for (int i = 0; i < 100; ++i) Send(0, "other");
  Send(0, "add");
  ASSERT_TRUE(calls_.WaitFor(2));
  EXPECT_EQ(watch_->counts().events, 1U);
}

TEST_F(ChangeWatchTest, TurnsTenThousandEventsIntoFewCalls) {
  Start(1, directory_);
  ASSERT_TRUE(calls_.WaitFor(1));
  const auto start = steady_clock::now();
  for (int i = 0; i < 10000; ++i) Send(0, "add");
  // The end of the source comes after all events, and leaves the watch at work on the directory.
  writers_.clear();
  const int before = calls_.count();
  std::ofstream(directory_ + "/uverbs0") << "";
  ASSERT_TRUE(calls_.WaitFor(before + 1));
  const auto gaps = (steady_clock::now() - start) / ScanSchedule::kGap;
  EXPECT_LE(calls_.count(), gaps + 3);
}

TEST_F(ChangeWatchTest, SeesNodesComeAndGo) {
  const std::string nodes = directory_ + "/infiniband";
  Start(0, nodes);
  ASSERT_TRUE(calls_.WaitFor(1));
  fs::create_directory(nodes);
  ASSERT_TRUE(calls_.WaitFor(2));
  std::ofstream(nodes + "/uverbs0") << "";
  ASSERT_TRUE(calls_.WaitFor(3));
  fs::remove(nodes + "/uverbs0");
  ASSERT_TRUE(calls_.WaitFor(4));
  fs::remove_all(nodes);
  ASSERT_TRUE(calls_.WaitFor(5));
  fs::create_directory(nodes);
  ASSERT_TRUE(calls_.WaitFor(6));
}

TEST_F(ChangeWatchTest, CallsAgainWhenAskedTo) {
  calls_.again_after(std::chrono::milliseconds(1));
  Start(0, directory_);
  EXPECT_TRUE(calls_.WaitFor(5));
  EXPECT_EQ(calls_.changes(), 0);
}

// A socket whose kernel side had more to say than its buffer holds: answers to requests that nobody
// read. What was lost is not known, so the node is looked at again.
TEST_F(ChangeWatchTest, LooksAgainWhenTheKernelDroppedEvents) {
  FileDescriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  ASSERT_TRUE(netlink);
  const int smallest = 1;
  ASSERT_EQ(setsockopt(netlink.get(), SOL_SOCKET, SO_RCVBUF, &smallest, sizeof smallest), 0);
  nlmsghdr request{};
  request.nlmsg_len = NLMSG_HDRLEN;
  request.nlmsg_type = NLMSG_MIN_TYPE;
  request.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(send(netlink.get(), &request, sizeof request, 0),
              static_cast<ssize_t>(sizeof request));
  }
  ChangeSources sources = Bare(directory_);
  sources.open.push_back({"test", std::move(netlink), [](std::string_view) { return false; }});
  Start(std::move(sources));
  ASSERT_TRUE(calls_.WaitForChanges(1));
  EXPECT_EQ(watch_->counts().events, 0U);
  EXPECT_EQ(watch_->counts().overruns, 1U);
}

TEST_F(ChangeWatchTest, EndsWhileEventsCome) {
  Start(1, directory_);
  ASSERT_TRUE(calls_.WaitFor(1));
  for (int i = 0; i < 100; ++i) Send(0, "add");
  watch_.reset();
  // Nobody is left to listen.
  EXPECT_EQ(send(writers_[0].get(), "add", 3, MSG_NOSIGNAL), -1);
}

// The kernel's own sources: whatever this machine refuses is told.
TEST(OpenChangeSources, GivesASocketOrAReasonForEach) {
  const ChangeSources sources = OpenChangeSources("/nowhere");
  EXPECT_EQ(sources.open.size() + sources.problems.size(), 3U);
  for (const ChangeSource& source : sources.open) EXPECT_TRUE(source.fd) << source.name;
  for (const std::string& problem : sources.problems) {
    EXPECT_TRUE(problem.starts_with("Cannot listen to ")) << problem;
  }
}

TEST(UeventMatters, ForHcasAndWhatTheyHangOn) {
  const auto matters = [](std::string text) {
    std::replace(text.begin(), text.end(), '|', '\0');
    return UeventMatters(text);
  };
  EXPECT_TRUE(matters("add@/devices/x|ACTION=add|SUBSYSTEM=infiniband|SEQNUM=1|"));
  EXPECT_TRUE(matters("add@/devices/x|SUBSYSTEM=infiniband_verbs|DEVNAME=infiniband/uverbs0|"));
  EXPECT_TRUE(matters("add@/devices/x|SUBSYSTEM=misc|DEVNAME=infiniband/rdma_cm"));
  EXPECT_TRUE(matters("bind@/devices/x|SUBSYSTEM=pci|"));
  EXPECT_TRUE(matters("add@/devices/x|SUBSYSTEM=auxiliary|"));
  EXPECT_FALSE(matters("add@/devices/infiniband|SUBSYSTEM=block|DEVNAME=sda|"));
  EXPECT_FALSE(matters("add@/devices/x|SUBSYSTEM=pci_bus|"));
  EXPECT_FALSE(matters("|||"));
  EXPECT_FALSE(matters(""));
}

}  // namespace
}  // namespace fairlead::deviceplugin
