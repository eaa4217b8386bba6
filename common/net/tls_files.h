// The three files that TLS needs.
#pragma once

#include <string>

#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

struct TlsFiles {
  std::string certificate_chain;  // PEM, the own certificate first
  std::string private_key;        // PEM
  std::string ca;                 // PEM, who is trusted
};

// Reads and checks the files: each is there and PEM, the key belongs to the certificate, and that
// has not expired by this host's clock. All else is judged in each handshake.
Result<TlsFiles> ReadTlsFiles(const TlsConfig& tls);

}  // namespace fairlead
