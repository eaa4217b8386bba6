#include "common/net/call_token.h"

#include <grpcpp/client_context.h>
#include <grpcpp/server_context.h>

#include <iterator>
#include <string_view>

#include "common/net/bearer_token.h"

namespace fairlead {

Status AddToken(const TokenSource& source, grpc::ClientContext& context) {
  const Result<std::string> token = source.Read();
  if (!token) return Fail(token.error());
  context.AddMetadata(kAuthorizationKey, FormatBearer(*token));
  return {};
}

Result<std::string> TokenOf(const grpc::ServerContextBase& context) {
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range(kAuthorizationKey);
  if (first == last) return ParseBearer("");
  if (std::next(first) != last) {
    return Fail(ErrorCode::kUnauthenticated, "several authorization values were sent; send one");
  }
  return ParseBearer(std::string_view(first->second.data(), first->second.size()));
}

}  // namespace fairlead
