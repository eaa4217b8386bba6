// Everything between the offer and kubelet: one socket and one registration for each resource.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "deviceplugin/kubelet/kubelet_status.h"
#include "deviceplugin/kubelet/late_settings.h"
#include "deviceplugin/kubelet/registration.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// How kubelet gets to know us; one of them, never both.
enum class RegistrationMode {
  kLegacy,           // sockets in device-plugins/, and we call Register
  kPluginsRegistry,  // sockets in plugins_registry/, and kubelet calls us
};

struct KubeletLinkOptions {
  std::string kubelet_directory = "/var/lib/kubelet";  // absolute; kubelet's --root-dir is not it
  RegistrationMode mode = RegistrationMode::kLegacy;
  RegistrationTiming timing;
  // For Register, within which kubelet dials us for at most 10 s.
  Nanoseconds register_deadline = Seconds(15);
  std::uint64_t seed = 0;         // of the back-offs
  std::function<void()> on_turn;  // called by the loop after each turn, if there is one; fast
  LateSettings late_settings;     // none: grants are the offer's
};

// Thread-safe. Looks at the offer, its sockets and kubelet's twice a second, and at once when
// kubelet's directory or a stream changes; a directory that is missing is waited for.
class KubeletLink {
 public:
  // Clears away what dead runs left and begins. `offer` and `clock` outlive it. kInvalidArgument
  // where the directory is not absolute or so long that no socket's path fits.
  static Result<std::unique_ptr<KubeletLink>> Start(KubeletLinkOptions options,
                                                    const Snapshot<Offer>& offer,
                                                    const Clock& clock);
  // Stops.
  ~KubeletLink();

  // Ends every stream and removes our sockets, whatever kubelet does; after it nothing is offered
  // any more. Not from several threads at once.
  void Stop();

  // Another offer was published: do not wait for the next look.
  void OfferChanged();
  KubeletStatus Status() const;

 private:
  class Loop;
  explicit KubeletLink(std::unique_ptr<Loop> loop);

  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::deviceplugin
