// SPDX-License-Identifier: Apache-2.0
// A system around the GPU as a user describes it in YAML, for `pwsvp soc`: processor, memory, devices, and where each
// of them is on the bus. Plain data, completely checked when load_soc returns it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/effective.h"
#include "platform/config/field.h"

namespace pws::platform {

// The keys of a system file, with the map that SiFive's systems and QEMU's `virt` have.
struct soc_config {
  struct processor {
    uint32_t clock_mhz = 1000;
    uint32_t cycles_per_instruction = 1;
  };
  struct memory {
    uint64_t base = 0;
    uint64_t size = 0;  // bytes; 0: there is none
  };
  struct timer {
    uint64_t base = 0x200'0000;
    uint32_t timebase_khz = 10'000;  // of mtime; a tick is a whole number of picoseconds
  };
  struct interrupts {
    uint64_t base = 0xc00'0000;
    uint32_t sources = 31;
  };
  struct serial {
    uint64_t base = 0x1000'0000;
    uint32_t interrupt = 10;  // its source
    std::string input;        // a file with what it receives; empty: nothing
    uint32_t input_interval_us = 100;
  };
  // Bytes of a GPU's registers and debug window on the bus; a larger machine is refused.
  static constexpr uint64_t gpu_window = 0x200'0000;
  struct gpu {
    uint64_t base = 0x2000'0000;
    uint32_t interrupt = 11;                            // its source
    uint64_t memory_base = models::device_memory_base;  // of its device memory, for the processor and for itself
    models::machine_config machine;
    std::vector<std::string> idle_keys;  // of the machine, as below
  };
  struct end {
    uint64_t base = 0x10'0000;
  };
  struct marks {
    uint64_t base = 0x10'1000;
  };
  struct bounds {
    uint64_t instructions = 1'000'000'000;
    uint64_t time_us = 10'000'000;
  };

  std::string file;
  std::vector<std::string> files;  // all YAML files that this was read from
  processor cpu;
  uint64_t quantum_ns = 1000;
  memory ram{0x8000'0000, 16 << 20};
  memory rom;
  timer clint;
  interrupts plic;
  serial uart;
  end finisher;
  marks tasks;
  std::vector<gpu> gpus;
  bounds limits;
  effective_value effective;           // every key
  std::vector<std::string> idle_keys;  // what is given and has no effect, a sentence each
};

// Throws config_error with every problem.
soc_config load_soc(const std::string& path, const std::vector<std::string>& overrides = {});

// The keys of such a file, for `pwsvp params`.
const std::vector<field>& soc_fields();

}  // namespace pws::platform
