#include "common/kube/object_reader.h"

#include <cstdint>

#include "common/base/quote.h"
#include "common/json/json_cursor.h"
#include "common/json/padding.h"

namespace fairlead::kube {
namespace {

using json::error_code;
using json::od::value;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

// Kubernetes allows 253 bytes for a name, 63 for a namespace.
constexpr std::size_t kMostNameBytes = 512;
// Versions are opaque; today's have 20 digits. A continue token holds a version and a key.
constexpr std::size_t kMostVersionBytes = 256;
constexpr std::size_t kMostTokenBytes = 16U << 10;

WatchEvent::Kind KindOf(std::string_view type) {
  if (type == "ADDED") return WatchEvent::Kind::kAdded;
  if (type == "MODIFIED") return WatchEvent::Kind::kModified;
  if (type == "DELETED") return WatchEvent::Kind::kDeleted;
  if (type == "BOOKMARK") return WatchEvent::Kind::kBookmark;
  if (type == "ERROR") return WatchEvent::Kind::kError;
  return WatchEvent::Kind::kUnknown;
}

}  // namespace

class ObjectReader::Impl {
 public:
  // visit(key, value) for the fields of the object; `stop_` ends it early.
  template <class Visit>
  Status ForEach(std::string_view text, Visit visit) {
    where_ = {};
    stop_ = false;
    limit_ = text.size();
    json::od::document document;
    const simdjson::padded_string_view padded(text, text.size() + kJsonPadding);
    error_code error = parser_.iterate(padded).get(document);
    json::od::object root;
    if (!error) error = document.get_object().get(root);
    if (!error) error = json::ForEachField(root, limit_, visit);
    if (!error || stop_) return {};
    return Fail(ErrorCode::kInvalidArgument, (where_.empty() ? "it" : std::string(where_)) + ": " +
                                                 simdjson::error_message(error));
  }

  error_code Text(std::string_view name, std::size_t most, value& from, std::string& out) {
    error_code error = json::ReadText(from, out);
    if (!error && out.size() > most) error = simdjson::CAPACITY;
    if (error && where_.empty()) where_ = name;
    return error;
  }

  error_code Metadata(value& metadata, ObjectHead& head) {
    const error_code error = json::ForEachField(metadata, limit_, [&](auto key, value field) {
      if (key == "name") return Text("metadata.name", kMostNameBytes, field, head.id.name);
      if (key == "uid") return Text("metadata.uid", kMostNameBytes, field, head.id.uid);
      if (key == "namespace") {
        return Text("metadata.namespace", kMostNameBytes, field, head.id.namespace_name);
      }
      if (key == "resourceVersion") {
        return Text("metadata.resourceVersion", kMostVersionBytes, field, head.resource_version);
      }
      return simdjson::SUCCESS;
    });
    if (error && where_.empty()) where_ = "metadata";
    return error;
  }

  Status Head(std::string_view object, ObjectHead& head) {
    return ForEach(object, [&](auto key, value field) {
      if (key != "metadata") return simdjson::SUCCESS;
      const error_code error = Metadata(field, head);
      if (error) return error;
      // What follows is for whoever wants the object; any error ends the iteration.
      stop_ = true;
      return simdjson::UNEXPECTED_ERROR;
    });
  }

  // The document's text of a value that is an object; empty where it is something else.
  static error_code Raw(value& from, std::string_view& out) {
    json::od::object object;
    if (const error_code error = from.get_object().get(object)) return error;
    return object.raw_json().get(out);
  }

  std::string_view where_;

 private:
  simdjson::ondemand::parser parser_;
  std::size_t limit_ = 0;
  bool stop_ = false;
};

ObjectReader::ObjectReader() : impl_(std::make_unique<Impl>()) {}
ObjectReader::~ObjectReader() = default;

Result<ObjectHead> ObjectReader::ReadHead(std::string_view object) {
  ObjectHead head;
  if (Status status = impl_->Head(object, head); !status) {
    return Fail(head.id.name.empty() ? status.error()
                                     : status.error().Within(Quoted(head.id.Text(), 256)));
  }
  if (head.id.name.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "metadata.name: there is none");
  }
  return head;
}

Result<std::string> ObjectReader::ReadVersion(std::string_view object) {
  ObjectHead head;
  if (Status status = impl_->Head(object, head); !status) return Fail(status.error());
  return head.resource_version;
}

Result<ListPage> ObjectReader::ReadPage(std::string_view metadata) {
  ListPage page;
  const Status status = impl_->ForEach(metadata, [&](auto key, value field) {
    if (key == "resourceVersion") {
      return impl_->Text("metadata.resourceVersion", kMostVersionBytes, field,
                         page.resource_version);
    }
    if (key == "continue") {
      return impl_->Text("metadata.continue", kMostTokenBytes, field, page.continue_token);
    }
    return simdjson::SUCCESS;
  });
  if (!status) return Fail(status.error());
  return page;
}

Result<WatchEvent> ObjectReader::ReadEvent(std::string_view line) {
  WatchEvent event;
  const Status status = impl_->ForEach(line, [&](auto key, value field) {
    if (key == "type") {
      std::string type;
      const error_code error = impl_->Text("type", kMostNameBytes, field, type);
      event.kind = KindOf(type);
      return error;
    }
    if (key != "object") return simdjson::SUCCESS;
    const error_code error = Impl::Raw(field, event.object);
    if (error) impl_->where_ = "object";
    return error;
  });
  if (!status) return Fail(status.error());
  if (event.object.empty()) return Fail(ErrorCode::kInvalidArgument, "object: there is none");
  return event;
}

ApiError ObjectReader::ReadStatus(std::string_view text, int code) {
  ApiError error;
  std::int64_t said = 0;
  std::int64_t retry_seconds = 0;
  const Status status = impl_->ForEach(text, [&](auto key, value field) {
    if (key == "reason") return impl_->Text("reason", kMostNameBytes, field, error.reason);
    if (key == "message") return impl_->Text("message", kMostTokenBytes, field, error.message);
    if (key == "code") return field.get_int64().get(said);
    if (key != "details") return simdjson::SUCCESS;
    return json::ForEachField(field, text.size(), [&](auto detail, value seconds) {
      if (detail != "retryAfterSeconds") return simdjson::SUCCESS;
      return seconds.get_int64().get(retry_seconds);
    });
  });
  static_cast<void>(status);  // What could be read is better than nothing.
  error.http_code = code != 0 ? code : said > 0 && said < 1000 ? static_cast<int>(said) : 0;
  error.failure = error.http_code == 0 ? ApiFailure::kServerError : FailureOf(error.http_code);
  if (retry_seconds > 0 && retry_seconds < 1'000'000) error.retry_after = Seconds(retry_seconds);
  return error;
}

}  // namespace fairlead::kube
