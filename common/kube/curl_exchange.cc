#include "common/kube/curl_exchange.h"

#include <algorithm>
#include <exception>

#include "common/base/quote.h"
#include "common/json/padding.h"

namespace fairlead::kube {
namespace {

// A Status is short; a gateway's page of excuses need not be kept whole.
constexpr std::size_t kMostRefusalBytes = 64U << 10;
// How much of a text that is no Status is shown.
constexpr std::size_t kShownBytes = 200;

int HttpCode(CURL* easy) {
  long code = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
  return static_cast<int>(code);
}

std::string ContentTypeOf(CURL* easy) {
  const char* type = nullptr;
  curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
  return type != nullptr ? type : "";
}

bool IsSuccess(int http_code) { return http_code >= 200 && http_code < 300; }

std::string HumanSeconds(Nanoseconds span) {
  return std::to_string(std::chrono::duration_cast<Milliseconds>(span).count()) + " ms";
}

// Faults of certificates and files on this side or that, which waiting does not mend.
bool IsAccessFault(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CIPHER ||
         code == CURLE_SSL_ISSUER_ERROR;
}

}  // namespace

CurlExchange::CurlExchange(CURL* easy, const Clock& clock, const ExchangeLimits& limits,
                           const Take& take)
    : easy_(easy),
      clock_(clock),
      limits_(limits),
      take_(take),
      began_(clock.Now()),
      last_byte_(began_) {
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &OnBody);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &OnHead);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, why_);
}

ApiResult<void> CurlExchange::Run(CURLM* multi, const std::string& what, ObjectReader& reader,
                                  const std::stop_token& stop) {
  if (curl_multi_add_handle(multi, easy_) != CURLM_OK) {
    return tl::unexpected(ApiError{.message = what + ": libcurl takes no request"});
  }
  struct Removal {
    CURLM* multi;
    CURL* easy;
    ~Removal() { curl_multi_remove_handle(multi, easy); }
  } removal{multi, easy_};
  const std::stop_callback wake(stop, [multi] { curl_multi_wakeup(multi); });
  while (true) {
    int running = 0;
    if (const CURLMcode code = curl_multi_perform(multi, &running); code != CURLM_OK) {
      return tl::unexpected(ApiError{.message = what + ": " + curl_multi_strerror(code)});
    }
    if (running == 0) break;
    if (stop.stop_requested()) {
      return tl::unexpected(
          ApiError{.failure = ApiFailure::kStopped, .message = what + ": stopped"});
    }
    const Nanoseconds left = Deadline() - clock_.Now();
    if (left <= Nanoseconds(0)) return tl::unexpected(Late(what));
    const auto wait = std::chrono::ceil<Milliseconds>(std::min<Nanoseconds>(left, Seconds(60)));
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(wait.count()), nullptr);
  }
  int waiting = 0;
  const CURLMsg* message = curl_multi_info_read(multi, &waiting);
  if (message == nullptr) {
    return tl::unexpected(ApiError{.message = what + ": libcurl lost the request"});
  }
  return Judge(message->data.result, what, reader);
}

std::size_t CurlExchange::OnHead(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  exchange.has_head_ = true;
  exchange.last_byte_ = exchange.clock_.Now();
  const bool last = size * count == 2 && bytes[0] == '\r';
  if (!last || exchange.began_body_ || !IsSuccess(HttpCode(exchange.easy_))) return size * count;
  exchange.began_body_ = true;
  return exchange.Hand({}) ? size * count : 0;
}

std::size_t CurlExchange::OnBody(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::string_view piece(bytes, size * count);
  exchange.last_byte_ = exchange.clock_.Now();
  if (IsSuccess(HttpCode(exchange.easy_))) {
    return exchange.Hand(piece) ? size * count : CURL_WRITEFUNC_ERROR;
  }
  const std::size_t room = kMostRefusalBytes - exchange.refusal_.size();
  exchange.refusal_.append(piece.substr(0, room));
  return size * count;
}

bool CurlExchange::Hand(std::string_view bytes) {
  if (!ContentTypeOf(easy_).starts_with("application/json")) {
    refusal_.append(bytes.substr(0, kShownBytes));
    not_json_ = !bytes.empty();
    return bytes.empty();
  }
  // Nothing may be thrown through libcurl.
  try {
    cut_ = !take_(bytes);
  } catch (const std::exception& e) {
    thrown_ = e.what();
    cut_ = true;
  }
  // Taking can have lasted; only waiting for the server counts.
  last_byte_ = clock_.Now();
  return !cut_;
}

MonotonicTime CurlExchange::Deadline() const {
  MonotonicTime deadline = has_head_ ? last_byte_ + limits_.silence : began_ + limits_.first_byte;
  if (limits_.whole) deadline = std::min(deadline, began_ + *limits_.whole);
  return deadline;
}

ApiError CurlExchange::Late(const std::string& what) const {
  const bool whole = limits_.whole && clock_.Now() >= began_ + *limits_.whole;
  const Nanoseconds limit = whole       ? *limits_.whole
                            : has_head_ ? limits_.silence
                                        : limits_.first_byte;
  return {.failure = ApiFailure::kSilent,
          .message = what + ": " + (whole || !has_head_ ? "no answer" : "no more of the answer") +
                     " within " + HumanSeconds(limit)};
}

ApiResult<void> CurlExchange::Judge(CURLcode code, const std::string& what, ObjectReader& reader) {
  if (!thrown_.empty()) {
    return tl::unexpected(
        ApiError{.failure = ApiFailure::kMalformed,
                 .message = what + ": the answer could not be taken: " + thrown_});
  }
  const int http_code = HttpCode(easy_);
  if (not_json_) {
    return tl::unexpected(ApiError{.failure = ApiFailure::kMalformed,
                                   .http_code = http_code,
                                   .message = what + ": answered " + Quoted(ContentTypeOf(easy_)) +
                                              ", not JSON, " + Quoted(refusal_, kShownBytes) +
                                              "; is this an API server?"});
  }
  if (cut_) return {};
  if (code != CURLE_OK) return tl::unexpected(Broken(code, what));
  if (IsSuccess(http_code)) {
    if (began_body_) return {};
    return tl::unexpected(ApiError{.message = what + ": the answer ends within its head"});
  }
  return tl::unexpected(Refused(http_code, what, reader));
}

ApiError CurlExchange::Broken(CURLcode code, const std::string& what) const {
  ApiError error{.message = what + ": " + (why_[0] != '\0' ? why_ : curl_easy_strerror(code))};
  if (IsAccessFault(code)) error.failure = ApiFailure::kAccess;
  // A handshake also fails where the peer is ending just now.
  if (IsAccessFault(code) || code == CURLE_SSL_CONNECT_ERROR) {
    error.message += "; check the CA, the certificates and the server's name";
  }
  return error;
}

ApiError CurlExchange::Refused(int http_code, const std::string& what, ObjectReader& reader) {
  const std::size_t size = refusal_.size();
  refusal_.append(kJsonPadding, ' ');
  const std::string_view body(refusal_.data(), size);
  const bool json = ContentTypeOf(easy_).starts_with("application/json");
  ApiError error;
  if (json) error = reader.ReadStatus(body, http_code);
  error.http_code = http_code;
  error.failure = FailureOf(http_code);
  const std::string said = error.message.empty() ? std::string(body) : error.message;
  error.message = what + ": " + std::to_string(http_code) + " " + Quoted(said, 400);
  curl_off_t seconds = 0;
  curl_easy_getinfo(easy_, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) error.retry_after = Seconds(std::min<curl_off_t>(seconds, 86'400));
  return error;
}

}  // namespace fairlead::kube
