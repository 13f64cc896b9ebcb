// SPDX-License-Identifier: Apache-2.0
// A serial port: the part of a 16550 that firmware uses, a register a byte. (National Semiconductor PC16550D)
//
//   0  RBR (read), THR (write)   1  IER   2  IIR (read), FCR (write)   3  LCR   4  MCR   5  LSR   6  MSR   7  SCR
//
// A byte that is written is sent at once, so the transmitter is always empty; the divisor, behind LCR's bit 7, can be
// written and read and changes nothing. Bytes come from outside, one each `input_interval`, into a FIFO that has no
// end.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "models/soc/device.h"

namespace pws::models {

class uart : public device {
 public:
  static constexpr uint64_t window = 0x100;  // bytes

  sc_core::sc_out<bool> interrupt;  // of what IER enables

  // The next byte that it receives; nullopt: there is none, for now or for good.
  using byte_source = std::function<std::optional<char>()>;
  // All bytes of a text.
  static byte_source text_source(std::string text);

  // `send` gets each byte that is sent. `input` is asked when a byte would arrive; it may be empty: nothing is
  // received. `input_interval` is not 0.
  uart(const sc_core::sc_module_name& name, std::function<void(char)> send, byte_source input,
       const sc_core::sc_time& input_interval);

  // The source has bytes again, after it had none.
  void resume_input();
  // A byte that arrives is an interrupt.
  bool wakes_on_input() const { return (interrupt_enable_ & 1) != 0; }

  uint64_t sent() const { return sent_; }          // bytes
  uint64_t received() const { return received_; }  // bytes that were read

 protected:
  tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) override;
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override;

 private:
  void receive();
  void update();
  uint8_t identification() const;
  bool has_divisor() const { return (line_control_ & 0x80) != 0; }

  std::function<void(char)> send_;
  const byte_source input_;
  const sc_core::sc_time interval_;
  bool is_asking_ = false;  // it asks for a byte when the interval is over
  std::deque<char> fifo_;
  uint64_t sent_ = 0, received_ = 0;
  uint8_t interrupt_enable_ = 0, line_control_ = 0, modem_control_ = 0, scratch_ = 0, fifo_control_ = 0;
  uint16_t divisor_ = 0;
  bool transmitter_told_ = true;  // its interrupt has been identified since the last byte
  sc_core::sc_event next_byte_, changed_;
};

}  // namespace pws::models
