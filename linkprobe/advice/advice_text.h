// Window advice in words, with the arithmetic.
#pragma once

#include <string>

#include "linkprobe/advice/window_advice.h"

namespace fairlead::linkprobe {

// Several lines, each ended: what is needed, what to post, what binds, the ACK timeout, NCCL. Pure.
std::string AdviceText(const LineFacts& facts, const WindowAdvice& advice);

}  // namespace fairlead::linkprobe
