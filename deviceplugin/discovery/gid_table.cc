#include "deviceplugin/discovery/gid_table.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "common/base/quote.h"
#include "deviceplugin/discovery/attribute_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kLargestIndex = 65535;  // the kernel asks for an entry by 16 bits

// How kernels of different ages say that a place in the table is empty.
bool MeansEmpty(int error_number) {
  return error_number == EINVAL || error_number == ENOENT || error_number == ENODATA ||
         error_number == EAGAIN;
}

std::optional<Gid> ParseSysfsGid(std::string_view text) {
  const Result<Gid> gid = ParseGid(text);
  if (!gid) return std::nullopt;
  return *gid;
}

std::optional<GidType> ReadType(const std::string& path, RdmaProtocol protocol,
                                AttributeReader& reader) {
  const bool roce = protocol == RdmaProtocol::kRoce;
  const auto text = reader.TextUnless(path, MeansEmpty);
  // Only RoCE has several types; kernels before 5.12 tell none for other protocols.
  if (!roce) return GidType::kInfiniband;
  if (!text) return std::nullopt;
  const auto type = ParseGidType(*text, LinkLayer::kEthernet);
  if (!type) reader.Report(Quoted(path, 256) + " says " + Quoted(*text, 40) + ", an unknown type.");
  return type;
}

std::optional<GidEntry> ReadEntry(const std::string& directory, std::uint32_t index,
                                  const FileResult<std::string>& read, RdmaProtocol protocol,
                                  AttributeReader& reader, NetdevTable& netdevs) {
  const std::string number = std::to_string(index);
  const std::string path = directory + "/gids/" + number;
  const auto text = reader.TextUnless(path, read, MeansEmpty);
  if (!text) return std::nullopt;
  const auto gid = ParseSysfsGid(*text);
  if (!gid) {
    reader.Report(Quoted(path, 256) + " says " + Quoted(*text, 40) + ", which is no GID.");
    return std::nullopt;
  }
  if (ScopeOf(*gid) == GidScope::kZero) return std::nullopt;
  const auto type = ReadType(directory + "/gid_attrs/types/" + number, protocol, reader);
  if (!type) return std::nullopt;
  GidEntry entry{index, *gid, *type, "", true};
  entry.netdev =
      reader.TextUnless(directory + "/gid_attrs/ndevs/" + number, MeansEmpty).value_or("");
  if (const Netdev* const netdev = netdevs.Find(entry.netdev)) entry.netdev_up = netdev->up;
  return entry;
}

}  // namespace

GidTable ReadGidTable(const std::string& port_directory, RdmaProtocol protocol,
                      AttributeReader& reader, NetdevTable& netdevs) {
  GidTable table;
  const auto names = reader.files().List(port_directory + "/gids");
  if (!names) {
    reader.Report(Describe(names.error()));
    return table;
  }
  std::vector<std::uint32_t> indices;
  for (const std::string& name : *names) {
    const auto index = ParseEntryNumber(name);
    if (index && *index <= kLargestIndex) {
      indices.push_back(*index);
    } else {
      reader.Report(Quoted(port_directory + "/gids/" + name, 256) + " is no place in a GID table.");
    }
  }
  std::sort(indices.begin(), indices.end());
  table.length = static_cast<std::uint32_t>(indices.size());
  std::vector<std::string> entries;
  for (const std::uint32_t index : indices) entries.push_back(std::to_string(index));
  const auto texts = reader.files().ReadEach(port_directory + "/gids", entries);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto entry = ReadEntry(port_directory, indices[i], texts[i], protocol, reader, netdevs);
    if (entry) table.in_use.push_back(*std::move(entry));
  }
  return table;
}

}  // namespace fairlead::deviceplugin
