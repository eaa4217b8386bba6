#include "tests/extender/relocation_api/object_api.h"

#include <algorithm>
#include <sstream>

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

// "/apis/batch/v1/namespaces/ml/jobs" as "/apis/batch/v1/jobs".
std::string WithoutNamespace(const std::string& path) {
  const std::string word = "/namespaces/";
  const std::size_t at = path.find(word);
  if (at == std::string::npos) return path;
  return path.substr(0, at) + path.substr(path.find('/', at + word.size()));
}

std::string Folder(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string Decoded(const std::string& text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
    } else {
      decoded += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    }
  }
  return decoded;
}

// Equalities alone, which is all that is asked for here.
bool Selected(const Json& object, const std::string& selector) {
  const Json labels = object["metadata"].value("labels", Json::object());
  std::istringstream parts(selector);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equal = part.find('=');
    if (labels.value(part.substr(0, equal), "") != part.substr(equal + 1)) return false;
  }
  return true;
}

std::string Status(const std::string& message) {
  return Json{{"kind", "Status"}, {"message", message}}.dump();
}

}  // namespace

ObjectApi::ObjectApi()
    : server_([this](const SeenRequest& request, Wire& wire) {
        Reply reply;
        {
          std::lock_guard lock(mutex_);
          reply = On(request);
        }
        wire.Answer(reply.code, reply.body);
      }) {
  Serve("/api/v1", "pods", "Pod");
  Serve("/apis/batch/v1", "jobs", "Job");
  Serve("/apis/policy/v1", "poddisruptionbudgets", "PodDisruptionBudget");
}

void ObjectApi::Serve(const std::string& api, const std::string& plural, const std::string& kind) {
  std::lock_guard lock(mutex_);
  kinds_[api + "/" + plural] = kind;
}

void ObjectApi::Put(const std::string& path, Json object) {
  std::lock_guard lock(mutex_);
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  objects_[path] = std::move(object);
}

void ObjectApi::Remove(const std::string& path) {
  std::lock_guard lock(mutex_);
  objects_.erase(path);
}

Json ObjectApi::Get(const std::string& path) {
  std::lock_guard lock(mutex_);
  return objects_.at(path);
}

void ObjectApi::Deny(const std::string& right) {
  std::lock_guard lock(mutex_);
  denied_.insert(right);
}

void ObjectApi::Answer(const std::string& path, int code, const std::string& body) {
  std::lock_guard lock(mutex_);
  answers_[path] = {code, body};
}

int ObjectApi::Count(const std::string& method, const std::string& part) const {
  const auto requests = server_.requests();
  return static_cast<int>(std::ranges::count_if(requests, [&](const SeenRequest& request) {
    return request.method == method && request.path.find(part) != std::string::npos;
  }));
}

ObjectApi::Reply ObjectApi::On(const SeenRequest& request) {
  if (request.method == "GET") return OnGet(request);
  if (request.method == "PATCH") return OnPatch(request);
  return OnPost(request);
}

ObjectApi::Reply ObjectApi::OnGet(const SeenRequest& request) {
  if (const auto told = answers_.find(request.path); told != answers_.end()) return told->second;
  if (const auto object = objects_.find(request.path); object != objects_.end()) {
    return {200, object->second.dump()};
  }
  const auto kind = kinds_.find(WithoutNamespace(request.path));
  if (kind == kinds_.end()) return {404, Status("the server could not find it")};
  return {200, List(request, kind->second).dump()};
}

Json ObjectApi::List(const SeenRequest& request, const std::string& kind) const {
  const bool all = WithoutNamespace(request.path) == request.path;
  const auto option = [&](const std::string& name) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string() : Decoded(found->second);
  };
  std::vector<Json> items;
  for (const auto& [path, object] : objects_) {
    const std::string folder = all ? WithoutNamespace(Folder(path)) : Folder(path);
    if (folder == request.path && Selected(object, option("labelSelector"))) {
      items.push_back(object);
      items.back().erase("kind");
      items.back().erase("apiVersion");
    }
  }
  const std::size_t from = option("continue").empty() ? 0 : std::stoul(option("continue"));
  const std::size_t to = std::min(items.size(), from + std::stoul(option("limit")));
  Json list{{"kind", kind + "List"},
            {"metadata", {{"resourceVersion", std::to_string(version_)}}},
            {"items", Json::array()}};
  for (std::size_t i = from; i < to; ++i) list["items"].push_back(items[i]);
  if (to < items.size()) list["metadata"]["continue"] = std::to_string(to);
  return list;
}

ObjectApi::Reply ObjectApi::OnPatch(const SeenRequest& request) {
  const auto found = objects_.find(request.path);
  if (found == objects_.end()) return {404, Status("not found")};
  const Json body = Json::parse(request.body);
  for (const std::string precondition : {"resourceVersion", "uid"}) {
    const Json& wanted = body["metadata"].value(precondition, Json());
    if (!wanted.is_null() && wanted != found->second["metadata"][precondition]) {
      return {409, Status("the object has been modified")};
    }
  }
  found->second.merge_patch(body);
  found->second["metadata"]["resourceVersion"] = std::to_string(++version_);
  return {200, found->second.dump()};
}

ObjectApi::Reply ObjectApi::OnPost(const SeenRequest& request) {
  const Json body = Json::parse(request.body);
  if (request.path.ends_with("/selfsubjectaccessreviews")) return Review(body);
  if (!kinds_.contains(WithoutNamespace(request.path))) return {404, Status("no such kind")};
  const std::string path = request.path + "/" + body["metadata"]["name"].get<std::string>();
  if (objects_.contains(path)) return {409, Status("it exists already")};
  objects_[path] = body;
  objects_[path]["metadata"]["resourceVersion"] = std::to_string(++version_);
  return {201, objects_[path].dump()};
}

ObjectApi::Reply ObjectApi::Review(const Json& body) const {
  const Json& asked = body["spec"]["resourceAttributes"];
  const std::string group = asked["group"];
  std::string right = asked["verb"].get<std::string>() + " " + asked["resource"].get<std::string>();
  if (!group.empty()) right += "." + group;
  if (asked.contains("subresource")) right += "/" + asked["subresource"].get<std::string>();
  Json answer = body;
  answer["status"] = {{"allowed", !denied_.contains(right)}};
  return {201, answer.dump()};
}

}  // namespace fairlead::extender
