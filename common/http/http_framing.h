// Where a request's body ends, decided before a byte of it is read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/base/result.h"

namespace fairlead {

// What the headers of one request say about its body.
struct HttpFraming {
  std::string method;
  std::vector<std::string> content_lengths;  // every value given
  bool transfer_encoding = false;
  bool content_encoding = false;
};

// A refusal: the HTTP status and a sentence for the client.
struct HttpFault {
  int status = 400;
  std::string message;
};

// The length of the body in bytes. Refused are: any transfer coding and any content coding (their
// expansion has no limit), more than one length, a length that is not plain decimal digits, a POST
// without a length, a length above `most_body_bytes`, and a body where the method has none. Other
// methods without a length have no body (RFC 9112, 6.3).
tl::expected<std::size_t, HttpFault> BodyLength(const HttpFraming& framing,
                                                std::size_t most_body_bytes);

}  // namespace fairlead
