#include "common/config/section_reader.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "common/base/quote.h"
#include "common/config/suggest.h"
#include "common/units/duration.h"
#include "common/units/number.h"
#include "common/units/rate.h"

namespace fairlead {
namespace {

std::string_view KindName(DocumentNode::Kind kind) {
  switch (kind) {
    case DocumentNode::Kind::kNull:
      return "nothing";
    case DocumentNode::Kind::kScalar:
      return "a single value";
    case DocumentNode::Kind::kSequence:
      return "a list";
    case DocumentNode::Kind::kMapping:
      return "a mapping";
  }
  return "something";
}

std::string Shown(const DocumentNode& node) {
  return node.kind == DocumentNode::Kind::kScalar ? Quoted(node.text)
                                                  : std::string(KindName(node.kind));
}

std::string Plain(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

SectionReader::SectionReader(const DocumentNode& node, std::string path, Problems& problems)
    : node_(node), path_(std::move(path)), problems_(problems) {
  if (node.kind != DocumentNode::Kind::kMapping && node.kind != DocumentNode::Kind::kNull) {
    problems_.Add(node.line, path_, "is " + Shown(node) + ", expected keys with values");
  }
}

const DocumentNode* SectionReader::Find(std::string_view key) const {
  if (node_.kind != DocumentNode::Kind::kMapping) return nullptr;
  for (const DocumentNode& child : node_.children) {
    if (child.key == key) return &child;
  }
  return nullptr;
}

const DocumentNode* SectionReader::Child(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return Find(key);
}

const DocumentNode* SectionReader::Scalar(std::string_view key) {
  const DocumentNode* node = Child(key);
  if (node == nullptr || node->kind == DocumentNode::Kind::kScalar) return node;
  if (node->kind == DocumentNode::Kind::kNull) {
    Complain(key, "has no value; give one or remove the key");
  } else {
    Complain(key, "is " + Shown(*node) + ", expected a single value");
  }
  return nullptr;
}

const DocumentNode* SectionReader::PlainScalar(std::string_view key, std::string_view expected) {
  const DocumentNode* node = Scalar(key);
  if (node == nullptr || !node->quoted) return node;
  Complain(key, "is the text " + Quoted(node->text) + ", expected " + std::string(expected) +
                    "; remove the quotes");
  return nullptr;
}

const DocumentNode* SectionReader::Decimal(std::string_view key, const DocumentNode* node) {
  if (node == nullptr || !HasLeadingZero(node->text)) return node;
  Complain(key, Quoted(node->text) + " has a leading zero; numbers are decimal, write it without");
  return nullptr;
}

void SectionReader::Text(std::string_view key, std::string& out) {
  const DocumentNode* node = Scalar(key);
  if (node == nullptr) return;
  if (node->text.empty()) return Complain(key, "is empty; give a value or remove the key");
  if (node->text.find('\n') != std::string::npos) {
    return Complain(key, Quoted(node->text) + " has several lines; write one");
  }
  out = node->text;
}

void SectionReader::Flag(std::string_view key, bool& out) {
  const DocumentNode* node = PlainScalar(key, "true or false");
  if (node == nullptr) return;
  if (node->text != "true" && node->text != "false") {
    return Complain(key, Quoted(node->text) + " is neither true nor false");
  }
  out = node->text == "true";
}

void SectionReader::Count(std::string_view key, std::uint32_t& out, std::uint32_t least,
                          std::uint32_t most) {
  const DocumentNode* node = Decimal(key, PlainScalar(key, "a number"));
  if (node == nullptr) return;
  const Result<std::uint64_t> value = ParseCount(node->text, least, most);
  if (!value) return Complain(key, value.error().message);
  out = static_cast<std::uint32_t>(*value);
}

void SectionReader::Number(std::string_view key, double& out, double least, double most) {
  const DocumentNode* node = Decimal(key, PlainScalar(key, "a number"));
  if (node == nullptr) return;
  const Result<double> value = ParseNumber(node->text);
  if (!value) return Complain(key, value.error().message);
  if (*value < least || *value > most) {
    return Complain(key, Quoted(node->text) + " is outside " + Plain(least) + ".." + Plain(most));
  }
  out = *value;
}

void SectionReader::Ratio(std::string_view key, double& out) {
  const DocumentNode* node = Decimal(key, Scalar(key));
  if (node == nullptr) return;
  const Result<double> value = ParseRatio(node->text);
  if (!value) return Complain(key, value.error().message);
  out = *value;
}

void SectionReader::Rate(std::string_view key, std::optional<std::uint64_t>& bits_per_second) {
  const DocumentNode* node = Decimal(key, Scalar(key));
  if (node == nullptr) return;
  const Result<std::uint64_t> value = ParseRate(node->text);
  if (!value) return Complain(key, value.error().message);
  bits_per_second = *value;
}

void SectionReader::Duration(std::string_view key, Nanoseconds& out, Nanoseconds least,
                             Nanoseconds most) {
  const DocumentNode* node = Decimal(key, Scalar(key));
  if (node == nullptr) return;
  const Result<Nanoseconds> value = ParseDuration(node->text);
  if (!value) return Complain(key, value.error().message);
  if (*value < least || *value > most) {
    return Complain(key, Quoted(node->text) + " is outside " + FormatDuration(least) + ".." +
                             FormatDuration(most));
  }
  out = *value;
}

const std::vector<DocumentNode>& SectionReader::List(std::string_view key) {
  static const std::vector<DocumentNode> kNone;
  const DocumentNode* node = Child(key);
  if (node == nullptr || node->kind == DocumentNode::Kind::kNull) return kNone;
  if (node->kind == DocumentNode::Kind::kSequence) return node->children;
  Complain(key, "is " + Shown(*node) + ", expected a list");
  return kNone;
}

void SectionReader::Require(std::string_view key) {
  // A section of the wrong kind has its problem already.
  if (Has(key) || node_.kind == DocumentNode::Kind::kScalar ||
      node_.kind == DocumentNode::Kind::kSequence) {
    return;
  }
  problems_.Add(node_.line, PathOf(key), "is missing; add it");
}

bool SectionReader::Has(std::string_view key) const { return Find(key) != nullptr; }

void SectionReader::Complain(std::string_view key, std::string message) {
  const DocumentNode* node = Find(key);
  problems_.Add(node == nullptr ? node_.line : node->line, PathOf(key), std::move(message));
}

std::string SectionReader::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void SectionReader::Finish() {
  if (node_.kind != DocumentNode::Kind::kMapping) return;
  for (const DocumentNode& child : node_.children) {
    if (std::find(known_.begin(), known_.end(), child.key) != known_.end()) continue;
    problems_.Add(child.line, path_,
                  "unknown key " + Quoted(child.key) + Suggest(child.key, known_));
  }
}

}  // namespace fairlead
