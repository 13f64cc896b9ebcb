// SPDX-License-Identifier: Apache-2.0
// Random structured programs with split and merge, as paths see them and as gfx803 assembly: what the schemes that
// split wavefronts run, and what an independent model of them walks through.
//
// A program begins with a barrier. Its if/else are those of split_program.h: EXEC serialises what no split has parted.
// There are sides without instructions or without work-items, loops with breaks and different trips, loops around
// splits, splits deeper than any machine here has contexts for, barriers where all work-items come, and paths that end
// on a side.
#pragma once

#include <array>
#include <functional>

#include "tests/splitting/random_kernels.h"

namespace pws::test {

constexpr unsigned path_depth = 10;  // of nested statements
constexpr unsigned path_loops = 4;   // of nested loops over a work-item's trips
constexpr unsigned path_vcc = 256;   // behind the vector registers, among what instructions read and write

// The scalar registers of a path that its branches depend on. EXEC is as written: the path's own work-items count.
struct path_scalars {
  uint64_t exec = 0, vcc = 0;
  std::array<uint64_t, path_depth> saved{};   // EXEC, by depth
  std::array<uint32_t, path_depth> rounds{};  // left of a loop without a branch of its work-items, by depth
};
using vector_words = std::array<std::array<uint32_t, 64>, 20>;  // a wavefront's vector registers

// A path about to execute an instruction.
struct path_view {
  path_scalars& scalar;
  vector_words& vector;
  uint64_t work_items;
  uint64_t active() const { return scalar.exec & work_items; }
};

enum class path_unit : uint8_t {
  vector,
  quarter_rate_vector,
  scalar,
  branch,
  idle,
  barrier,
  split_point,
  merge_point,
  end
};

struct path_instruction {
  std::string text;  // assembly; a branch's target is not in it
  path_unit unit = path_unit::scalar;
  unsigned dwords = 1;
  std::vector<unsigned> registers = {};              // vector registers and VCC that it reads or writes
  std::vector<unsigned> results = {};                // those that a vector ALU writes
  std::function<void(path_view&)> act = {};          // empty: nothing that a branch depends on
  std::function<bool(const path_view&)> taken = {};  // of a branch
  size_t target = 0;                                 // of a branch; the merge of a split
  unsigned cycles = 1;                               // idle
};

class path_program {
 public:
  explicit path_program(uint64_t seed);
  // A program of that shape: v a vector instruction, q one at quarter rate, u one that uses the result of q, s a scalar
  // one, n and N an s_nop of one and eight cycles, b a barrier, e s_endpgm; (3LEFT|RIGHT) an if/else that splits, whose
  // left side is taken by work-items with bit 3 in their number; {3LEFT|RIGHT} one that does not split; [BODY] a loop
  // that is gone round twice.
  static path_program of_shape(const std::string& shape);

  // The first is the barrier, the last s_endpgm.
  const std::vector<path_instruction>& code() const { return code_; }
  // What the words of a wavefront's work-items are at the barrier; its first work-item has that number.
  vector_words words_at_begin(uint32_t first_work_item) const;
  // The kernel's code; its labels begin with `name`.
  std::string assembly(const std::string& name) const;
  // Bytes of the program behind the barrier's address, by instruction.
  std::vector<uint64_t> offsets() const;
  // Instructions of the block behind the merge there: to the next target of a branch, split or merge, or with the
  // branch or s_endpgm that ends it.
  uint32_t length_behind(size_t at) const;

 private:
  path_program();
  word_source words_;
  std::vector<path_instruction> code_;
};

// An assembly file with kernels k0, k1, ... Each lies in a block of `path_program_bytes` that begins with it.
constexpr unsigned path_program_bytes = 4096;
std::string assembly_of(const std::vector<path_program>& programs);

}  // namespace pws::test
