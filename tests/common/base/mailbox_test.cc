#include "common/base/mailbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace fairlead {
namespace {

TEST(Mailbox, KeepsOrder) {
  Mailbox<int> box(3);
  for (const int n : {1, 2, 3}) EXPECT_TRUE(box.Push(n));
  for (const int n : {1, 2, 3}) EXPECT_EQ(box.TryPop(), n);
  EXPECT_EQ(box.TryPop(), std::nullopt);
}

TEST(Mailbox, RefusesWhenFullAndTakesAgainAfterAPop) {
  Mailbox<int> box(2);
  EXPECT_TRUE(box.Push(1));
  EXPECT_TRUE(box.Push(2));
  EXPECT_FALSE(box.Push(3));
  EXPECT_EQ(box.size(), 2U);
  EXPECT_EQ(box.TryPop(), 1);
  EXPECT_TRUE(box.Push(4));
}

TEST(Mailbox, CarriesWhatCannotBeCopied) {
  Mailbox<std::unique_ptr<int>> box(1);
  EXPECT_TRUE(box.Push(std::make_unique<int>(7)));
  EXPECT_EQ(*box.TryPop().value(), 7);
}

TEST(Mailbox, PopWaitsForAValue) {
  Mailbox<int> box(1);
  std::future<std::optional<int>> got =
      std::async(std::launch::async, [&] { return box.Pop(std::stop_token()); });
  EXPECT_TRUE(box.Push(5));
  EXPECT_EQ(got.get(), 5);
}

TEST(Mailbox, StopWakesAWaiter) {
  Mailbox<int> box(1);
  std::stop_source stop;
  std::future<std::optional<int>> got =
      std::async(std::launch::async, [&] { return box.Pop(stop.get_token()); });
  stop.request_stop();
  EXPECT_EQ(got.get(), std::nullopt);
}

TEST(Mailbox, CloseRefusesNewValuesButGivesOutTheQueuedOnes) {
  Mailbox<int> box(2);
  EXPECT_TRUE(box.Push(1));
  box.Close();
  EXPECT_FALSE(box.Push(2));
  EXPECT_EQ(box.Pop(std::stop_token()), 1);
  EXPECT_EQ(box.Pop(std::stop_token()), std::nullopt);
}

TEST(Mailbox, LosesNothingBetweenManyProducersAndConsumers) {
  constexpr int kProducers = 4;
  constexpr int kEach = 500;
  Mailbox<int> box(kProducers * kEach);
  std::vector<std::future<std::vector<int>>> consumers;
  for (int c = 0; c < 3; ++c) {
    consumers.push_back(std::async(std::launch::async, [&] {
      std::vector<int> got;
      while (const auto n = box.Pop(std::stop_token())) got.push_back(*n);
      return got;
    }));
  }
  {
    std::vector<std::jthread> producers;
    for (int p = 0; p < kProducers; ++p) {
      producers.emplace_back([&box, p] {
        for (int i = 0; i < kEach; ++i) ASSERT_TRUE(box.Push(p * kEach + i));
      });
    }
  }
  box.Close();
  std::vector<int> all;
  for (auto& consumer : consumers) {
    for (const int n : consumer.get()) all.push_back(n);
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), static_cast<std::size_t>(kProducers * kEach));
  for (int i = 0; i < kProducers * kEach; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace fairlead
