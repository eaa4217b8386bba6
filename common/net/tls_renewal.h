// Taking up renewed TLS files while a program runs.
#pragma once

#include <functional>
#include <string>

#include "common/base/result.h"
#include "common/config/config.h"
#include "common/net/tls_files.h"

namespace fairlead {

// Knows the contents that are in force. Not thread-safe.
class TlsRenewal {
 public:
  // Puts the contents into force, or says why they cannot be.
  using Use = std::function<Status(const TlsFiles&)>;

  TlsRenewal(TlsConfig tls, TlsFiles in_force);

  // Reads the files. Good contents that differ from those in force go to `use`. Contents that are
  // wrong, or that `use` refuses, change nothing; the log warns of them once, and again when
  // something else is wrong.
  void Look(const Use& use);

 private:
  void Keep(const std::string& reason);

  const TlsConfig tls_;
  TlsFiles in_force_;
  std::string told_;  // the reason that was warned of last; empty since all was good
};

}  // namespace fairlead
