// SPDX-License-Identifier: Apache-2.0
// A wavefront with memory around it, for tests of the memory instructions. Everything that an instruction may change is
// visible, so that a test can compare all of it with a reference.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "models/isa/host_fp.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"

namespace pws::isa::test {

struct memory_bench {
  static constexpr uint64_t window_base = 0x7f0'0000'0000;
  static constexpr uint32_t window_bytes = 0x1a000;
  // Allocations: `data` crosses no 4 GiB boundary; `constants` is read-only.
  static constexpr uint64_t data = window_base + 0x1000;
  static constexpr uint32_t data_bytes = 0x8800;
  static constexpr uint64_t constants = window_base + 0xb000;
  static constexpr uint32_t constants_bytes = 0x1000;
  static constexpr uint64_t scratch = window_base + 0x10000;
  static constexpr uint32_t scratch_per_lane = 512;
  static constexpr uint32_t lds_bytes = 0x3000;
  static constexpr uint64_t shared_aperture = 0x1000'0000'0000;
  static constexpr uint64_t private_aperture = 0x2000'0000'0000;
  static constexpr unsigned n_vgprs = 64;

  explicit memory_bench(unsigned seed = 1);
  memory_bench(const memory_bench& o);
  memory_bench& operator=(const memory_bench&) = delete;

  // Decodes and executes. The words are the instruction's own encoding.
  void execute(const std::vector<uint32_t>& code);
  void execute(const inst& i);
  // Reads and writes the device memory by device address.
  uint8_t* host(uint64_t address) { return storage.data() + (address - window_base); }
  // Reduces every dword to one of eight values, so that the equalities and boundaries of atomics occur.
  void make_small();
  // v[row] and v[row + 1] of a lane become the address.
  void set_address(unsigned row, int lane, uint64_t address);
  void set_mask(uint64_t mask) { state.set_scalar64(exec_lo, mask); }

  // Empty if both benches hold the same registers and memory, else what differs first.
  std::string difference(const memory_bench& other) const;

  std::vector<uint8_t> storage;
  std::vector<uint8_t> lds;
  std::vector<vgpr_row> vgprs;
  global_memory memory;
  wave_state state;

 private:
  void connect();
};

// Off, one lane (first, middle, last), odd, even, halves, random and all.
const std::vector<uint64_t>& lane_masks();

// Encodings of the memory formats with the fields that the tests use.
std::vector<uint32_t> encode_ds(const opcode_row& r, unsigned dst, unsigned addr, unsigned data0, unsigned data1,
                                unsigned offset0, unsigned offset1 = 0);
std::vector<uint32_t> encode_flat(const opcode_row& r, unsigned dst, unsigned addr, unsigned data, bool glc);
struct mubuf_fields {
  unsigned data = 8, addr = 0, resource = 8, soffset = 0x80, offset = 0;  // soffset 0x80: constant 0
  bool offen = false, idxen = false, glc = false, lds = false;
};
std::vector<uint32_t> encode_mubuf(const opcode_row& r, const mubuf_fields& f);
std::vector<uint32_t> encode_smem(const opcode_row& r, unsigned data, unsigned base, uint32_t offset, bool imm);

// The row of that mnemonic; fails the test and throws if there is none.
const opcode_row& memory_row(const char* mnemonic);

}  // namespace pws::isa::test
