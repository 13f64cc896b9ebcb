// SPDX-License-Identifier: Apache-2.0
// What expressions are made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "platform/debug/expression.h"
#include "platform/debug/variables.h"

namespace pws::platform::debug {

// What has a name and no number.
enum class special : uint8_t {
  vcc,
  exec,
  spm,
  active,  // masks
  scc,
  m0,
  pc,
  mode,
  lane,
  workitem,
  wavefront,
  workgroup,
  workgroup_x,
  workgroup_y,
  workgroup_z,
  cycle
};
constexpr auto enumerators(special) {
  using e = special;
  return std::array{named{e::vcc, "vcc"},
                    named{e::exec, "exec"},
                    named{e::spm, "spm"},
                    named{e::active, "active"},
                    named{e::scc, "scc"},
                    named{e::m0, "m0"},
                    named{e::pc, "pc"},
                    named{e::mode, "mode"},
                    named{e::lane, "lane"},
                    named{e::workitem, "workitem"},
                    named{e::wavefront, "wavefront"},
                    named{e::workgroup, "workgroup"},
                    named{e::workgroup_x, "workgroup.x"},
                    named{e::workgroup_y, "workgroup.y"},
                    named{e::workgroup_z, "workgroup.z"},
                    named{e::cycle, "cycle"}};
}
inline std::optional<special> special_named(std::string_view name) {
  return value_named<special>(name);
}
constexpr bool is_mask(special s) {
  return s <= special::active;
}

struct expression::node {
  enum class kind : uint8_t {
    number,
    scalar,
    scalar_pair,
    vector,
    special,
    buffer,
    element,
    index,   // of what is no name
    member,  // .NAME
    arrow,   // ->NAME
    address,
    lds,
    memory,
    unary,
    binary
  } what = kind::number;
  value constant;
  int number = 0;      // of a register; a `special`
  std::string name;    // of a variable, buffer, member or operator
  uint64_t bound = 0;  // the variable's entry that the name means alone; 0: any
  std::unique_ptr<node> a, b;

  value evaluate(const scene& s) const;
  memory_place place(const scene& s) const;
  std::optional<typed_object> object(const scene& s) const;
  bool uses_lane(const scene& s) const;
  // An address of a variable for a reader; "": it is something else.
  std::string address_text(const scene& s) const;
  // All of them, itself first.
  template <class F>
  void for_each(F f) {
    f(*this);
    if (a) a->for_each(f);
    if (b) b->for_each(f);
  }

 private:
  // What leads to memory, with the type of what is there.
  struct pointer {
    typed_object to;
    uint64_t address = 0;
  };
  std::optional<pointer> as_pointer(const scene& s) const;
  typed_object whole(const scene& s) const;
  value scalar_value(const scene& s) const;
  value vector_value(const scene& s) const;
  value special_value(const scene& s) const;
  value binary_value(const scene& s) const;
  value element_value(const scene& s) const;
};

}  // namespace pws::platform::debug
