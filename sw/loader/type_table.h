// SPDX-License-Identifier: Apache-2.0
// Types of a code object, read when they are first asked for. Only sources of this folder include it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sw/loader/dwarf_file.h"
#include "sw/loader/variable_type.h"

namespace pws::loader {

class type_table {
 public:
  // What an entry says its type is. Never nullptr: what is not known is of the kind `unknown`.
  const variable_type* type_of_entry(Dwarf_Die die);
  // The type that an entry is.
  const variable_type* type(Dwarf_Die die);

 private:
  variable_type* known(Dwarf_Die die);
  // The same of what an entry says its type is; nullptr: it says none.
  variable_type* known_of(Dwarf_Die& die);
  void read(Dwarf_Die die, variable_type& to);
  static void read_enumeration(Dwarf_Die& die, variable_type& to);
  void read_array(Dwarf_Die& die, variable_type& to);
  void read_members(Dwarf_Die& die, variable_type& to);
  static uint64_t bytes_of(const variable_type& t, unsigned depth = 0);

  std::map<Dwarf_Off, variable_type*> by_entry_;
  std::vector<std::unique_ptr<variable_type>> all_;
  std::vector<std::pair<Dwarf_Die, variable_type*>> to_read_;
  std::vector<variable_type*> arrays_;  // whose bytes are not counted yet
};

}  // namespace pws::loader
