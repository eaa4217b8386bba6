#include "common/kube/watch_reader.h"

#include "common/base/quote.h"

namespace fairlead::kube {

WatchReader::WatchReader(std::size_t most_event_bytes, ObjectReader& reader, WatchEvents& events)
    : reader_(reader), events_(events), line_(most_event_bytes) {}

bool WatchReader::Take(std::string_view bytes) {
  while (!bytes.empty() && !error_) {
    const std::size_t end = bytes.find('\n');
    line_.Append(bytes.substr(0, end));
    if (!line_.whole()) {
      error_ = ApiError{.failure = ApiFailure::kTooLarge,
                        .message = "an event of the watch is longer than " +
                                   std::to_string(line_.most()) + " bytes"};
    } else if (end != std::string_view::npos) {
      if (!TakeLine()) break;
      line_.Clear();
    }
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  return !error_;
}

bool WatchReader::TakeLine() {
  const std::string_view line = line_.Padded();
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
  const Result<WatchEvent> event = reader_.ReadEvent(line);
  if (!event) {
    error_ = ApiError{.failure = ApiFailure::kMalformed,
                      .message = "a line of the watch is no event: " + event.error().message +
                                 ": " + Quoted(line, 120)};
    return false;
  }
  switch (event->kind) {
    case WatchEvent::Kind::kAdded:
    case WatchEvent::Kind::kModified:
    case WatchEvent::Kind::kDeleted:
      events_.OnObject(event->kind, event->object);
      return true;
    case WatchEvent::Kind::kBookmark: {
      const Result<std::string> version = reader_.ReadVersion(event->object);
      if (version) {
        events_.OnBookmark(*version);
      } else {
        events_.OnUnknown();
      }
      return true;
    }
    case WatchEvent::Kind::kError:
      error_ = reader_.ReadStatus(event->object, 0);
      if (error_->message.empty()) error_->message = "an error without a message";
      return false;
    case WatchEvent::Kind::kUnknown:
      events_.OnUnknown();
      return true;
  }
  return true;
}

}  // namespace fairlead::kube
