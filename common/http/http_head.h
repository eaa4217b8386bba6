// The head of a request, looked at before httplib parses it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/http/http_framing.h"

namespace fairlead {

inline constexpr std::size_t kMostHeadBytes = 64U << 10;
inline constexpr std::size_t kMostHeadLineBytes = 8192;  // with its end; httplib takes no more

// The length of the head that `bytes` begin with, its empty line included; absent where the empty
// line has not come. The first `searched` bytes were given before and held no end.
std::optional<std::size_t> HeadLength(std::string_view bytes, std::size_t searched);

// What makes a whole head unacceptable before its fields are read: 414 for a long request line, 431
// for a long field, 501 for a method that HTTP does not know, 400 for an absolute URI without a
// host. `bytes` may also be the beginning of a head that is longer than kMostHeadBytes.
std::optional<HttpFault> HeadFault(std::string_view bytes);

// Rewrites the target `http://host/path` of the request line to `/path` (RFC 9112, 3.2.2: a server
// must accept it), at the end of the room that it had; returns how many bytes the head now begins
// later. Other targets stay.
std::size_t ToOriginForm(std::span<char> head);

// A complete answer that says so and announces the end of the connection.
std::string RefusalText(const HttpFault& fault);

}  // namespace fairlead
