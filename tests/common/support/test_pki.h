// Certificates for tests, made with keys of their own that live as long as the test.
#pragma once

#include <memory>
#include <string>

#include "common/config/config.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead {

// A certificate authority.
class TestPki {
 public:
  TestPki();
  ~TestPki();

  // Files under `directory` for a program with the subject alternative names `names`, as OpenSSL
  // writes them ("IP:127.0.0.1,DNS:localhost"). Valid until so many seconds from now.
  TlsConfig Issue(const TempDirectory& directory, const std::string& names,
                  long seconds_left = 3600, const char* curve = "P-256") const;

 private:
  struct Authority;
  std::unique_ptr<Authority> authority_;
};

}  // namespace fairlead
