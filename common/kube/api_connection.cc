#include "common/kube/api_connection.h"

#include <utility>

#include "common/kube/curl_exchange.h"
#include "common/kube/curl_handles.h"
#include "common/kube/curl_setup.h"
#include "common/kube/object_reader.h"
#include "common/kube/server_url.h"
#include "common/net/bearer_token.h"
#include "common/net/token_source.h"

namespace fairlead::kube {
namespace {

// libcurl's own state; ready before the first handle, whichever thread comes first.
CURLcode GlobalState() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  return code;
}

void AddHeader(CurlList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) return;
  static_cast<void>(list.release());
  list.reset(longer);
}

}  // namespace

class ApiConnection::Impl {
 public:
  Impl(Access access, ServerUrl url, std::string user_agent, const Clock& clock,
       ConnectionLimits limits)
      : access_(std::move(access)),
        url_(std::move(url)),
        base_(BaseUrl(access_, url_)),
        user_agent_(std::move(user_agent)),
        clock_(clock),
        limits_(limits),
        connect_to_(ConnectToHost(access_, url_)) {}

  Status Open() {
    if (GlobalState() != CURLE_OK) return Fail(ErrorCode::kInternal, "libcurl does not start");
    multi_.reset(curl_multi_init());
    easy_.reset(curl_easy_init());
    if (!multi_ || !easy_) return Fail(ErrorCode::kResourceExhausted, "libcurl has no memory");
    if (Status status =
            SetUpHandle(easy_.get(), access_, url_, user_agent_.c_str(), limits_.connect);
        !status) {
      return status;
    }
    curl_easy_setopt(easy_.get(), CURLOPT_CONNECT_TO, connect_to_.get());
    return {};
  }

  ApiResult<std::string> Call(const ApiRequest& request, const std::stop_token& stop) {
    std::string body;
    bool too_large = false;
    const auto take = [&](std::string_view bytes) {
      too_large = bytes.size() > limits_.most_bytes - body.size();
      if (!too_large) body.append(bytes);
      return !too_large;
    };
    const ExchangeLimits limits{
        .whole = limits_.answer, .first_byte = limits_.answer, .silence = limits_.answer};
    const ApiResult<void> done = Exchange(
        request, limits, take, [&] { body.clear(); }, stop);
    if (!done) return tl::unexpected(done.error());
    if (too_large) {
      return tl::unexpected(ApiError{.failure = ApiFailure::kTooLarge,
                                     .message = What(request) + ": the answer is longer than " +
                                                std::to_string(limits_.most_bytes) + " bytes"});
    }
    return body;
  }

  ApiResult<void> Stream(const ApiRequest& request, Nanoseconds silence, const Take& take,
                         const std::stop_token& stop) {
    const ExchangeLimits limits{
        .whole = std::nullopt, .first_byte = limits_.answer, .silence = silence};
    return Exchange(
        request, limits, take, [] {}, stop);
  }

 private:
  std::string What(const ApiRequest& request) const {
    return std::string(MethodName(request.method)) + " " + url_.Text() + request.path;
  }

  // Sends the request, and once more where the token has been renewed meanwhile. Nothing of an
  // answer with 401 reaches `take`.
  template <class Again>
  ApiResult<void> Exchange(const ApiRequest& request, const ExchangeLimits& limits,
                           const Take& take, Again again, const std::stop_token& stop) {
    const Result<std::string> token = Token();
    if (!token) return NoToken(request, token.error());
    ApiResult<void> done = Send(request, *token, limits, take, stop);
    if (done || done.error().failure != ApiFailure::kUnauthenticated) return done;
    const Result<std::string> renewed = Token();
    if (!renewed) return NoToken(request, renewed.error());
    if (SameToken(*renewed, *token)) return done;
    again();
    return Send(request, *renewed, limits, take, stop);
  }

  Result<std::string> Token() const {
    if (access_.token_file.empty()) return access_.token;
    return TokenSource(access_.token_file).Read();
  }

  ApiResult<void> NoToken(const ApiRequest& request, const Error& error) const {
    return tl::unexpected(
        ApiError{.failure = ApiFailure::kAccess, .message = What(request) + ": " + error.message});
  }

  ApiResult<void> Send(const ApiRequest& request, const std::string& token,
                       const ExchangeLimits& limits, const Take& take,
                       const std::stop_token& stop) {
    if (!easy_) {
      if (Status status = Open(); !status) {
        return tl::unexpected(ApiError{.message = What(request) + ": " + status.error().message});
      }
    }
    const CurlList headers = Headers(request, token);
    SetRequest(request, headers.get());
    CurlExchange exchange(easy_.get(), clock_, limits, take);
    ApiResult<void> done = exchange.Run(multi_.get(), What(request), reader_, stop);
    // Whoever fell silent once would be asked again over the same connection for ever.
    if (!done && (done.error().failure == ApiFailure::kSilent ||
                  done.error().failure == ApiFailure::kStopped)) {
      easy_.reset();
      multi_.reset();
    }
    return done;
  }

  static CurlList Headers(const ApiRequest& request, const std::string& token) {
    CurlList list;
    AddHeader(list, "Accept: application/json");
    AddHeader(list, "Expect:");
    if (!token.empty()) AddHeader(list, "Authorization: " + FormatBearer(token));
    if (!request.body.empty()) {
      AddHeader(list, "Content-Type: " + std::string(ContentType(request.body_kind)));
    }
    return list;
  }

  void SetRequest(const ApiRequest& request, curl_slist* headers) {
    CURL* const easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_URL, (base_ + TargetOf(request)).c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    if (request.body.empty() && request.method != Method::kPost) {
      curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    } else {
      curl_easy_setopt(easy, CURLOPT_POST, 1L);
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(request.body.size()));
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
    }
    // Also for GET, or the method of the request before would stay.
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, std::string(MethodName(request.method)).c_str());
  }

  const Access access_;
  const ServerUrl url_;
  const std::string base_;
  const std::string user_agent_;
  const Clock& clock_;
  const ConnectionLimits limits_;
  const CurlList connect_to_;
  ObjectReader reader_;
  CurlMulti multi_;
  CurlEasy easy_;
};

ApiConnection::ApiConnection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ApiConnection::~ApiConnection() = default;

Result<std::unique_ptr<ApiConnection>> ApiConnection::Create(Access access, std::string user_agent,
                                                             const Clock& clock,
                                                             ConnectionLimits limits) {
  Result<ServerUrl> url = ParseServerUrl(access.server, access.plaintext);
  if (!url) return Fail(url.error());
  auto impl = std::make_unique<Impl>(std::move(access), *std::move(url), std::move(user_agent),
                                     clock, limits);
  if (Status status = impl->Open(); !status) return Fail(status.error());
  return std::unique_ptr<ApiConnection>(new ApiConnection(std::move(impl)));
}

ApiResult<std::string> ApiConnection::Call(const ApiRequest& request, const std::stop_token& stop) {
  return impl_->Call(request, stop);
}

ApiResult<void> ApiConnection::Stream(const ApiRequest& request, Nanoseconds silence,
                                      const Take& take, const std::stop_token& stop) {
  return impl_->Stream(request, silence, take, stop);
}

}  // namespace fairlead::kube
