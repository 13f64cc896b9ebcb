// SPDX-License-Identifier: Apache-2.0
// A stream of bytes cut into messages of the Debug Adapter Protocol: a header with a length, and JSON. What is none is
// told once, and passed up to the next header.
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>

namespace pws::platform::debug::dap {

// What has come.
struct arrival {
  enum class kind : uint8_t {
    message,  // an object
    wrong,    // bytes that are no message: `problem` says why
    closed    // the stream has ended
  };
  kind what = kind::message;
  nlohmann::json message;
  std::string problem;
};

class message_reader {
 public:
  // Takes bytes; what they complete is put behind `to`.
  void put(const char* bytes, size_t count, std::deque<arrival>& to);
  // The stream has ended.
  void end(std::deque<arrival>& to);
  // Whether there were bytes, and none of them were a message.
  bool is_another_protocol() const { return any_bytes_ && !any_message_; }
  // For another one, which goes on where this one is.
  nlohmann::json state() const;
  void take_state(const nlohmann::json& j);

 private:
  // Takes the next message off the front. False: more bytes are needed.
  bool take(std::deque<arrival>& to);
  // Tells of what is wrong, unless the bytes right before were wrong too.
  void wrong(const std::string& problem, std::deque<arrival>& to);

  std::string bytes_;
  bool any_bytes_ = false, any_message_ = false;
  bool is_lost_ = false;  // the latest bytes were no message
};

}  // namespace pws::platform::debug::dap
