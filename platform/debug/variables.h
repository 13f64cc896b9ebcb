// SPDX-License-Identifier: Apache-2.0
// Variables of the source on a machine that stands still: those in scope, by name, and what they hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/expression.h"
#include "platform/machine/loaded_code.h"
#include "sw/loader/local_variables.h"

namespace pws::platform::debug {

// The variables of all code that is loaded, read when they are first asked for.
class code_variables {
 public:
  explicit code_variables(const loaded_code& runtime) : runtime_(runtime) {}

  // A code object's; nullptr: no code is at the address.
  struct object {
    uint64_t base = 0;  // where it is loaded
    loader::debug_variables variables;
  };
  const object* object_at(uint64_t pc) const;
  // The functions that the instruction is in, the innermost first.
  const std::vector<loader::scope_function>& functions_at(uint64_t pc) const;
  // Code has come or gone.
  void forget();

 private:
  const loaded_code& runtime_;
  mutable std::map<const loader::image*, object> objects_;
  mutable std::map<uint64_t, std::vector<loader::scope_function>> functions_;
};

// A variable, a member or an element of one, or what a pointer leads to.
struct typed_object {
  const loader::variable_type* type = nullptr;
  std::shared_ptr<const loader::value_place> place;
  uint64_t begin = 0;  // its first byte in that
  unsigned bit = 0;    // bits of a field: its first one in that byte, and how many
  unsigned bits = 0;   // 0: it is no bit field
};

// A variable that is in scope.
struct visible_variable {
  const loader::scope_variable* variable = nullptr;
  size_t function = 0;     // in which function, as code_variables counts them
  bool is_hidden = false;  // by one of the same name in a block within
};

// Those of the scene's frame, and of the functions that it was inlined into. Empty: there are none.
std::vector<visible_variable> variables_in(const scene& s);
// What an expression calls it: FUNCTION::NAME where a register or another variable has the name; "": nothing does.
std::string expression_of(const visible_variable& v, const scene& s);
// The one that a name means there, or FUNCTION::NAME; none: there is none of that name. `bound`: it is the one with
// that entry, in whichever block the path is; 0: any.
struct found_variable {
  typed_object object;
  uint64_t id = 0;
  bool is_of_kernel = false;  // a parameter of the kernel itself
};
std::optional<found_variable> find_variable(const scene& s, const std::string& name, uint64_t bound = 0);
// One that is outside all functions of the source file.
std::optional<typed_object> global_named(const scene& s, const std::string& name);
// One of variables_in().
typed_object object_of(const scene& s, const loader::scope_variable& v);

// A variable's value for a reader. A kernel's parameter that the compiler has not kept is what the launch was given.
std::string shown_value(const visible_variable& v, const scene& s);
// Why nothing is known of it, as it is shown; "": it can be read.
std::string missing_text(const typed_object& o, const scene& s);
// Its value as the source would write it, or why there is none.
std::string text_of(const typed_object& o, const scene& s);
// The same; throws input_error where it cannot be read.
std::string text_or_error(const typed_object& o, const scene& s);
// It as a number; a pointer's is its address, a reference's what it leads to. Throws input_error.
value value_of(const typed_object& o, const scene& s);
// Parts. Throw input_error: there is no such member, the type has no elements, the pointer leads nowhere.
typed_object member_of(const typed_object& o, const std::string& name, const scene& s);
typed_object element_of(const typed_object& o, int64_t index, const scene& s);
typed_object pointed_to(const typed_object& o, const scene& s);
// What a reference leads to; others as they are.
typed_object without_reference(typed_object o, const scene& s);
// What is so many bytes behind it.
typed_object moved(const typed_object& o, int64_t bytes);
// What a pointer of the type leads to, where the address is known.
typed_object object_at(const loader::variable_type& pointer, uint64_t address);
// Where it is in global memory or LDS; bytes 0: it is in neither, or not in one part.
memory_place memory_of(const typed_object& o, const scene& s);
// Whether it is in memory of any kind, in one part.
bool has_address(const typed_object& o);
// Its address, as FLAT instructions have it. Throws input_error.
uint64_t address_of(const typed_object& o, const scene& s);

// Its members or elements, by the names that they have behind it: ".x", "[3]". Of a pointer, what it leads to; a
// reference has none itself.
struct object_part {
  std::string name;
  typed_object object;
};
uint64_t count_of_parts(const typed_object& o);
std::vector<object_part> parts_of(const typed_object& o, uint64_t begin, uint64_t end, const scene& s);

// "active", or why the selected lane executes nothing.
std::string state_of_lane(const path& p, int lane);

}  // namespace pws::platform::debug
