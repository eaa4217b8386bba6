#include "extender/http/volcano_request.h"

#include <cstdint>
#include <optional>
#include <string>

#include "extender/http/json_request.h"
#include "extender/http/name_index.h"
#include "extender/http/volcano_job.h"
#include "extender/http/volcano_node.h"
#include "extender/http/volcano_task.h"

namespace fairlead::extender {

class VolcanoRequestReader::Impl {
 public:
  tl::expected<const VolcanoRequest*, DecodeFault> Read(std::string_view body,
                                                        std::string_view site_label) {
    read_.pod = {};
    read_.job = {};
    read_.nodes.clear();
    task_ = {};
    nodes_.Reset(site_label, {});
    auto fault = ReadFields(body, site_label, /*task=*/true);
    // Whose members the tasks on the nodes are was not known yet.
    const bool nodes_came_first = !nodes_.nodes().empty() && nodes_.job() != task_.job;
    job_ = task_.job;  // what the reader read is gone when it reads again
    if (!fault && nodes_came_first) fault = ReadFields(body, site_label, /*task=*/false);
    if (fault) return tl::unexpected(*fault);
    read_.pod = std::move(task_.pod);
    KeepEachNameOnce();
    return &read_;
  }

  std::size_t memory_bytes() const {
    return request_.memory_bytes() + nodes_.memory_bytes() +
           read_.nodes.capacity() * sizeof(OfferedNode);
  }

 private:
  using Value = json::od::value;

  std::optional<DecodeFault> ReadFields(std::string_view body, std::string_view site_label,
                                        bool task) {
    return request_.Read(body, [&](auto key, Value value) {
      if (json::SameKey(key, "task")) {
        if (!task) return simdjson::SUCCESS;
        return json::ReadTask(value, request_.limit(), task_, request_.where());
      }
      if (json::SameKey(key, "job")) {
        if (!task) return simdjson::SUCCESS;
        return json::ReadJob(value, request_.limit(), read_.job, request_.where());
      }
      if (json::SameKey(key, "node")) {
        nodes_.Reset(site_label, task ? task_.job : job_);
        return request_.Named("node", nodes_.Add(value, request_.limit()));
      }
      if (!json::SameKey(key, "nodes")) return simdjson::SUCCESS;
      nodes_.Reset(site_label, task ? task_.job : job_);
      return request_.Named("nodes", json::ForEachElement(value, [&](Value& node) {
                              return nodes_.Add(node, request_.limit());
                            }));
    });
  }

  void KeepEachNameOnce() {
    index_.Reset(nodes_.nodes().size());
    for (const OfferedNode& node : nodes_.nodes()) {
      const auto fresh = static_cast<std::uint32_t>(read_.nodes.size());
      if (index_.FindOrAdd(node.name, read_.nodes, fresh) == fresh) read_.nodes.push_back(node);
    }
  }

  json::Request request_{"a request of Volcano's extender plugin"};
  json::TaskFacts task_;
  std::string job_;
  json::VolcanoNodes nodes_;
  NameIndex index_;
  VolcanoRequest read_;
};

VolcanoRequestReader::VolcanoRequestReader() : impl_(std::make_unique<Impl>()) {}
VolcanoRequestReader::~VolcanoRequestReader() = default;

tl::expected<const VolcanoRequest*, DecodeFault> VolcanoRequestReader::Read(
    std::string_view body, std::string_view site_label) {
  return impl_->Read(body, site_label);
}

std::size_t VolcanoRequestReader::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace fairlead::extender
