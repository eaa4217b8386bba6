#include <string>

#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"

namespace fairlead::deviceplugin {
namespace {

// NCCL's registered buffers of one process: some tens of channels of 4 MiB each way.
constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

}  // namespace

void CheckMemlock(const NodeFacts& facts, Findings& out) {
  if (facts.inventory.hcas.empty()) return;
  const auto& memlock = facts.host.memlock;
  if (!memlock) {
    out.NotKnown("", memlock.why_not());
    return;
  }
  if (!memlock->bytes || *memlock->bytes >= kEnough) {
    out.Fine();
    return;
  }
  const auto load = HeaviestLine(facts, NodeRate(facts));
  const std::string limit = BytesText(static_cast<double>(*memlock->bytes));
  out.Add({.severity = CheckStatus::kFault,
           .subject = "",
           .what = "Containers may pin only " + limit + " of memory.",
           .evidence = "Max locked memory of " + memlock->process + ": " +
                       std::to_string(*memlock->bytes) + " bytes, which its containers inherit.",
           .why = "Registering a buffer for RDMA pins it: ibv_reg_mr fails with ENOMEM and NCCL "
                  "ends or falls back to TCP." +
                  (load ? " " + std::string("Filling ") + LineText(*load) + " alone has " +
                              BytesText(load->bytes_in_flight) + " under way."
                        : std::string()),
           .remedy = "`systemctl edit " + memlock->process +
                     "`: `[Service]`, `LimitMEMLOCK=infinity`; restart it and the pods. Pods have "
                     "no field for it, and the capability IPC_LOCK helps root only."});
}

}  // namespace fairlead::deviceplugin
