// SPDX-License-Identifier: Apache-2.0
#include "models/soc/uart.h"

#include <utility>

namespace pws::models {

namespace {

enum register_number : uint8_t {
  data,
  interrupt_enable,
  identification_register,
  line_control,
  modem_control,
  line_status,
  modem_status,
  scratch
};

constexpr uint8_t received_enable = 1, transmitter_enable = 2, known_enables = 0x0f;
constexpr uint8_t no_interrupt = 1, transmitter_empty_id = 2, data_available_id = 4, fifos_on = 0xc0;
constexpr uint8_t data_ready = 0x01, transmitter_empty = 0x60;
constexpr uint8_t clear_receiver = 2;
constexpr uint8_t carrier_and_clear = 0xb0;  // MSR: data carrier, data set ready, clear to send

}  // namespace

uart::byte_source uart::text_source(std::string text) {
  if (text.empty()) return {};
  return [text = std::move(text), next = size_t{0}]() mutable -> std::optional<char> {
    if (next == text.size()) return std::nullopt;
    return text[next++];
  };
}

uart::uart(const sc_core::sc_module_name& name, std::function<void(char)> send, byte_source input,
           const sc_core::sc_time& input_interval)
    : device(name),
      interrupt("interrupt"),
      send_(std::move(send)),
      input_(std::move(input)),
      interval_(input_interval) {
  SC_HAS_PROCESS(uart);
  SC_METHOD(receive);
  sensitive << next_byte_;
  dont_initialize();
  SC_METHOD(update);
  sensitive << changed_;
  resume_input();
}

void uart::resume_input() {
  if (!input_ || is_asking_) return;
  is_asking_ = true;
  next_byte_.notify(interval_);
}

void uart::receive() {
  const std::optional<char> byte = input_();
  is_asking_ = byte.has_value();
  if (!byte) return;
  fifo_.push_back(*byte);
  next_byte_.notify(interval_);
  changed_.notify();
}

uint8_t uart::identification() const {
  if ((interrupt_enable_ & received_enable) != 0 && !fifo_.empty()) return data_available_id;
  if ((interrupt_enable_ & transmitter_enable) != 0 && !transmitter_told_) return transmitter_empty_id;
  return no_interrupt;
}

void uart::update() {
  interrupt.write(identification() != no_interrupt);
}

tlm::tlm_response_status uart::read(uint64_t offset, unsigned bytes, uint64_t& value) {
  if (offset > scratch) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes != 1) return tlm::TLM_BURST_ERROR_RESPONSE;
  switch (offset) {
    case data:
      if (has_divisor()) {
        value = divisor_ & 0xff;
      } else if (!fifo_.empty()) {
        value = static_cast<uint8_t>(fifo_.front());
        fifo_.pop_front();
        ++received_;
      }
      break;
    case interrupt_enable:
      value = has_divisor() ? divisor_ >> 8 : interrupt_enable_;
      break;
    case identification_register: {
      const uint8_t id = identification();
      value = id | ((fifo_control_ & 1) != 0 ? fifos_on : 0);
      if (id == transmitter_empty_id) transmitter_told_ = true;
      break;
    }
    case line_control:
      value = line_control_;
      break;
    case modem_control:
      value = modem_control_;
      break;
    case line_status:
      value = transmitter_empty | (fifo_.empty() ? 0 : data_ready);
      break;
    case modem_status:
      value = carrier_and_clear;
      break;
    default:
      value = scratch_;
  }
  changed_.notify();
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status uart::write(uint64_t offset, unsigned bytes, uint64_t value) {
  if (offset > scratch) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes != 1) return tlm::TLM_BURST_ERROR_RESPONSE;
  const auto byte = static_cast<uint8_t>(value);
  switch (offset) {
    case data:
      if (has_divisor()) {
        divisor_ = static_cast<uint16_t>((divisor_ & 0xff00) | byte);
      } else {
        send_(static_cast<char>(byte));
        ++sent_;
        transmitter_told_ = false;
      }
      break;
    case interrupt_enable:
      if (has_divisor()) {
        divisor_ = static_cast<uint16_t>((divisor_ & 0xff) | byte << 8);
      } else {
        // The transmitter, which is empty, asks again when its interrupt is enabled.
        if ((byte & transmitter_enable) != 0 && (interrupt_enable_ & transmitter_enable) == 0)
          transmitter_told_ = false;
        interrupt_enable_ = byte & known_enables;
      }
      break;
    case identification_register:
      fifo_control_ = byte;
      if ((byte & clear_receiver) != 0) fifo_.clear();
      break;
    case line_control:
      line_control_ = byte;
      break;
    case modem_control:
      modem_control_ = byte;
      break;
    case scratch:
      scratch_ = byte;
      break;
    default:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;  // LSR and MSR are read
  }
  changed_.notify();
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace pws::models
