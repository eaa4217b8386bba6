// The driver's error numbers, as far as they speak about a GPU's health.
#pragma once

#include <cstdint>
#include <string>

namespace fairlead::deviceplugin {

enum class XidKind {
  kHarmless,  // a program's own fault, or one that needs nothing but perhaps a restart of it
  kSuspect,   // anything that is not known to be harmless or fatal
  kFatal,     // the GPU needs a reset, or more
};

// By the immediate action in NVIDIA's Xid catalog
// (docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html): "restart the application" and
// "ignore" are harmless, "reset the GPU" and beyond are fatal. 109 is harmless although drivers may
// ask for a reset after it: then the recovery action says so. Pure.
XidKind KindOfXid(std::uint64_t xid);

// "XID 79: the GPU has fallen off the bus"; the number alone where there is nothing to add. Pure.
std::string DescribeXid(std::uint64_t xid);

}  // namespace fairlead::deviceplugin
