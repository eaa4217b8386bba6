#include "common/kube/kubeconfig.h"

#include <filesystem>
#include <optional>

#include "common/base/file.h"
#include "common/base/quote.h"
#include "common/config/document.h"
#include "common/config/problems.h"
#include "common/kube/base64.h"
#include "common/kube/server_url.h"
#include "common/net/bearer_token.h"

namespace fairlead::kube {
namespace {

const DocumentNode* Child(const DocumentNode* node, std::string_view key) {
  if (node == nullptr) return nullptr;
  for (const DocumentNode& child : node->children) {
    if (child.key == key) return &child;
  }
  return nullptr;
}

std::string Text(const DocumentNode* node, std::string_view key) {
  const DocumentNode* child = Child(node, key);
  return child != nullptr ? child->text : std::string();
}

bool Has(const DocumentNode* node, std::string_view key) {
  const DocumentNode* child = Child(node, key);
  return child != nullptr && child->kind != DocumentNode::Kind::kNull;
}

// The way from the file to its current context; every refusal says where it stands.
class Reader {
 public:
  Reader(const DocumentNode& root, std::string name, std::string folder)
      : root_(root), name_(std::move(name)), folder_(std::move(folder)) {}

  Result<Access> Read(std::string context, const ProxyEnvironment& proxies) {
    if (context.empty()) context = Text(&root_, "current-context");
    if (context.empty()) {
      return Refuse(0, "no context is current; run kubectl config use-context");
    }
    const auto chosen = Named("contexts", "context", context);
    if (!chosen) return Fail(chosen.error());
    const auto cluster = Named("clusters", "cluster", Text(*chosen, "cluster"));
    if (!cluster) return Fail(cluster.error());
    if (Status status = ReadCluster(**cluster, proxies); !status) return Fail(status.error());
    if (const std::string user = Text(*chosen, "user"); !user.empty()) {
      const auto found = Named("users", "user", user);
      if (!found) return Fail(found.error());
      if (Status status = ReadUser(**found, user); !status) return Fail(status.error());
    }
    access_.namespace_name = Text(*chosen, "namespace");
    if (access_.namespace_name.empty()) access_.namespace_name = "default";
    return std::move(access_);
  }

 private:
  tl::unexpected<Error> Refuse(int line, const std::string& why) const {
    const std::string at = line > 0 ? ":" + std::to_string(line) : "";
    return Fail(ErrorCode::kInvalidArgument, "kubeconfig " + name_ + at + ": " + why);
  }

  // The mapping `key` of the entry of `list` that has this name.
  Result<const DocumentNode*> Named(std::string_view list, std::string_view key,
                                    const std::string& name) const {
    const DocumentNode* entries = Child(&root_, list);
    if (entries != nullptr) {
      for (const DocumentNode& entry : entries->children) {
        const DocumentNode* found = Child(&entry, key);
        if (found != nullptr && Text(&entry, "name") == name) return found;
      }
    }
    return Refuse(entries != nullptr ? entries->line : 0,
                  std::string(key) + " " + Quoted(name) + " is not among its " + std::string(list) +
                      "; see kubectl config view");
  }

  // Of KEY and KEY-data, what the pair of file and text becomes.
  Status ReadPair(const DocumentNode& from, const std::string& key, std::string& file,
                  std::string& text) const {
    if (const DocumentNode* data = Child(&from, key + "-data"); data != nullptr) {
      const auto decoded = DecodeBase64(data->text);
      if (!decoded) return Refuse(data->line, data->key + " is no base64");
      text = *decoded;
    }
    if (text.empty()) file = Path(Text(&from, key));
    return {};
  }

  std::string Path(const std::string& path) const {
    return path.empty() ? path : (std::filesystem::path(folder_) / path).string();
  }

  Status ReadCluster(const DocumentNode& cluster, const ProxyEnvironment& proxies) {
    if (Text(&cluster, "insecure-skip-tls-verify") == "true") {
      return Refuse(Child(&cluster, "insecure-skip-tls-verify")->line,
                    "insecure-skip-tls-verify would hand the token to anybody; remove it and set "
                    "certificate-authority");
    }
    const Result<ServerUrl> url = ParseServerUrl(Text(&cluster, "server"));
    if (!url) return Refuse(cluster.line, url.error().message);
    access_.server = url->Text();
    access_.tls_server_name = Text(&cluster, "tls-server-name");
    access_.proxy = Text(&cluster, "proxy-url");
    if (access_.proxy.empty()) access_.proxy = ProxyFor(url->scheme, url->host, url->port, proxies);
    return ReadPair(cluster, "certificate-authority", access_.ca_file, access_.ca_pem);
  }

  Status ReadUser(const DocumentNode& user, const std::string& name) {
    constexpr std::string_view kUnknown[] = {"exec", "auth-provider", "username",  "password",
                                             "as",   "as-uid",        "as-groups", "as-user-extra"};
    for (const std::string_view key : kUnknown) {
      if (!Has(&user, key)) continue;
      return Refuse(Child(&user, key)->line,
                    "user " + Quoted(name) + " authenticates by " + std::string(key) +
                        ", which is not supported; make a service account, and write what kubectl "
                        "create token prints into a file that tokenFile names");
    }
    access_.token_file = Path(Text(&user, "tokenFile"));
    if (const DocumentNode* token = Child(&user, "token");
        token != nullptr && access_.token_file.empty()) {
      const Result<std::string> parsed = ParseToken(token->text);
      if (!parsed) return Refuse(token->line, parsed.error().message);
      access_.token = *parsed;
    }
    if (Status status =
            ReadPair(user, "client-certificate", access_.certificate_file, access_.certificate_pem);
        !status) {
      return status;
    }
    if (Status status = ReadPair(user, "client-key", access_.key_file, access_.key_pem); !status) {
      return status;
    }
    const bool certificate = !access_.certificate_file.empty() || !access_.certificate_pem.empty();
    const bool key = !access_.key_file.empty() || !access_.key_pem.empty();
    if (certificate != key) {
      return Refuse(user.line, "user " + Quoted(name) +
                                   " has only one of client-certificate and client-key; set both");
    }
    return {};
  }

  const DocumentNode& root_;
  const std::string name_;
  const std::string folder_;
  Access access_;
};

}  // namespace

Result<Access> ParseKubeconfig(std::string_view text, const std::string& name,
                               const std::string& folder, const std::string& context,
                               const ProxyEnvironment& proxies) {
  Problems problems;
  const DocumentNode root = ReadDocument(text, problems);
  const std::string shown = Quoted(name, 256);
  if (!problems.empty()) return Fail(problems.ToError(name).Within("kubeconfig"));
  if (root.kind != DocumentNode::Kind::kMapping) {
    return Fail(ErrorCode::kInvalidArgument,
                "kubeconfig " + shown + " is no mapping; is it empty?");
  }
  return Reader(root, shown, folder).Read(context, proxies);
}

Result<Access> ReadKubeconfig(const std::string& path, const std::string& context,
                              const ProxyEnvironment& proxies) {
  const Result<std::string> text = ReadFile(path, 1U << 20);
  if (!text) return Fail(text.error().Within("kubeconfig"));
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(path, ignored).parent_path().string();
  return ParseKubeconfig(*text, path, folder, context, proxies);
}

}  // namespace fairlead::kube
