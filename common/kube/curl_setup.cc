#include "common/kube/curl_setup.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace fairlead::kube {
namespace {

constexpr long kKeepAliveIdleSeconds = 30;
constexpr long kKeepAliveIntervalSeconds = 10;
constexpr unsigned kUserTimeoutMilliseconds = 30'000;
// A renewed CA file is trusted at the latest after this.
constexpr long kCaCacheSeconds = 60;
constexpr long kReadBufferBytes = 64L << 10;

// What is sent or probed and not acknowledged for so long means a dead peer, not a slow one.
int OnSocket(void*, curl_socket_t socket, curlsocktype) {
  const unsigned timeout = kUserTimeoutMilliseconds;
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
  return CURL_SOCKOPT_OK;
}

// Remembers the first option that was refused.
class Options {
 public:
  explicit Options(CURL* easy) : easy_(easy) {}

  template <class T>
  void Set(CURLoption option, T value) {
    const CURLcode code = curl_easy_setopt(easy_, option, value);
    if (first_ == CURLE_OK) first_ = code;
  }
  // Bytes that outlive the handle.
  void SetBlob(CURLoption option, const std::string& bytes) {
    curl_blob blob{};
    blob.data = const_cast<char*>(bytes.data());
    blob.len = bytes.size();
    blob.flags = CURL_BLOB_NOCOPY;
    Set(option, &blob);
  }
  void SetFileOrText(CURLoption file_option, const std::string& file, CURLoption text_option,
                     const std::string& text) {
    if (!file.empty()) {
      Set(file_option, file.c_str());
    } else if (!text.empty()) {
      SetBlob(text_option, text);
    }
  }
  CURLcode first() const { return first_; }

 private:
  CURL* const easy_;
  CURLcode first_ = CURLE_OK;
};

}  // namespace

Status SetUpHandle(CURL* easy, const Access& access, const ServerUrl& url, const char* user_agent,
                   Nanoseconds connect) {
  Options options(easy);
  options.Set(CURLOPT_NOSIGNAL, 1L);
  options.Set(CURLOPT_QUICK_EXIT, 1L);  // an end does not wait for a name server
  options.Set(CURLOPT_PROTOCOLS_STR, url.scheme.c_str());
  options.Set(
      CURLOPT_HTTP_VERSION,
      static_cast<long>(url.scheme == "https" ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  options.Set(CURLOPT_USERAGENT, user_agent);
  options.Set(CURLOPT_PATH_AS_IS, 1L);
  options.Set(CURLOPT_BUFFERSIZE, kReadBufferBytes);
  options.Set(CURLOPT_CONNECTTIMEOUT_MS,
              static_cast<long>(std::chrono::duration_cast<Milliseconds>(connect).count()));

  options.Set(CURLOPT_TCP_KEEPALIVE, 1L);
  options.Set(CURLOPT_TCP_KEEPIDLE, kKeepAliveIdleSeconds);
  options.Set(CURLOPT_TCP_KEEPINTVL, kKeepAliveIntervalSeconds);
  options.Set(CURLOPT_SOCKOPTFUNCTION, &OnSocket);

  // Both are set also where there is no proxy, or libcurl would ask the environment.
  options.Set(CURLOPT_PROXY, access.proxy.c_str());
  options.Set(CURLOPT_NOPROXY, "");
  options.Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);

  options.Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  options.Set(CURLOPT_CA_CACHE_TIMEOUT, kCaCacheSeconds);
  if (!access.ca_file.empty() || !access.ca_pem.empty()) {
    // Debian's libcurl would trust the certificates of this host, too.
    options.Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    options.SetFileOrText(CURLOPT_CAINFO, access.ca_file, CURLOPT_CAINFO_BLOB, access.ca_pem);
  }
  options.SetFileOrText(CURLOPT_SSLCERT, access.certificate_file, CURLOPT_SSLCERT_BLOB,
                        access.certificate_pem);
  options.SetFileOrText(CURLOPT_SSLKEY, access.key_file, CURLOPT_SSLKEY_BLOB, access.key_pem);
  if (options.first() != CURLE_OK) {
    return Fail(ErrorCode::kUnsupported, std::string("libcurl ") + curl_version() + ": " +
                                             curl_easy_strerror(options.first()) +
                                             "; 7.87 or newer with TLS is needed");
  }
  return {};
}

CurlList ConnectToHost(const Access& access, const ServerUrl& url) {
  if (access.tls_server_name.empty()) return nullptr;
  const std::string port = std::to_string(url.port);
  const std::string entry = access.tls_server_name + ":" + port + ":" + url.host + ":" + port;
  return CurlList(curl_slist_append(nullptr, entry.c_str()));
}

std::string BaseUrl(const Access& access, const ServerUrl& url) {
  ServerUrl named = url;
  if (!access.tls_server_name.empty()) named.host = access.tls_server_name;
  return named.Text();
}

}  // namespace fairlead::kube
