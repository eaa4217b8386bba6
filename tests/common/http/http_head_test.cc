#include "common/http/http_head.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead {
namespace {

TEST(HeadLength, IsFoundHoweverTheBytesCame) {
  const std::string head = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string bytes = head + "body\r\n\r\n";
  for (std::size_t searched = 0; searched < head.size(); ++searched) {
    EXPECT_EQ(HeadLength(bytes, searched), head.size()) << searched;
    EXPECT_EQ(HeadLength(bytes.substr(0, searched), 0), std::nullopt) << searched;
  }
}

TEST(HeadFault, SaysWhatIsTooLongOrUnknown) {
  const std::string line = "GET / HTTP/1.1\r\n";
  const struct {
    std::string head;
    int status;  // 0: no fault
    std::string message;
  } kCases[] = {
      {line + "\r\n", 0, ""},
      {"GARBAGE\r\n\r\n", 0, ""},
      {"GET / x HTTP/1.1\r\n\r\n", 0, ""},
      {"GET /" + std::string(8192 - 16, 'a') + " HTTP/1.1\r\n\r\n", 0, ""},
      {"GET /" + std::string(8192 - 15, 'a') + " HTTP/1.1\r\n\r\n", 414,
       "the request line is too long; at most 8192 bytes are read"},
      {std::string(65536, 'a'), 414, "the request line is too long; at most 8192 bytes are read"},
      {line + "X: " + std::string(8192 - 5, 'a') + "\r\n\r\n", 0, ""},
      {line + "X: " + std::string(8192 - 4, 'a') + "\r\n\r\n", 431,
       "the header \"X\" is too long; at most 8192 bytes are read"},
      {line + "X: a\r\n", 431, "the headers are too long; at most 65536 bytes are read"},
      {"BREW / HTTP/1.1\r\n\r\n", 501, "the method \"BREW\" is not known"},
      {"get / HTTP/1.1\r\n\r\n", 501, "the method \"get\" is not known"},
      {"GET http:///a HTTP/1.1\r\n\r\n", 400, "the URI \"http:///a\" names no host"},
      {"GET https:// HTTP/1.1\r\n\r\n", 400, "the URI \"https://\" names no host"},
      {"GET http://?a HTTP/1.1\r\n\r\n", 400, "the URI \"http://?a\" names no host"},
      {"GET http://x HTTP/1.1\r\n\r\n", 0, ""},
  };
  for (const auto& c : kCases) {
    const auto fault = HeadFault(c.head);
    EXPECT_EQ(fault ? fault->status : 0, c.status) << c.head.substr(0, 60);
    EXPECT_EQ(fault ? fault->message : "", c.message) << c.head.substr(0, 60);
  }
}

TEST(OriginForm, IsMadeOfTheAbsoluteOneAndOfNoOther) {
  const std::string rest = " HTTP/1.1\r\nHost: x\r\n\r\n";
  const struct {
    std::string before;
    std::string after;
  } kCases[] = {
      {"GET http://x/links", "GET /links"},
      {"GET HTTPS://user@[::1]:80/links?a=b", "GET /links?a=b"},
      {"POST http://x//a", "POST //a"},
      {"GET http://x", "GET /"},
      {"GET http://host?a=/b", "GET /?a=/b"},
      {"GET http://host#a", "GET /#a"},
      {"GET /http://x/links", "GET /http://x/links"},
      {"GET ftp://x/links", "GET ftp://x/links"},
      {"GET http:/x", "GET http:/x"},
      {"OPTIONS *", "OPTIONS *"},
      {"GET http://x y", "GET http://x y"},
      {"GET", "GET"},
      {"", ""},
  };
  for (const auto& c : kCases) {
    std::string head = c.before + rest;
    const std::size_t skip = ToOriginForm(head);
    EXPECT_EQ(head.substr(skip), c.after + rest);
  }
}

TEST(RefusalText, IsAWholeAnswer) {
  EXPECT_EQ(RefusalText({431, "too long"}),
            "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
            "Content-Type: text/plain\r\nContent-Length: 9\r\n\r\ntoo long\n");
}

}  // namespace
}  // namespace fairlead
