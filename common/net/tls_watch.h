// Renewed TLS files for gRPC.
#pragma once

#include <memory>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/config.h"

namespace grpc::experimental {
class CertificateProviderInterface;
}  // namespace grpc::experimental

namespace fairlead {

// What gives gRPC the files' contents: the last good ones, as TlsRenewal judges, never others,
// because gRPC ends the process over an empty file and falls silent over wrong ones. New contents
// are given within `refresh` or a second and a half, whichever is longer.
//
// The first call for a set of files reads them and fails where ReadTlsFiles does. They are watched
// from then on until the process ends, since gRPC does not say when it needs a provider no more;
// later calls for them get the same provider, whatever has become of the files. Thread-safe.
Result<std::shared_ptr<grpc::experimental::CertificateProviderInterface>> WatchTlsFiles(
    const TlsConfig& tls, Seconds refresh);

}  // namespace fairlead
