// libibverbs objects that free themselves.
#pragma once

#include <infiniband/verbs.h>

#include <memory>

namespace fairlead::linkprobe {

template <auto Function>
struct VerbsDeleter {
  template <class T>
  void operator()(T* object) const {
    Function(object);
  }
};

using VerbsContext = std::unique_ptr<ibv_context, VerbsDeleter<ibv_close_device>>;
using VerbsProtectionDomain = std::unique_ptr<ibv_pd, VerbsDeleter<ibv_dealloc_pd>>;
using VerbsMemoryRegion = std::unique_ptr<ibv_mr, VerbsDeleter<ibv_dereg_mr>>;
using VerbsCompletionChannel =
    std::unique_ptr<ibv_comp_channel, VerbsDeleter<ibv_destroy_comp_channel>>;
using VerbsCompletionQueue = std::unique_ptr<ibv_cq, VerbsDeleter<ibv_destroy_cq>>;
using VerbsQueuePair = std::unique_ptr<ibv_qp, VerbsDeleter<ibv_destroy_qp>>;
using VerbsAddressHandle = std::unique_ptr<ibv_ah, VerbsDeleter<ibv_destroy_ah>>;

}  // namespace fairlead::linkprobe
