// SPDX-License-Identifier: Apache-2.0
// Where the bytes come from that a system's serial port receives.
//
// A file, or standard input that is a file or a pipe: the simulation waits for each byte, so that it arrives at the
// same simulated time in every run, however fast the other side writes. A terminal: bytes arrive when somebody types
// them, which no two runs have at the same time. The terminal gives each byte at once and does not show it, which is
// the firmware's to do; it is as before when this object goes.
#pragma once

#include <termios.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/soc/uart.h"
#include "platform/machine/interruption.h"

namespace pws::platform {

class serial_input {
 public:
  enum class kind : uint8_t { nothing, file, standard_input, terminal };

  // What standard input may be.
  struct standard {
    bool wanted = false;       // it is what is received
    bool may_be_typed = true;  // so it is if it is a terminal
  };
  // `file`: its path, or empty. Then standard input, as that says. `flush`: before it waits. Throws input_error where
  // the file cannot be read.
  serial_input(const std::string& file, standard in, const interruption& signals, std::function<void()> flush);
  ~serial_input();
  serial_input(const serial_input&) = delete;
  serial_input& operator=(const serial_input&) = delete;

  kind from() const { return kind_; }
  // For the serial port, which this has to outlive.
  models::uart::byte_source source();
  // Whether somebody has typed a byte at the terminal. Waits for one, for its end or for a signal if it `may_wait`.
  bool has_typed(bool may_wait);
  // Nothing more comes.
  bool has_ended() const { return ended_; }
  uint64_t typed() const { return typed_; }  // bytes that came from a terminal

 private:
  std::optional<char> next();
  bool fill(bool may_wait);

  kind kind_ = kind::nothing;
  int descriptor_ = -1;
  const interruption& signals_;
  std::function<void()> flush_;
  std::vector<char> bytes_;
  size_t at_ = 0;  // the next of them
  bool ended_ = false;
  uint64_t typed_ = 0;
  std::optional<termios> before_;  // of the terminal
};

// What the report says: "a file", "standard input", "a terminal", "nothing".
std::string text_of(serial_input::kind k);

}  // namespace pws::platform
