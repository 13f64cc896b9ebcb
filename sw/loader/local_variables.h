// SPDX-License-Identifier: Apache-2.0
// Which variables of the source are in scope at an instruction, and where they are then: from a code object's DWARF
// (-g). Who asks gives the registers; memory is his to read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/loader/variable_type.h"

namespace pws::loader {

// A variable or parameter. Belongs to the debug_variables that it is from.
struct scope_variable {
  std::string name;
  const variable_type* type = nullptr;  // never that
  uint64_t id = 0;                      // of its entry: another one where its function is inlined another time
  bool is_parameter = false;
};

// A function that an instruction is in: the one that is called, or one that was inlined.
struct scope_function {
  std::string name;  // "": not known
  bool is_inlined = false;
  bool is_optimised = false;
  uint64_t entry = 0;                     // of the called function, also where this one was inlined into it
  std::vector<scope_variable> variables;  // those of the innermost block first, of a block in the source's order
};

// What a part of a variable's bytes is.
struct value_piece {
  // Where its value is.
  enum class what : uint8_t {
    absent,  // the compiler has left it out
    memory,
    bits  // in a register, or a number that the compiler knows
  } kind = what::absent;
  uint64_t bytes = 0;
  memory_space space = memory_space::global;  // of memory
  uint64_t address = 0;
  std::vector<uint8_t> content;  // of bits; as many as `bytes`, or fewer where the others are not known
};

// Where a variable is.
struct value_place {
  // Whether that is known, or why not.
  enum class state : uint8_t {
    found,          // `pieces` are all of it, in order
    optimised_out,  // the compiler has left it out at this instruction
    not_yet,        // in the function's prologue: it is stored behind it
    no_register,    // in a register that is not known: that of a caller
    no_lds_offset,  // in LDS; the compiler does not say where
    not_understood  // in a way that this reader does not know
  } what = state::optimised_out;
  std::vector<value_piece> pieces;
  bool is_of_lane = false;  // it depends on the lane
};

// What a place is computed from.
class variable_context {
 public:
  virtual ~variable_context() = default;
  // A scalar register; none: not known.
  virtual std::optional<uint32_t> scalar(unsigned n) const = 0;
  // The lane's part of a vector register; none: not known.
  virtual std::optional<uint32_t> vector(unsigned n) const = 0;
  // EXEC, VCC.
  virtual std::optional<uint64_t> exec() const = 0;
  virtual std::optional<uint64_t> vcc() const = 0;
  // A register that a function's frame in private memory begins at, in bytes of the whole wavefront.
  virtual std::optional<uint32_t> frame_register(unsigned scalar) const = 0;
  // What is there; false: it cannot be read.
  virtual bool read(memory_space space, uint64_t address, void* to, uint64_t bytes) const = 0;
  // Where the code object is in memory.
  virtual uint64_t base() const = 0;
  // The kernel that runs: its first instruction, from the base; bytes of LDS and of private memory as it declares them.
  virtual uint64_t kernel_entry() const = 0;
  virtual uint64_t lds_bytes() const = 0;
  virtual uint64_t private_bytes() const = 0;
};

// The variables of a code object.
class debug_variables {
 public:
  // Keeps the file. What is damaged, or no ELF file, has no variables; there is no error.
  explicit debug_variables(std::vector<uint8_t> code_object);
  ~debug_variables();
  debug_variables(debug_variables&&) noexcept;
  debug_variables& operator=(debug_variables&&) noexcept;

  // The functions that the instruction at `offset` bytes from the base of the loaded code object is in, the innermost
  // first, and the called one last. Empty: nothing is known of it.
  std::vector<scope_function> at(uint64_t offset) const;
  // Variables of no function, of the source file that the instruction is of.
  std::vector<scope_variable> globals(uint64_t offset) const;
  // Where a variable of at() or globals() is before the instruction at `offset`.
  value_place place_of(const scope_variable& v, uint64_t offset, const variable_context& c) const;

 private:
  struct reader;
  std::unique_ptr<reader> reader_;
};

}  // namespace pws::loader
