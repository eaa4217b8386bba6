// Where the API server is and who we are to it.
#pragma once

#include <string>

namespace fairlead::kube {

// Plain data; InCluster and ReadKubeconfig make it. Of each pair of file and text, the file is used
// where both are set. Files are read anew when they are needed, so that what is renewed comes into
// force by itself: the token for each request, certificates for each connection.
struct Access {
  std::string server;           // "https://10.96.0.1:443", without a slash at the end
  std::string tls_server_name;  // expected in the certificate; empty: the server's host
  std::string ca_file;          // PEM; nothing but it is trusted
  std::string ca_pem;           // both empty: what this host trusts
  std::string token_file;
  std::string token;
  std::string certificate_file;  // PEM, with the key beside it
  std::string certificate_pem;
  std::string key_file;
  std::string key_pem;
  bool plaintext = false;        // plain http beyond the loopback is accepted
  std::string proxy;           // URL; empty: none. The process's environment is not asked.
  std::string namespace_name;  // of the pod or the context; "default" where neither says
};

}  // namespace fairlead::kube
