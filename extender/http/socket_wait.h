// Waiting for a socket until a point in time.
#pragma once

#include "common/base/clock.h"

namespace fairlead::extender {

// True once `socket` has one of poll(2)'s `events` or has failed; false once `deadline` has passed.
bool WaitForSocket(int socket, short events, MonotonicTime deadline);

// Lets read and write on `socket` return instead of wait.
void SetNonBlocking(int socket);

}  // namespace fairlead::extender
