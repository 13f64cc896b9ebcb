// SPDX-License-Identifier: Apache-2.0
// The two streams of the Debug Adapter Protocol. A thread of its own reads, so that a client is heard while the machine
// runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "platform/debug/dap/captured_output.h"
#include "platform/debug/dap/message_reader.h"

namespace pws::platform::debug::dap {

// File descriptors of the client's streams, for a program that this process starts: the program's own standard input is
// empty, and what it prints is captured.
struct lent_streams {
  int in = -1, out = -1, err = -1;
};

// Standard input and output, which belong to the protocol for as long as this lives; what is printed meanwhile, also to
// standard error, becomes output events.
class connection {
 public:
  connection();
  // In the program.
  connection(const lent_streams& s, const nlohmann::json& state);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  // What has come next; none: nothing within that time.
  std::optional<arrival> next(std::chrono::milliseconds patience);
  // Whether something has come that nobody has taken.
  bool has_next();
  // Called from the reading thread whenever something has come; may be empty. When this returns, the one before is not
  // called any more.
  void when_something_comes(std::function<void()> call);
  // After the stream's end: there were bytes, and no message.
  bool is_another_protocol();

  // Sends a message of that type ("event", "response"), behind all that has been printed.
  void send(const char* type, nlohmann::json fields);
  void send_event(const char* name, nlohmann::json body);

  // As stop_listener's: what has come and not been taken moves on to the process that goes on.
  void copying();
  void copied();
  nlohmann::json state();
  void stays() { begin_reading(); }
  void take_state(const nlohmann::json& j);

  // ---- A program that speaks with the client in this process's place. Around it: state() or what the program's
  // connection said then, and take_again().

  // They belong to what this process starts now. Throws input_error.
  lent_streams lend();
  void take_again(const lent_streams& s, const nlohmann::json& state);
  // Where the program has ended without a word: of what was handed over, and what was told last, the state.
  static nlohmann::json after_crash(nlohmann::json state, const nlohmann::json& sent);
  // Tells how far the client has been told of everything, whenever it has been. From any thread.
  void when_sent(std::function<void(const nlohmann::json& sent)> call);

 private:
  void take(const nlohmann::json& state);
  void read_all();
  void begin_reading();
  void end_reading();
  void send_printed();  // under sending_
  void write(nlohmann::json message);
  nlohmann::json sent() const;

  const int in_;
  captured_output printed_, complained_;
  int wake_[2] = {-1, -1};  // a pipe: what is written to it ends the reading
  std::mutex arriving_, sending_, calling_;
  std::condition_variable arrived_;
  std::deque<arrival> arrivals_;
  message_reader reader_;
  std::function<void()> call_;
  std::function<void(const nlohmann::json&)> sent_;
  uint64_t seq_ = 0;
  bool broken_ = false;  // nobody reads what is sent
  std::unique_ptr<std::thread> thread_;
};

}  // namespace pws::platform::debug::dap
