#include "common/net/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstddef>
#include <memory>
#include <string_view>

#include "common/base/file.h"
#include "common/base/quote.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 1U << 20;

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

// An encrypted key would make OpenSSL ask at the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

Bio OpenText(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Certificate ParseCertificate(const std::string& pem) {
  const Bio bio = OpenText(pem);
  return Certificate(PEM_read_bio_X509(bio.get(), nullptr, NoPassword, nullptr));
}

PrivateKey ParseKey(const std::string& pem) {
  const Bio bio = OpenText(pem);
  return PrivateKey(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassword, nullptr));
}

Result<std::string> Read(std::string_view key, const std::string& path) {
  Result<std::string> text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error().Within(key));
  return text;
}

tl::unexpected<Error> Refuse(std::string_view key, const std::string& path, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              std::string(key) + ": " + Quoted(path) + " " + std::string(why));
}

}  // namespace

Result<TlsFiles> ReadTlsFiles(const TlsConfig& tls) {
  Result<std::string> chain = Read("tls.certificateFile", tls.certificate_file);
  if (!chain) return Fail(chain.error());
  Result<std::string> key = Read("tls.keyFile", tls.key_file);
  if (!key) return Fail(key.error());
  Result<std::string> ca = Read("tls.caFile", tls.ca_file);
  if (!ca) return Fail(ca.error());

  ERR_clear_error();
  const Certificate certificate = ParseCertificate(*chain);
  const PrivateKey private_key = ParseKey(*key);
  const bool ca_good = ParseCertificate(*ca) != nullptr;
  const bool matching = certificate && private_key &&
                        X509_check_private_key(certificate.get(), private_key.get()) == 1;
  ERR_clear_error();
  if (!certificate) {
    return Refuse("tls.certificateFile", tls.certificate_file, "holds no PEM certificate");
  }
  if (!private_key) {
    return Refuse("tls.keyFile", tls.key_file, "holds no unencrypted PEM private key");
  }
  if (!ca_good) return Refuse("tls.caFile", tls.ca_file, "holds no PEM certificate");
  if (!matching) {
    return Refuse("tls.keyFile", tls.key_file,
                  "does not belong to the certificate in " + Quoted(tls.certificate_file));
  }
  // Every peer would refuse it, and less clearly.
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0) {
    return Refuse("tls.certificateFile", tls.certificate_file,
                  "has expired; renew it, or correct this host's clock");
  }
  return TlsFiles{*std::move(chain), *std::move(key), *std::move(ca)};
}

}  // namespace fairlead
