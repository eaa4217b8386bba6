// When a resource has to be shown to kubelet, and again. Pure: it is told what is the case and what
// time it is, and says the next step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "common/base/backoff.h"
#include "common/base/clock.h"

namespace fairlead::deviceplugin {

// A socket in the file system as one can tell it from its successors at the same path.
struct SocketIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;  // st_ctim

  bool operator==(const SocketIdentity&) const = default;
  bool SameFile(const SocketIdentity& other) const {
    return device == other.device && inode == other.inode;
  }
};

// What is the case for one resource.
struct RegistrationFacts {
  std::optional<SocketIdentity> kubelet;  // kubelet.sock; nothing where kubelet is away
  bool serving = false;                   // a server of ours is up
  bool own_socket_present = false;        // and its path still leads to it
  bool options_stand = true;              // kubelet was told no other options than ours are now
  std::uint64_t streams_opened = 0;       // ListAndWatch calls on that server, ever
  std::uint64_t streams_open = 0;         // and now
};

enum class RegistrationStep {
  kNone,
  kRetire,    // end the server
  kServe,     // start one on a path never used before
  kRegister,  // call kubelet's Register, once
};

// How a Register call ended.
enum class RegisterOutcome {
  kAccepted,
  kNotReached,  // kubelet was not there, or vanished and with it what it knew
  kRefused,     // kubelet answered with an error
  kUnanswered,  // the deadline passed; kubelet may have taken the path all the same
};

// One resource's registration. Not thread-safe.
class Registration {
 public:
  virtual ~Registration() = default;
  // The step that is due now. The caller takes it at once and asks again.
  virtual RegistrationStep Next(const RegistrationFacts& facts, MonotonicTime now) = 0;
  // What became of the steps.
  virtual void Served(bool ok, MonotonicTime now) = 0;
  virtual void RegisterDone(RegisterOutcome outcome, MonotonicTime now) = 0;
};

struct RegistrationTiming {
  Nanoseconds first_backoff = Milliseconds(200);
  Nanoseconds largest_backoff = Seconds(30);
  // A registration that has lasted so long was a good one: the next loss is mended at once.
  Nanoseconds stable = Seconds(10);
  // Between the end of a stream and the next registration. kubelet up to 1.36 looks up what it has
  // to drop by the resource's name, and would drop the new registration if it came sooner.
  Nanoseconds settle = Milliseconds(300);
  // From an accepted registration to the ListAndWatch that must follow.
  Nanoseconds stream_patience = Seconds(10);
  // plugins_registry: from the socket to the ListAndWatch; doubles up to the largest.
  Nanoseconds notify_patience = Seconds(10);
  Nanoseconds largest_notify_patience = Seconds(300);
  // plugins_registry: between the old socket's end and the new one; kubelet looks once a second.
  Nanoseconds registry_pause = Milliseconds(1500);
};

// The plugin calls kubelet. A path is shown to a kubelet once only.
std::unique_ptr<Registration> MakeLegacyRegistration(const RegistrationTiming& timing,
                                                     std::uint64_t seed);
// kubelet finds the socket in plugins_registry/ and calls the plugin; kRegister never comes.
std::unique_ptr<Registration> MakeRegistryRegistration(const RegistrationTiming& timing);

}  // namespace fairlead::deviceplugin
