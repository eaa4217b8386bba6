#include "common/net/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
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
using Context = std::unique_ptr<SSL_CTX, Deleter<SSL_CTX_free>>;

// An encrypted key would make OpenSSL ask at the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

Bio OpenText(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// The certificates up to the end, or up to one that is damaged.
struct Certificates {
  std::vector<Certificate> good;
  bool damaged = false;

  const X509* first() const { return good.empty() ? nullptr : good.front().get(); }
};

Certificates ParseCertificates(const std::string& pem) {
  const Bio bio = OpenText(pem);
  Certificates found;
  while (Certificate next{PEM_read_bio_X509(bio.get(), nullptr, NoPassword, nullptr)}) {
    found.good.push_back(std::move(next));
  }
  found.damaged = ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE;
  ERR_clear_error();
  return found;
}

PrivateKey ParseKey(const std::string& pem) {
  const Bio bio = OpenText(pem);
  return PrivateKey(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassword, nullptr));
}

std::string TextIn(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string WriteCertificates(const Certificates& certificates) {
  const Bio bio(BIO_new(BIO_s_mem()));
  for (const Certificate& each : certificates.good) PEM_write_bio_X509(bio.get(), each.get());
  return TextIn(bio.get());
}

std::string WriteKey(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return TextIn(bio.get());
}

// Why OpenSSL would not show it to a peer, as one whose key is too short; empty where it would.
std::string WhyNotShown(X509* certificate) {
  const Context context(SSL_CTX_new(TLS_method()));
  if (context && SSL_CTX_use_certificate(context.get(), certificate) == 1) return {};
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason != nullptr ? reason : "no reason given";
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
    if (text->empty()) {
      Complain(key, path, "is empty; write it anew");
      return false;
    }
    out = *std::move(text);
    return true;
  }
  void Complain(std::string_view key, const std::string& path, std::string_view why) {
    faults.push_back(
        {key, {ErrorCode::kInvalidArgument, Quoted(path, 256) + " " + std::string(why)}});
  }
  // True where there are certificates, all of them good.
  bool CheckPem(std::string_view key, const std::string& path, const Certificates& certificates) {
    const std::size_t count = certificates.good.size();
    if (count == 0) {
      Complain(key, path, "holds no PEM certificate");
    } else if (certificates.damaged) {
      Complain(key, path,
               "holds a damaged certificate, number " + std::to_string(count + 1) +
                   "; write the file anew");
    }
    return count != 0 && !certificates.damaged;
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
  const Certificates chain = ParseCertificates(files.certificate_chain);
  const Certificates trusted = ParseCertificates(files.ca);
  const PrivateKey private_key = ParseKey(files.private_key);
  const X509* const certificate = chain.first();
  const X509* const ca = trusted.first();
  const bool matching = certificate != nullptr && private_key &&
                        X509_check_private_key(certificate, private_key.get()) == 1;
  ERR_clear_error();
  if (has_chain && found.CheckPem(kCertificateKey, tls.certificate_file, chain)) {
    if (const std::string why = WhyNotShown(chain.good.front().get()); !why.empty()) {
      found.Complain(kCertificateKey, tls.certificate_file,
                     "is refused by OpenSSL (" + why + "); issue one with a stronger key");
    }
  }
  if (has_key && !private_key) {
    found.Complain(kKeyKey, tls.key_file, "holds no unencrypted PEM private key");
  }
  if (has_ca) found.CheckPem(kCaKey, tls.ca_file, trusted);
  if (certificate != nullptr && private_key && !matching) {
    found.Complain(kKeyKey, tls.key_file,
                   "does not belong to the certificate in " + Quoted(tls.certificate_file, 256));
  }
  if (certificate != nullptr) {
    found.CheckTimes(kCertificateKey, tls.certificate_file, certificate);
  }
  if (ca != nullptr) found.CheckTimes(kCaKey, tls.ca_file, ca);
  if (found.faults.empty()) {
    files = {WriteCertificates(chain), WriteKey(private_key.get()), WriteCertificates(trusted)};
  }
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
