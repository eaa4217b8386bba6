#include "common/net/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

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

constexpr std::string_view kCertificateKey = "tls.certificateFile";
constexpr std::string_view kKeyKey = "tls.keyFile";
constexpr std::string_view kCaKey = "tls.caFile";

// What was found on the way through the files.
struct Findings {
  TlsFiles files;
  std::vector<TlsFault> faults;

  // True where the file could be read.
  bool Read(std::string_view key, const std::string& path, std::string& out) {
    Result<std::string> text = ReadFile(path, kMostBytes);
    if (!text) {
      faults.push_back({key, std::move(text.error())});
      return false;
    }
    out = *std::move(text);
    return true;
  }
  void Complain(std::string_view key, const std::string& path, std::string_view why) {
    faults.push_back(
        {key, {ErrorCode::kInvalidArgument, Quoted(path, 256) + " " + std::string(why)}});
  }
  // Every peer would refuse it, and less clearly.
  void CheckTimes(std::string_view key, const std::string& path, const X509* certificate) {
    if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) {
      Complain(key, path, "has expired; renew it, or correct this host's clock");
    } else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
      Complain(key, path, "is not valid yet; wait, or correct this host's clock");
    }
  }
};

Findings Look(const TlsConfig& tls) {
  Findings found;
  TlsFiles& files = found.files;
  const bool has_chain = found.Read(kCertificateKey, tls.certificate_file, files.certificate_chain);
  const bool has_key = found.Read(kKeyKey, tls.key_file, files.private_key);
  const bool has_ca = found.Read(kCaKey, tls.ca_file, files.ca);

  ERR_clear_error();
  const Certificate certificate = ParseCertificate(files.certificate_chain);
  const PrivateKey private_key = ParseKey(files.private_key);
  const Certificate ca = ParseCertificate(files.ca);
  const bool matching = certificate && private_key &&
                        X509_check_private_key(certificate.get(), private_key.get()) == 1;
  ERR_clear_error();
  if (has_chain && !certificate) {
    found.Complain(kCertificateKey, tls.certificate_file, "holds no PEM certificate");
  }
  if (has_key && !private_key) {
    found.Complain(kKeyKey, tls.key_file, "holds no unencrypted PEM private key");
  }
  if (has_ca && !ca) found.Complain(kCaKey, tls.ca_file, "holds no PEM certificate");
  if (certificate && private_key && !matching) {
    found.Complain(kKeyKey, tls.key_file,
                   "does not belong to the certificate in " + Quoted(tls.certificate_file, 256));
  }
  if (certificate) found.CheckTimes(kCertificateKey, tls.certificate_file, certificate.get());
  if (ca) found.CheckTimes(kCaKey, tls.ca_file, ca.get());
  return found;
}

}  // namespace

std::vector<TlsFault> FindTlsFaults(const TlsConfig& tls) { return Look(tls).faults; }

Result<TlsFiles> ReadTlsFiles(const TlsConfig& tls) {
  Findings found = Look(tls);
  if (!found.faults.empty()) {
    const TlsFault& first = found.faults.front();
    return Fail(first.error.Within(first.key));
  }
  return std::move(found.files);
}

}  // namespace fairlead
