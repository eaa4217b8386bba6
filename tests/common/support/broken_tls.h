// What can happen to TLS files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead {

// One thing that goes wrong with the files that TestPki::Issue wrote into a directory. What
// ReadTlsFiles says then has `says` in it.
struct TlsBreakage {
  std::string what;
  std::string says;
  std::function<void(const TempDirectory&)> happen;
};

// `stranger` has a certificate of its own. tls.crt stays where it is in all of them.
inline std::vector<TlsBreakage> TlsBreakages(const TlsConfig& stranger) {
  const auto write = [](std::string name, std::string text) {
    return [name = std::move(name), text = std::move(text)](const TempDirectory& directory) {
      directory.Write(name, text);
    };
  };
  const std::string key = ReadFile(stranger.key_file, 1U << 20).value();
  return {
      {"empty key", "tls.key\" is empty", write("tls.key", "")},
      {"empty certificate", "tls.crt\" is empty", write("tls.crt", "")},
      {"empty CA", "ca.crt\" is empty", write("ca.crt", "")},
      {"another's key", "does not belong to the certificate", write("tls.key", key)},
      {"half a key", "holds no unencrypted PEM", write("tls.key", key.substr(0, key.size() / 2))},
      {"garbage CA", "ca.crt\" holds no PEM certificate", write("ca.crt", "garbage\n")},
      {"no key", "tls.key\": no such file",
       [](const TempDirectory& directory) {
         std::filesystem::remove(directory.path() / "tls.key");
       }},
  };
}

}  // namespace fairlead
