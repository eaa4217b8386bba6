// What every request to one API server has in common, as options of a libcurl handle.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/curl_handles.h"
#include "common/kube/server_url.h"

namespace fairlead::kube {

// Sets transport, TLS and proxy. Nothing is taken from the process's environment, and nothing but
// the access's CA is trusted where it has one. kUnsupported where this libcurl lacks an option.
Status SetUpHandle(CURL* easy, const Access& access, const ServerUrl& url, const char* user_agent,
                   Nanoseconds connect);

// The list that CURLOPT_CONNECT_TO needs where the certificate's name is not the host's; null
// where it is.
CurlList ConnectToHost(const Access& access, const ServerUrl& url);

// scheme://name:port/prefix of every request, where name is the one in the certificate.
std::string BaseUrl(const Access& access, const ServerUrl& url);

}  // namespace fairlead::kube
