// Plays kubelet towards a running plugin: Allocates one after the other through its socket.
//
//   deviceplugin_allocate_often SOCKET COUNT ID...
//
// Each asks for the next of the IDs. Prints what they took as a caller sees it, in microseconds:
// {"count": 1000, "p50_us": 180, "p99_us": 420, "max_us": 900}. Ends with 1 where one is refused or
// an ID gets another answer than before.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/deviceplugin/kubelet/plugin_client.h"

namespace fairlead::deviceplugin {
namespace {

int AllocateOften(const std::string& socket, std::size_t count,
                  const std::vector<std::string>& ids) {
  PluginClient client(socket, "localhost", [] {});
  ::v1beta1::DevicePluginOptions options;  // so that the first Allocate does not connect
  if (const grpc::Status status = client.Options(&options); !status.ok()) {
    std::cerr << socket << ": " << status.error_message() << "\n";
    return 1;
  }
  std::map<std::string, std::string> answers;
  std::vector<std::int64_t> took;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& id = ids[i % ids.size()];
    ::v1beta1::AllocateResponse response;
    const auto begin = std::chrono::steady_clock::now();
    const grpc::Status status = client.Allocate({id}, &response);
    const auto end = std::chrono::steady_clock::now();
    took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count());
    if (!status.ok()) {
      std::cerr << id << ": " << status.error_message() << "\n";
      return 1;
    }
    const std::string text = response.ShortDebugString();  // maps in order of their keys
    if (const auto [at, first] = answers.try_emplace(id, text); !first && at->second != text) {
      std::cerr << id << " got " << at->second << "\nand then " << text << "\n";
      return 1;
    }
  }
  std::sort(took.begin(), took.end());
  std::cout << "{\"count\": " << took.size() << ", \"p50_us\": " << took[took.size() / 2]
            << ", \"p99_us\": " << took[took.size() * 99 / 100] << ", \"max_us\": " << took.back()
            << "}\n";
  return 0;
}

}  // namespace
}  // namespace fairlead::deviceplugin

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::size_t count = 0;
  if (words.size() >= 3) {
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
  }
  if (count == 0) {
    std::cerr << "usage: deviceplugin_allocate_often SOCKET COUNT ID...\n";
    return 2;
  }
  return fairlead::deviceplugin::AllocateOften(words[0], count, {words.begin() + 2, words.end()});
}
