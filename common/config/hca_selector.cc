#include "common/config/hca_selector.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "common/base/result.h"
#include "common/config/choice.h"
#include "common/config/scalar_list.h"

namespace fairlead {
namespace {

constexpr std::size_t kLongestName = 64;

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

// "0000:3b:00.0" with a digit of any kind for each 0, the last one octal.
bool IsPciAddress(std::string_view text) {
  constexpr std::string_view kShape = "hhhh:hh:hh.o";
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool good = kShape[i] == 'h'   ? IsHexDigit(text[i])
                      : kShape[i] == 'o' ? text[i] >= '0' && text[i] <= '7'
                                         : text[i] == kShape[i];
    if (!good) return false;
  }
  return true;
}

tl::unexpected<Error> Refuse(std::string_view text, const std::string& why) {
  return Fail(ErrorCode::kInvalidArgument, Quoted(text) + " " + why);
}

Result<std::string> ParseVendor(std::string_view text) {
  if (text.size() == 4 && std::all_of(text.begin(), text.end(), IsHexDigit)) {
    return std::string(text);
  }
  return Refuse(text, "is not a PCI vendor; write four lower-case hexadecimal digits, like 15b3");
}

Result<std::string> ParseDriver(std::string_view text) {
  if (!text.empty() && text.size() <= kLongestName &&
      std::all_of(text.begin(), text.end(), IsNameCharacter)) {
    return std::string(text);
  }
  return Refuse(text, "is not a kernel driver's name; write it like mlx5_core");
}

Result<std::string> ParseGlob(std::string_view text) {
  if (IsPciAddress(text)) {
    return Refuse(text, "is a PCI address; list it under pciAddresses");
  }
  const auto good = [](char c) { return IsNameCharacter(c) || c == '*' || c == '?'; };
  if (!text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), good)) {
    return std::string(text);
  }
  return Refuse(text,
                "is not a name; use letters, digits, '-', '_' and '.', with * for any characters "
                "and ? for one");
}

Result<std::string> ParsePciAddress(std::string_view text) {
  if (IsPciAddress(text)) return std::string(text);
  return Refuse(text,
                "is not a PCI address; write domain, bus, device and function in lower case, like "
                "0000:3b:00.0");
}

}  // namespace

void ReadHcaSelector(const DocumentNode& node, std::string path, HcaSelector& select,
                     Problems& problems) {
  SectionReader reader(node, std::move(path), problems);
  ReadScalars(reader, "vendors", select.vendors, ParseVendor);
  ReadScalars(reader, "drivers", select.drivers, ParseDriver);
  ReadScalars(reader, "devices", select.devices, ParseGlob);
  ReadScalars(reader, "interfaces", select.interfaces, ParseGlob);
  ReadScalars(reader, "pciAddresses", select.pci_addresses, ParsePciAddress);
  ReadScalars(reader, "linkTypes", select.link_types,
              OneOf<LinkLayer>("link type", {{"infiniband", LinkLayer::kInfiniband},
                                             {"ethernet", LinkLayer::kEthernet}}));
  ReadScalars(reader, "functions", select.functions,
              OneOf<FunctionChoice>("function", {{"pf", FunctionChoice::kPhysical},
                                                 {"vf", FunctionChoice::kVirtual},
                                                 {"sf", FunctionChoice::kSubfunction},
                                                 {"none", FunctionChoice::kNone}}));
  reader.Finish();
}

}  // namespace fairlead
