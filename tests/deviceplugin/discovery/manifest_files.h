// A host's files from a text manifest.
#pragma once

#include <map>
#include <string>

#include "deviceplugin/discovery/host_files.h"

namespace fairlead::deviceplugin {

// A tree of files, links and device nodes, with the errors that reading them gives.
//
//   # comment
//   [/sys/class/net/eth0]            what follows lies in this directory
//   mtu = 9000                       a file of one line; \xNN for other bytes
//   device -> ../../../devices/x     a symbolic link
//   phys_port_name !EOPNOTSUPP       reading it (or listing, for a directory) fails
//   rdma_cm char                     a character device
//   net dir                          a directory that may be empty
//   gids/{2..255} = 0000:...         each of a range
//   each $bus $state                 the lines from `do` to `done`, once for each row; two spaces
//   or
//     1a  4: ACTIVE                  more between its columns
//   do
//   [/sys/devices/pci0000:$bus]
//   done
//
// Directories on the way to a name are made. A path that begins with '/' ignores the section.
class ManifestFiles final : public HostFiles {
 public:
  // Throws std::runtime_error with the line that it cannot read.
  explicit ManifestFiles(const std::string& manifest);
  static ManifestFiles Load(const std::string& file);

  FileResult<std::string> Read(const std::string& path) const override;
  FileResult<std::vector<std::string>> List(const std::string& path) const override;
  FileResult<std::string> Resolve(const std::string& path) const override;
  FileResult<FileKind> Kind(const std::string& path) const override;

  // Later changes to the tree, with the same words: Change("/sys/.../state = 1: DOWN").
  void Change(const std::string& line);
  void Remove(const std::string& path);  // with all that is below it

  // Every regular file, for tests that go through them: path and content.
  std::map<std::string, std::string> RegularFiles() const;

 private:
  struct Node {
    FileKind kind = FileKind::kDirectory;
    std::string content;
    std::string target;  // of a link; empty: no link
    int error = 0;
  };

  void Put(const std::string& path, Node node);
  // The node that a path leads to, and its own path.
  FileResult<std::pair<std::string, const Node*>> Walk(const std::string& path) const;

  std::map<std::string, Node> nodes_;
};

}  // namespace fairlead::deviceplugin
