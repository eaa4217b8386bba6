// One exchange on a libcurl handle: from the request's first byte to the answer's end.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/kube/api_error.h"
#include "common/kube/curl_handles.h"
#include "common/kube/object_reader.h"

namespace fairlead::kube {

struct ExchangeLimits {
  std::optional<Nanoseconds> whole;  // until the last byte
  Nanoseconds first_byte;            // until the head of the answer
  Nanoseconds silence;               // between two pieces of the answer
};

// Drives `easy`, whose options are set but for those of the answer, until the answer has ended.
// `take` gets the body of a 2xx answer that is JSON, and first an empty piece, when its head has
// come. Used by one thread, for one exchange.
class CurlExchange {
 public:
  using Take = std::function<bool(std::string_view)>;

  CurlExchange(CURL* easy, const Clock& clock, const ExchangeLimits& limits, const Take& take);

  // What happened is told to the reader as "WHAT: ...", "GET https://...: ...".
  ApiResult<void> Run(CURLM* multi, const std::string& what, ObjectReader& reader,
                      const std::stop_token& stop);

 private:
  static std::size_t OnBody(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t OnHead(char* bytes, std::size_t size, std::size_t count, void* self);
  // False where the answer is to be cut off.
  bool Hand(std::string_view bytes);
  // When the exchange has lasted too long.
  MonotonicTime Deadline() const;
  ApiError Late(const std::string& what) const;
  ApiResult<void> Judge(CURLcode code, const std::string& what, ObjectReader& reader);
  ApiError Broken(CURLcode code, const std::string& what) const;
  ApiError Refused(int http_code, const std::string& what, ObjectReader& reader);

  CURL* const easy_;
  const Clock& clock_;
  const ExchangeLimits limits_;
  const Take& take_;
  const MonotonicTime began_;
  MonotonicTime last_byte_;
  bool has_head_ = false;
  bool began_body_ = false;
  bool cut_ = false;  // `take` wanted no more
  bool not_json_ = false;
  std::string refusal_;  // the body of an answer that is no success
  std::string thrown_;   // what `take` threw
  char why_[CURL_ERROR_SIZE] = {};
};

}  // namespace fairlead::kube
