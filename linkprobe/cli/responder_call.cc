#include "linkprobe/cli/responder_call.h"

#include <grpcpp/security/credentials.h>

#include <utility>

#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {

MeasureCall CallResponder(const std::string& peer, std::vector<std::uint8_t> key,
                          const Clock& clock, std::stop_token stop) {
  PlannedPeer planned{.node = kAdHocResponder, .session_address = peer, .key_id = 1};
  planned.key = std::move(key);
  return MeasureCall(MakeChannel(peer, grpc::InsecureChannelCredentials()), kAdHocProber,
                     std::move(planned), Seconds(120), clock, std::move(stop));
}

Result<SpentFile> OpenLedger(const std::string& file) {
  return SpentFile::Open(file.empty() ? DefaultSpentFile() : file,
                         {.file = "--ledger", .limit = "--quota"});
}

}  // namespace fairlead::linkprobe
