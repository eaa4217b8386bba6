#include "common/net/tls_check.h"

#include "common/net/channel_security.h"
#include "common/net/tls_files.h"

namespace fairlead {

void CheckTlsFiles(const LocatedConfig& located, Problems& problems) {
  const TlsConfig& tls = located.config.tls;
  if (tls.certificate_file.empty()) return;
  for (const TlsFault& fault : FindTlsFaults(tls)) {
    problems.Add(located.lines.Of(fault.key), fault.key, fault.error.message);
  }
}

void CheckSecurity(const LocatedConfig& located, std::string_view key, std::string_view address,
                   Problems& problems) {
  const auto security = ChooseSecurity(located.config.tls, address);
  if (!security) problems.Add(located.lines.Of(key), key, security.error().message);
}

}  // namespace fairlead
