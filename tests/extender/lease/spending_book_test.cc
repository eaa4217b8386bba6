#include "extender/lease/spending_book.h"

#include <gmock/gmock.h>

#include <limits>

namespace fairlead::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(SpendingBook, SumsWhatNodesSaidLast) {
  SpendingBook book;
  book.Told("a", {{"hk-sg", 9, 100}, {"hk-tyo", 9, 7}});
  book.Told("b", {{"hk-sg", 9, 50}});
  book.Told("a", {{"hk-sg", 9, 80}});
  EXPECT_EQ(book.Spent("hk-sg", 9), 130U);
  EXPECT_EQ(book.Spent("hk-sg", 8), 0U);
  EXPECT_EQ(book.ToldBy("a", "hk-sg", 9), 80U);
  EXPECT_THAT(book.OfDay(9), ElementsAre(Pair("hk-sg", 130), Pair("hk-tyo", 7)));
}

TEST(SpendingBook, APromiseCountsUntilItIsAnsweredOnBothDays) {
  SpendingBook book;
  book.Promise(1, "hk-sg", 9, 10, 30);
  EXPECT_EQ(book.Spent("hk-sg", 9), 30U);
  EXPECT_EQ(book.Spent("hk-sg", 10), 30U);
  EXPECT_EQ(book.Spent("hk-sg", 11), 0U);
  book.Told("a", {{"hk-sg", 10, 12}});
  book.Answered(1);
  EXPECT_EQ(book.Spent("hk-sg", 9), 0U);
  EXPECT_EQ(book.Spent("hk-sg", 10), 12U);
}

TEST(SpendingBook, ForgetsDaysThatAreOverOrFarAhead) {
  SpendingBook book;
  book.Told("a", {{"hk-sg", 8, 1}, {"hk-sg", 9, 2}});
  book.Promise(1, "hk-sg", 7, 8, 30);
  book.Told("a", {{"hk-sg", 99'999, 3}});
  book.KeepDays(9, 10);
  EXPECT_EQ(book.Spent("hk-sg", 8), 0U);
  EXPECT_EQ(book.Spent("hk-sg", 9), 2U);
  EXPECT_EQ(book.Spent("hk-sg", 99'999), 0U) << "of a clock that is wrong by years";
}

TEST(SpendingBook, AnAbsurdSumDoesNotComeRound) {
  SpendingBook book;
  book.Told("a", {{"hk-sg", 9, std::numeric_limits<std::uint64_t>::max()}});
  book.Told("b", {{"hk-sg", 9, 5}});
  EXPECT_EQ(book.Spent("hk-sg", 9), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace fairlead::extender
