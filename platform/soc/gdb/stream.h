// SPDX-License-Identifier: Apache-2.0
// The stream to a gdb: a connection to a port of this computer, or standard input and output
// (`target remote | pwsvp soc ...`).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace pws::platform::gdb {

class stream {
 public:
  // `where`: a port's number, of this computer alone and 0 for any that is free, or - for standard input and output.
  // Throws input_error: it is neither, or the port is not free.
  explicit stream(const std::string& where);
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  // The port that it listens at; 0: it is none.
  unsigned port() const { return port_; }
  // Waits until somebody connects. False: `ends` has said before that nobody is waited for any longer.
  bool accept(const std::function<bool()>& ends);
  // Bytes that are there, at most so many; 0: none are. Where `waits`, until there are some or `ends` says so.
  // is_open() is false behind the end.
  size_t read(char* to, size_t most, bool waits, const std::function<bool()>& ends);
  void write(const std::string& bytes);
  bool is_open() const { return in_ >= 0; }
  void close();

 private:
  int listening_ = -1, in_ = -1, out_ = -1;
  unsigned port_ = 0;
};

}  // namespace pws::platform::gdb
