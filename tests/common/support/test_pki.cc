#include "tests/common/support/test_pki.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace fairlead {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

void Check(bool good) {
  if (!good) throw std::runtime_error("OpenSSL failed in a test");
}

void AddExtension(X509* certificate, int nid, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value.c_str());
  Check(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

// A certificate for `key`, valid since two hours; not signed yet.
Certificate Make(EVP_PKEY* key, const char* name, long serial, long seconds_left) {
  Certificate certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds_left);
  Check(X509_set_pubkey(certificate.get(), key) == 1);
  Check(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(name), -1, -1, 0) == 1);
  return certificate;
}

template <class Write>
std::string Pem(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  Check(write(bio.get()) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string CertificatePem(X509* certificate) {
  return Pem([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

}  // namespace

struct TestPki::Authority {
  Key key{EVP_EC_gen("P-256"), &EVP_PKEY_free};
  Certificate certificate{nullptr, &X509_free};
};

TestPki::TestPki() : authority_(std::make_unique<Authority>()) {
  X509* certificate =
      (authority_->certificate = Make(authority_->key.get(), "test authority", 1, 3600)).get();
  Check(X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1);
  AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  Check(X509_sign(certificate, authority_->key.get(), EVP_sha256()) > 0);
}

TestPki::~TestPki() = default;

TlsConfig TestPki::Issue(const TempDirectory& directory, const std::string& names,
                         long seconds_left, const char* curve) const {
  const Key key(EVP_EC_gen(curve), &EVP_PKEY_free);
  const Certificate certificate = Make(key.get(), "program", 2, seconds_left);
  Check(X509_set_issuer_name(certificate.get(),
                             X509_get_subject_name(authority_->certificate.get())) == 1);
  AddExtension(certificate.get(), NID_subject_alt_name, names);
  Check(X509_sign(certificate.get(), authority_->key.get(), EVP_sha256()) > 0);
  TlsConfig tls;
  tls.certificate_file = directory.Write("tls.crt", CertificatePem(certificate.get()));
  tls.key_file = directory.Write("tls.key", Pem([&](BIO* bio) {
                                   return PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr,
                                                                   0, nullptr, nullptr);
                                 }));
  tls.ca_file = directory.Write("ca.crt", CertificatePem(authority_->certificate.get()));
  return tls;
}

}  // namespace fairlead
