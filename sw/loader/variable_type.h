// SPDX-License-Identifier: Apache-2.0
// Types of variables as a program's source has them, from a code object's DWARF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::loader {

// What a variable's bytes are.
enum class type_kind : uint8_t {
  unknown,  // void, a function, a pointer to a member, or what is damaged
  boolean,
  character,
  signed_integer,
  unsigned_integer,
  real,  // of 2, 4 or 8 bytes
  enumeration,
  pointer,
  reference,
  array,
  vector,  // of the compiler: ext_vector_type
  structure
};

// Memory that a variable can be in, or a pointer lead to.
enum class memory_space : uint8_t {
  flat,     // the address says which, by the apertures of FLAT instructions
  global,   // of the device
  lds,      // of the workgroup, by byte offset
  of_lane,  // private memory, by the byte's offset in what the work-item has
  not_flat  // LDS or private memory, nothing says which
};

struct variable_type;

// A member of a structure or union.
struct type_member {
  std::string name;                     // "": a structure or union without a name, whose members are the outer one's
  const variable_type* type = nullptr;  // never that
  bool is_base = false;  // it is a class that the structure is derived from: its members are the outer one's
  uint64_t bit = 0;      // where it begins, in bits
  unsigned bits = 0;     // of a bit field; 0: it is none
};

// One of an enumeration's names.
struct type_enumerator {
  std::string name;
  int64_t value = 0;
};

// Belongs to the type_table that it is from.
struct variable_type {
  type_kind kind = type_kind::unknown;
  std::string name;    // as the source has it: "int", "const float *", "int[4][8]"
  uint64_t bytes = 0;  // 0: not known
  // What an element is, or what a pointer or reference leads to. nullptr: not known.
  const variable_type* of = nullptr;
  uint64_t count = 0;                          // elements of an array or vector; 0: not known
  memory_space leads_to = memory_space::flat;  // of pointers and references
  bool is_signed = false;                      // enumerations
  std::vector<type_member> members;            // in the order of the source
  std::vector<type_enumerator> enumerators;
};

// A number, a truth value, a character or one of an enumeration.
constexpr bool is_integer(type_kind k) {
  return k >= type_kind::boolean && k <= type_kind::enumeration && k != type_kind::real;
}
// An array or a compiler's vector.
constexpr bool has_elements(type_kind k) {
  return k == type_kind::array || k == type_kind::vector;
}

// All members with a name, those of bases and of structures without a name among them, by their place in the whole.
std::vector<type_member> named_members(const variable_type& type);

}  // namespace pws::loader
