// Requests to the API server over libcurl: HTTP/2 where it offers it, TLS 1.2 or newer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/api_error.h"
#include "common/kube/api_request.h"

namespace fairlead::kube {

struct ConnectionLimits {
  Nanoseconds connect = Seconds(10);   // until TCP and TLS are set up
  Nanoseconds answer = Seconds(30);    // of Call: until the last byte; of Stream: until the first
  std::size_t most_bytes = 16U << 20;  // of an answer to Call
};

// One connection, kept and used again, for one thread at a time; no thread of its own. Made anew by
// itself where it breaks, and after a request that got no answer in time. The process must ignore
// SIGPIPE.
//
// Where the server says 401 and the token file holds another token by now, the request is sent
// again once with that one. Redirects are not followed. A dead peer is noticed by TCP after about
// 30 s (keep-alive and TCP_USER_TIMEOUT), one that is frozen by the limits.
class ApiConnection {
 public:
  // Fails where the access itself is wrong; dials nothing yet. `user_agent` names the program and
  // its version.
  static Result<std::unique_ptr<ApiConnection>> Create(Access access, std::string user_agent,
                                                       const Clock& clock,
                                                       ConnectionLimits limits = {});
  ~ApiConnection();

  // The body of a 2xx answer. kStopped as soon as `stop` is requested.
  ApiResult<std::string> Call(const ApiRequest& request, const std::stop_token& stop = {});

  // Hands on the body of a 2xx answer as it comes, and first an empty piece, when its head has
  // come; false from `take` ends it, which is a success, as is the server's orderly end. kSilent
  // where no byte comes for `silence` after the first.
  using Take = std::function<bool(std::string_view bytes)>;
  ApiResult<void> Stream(const ApiRequest& request, Nanoseconds silence, const Take& take,
                         const std::stop_token& stop = {});

 private:
  class Impl;
  explicit ApiConnection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::kube
