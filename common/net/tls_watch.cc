#include "common/net/tls_watch.h"

#include <grpcpp/security/tls_certificate_provider.h>

#include <algorithm>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "common/base/log.h"
#include "common/net/memory_file.h"
#include "common/net/tls_files.h"
#include "common/net/tls_renewal.h"

namespace fairlead {
namespace {

using Provider = grpc::experimental::CertificateProviderInterface;
using FileProvider = grpc::experimental::FileWatcherCertificateProvider;

// gRPC reads key and certificate one after the other and compares only the times of their changes.
// As one file that has both they cannot be of two generations.
std::string IdentityIn(const TlsFiles& files) {
  return files.private_key + files.certificate_chain;
}

// The contents in memory, where gRPC reads them.
class Watch {
 public:
  Watch(const TlsConfig& tls, const TlsFiles& files, MemoryFile identity, MemoryFile ca,
        Seconds refresh)
      : renewal_(tls, files),
        identity_(std::move(identity)),
        ca_(std::move(ca)),
        every_(Nanoseconds(refresh) / 2),
        provider_(std::make_shared<FileProvider>(
            identity_.path(), identity_.path(), ca_.path(),
            static_cast<unsigned>(std::max(refresh / 2, Seconds(1)).count()))) {}

  const std::shared_ptr<Provider>& provider() const { return provider_; }

  void Run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!never.wait_for(lock, stop, every_, [] { return false; }) && !stop.stop_requested()) {
      renewal_.Look([this](const TlsFiles& files) { return Show(files); });
    }
  }

 private:
  // Who is trusted comes first, so that no certificate is shown before its CA is known here.
  Status Show(const TlsFiles& files) {
    if (const Status put = ca_.Replace(files.ca); !put) return put;
    return identity_.Replace(IdentityIn(files));
  }

  TlsRenewal renewal_;
  MemoryFile identity_;
  MemoryFile ca_;
  const Nanoseconds every_;
  const std::shared_ptr<Provider> provider_;
};

Result<Watch*> Begin(const TlsConfig& tls, Seconds refresh) {
  const Result<TlsFiles> files = ReadTlsFiles(tls);
  if (!files) return Fail(files.error());
  Result<MemoryFile> identity = MemoryFile::Create(IdentityIn(*files));
  if (!identity) return Fail(identity.error());
  Result<MemoryFile> ca = MemoryFile::Create(files->ca);
  if (!ca) return Fail(ca.error());
  return new Watch(tls, *files, *std::move(identity), *std::move(ca), refresh);
}

}  // namespace

Result<std::shared_ptr<Provider>> WatchTlsFiles(const TlsConfig& tls, Seconds refresh) {
  using Key = std::tuple<std::string, std::string, std::string, Seconds>;
  static std::mutex mutex;
  // Never freed: a thread of gRPC's reads from them up to the end.
  static auto& watches = *new std::map<Key, Watch*>;
  const std::lock_guard lock(mutex);
  Watch*& watch = watches[{tls.key_file, tls.certificate_file, tls.ca_file, refresh}];
  if (watch == nullptr) {
    auto begun = Begin(tls, refresh);
    if (!begun) return Fail(begun.error());
    watch = *begun;
    // The log is made before the threads' list and so outlives them.
    LogDebug("TLS files watched", {{"file", tls.certificate_file}});
    static std::list<std::jthread> threads;
    threads.emplace_back([watch](const std::stop_token& stop) { watch->Run(stop); });
  }
  return watch->provider();
}

}  // namespace fairlead
