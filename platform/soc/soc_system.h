// SPDX-License-Identifier: Apache-2.0
// A system as one SystemC module: processor, memory, interrupt controllers, serial port, finisher and GPUs on a bus, as
// a system file says (platform/config/files/soc_config.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/bus/system_bus.h"
#include "models/gpu/gpu.h"
#include "models/soc/clint.h"
#include "models/soc/finisher.h"
#include "models/soc/plic.h"
#include "models/soc/ram.h"
#include "models/soc/rv64_cpu.h"
#include "models/soc/task_marks.h"
#include "models/soc/uart.h"
#include "platform/config/files/soc_config.h"
#include "sw/loader/firmware_image.h"

namespace pws::platform {

class soc_system : public sc_core::sc_module {
 public:
  // `image`, the firmware, stays as long as this. `send` gets what the serial port sends, `input` is what it receives.
  // Throws input_error where the firmware does not fit into the memories.
  soc_system(const sc_core::sc_module_name& name, const soc_config& c, const loader::firmware_image& image,
             std::function<void(char)> send, models::uart::byte_source input);

  // The text at an address of memory, up to its zero byte or a length that no name has.
  std::string text_at(uint64_t address) const;
  bool gpu_interrupt(size_t gpu) const { return gpu_lines_[gpu]->read(); }

 private:
  void map(const std::string& part, uint64_t base, uint64_t size, models::device& d);
  void map(const std::string& part, models::ram& m);
  void bind();
  void add_gpu(const soc_config::gpu& c);
  void load();

  // Lines. Each is driven by one part, and read by one.
  sc_core::sc_signal<bool> timer_line_{"timer_line"}, software_line_{"software_line"}, external_line_{"external_line"},
      uart_line_{"uart_line"}, low_{"low"};
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> gpu_lines_;
  size_t next_initiator_ = 1;  // at the bus; the processor is the first

 public:
  models::system_bus bus;
  models::rv64_cpu cpu;
  std::unique_ptr<models::ram> ram, rom;  // rom: where there is one
  models::clint clint;
  models::plic plic;
  models::uart uart;
  models::finisher finisher;
  models::task_marks tasks;
  std::vector<std::unique_ptr<models::gpu>> gpus;
  const loader::firmware_image& firmware;  // that it runs
};

}  // namespace pws::platform
