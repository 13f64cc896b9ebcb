// SPDX-License-Identifier: Apache-2.0
// A code object for the tests: compiled from the repository's HIP sources, loaded without relocation, and a plain
// interpreter that runs a kernel wavefront after wavefront.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isa/abi/aql.h"
#include "models/isa/abi/kernel_descriptor.h"
#include "models/isa/code/program.h"
#include "models/isa/inst.h"

namespace pws::isa::test {

struct code_object {
  std::vector<uint8_t> image;               // from virtual address 0
  std::map<std::string, uint64_t> symbols;  // virtual addresses
  std::string assembly;                     // what the compiler says about the same source
};
// Compiles tests/isa/data/`file` for gfx803. Throws if clang is missing or refuses it.
const code_object& compile_hip(const std::string& file);
// The bytes of a kernel's descriptor.
const uint8_t* descriptor_of(const code_object& o, const std::string& kernel);
// A value of a kernel's .amdhsa_ directive in the assembly, e.g. "user_sgpr_count", and whether it is there.
bool has_directive(const code_object& o, const std::string& kernel, const std::string& name);
uint32_t directive(const code_object& o, const std::string& kernel, const std::string& name);

// A device with a code object and one buffer.
class small_device {
 public:
  static constexpr uint64_t base = 0x10'0000'0000, shared_aperture = 0x1000'0000'0000,
                            private_aperture = 0x2000'0000'0000;
  static constexpr uint32_t buffer_bytes = 0x10000, scratch_bytes = 0x200000, lds_bytes = 0x1000;

  explicit small_device(const code_object& o);
  uint64_t buffer() const { return buffer_; }
  uint8_t* host(uint64_t address) { return storage_.data() + (address - base); }
  // Runs the kernel over the grid (work-items). `kernarg`: explicit arguments; private_bytes 0: the descriptor's.
  void run(const std::string& kernel, wave_launch::dim3 grid, wave_launch::dim3 workgroup,
           const std::vector<uint8_t>& kernarg, uint32_t private_bytes = 0);
  uint64_t instructions() const { return instructions_; }

 private:
  void run_wave(wave_state& s, program& p);
  uint64_t allocate(uint64_t bytes, const std::string& name, memory_use use = memory_use::buffer);

  std::vector<uint8_t> storage_;
  global_memory memory_;
  const code_object& object_;
  uint64_t next_ = base;
  uint64_t code_ = 0, buffer_ = 0, scratch_ = 0, kernarg_ = 0, packet_ = 0, queue_ = 0;
  std::vector<uint8_t> lds_;
  uint64_t instructions_ = 0;
};

}  // namespace pws::isa::test
