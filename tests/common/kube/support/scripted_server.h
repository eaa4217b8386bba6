// A server that answers as a test says, byte by byte.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/base/file_descriptor.h"
#include "common/http/listening_socket.h"

namespace fairlead {

struct SeenRequest {
  std::string method;
  std::string path;  // without the query
  std::map<std::string, std::string> query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  int number = 0;  // counted over all connections, from 0
};

// The connection of one request.
class Wire {
 public:
  Wire(int socket, int stop) : socket_(socket), stop_(stop) {}

  // A whole answer.
  void Answer(int code, std::string_view body, std::string_view more_headers = "",
              std::string_view type = "application/json");
  // An answer in pieces: Begin, any number of Send, then End; without End it is cut off.
  void Begin(std::string_view type = "application/json");
  void Send(std::string_view piece);
  void End();
  // False once the client has gone.
  bool Raw(std::string_view bytes);
  // Says nothing until the client goes or the server ends.
  void FallSilent();
  // The connection ends after this request.
  void Break() { broken_ = true; }
  bool broken() const { return broken_; }

 private:
  const int socket_;
  const int stop_;
  bool broken_ = false;
};

// HTTP/1.1 on the loopback, plain. The script runs on a thread a connection.
class ScriptedServer {
 public:
  using Script = std::function<void(const SeenRequest&, Wire&)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();

  std::string url() const { return "http://127.0.0.1:" + std::to_string(socket_.port); }
  std::vector<SeenRequest> requests() const;

 private:
  void Accept();
  void Serve(FileDescriptor connection);

  const Script script_;
  ListeningSocket socket_;
  FileDescriptor stop_;
  mutable std::mutex mutex_;
  std::vector<SeenRequest> requests_;
  std::list<std::jthread> connections_;
  std::jthread acceptor_;
};

}  // namespace fairlead
