// SPDX-License-Identifier: Apache-2.0
// What users of a debugger write: registers, buffer elements and numbers, with operators as in C. Conditions of
// breakpoints, what `print` and `watch` take, addresses.
//
//   s4, s[4:5], v2, v2[17], vcc, exec, spm, active, scc, m0, pc, mode   registers; v2 of a lane that is given elsewhere
//   exec[5]                             a bit of vcc, exec, spm or active
//   lane, workitem, wavefront, workgroup, workgroup.x, cycle
//   sum, p.x, p->x, tile[3], *q, &p     a variable of the source in scope, its parts, what it leads to, its address
//   twice::y                            a variable of that function
//   n, out, out[3]                      an argument: a number, a buffer's address; an element, by its type
//   lds[8], *0x100000000                the 32 bits at a byte address
//
// Numbers are 64 bits, signed; elements of real types are doubles. A register may have a $ in front. A name is that of
// a register, else that of a variable, else that of an argument, which a kernel's parameter is that it has not changed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/debug/machine_view.h"

namespace pws::platform::debug {

struct value {
  bool real = false;
  int64_t integer = 0;
  double number = 0;  // where it is real
  bool is_true() const { return real ? number != 0 : integer != 0; }
  bool operator==(const value& o) const { return real == o.real && (real ? number == o.number : integer == o.integer); }
};

struct typed_object;  // platform/debug/variables.h

// Which of a path's functions names are looked for in: one that it is in, or the one that has called that.
struct frame_choice {
  bool is_caller = false;
  uint64_t pc = 0;      // is_caller: of the call
  size_t function = 0;  // so many of the functions that were inlined at the instruction are left out, innermost first
};

// Where an expression is about registers: a path, and for vector registers without a lane, one.
struct scene {
  const machine_view* machine = nullptr;
  path at;        // none: registers are refused
  int lane = -1;  // -1: none is selected
  models::cycle_t cycle = 0;
  frame_choice frame = {};
};

// As it is shown where no format is given: large numbers in base 16 too.
std::string text_of(const value& v);

// What it names in memory, for those who watch it.
struct memory_place {
  bool lds = false;
  uint64_t begin = 0, bytes = 0;
};

class expression {
 public:
  // Throws input_error, which says what is wrong and where.
  static expression parse(std::string_view text);
  ~expression();
  expression(expression&&) noexcept;
  expression& operator=(expression&&) noexcept;

  const std::string& text() const { return text_; }
  // Whether it is about a lane: a vector register without one, `lane` itself, or a variable that each lane has.
  bool uses_lane(const scene& s) const;
  // Throws input_error: registers and elements that are not there, a division by 0, no path, no lane.
  value evaluate(const scene& s) const;
  // The variable, or the part of one, that the whole of it is; none: it is something else. Throws input_error.
  std::optional<typed_object> object(const scene& s) const;
  // Its value for a reader: as its type says, if it is such an object. Throws input_error.
  std::string value_text(const scene& s) const;
  // From now on its names mean those variables that they mean in the scene, wherever the path is: evaluate() throws
  // where they are not in scope. What they are then, for another expression of the same text.
  void bind(const scene& s);
  std::vector<uint64_t> bound() const;
  void bind(const std::vector<uint64_t>& to);
  // Element, word or buffer, if the whole of it is that; bytes 0: it is no memory. Throws input_error.
  memory_place place(const scene& s) const;

  struct node;

 private:
  expression();
  std::string text_;
  std::unique_ptr<node> root_;
};

// The number of a register in its name, s12 or v3 (`kind` s or v), if the name is that; else -1.
int register_number(std::string_view name, char kind);

}  // namespace pws::platform::debug
