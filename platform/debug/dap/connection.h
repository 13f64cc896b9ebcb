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

// Standard input and output, which belong to the protocol for as long as this lives; what is printed meanwhile, also to
// standard error, becomes output events.
class connection {
 public:
  connection();
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

 private:
  void read_all();
  void begin_reading();
  void end_reading();
  void send_printed();  // under sending_
  void write(nlohmann::json message);

  captured_output printed_, complained_;
  int wake_[2] = {-1, -1};  // a pipe: what is written to it ends the reading
  std::mutex arriving_, sending_, calling_;
  std::condition_variable arrived_;
  std::deque<arrival> arrivals_;
  message_reader reader_;
  std::function<void()> call_;
  uint64_t seq_ = 0;
  bool broken_ = false;  // nobody reads what is sent
  std::unique_ptr<std::thread> thread_;
};

}  // namespace pws::platform::debug::dap
