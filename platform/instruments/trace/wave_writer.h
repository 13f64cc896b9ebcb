// SPDX-License-Identifier: Apache-2.0
// Writes the signals of a waveform: as VCD, by SystemC, or as FST.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/instruments/trace/wave_signals.h"

namespace pws::platform {

class wave_writer {
 public:
  virtual ~wave_writer() = default;
  // Their values as they are now, at that time.
  virtual void sample(uint64_t ps) = 0;
  // Says something about what follows: a comment, or a signal that is text.
  virtual void note(const std::string& text) = 0;
  // Ends the file at that time. Throws input_error if something could not be written.
  virtual void close(uint64_t ps) = 0;
};

// By the name of the file: .vcd or .fst. Before the simulation starts; `signals` stay where they are. Throws
// input_error if it has another name or cannot be written.
std::unique_ptr<wave_writer> make_wave_writer(const std::string& path, const wave_signals& signals);

}  // namespace pws::platform
