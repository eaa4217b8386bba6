#include "deviceplugin/gpu/xid.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace fairlead::deviceplugin {
namespace {

struct Known {
  std::uint64_t first;
  std::uint64_t last;
  XidKind kind;
  std::string_view meaning;
};

constexpr XidKind kHarmless = XidKind::kHarmless;
constexpr XidKind kFatal = XidKind::kFatal;

constexpr Known kKnown[] = {
    {8, 8, kHarmless, "a program's work took too long"},
    {11, 11, kHarmless, "a program sent invalid commands"},
    {13, 13, kHarmless, "a program made the graphics engine fail"},
    {14, 14, kHarmless, "an error injected by a program"},
    {25, 25, kHarmless, "a program sent invalid commands"},
    {31, 31, kHarmless, "a program touched memory that it does not have"},
    {37, 38, kHarmless, "an error of the driver's firmware"},
    {39, 41, kHarmless, "a program made a copy engine fail"},
    {43, 43, kHarmless, "a program's work was stopped"},
    {44, 44, kHarmless, "the graphics engine failed during a context switch"},
    {45, 45, kHarmless, "a program's work was cleaned up after an earlier error"},
    {46, 46, kFatal, "the GPU has stopped processing"},
    {48, 48, kFatal, "a memory error that cannot be corrected"},
    {60, 60, kHarmless, "a program made the video processor fail"},
    {62, 62, kFatal, "the GPU's microcontroller has halted"},
    {63, 63, kHarmless, "faulty memory is marked for remapping"},
    {64, 64, kFatal, "faulty memory could not be marked for remapping"},
    {66, 67, kHarmless, "an illegal access by the driver"},
    {68, 68, kHarmless, "a program made the video decoder fail"},
    {69, 69, kHarmless, "a program made the graphics engine fail"},
    {70, 72, kHarmless, "a program made a copy engine fail"},
    {74, 74, kFatal, "an NVLink has failed"},
    {75, 77, kHarmless, "a program made a copy engine fail"},
    {79, 79, kFatal, "the GPU has fallen off the bus"},
    {80, 80, kHarmless, "a program's commands arrived corrupted"},
    {82, 86, kHarmless, "a program made a media or copy engine fail"},
    {88, 89, kHarmless, "a program made the video decoder fail"},
    {92, 92, kHarmless, "many memory errors that were corrected"},
    {93, 93, kHarmless, "the GPU's InfoROM is protected against wear"},
    {94, 94, kHarmless, "a memory error that was contained"},
    {95, 95, kFatal, "a memory error that was not contained"},
    {96, 105, kHarmless, "a program made a media engine fail"},
    {106, 107, kHarmless, "a test message"},
    {109, 109, kHarmless, "a program's context switch took too long"},
    {110, 110, kFatal, "a security fault"},
    {119, 119, kFatal, "the GPU's system processor does not answer"},
    {120, 120, kFatal, "the GPU's system processor has failed"},
    {121, 121, kHarmless, "errors on the link to the processor that were corrected"},
    {126, 135, kHarmless, "a program made a copy engine fail"},
    {136, 136, kFatal, "an NVLink could not be trained"},
    {137, 137, kHarmless, "a program touched memory of another GPU that it does not have"},
    {139, 139, kHarmless, "a program made a media engine fail"},
    {140, 140, kFatal, "a memory error that was not recovered from"},
    {141, 141, kHarmless, "an error of CUDA's fast path"},
    {143, 143, kFatal, "the GPU could not be initialised"},
    {154, 154, kHarmless, "the recovery action has changed"},
    {156, 156, kFatal, "a faulty part awaits its replacement"},
    {157, 157, kHarmless, "a faulty part could not be replaced"},
    {158, 158, kFatal, "the GPU did not answer in time"},
    {160, 160, kHarmless, "a faulty memory channel awaits its replacement"},
    {161, 161, kHarmless, "a faulty memory channel could not be replaced"},
};

const Known* Find(std::uint64_t xid) {
  const auto* const found =
      std::find_if(std::begin(kKnown), std::end(kKnown),
                   [&](const Known& known) { return known.first <= xid && xid <= known.last; });
  return found == std::end(kKnown) ? nullptr : found;
}

}  // namespace

XidKind KindOfXid(std::uint64_t xid) {
  const Known* const known = Find(xid);
  return known ? known->kind : XidKind::kSuspect;
}

std::string DescribeXid(std::uint64_t xid) {
  const Known* const known = Find(xid);
  return "XID " + std::to_string(xid) + (known ? ": " + std::string(known->meaning) : "");
}

}  // namespace fairlead::deviceplugin
