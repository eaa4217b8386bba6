#include "common/net/tls_renewal.h"

#include <utility>

#include "common/base/log.h"

namespace fairlead {

TlsRenewal::TlsRenewal(TlsConfig tls, TlsFiles in_force)
    : tls_(std::move(tls)), in_force_(std::move(in_force)) {}

void TlsRenewal::Look(const Use& use) {
  Result<TlsFiles> files = ReadTlsFiles(tls_);
  if (!files) {
    Keep(files.error().message);
    return;
  }
  if (*files == in_force_) {
    if (!std::exchange(told_, {}).empty()) {
      LogInfo("TLS files are good again, as they were", {{"file", tls_.certificate_file}});
    }
    return;
  }
  if (const Status used = use(*files); !used) {
    Keep(used.error().message);
    return;
  }
  in_force_ = *std::move(files);
  told_.clear();
  LogInfo("TLS files renewed", {{"file", tls_.certificate_file}});
}

void TlsRenewal::Keep(const std::string& reason) {
  if (std::exchange(told_, reason) == reason) return;
  LogWarning("TLS files are wrong; the last good ones stay in force",
             {{"reason", reason},
              {"remedy",
               "write a certificate, its key and the CA that are valid and belong "
               "together; no restart is needed"}});
}

}  // namespace fairlead
