#include "common/config/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <cstddef>
#include <sstream>
#include <utility>

#include "common/base/quote.h"
#include "common/config/text_check.h"

namespace fairlead {
namespace {

constexpr std::size_t kDeepest = 8;
// Far above what is meant to be written; keeps the search for doubled keys cheap.
constexpr std::size_t kMostKeys = 200;
constexpr std::size_t kMostItems = 10'000;

// Thrown through the parser to give up on a file; never leaves this file.
struct GiveUp {};

int LineOf(const YAML::Mark& mark) { return mark.line + 1; }

// Builds the tree from the parser's events. Events instead of the library's own tree, because that
// one hides doubled keys, anchors and quotes.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Problems& problems) : problems_(problems) {}

  DocumentNode Take() { return std::move(root_); }
  int document_line() const { return document_line_; }

  void OnDocumentStart(const YAML::Mark& mark) override { document_line_ = LineOf(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Leaf(mark, DocumentNode()); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    problems_.Add(LineOf(mark), "", "aliases (*name) are not supported; write the value out");
    throw GiveUp();
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    problems_.Add(LineOf(mark), "",
                  "anchor " + Quoted(name) + ": anchors are not supported; write the value out");
    throw GiveUp();
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    RefuseTag(mark, tag);
    DocumentNode node;
    node.kind = DocumentNode::Kind::kScalar;
    node.text = value;
    node.quoted = tag == "!";
    Leaf(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(mark, tag, DocumentNode::Kind::kSequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(mark, tag, DocumentNode::Kind::kMapping);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    DocumentNode node;
    bool has_key = false;
    std::string key;
    int key_line = 0;
  };

  void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_.Add(LineOf(mark), "", "tag " + Quoted(tag) + ": tags are not supported; remove it");
    throw GiveUp();
  }

  void RefuseMoreThan(std::size_t most, const Frame& frame) {
    if (frame.node.children.size() < most) return;
    problems_.Add(frame.node.line, "",
                  "a list or mapping holds more than " + std::to_string(most) + " entries");
    throw GiveUp();
  }

  bool WantsKey() const {
    return !open_.empty() && open_.back().node.kind == DocumentNode::Kind::kMapping &&
           !open_.back().has_key;
  }

  void Leaf(const YAML::Mark& mark, DocumentNode node) {
    node.line = LineOf(mark);
    if (!WantsKey()) return Attach(std::move(node));
    if (node.kind != DocumentNode::Kind::kScalar || node.text.empty()) {
      problems_.Add(node.line, "", "a key is empty; every value needs a name before its colon");
      throw GiveUp();
    }
    Frame& frame = open_.back();
    for (const DocumentNode& sibling : frame.node.children) {
      if (sibling.key != node.text) continue;
      problems_.Add(node.line, "",
                    "key " + Quoted(node.text) + " was given before, on line " +
                        std::to_string(sibling.line) + "; keep one of them");
    }
    frame.has_key = true;
    frame.key = std::move(node.text);
    frame.key_line = node.line;
  }

  void Open(const YAML::Mark& mark, const std::string& tag, DocumentNode::Kind kind) {
    RefuseTag(mark, tag);
    if (WantsKey()) {
      problems_.Add(LineOf(mark), "", "a list or mapping is used as a key; a key is one word");
      throw GiveUp();
    }
    if (open_.size() >= kDeepest) {
      problems_.Add(LineOf(mark), "",
                    "is nested deeper than " + std::to_string(kDeepest) + " levels");
      throw GiveUp();
    }
    open_.emplace_back().node.kind = kind;
    open_.back().node.line = LineOf(mark);
  }

  void Close() {
    DocumentNode node = std::move(open_.back().node);
    open_.pop_back();
    Attach(std::move(node));
  }

  void Attach(DocumentNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = open_.back();
    if (parent.has_key) {
      node.key = std::move(parent.key);
      node.line = parent.key_line;
      parent.has_key = false;
    }
    RefuseMoreThan(parent.node.kind == DocumentNode::Kind::kMapping ? kMostKeys : kMostItems,
                   parent);
    parent.node.children.push_back(std::move(node));
  }

  Problems& problems_;
  DocumentNode root_;
  std::vector<Frame> open_;
  int document_line_ = 0;
};

}  // namespace

DocumentNode ReadDocument(std::string_view text, Problems& problems) {
  if (!CheckConfigText(text, problems)) return {};
  TreeBuilder builder(problems);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    DocumentNode root = builder.Take();
    if (parser.HandleNextDocument(builder)) {
      problems.Add(builder.document_line(), "",
                   "starts a second document; one file holds one configuration");
    }
    return root;
  } catch (const GiveUp&) {
    // The reason is among the problems.
  } catch (const YAML::Exception& e) {
    problems.Add(LineOf(e.mark), "",
                 "is not valid YAML: " + Quoted(e.msg, 200) + " (column " +
                     std::to_string(e.mark.column + 1) + ")");
  }
  return {};
}

}  // namespace fairlead
