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

// Reads and checks the files: each is there and PEM, and the key belongs to the certificate.
// Whether a certificate is valid now is judged in each handshake, not here.
Result<TlsFiles> ReadTlsFiles(const TlsConfig& tls);

}  // namespace fairlead
