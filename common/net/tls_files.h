// The three files that TLS needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

// Written anew from what was understood of the files: nothing but these blocks.
struct TlsFiles {
  std::string certificate_chain;  // PEM, the own certificate first
  std::string private_key;        // PEM
  std::string ca;                 // PEM, who is trusted

  bool operator==(const TlsFiles&) const = default;
};

// Something wrong with one of the files. The error names the file and the remedy.
struct TlsFault {
  std::string_view key;  // of the configuration, "tls.keyFile"
  Error error;
};

// Everything wrong with the files: each is there and PEM, the key belongs to the certificate,
// OpenSSL finds that one strong enough, and certificate and CA are valid now by this host's clock.
// All else is judged in each handshake.
std::vector<TlsFault> FindTlsFaults(const TlsConfig& tls);

// The files' contents, or the first of those faults with the key before its message.
Result<TlsFiles> ReadTlsFiles(const TlsConfig& tls);

}  // namespace fairlead
