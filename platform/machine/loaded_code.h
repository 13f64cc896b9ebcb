// SPDX-License-Identifier: Apache-2.0
// What somebody who looks at a machine knows of the code in its memory, and the memory itself. A runtime knows it from
// the programs that it has loaded (device_runtime.h); where firmware loads them, it is found in memory
// (platform/soc/debug/firmware_code.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/isa/inst.h"
#include "sw/loader/code_object.h"
#include "sw/loader/line_table.h"

namespace pws::platform {

class loaded_code {
 public:
  loaded_code() = default;
  virtual ~loaded_code() = default;
  loaded_code(const loaded_code&) = delete;
  loaded_code& operator=(const loaded_code&) = delete;

  // The instruction at a device address; nullptr: there is none. Valid until the next call.
  virtual const isa::inst* instruction_at(uint64_t pc) const = 0;
  // Where the instruction at a device address comes from: its own source line first, then those of the calls that were
  // inlined around it. Empty: not known, or no loaded program is there.
  virtual std::vector<loader::source_line> source_at(uint64_t pc) const = 0;

  // A loaded code object. Loadings are numbered from 1 on, over all programs.
  struct loaded_object {
    uint64_t number = 0;
    size_t index = 0;  // among its program's code objects
    const loader::code_object* object = nullptr;
    const loader::image* image = nullptr;
  };
  // Those that are loaded now and have a larger number than this one, in ascending order.
  virtual std::vector<loaded_object> loaded_after(uint64_t number) const = 0;
  // The loaded code object that has the address in its code; nullptr: none. Valid until its program is unloaded.
  virtual const loader::image* image_at(uint64_t pc) const = 0;

  // Programs may access the memory from this address up to there; none: not even at the address.
  virtual std::optional<uint64_t> end_of_memory_at(uint64_t address) const = 0;
  // Bytes of it, without anybody hearing of that.
  virtual void peek(uint64_t address, void* data, size_t bytes) const = 0;
};

}  // namespace pws::platform
