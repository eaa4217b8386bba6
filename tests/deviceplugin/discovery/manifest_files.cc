#include "tests/deviceplugin/discovery/manifest_files.h"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/deviceplugin/discovery/manifest_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

std::deque<std::string> Parts(const std::string& path) {
  std::deque<std::string> parts;
  std::istringstream in(path);
  for (std::string part; std::getline(in, part, '/');) {
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

tl::unexpected<FileError> Failed(int error_number, const std::string& path) {
  return tl::unexpected<FileError>(FileError{error_number, path});
}

}  // namespace

ManifestFiles::ManifestFiles(const std::string& manifest) {
  nodes_[""] = {};
  for (const ManifestLine& line : ParseManifest(manifest)) {
    Node node;
    switch (line.what) {
      case ManifestLine::What::kFile:
        node = {FileKind::kRegular, line.value, "", 0};
        break;
      case ManifestLine::What::kLink:
        node = {FileKind::kOther, "", line.value, 0};
        break;
      case ManifestLine::What::kError:
        node = {FileKind::kRegular, "", "", line.error};
        break;
      case ManifestLine::What::kCharacterDevice:
        node = {FileKind::kCharacterDevice, "", "", 0};
        break;
      case ManifestLine::What::kDirectory:
        break;
    }
    Put(line.path, node);
  }
}

ManifestFiles ManifestFiles::Load(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot open " + file);
  std::ostringstream text;
  text << in.rdbuf();
  return ManifestFiles(text.str());
}

void ManifestFiles::Change(const std::string& line) {
  const ManifestFiles change(line);
  for (const auto& [path, node] : change.nodes_) {
    if (node.kind != FileKind::kDirectory) nodes_.erase(path);
    if (!nodes_.contains(path)) nodes_[path] = node;
  }
}

void ManifestFiles::Remove(const std::string& path) {
  std::erase_if(nodes_, [&](const auto& entry) {
    return entry.first == path || entry.first.starts_with(path + "/");
  });
}

void ManifestFiles::Put(const std::string& path, Node node) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    nodes_.try_emplace(path.substr(0, slash));
  }
  const auto old = nodes_.find(path);
  // An error for a directory that has entries: listing it fails.
  if (old != nodes_.end() && node.error != 0) node.kind = old->second.kind;
  nodes_[path] = std::move(node);
}

auto ManifestFiles::Walk(const std::string& path) const
    -> FileResult<std::pair<std::string, const Node*>> {
  std::deque<std::string> todo = Parts(path);
  std::string at;
  for (int links = 0; !todo.empty();) {
    const std::string part = todo.front();
    todo.pop_front();
    if (part == "..") {
      at = at.substr(0, at.rfind('/') == std::string::npos ? 0 : at.rfind('/'));
      continue;
    }
    const std::string next = at + "/" + part;
    const auto node = nodes_.find(next);
    if (node == nodes_.end()) return Failed(ENOENT, path);
    if (node->second.target.empty()) {
      if (!todo.empty() && node->second.kind != FileKind::kDirectory) return Failed(ENOTDIR, path);
      at = next;
      continue;
    }
    if (++links > kMostLinks) return Failed(ELOOP, path);
    const std::string& target = node->second.target;
    if (target.starts_with('/')) at.clear();
    const std::deque<std::string> parts = Parts(target);
    todo.insert(todo.begin(), parts.begin(), parts.end());
  }
  return std::pair{at, &nodes_.at(at)};
}

FileResult<std::string> ManifestFiles::Read(const std::string& path) const {
  const auto found = Walk(path);
  if (!found) return tl::unexpected<FileError>(found.error());
  const Node& node = *found->second;
  if (node.error != 0) return Failed(node.error, path);
  if (node.kind == FileKind::kDirectory) return Failed(EISDIR, path);
  if (node.kind != FileKind::kRegular) return Failed(ENXIO, path);
  return node.content;
}

FileResult<std::vector<std::string>> ManifestFiles::List(const std::string& path) const {
  const auto found = Walk(path);
  if (!found) return tl::unexpected<FileError>(found.error());
  if (found->second->error != 0) return Failed(found->second->error, path);
  if (found->second->kind != FileKind::kDirectory) return Failed(ENOTDIR, path);
  const std::string prefix = found->first + "/";
  std::vector<std::string> names;
  for (auto at = nodes_.lower_bound(prefix); at != nodes_.end() && at->first.starts_with(prefix);
       ++at) {
    const std::string rest = at->first.substr(prefix.size());
    if (rest.find('/') == std::string::npos) names.push_back(rest);
  }
  std::sort(names.begin(), names.end());
  return names;
}

FileResult<std::string> ManifestFiles::Resolve(const std::string& path) const {
  auto found = Walk(path);
  if (!found) return tl::unexpected<FileError>(found.error());
  return found->first;
}

FileResult<FileKind> ManifestFiles::Kind(const std::string& path) const {
  const auto found = Walk(path);
  if (!found) return tl::unexpected<FileError>(found.error());
  return found->second->kind;
}

std::map<std::string, std::string> ManifestFiles::RegularFiles() const {
  std::map<std::string, std::string> out;
  for (const auto& [path, node] : nodes_) {
    if (node.kind == FileKind::kRegular && node.error == 0) out[path] = node.content;
  }
  return out;
}

}  // namespace fairlead::deviceplugin
