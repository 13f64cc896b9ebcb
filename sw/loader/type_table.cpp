// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/type_table.h"

#include <fmt/format.h>

#include <optional>

namespace pws::loader {

namespace {

constexpr uint64_t byte_bits = 8;
constexpr size_t longest_dimensions = 200;  // characters

std::optional<Dwarf_Word> number_of(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word n = 0;
  if (dwarf_attr(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &n) != 0) return {};
  return n;
}

std::string type_name(Dwarf_Die& die) {
  const char* const name = dwarf_diename(&die);
  return name == nullptr ? "" : printable(name);
}

std::string qualifier_of(int tag) {
  return tag == DW_TAG_const_type ? "const " : tag == DW_TAG_volatile_type ? "volatile " : "";
}

// "int", "const float *", "int[4][8]", as the source would write it.
std::string written(Dwarf_Die die) {
  std::string before, behind;
  for (unsigned depth = 0; depth < deepest_nesting; ++depth) {
    const int tag = dwarf_tag(&die);
    const bool is_pointer = tag == DW_TAG_pointer_type;
    if (is_pointer || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
      const bool joins = !behind.empty() && (behind[0] == '*' || behind[0] == '&');
      behind = fmt::format("{}{}{}",
                           is_pointer                     ? "*"
                           : tag == DW_TAG_reference_type ? "&"
                                                          : "&&",
                           joins ? "" : " ", behind);
      while (!behind.empty() && behind.back() == ' ') behind.pop_back();
    } else if (tag == DW_TAG_array_type) {
      std::string dimensions;
      find_child(die, [&](Dwarf_Die& d) {
        const auto count = number_of(d, DW_AT_count);
        if (dwarf_tag(&d) == DW_TAG_subrange_type) dimensions += count ? fmt::format("[{}]", *count) : "[]";
        return dimensions.size() > longest_dimensions;
      });
      const bool leads_to_it = !behind.empty() && behind[0] != '[';
      behind = fmt::format("{}{}{}{}", leads_to_it ? "(" : "", behind, leads_to_it ? ")" : "", dimensions);
    } else if (is_alias(tag) && tag != DW_TAG_typedef) {
      // What is written behind a pointer is of the pointer itself.
      Dwarf_Die of;
      const bool is_of_pointer = declared_type_of(die, of) && dwarf_tag(&of) == DW_TAG_pointer_type;
      (is_of_pointer ? behind : before).insert(0, qualifier_of(tag));
    } else {
      std::string name = type_name(die);
      if (name.empty())
        name = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ? "struct {...}"
               : tag == DW_TAG_union_type                               ? "union {...}"
               : tag == DW_TAG_enumeration_type                         ? "enum {...}"
               : tag == DW_TAG_subroutine_type                          ? "function"
                                                                        : "?";
      return fmt::format("{}{}{}{}", before, name, behind.empty() || behind[0] == '[' ? "" : " ", behind);
    }
    if (!declared_type_of(die, die)) return fmt::format("{}void{}{}", before, behind.empty() ? "" : " ", behind);
  }
  return "?";
}

type_kind base_kind(Dwarf_Word encoding, uint64_t bytes) {
  switch (encoding) {
    case DW_ATE_boolean:
      return type_kind::boolean;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
      return type_kind::character;
    case DW_ATE_signed:
      return type_kind::signed_integer;
    case DW_ATE_unsigned:
      return type_kind::unsigned_integer;
    case DW_ATE_float:
      return bytes == 2 || bytes == 4 || bytes == 8 ? type_kind::real : type_kind::unknown;
    default:
      return type_kind::unknown;
  }
}

// The numbers of address spaces that clang gives AMDGPU's pointers.
memory_space space_of(Dwarf_Die& pointer) {
  constexpr Dwarf_Word of_lane = 1, lds = 2;
  const auto number = number_of(pointer, DW_AT_address_class);
  return number == of_lane ? memory_space::of_lane : number == lds ? memory_space::lds : memory_space::flat;
}

}  // namespace

const variable_type* type_table::type_of_entry(Dwarf_Die die) {
  static const variable_type unknown{type_kind::unknown, "void", 0, nullptr, 0, memory_space::flat, false, {}, {}};
  Dwarf_Die declared;
  return declared_type_of(die, declared) ? type(declared) : &unknown;
}

const variable_type* type_table::type(Dwarf_Die die) {
  variable_type* const t = known(die);
  while (!to_read_.empty()) {
    const auto [next, to] = to_read_.back();
    to_read_.pop_back();
    read(next, *to);
  }
  for (variable_type* const array : arrays_) array->bytes = bytes_of(*array);
  arrays_.clear();
  return t;
}

uint64_t type_table::bytes_of(const variable_type& t, unsigned depth) {
  if (!has_elements(t.kind) || t.bytes != 0) return t.bytes;
  if (depth > deepest_nesting || t.of == nullptr) return 0;
  const uint64_t element = bytes_of(*t.of, depth + 1);
  return element == 0 || t.count > largest_object / element ? 0 : t.count * element;
}

// Types are of each other, in circles too: they are read one after the other.
variable_type* type_table::known(Dwarf_Die die) {
  const auto [row, is_new] = by_entry_.try_emplace(dwarf_dieoffset(&die));
  if (is_new) {
    row->second = all_.emplace_back(std::make_unique<variable_type>()).get();
    to_read_.emplace_back(die, row->second);
  }
  return row->second;
}

variable_type* type_table::known_of(Dwarf_Die& die) {
  Dwarf_Die of;
  return declared_type_of(die, of) ? known(of) : nullptr;
}

void type_table::read(Dwarf_Die die, variable_type& to) {
  to.name = written(die);
  for (unsigned depth = 0; is_alias(dwarf_tag(&die)); ++depth)
    if (depth == deepest_nesting || !declared_type_of(die, die)) return;
  constexpr uint64_t pointer_bytes = 8, narrow_pointer_bytes = 4;
  if (const auto bytes = number_of(die, DW_AT_byte_size); bytes && *bytes <= largest_object) to.bytes = *bytes;
  switch (dwarf_tag(&die)) {
    case DW_TAG_base_type:
      if (const auto encoding = number_of(die, DW_AT_encoding)) to.kind = base_kind(*encoding, to.bytes);
      if (to.bytes > sizeof(uint64_t) || to.bytes == 0) to.kind = type_kind::unknown;
      to.is_signed = number_of(die, DW_AT_encoding) == DW_ATE_signed_char || to.kind == type_kind::signed_integer;
      return;
    case DW_TAG_enumeration_type:
      read_enumeration(die, to);
      return;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      to.kind = dwarf_tag(&die) == DW_TAG_pointer_type ? type_kind::pointer : type_kind::reference;
      to.leads_to = space_of(die);
      to.bytes = to.leads_to == memory_space::flat ? pointer_bytes : narrow_pointer_bytes;
      to.of = known_of(die);
      return;
    case DW_TAG_array_type:
      read_array(die, to);
      return;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      to.kind = type_kind::structure;
      read_members(die, to);
      return;
    default:
      return;
  }
}

void type_table::read_enumeration(Dwarf_Die& die, variable_type& to) {
  if (to.bytes == 0 || to.bytes > sizeof(uint64_t)) return;
  to.kind = type_kind::enumeration;
  Dwarf_Die underlying;
  to.is_signed = true;
  if (type_of(die, underlying)) {
    const auto encoding = number_of(underlying, DW_AT_encoding);
    to.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  }
  find_child(die, [&](Dwarf_Die& e) {
    Dwarf_Attribute attribute;
    Dwarf_Sword value = 0;
    if (dwarf_tag(&e) == DW_TAG_enumerator && dwarf_attr(&e, DW_AT_const_value, &attribute) != nullptr &&
        dwarf_formsdata(&attribute, &value) == 0)
      to.enumerators.push_back({type_name(e), value});
    return false;
  });
}

// An array of several dimensions is one of arrays.
void type_table::read_array(Dwarf_Die& die, variable_type& to) {
  std::vector<uint64_t> counts;
  find_child(die, [&](Dwarf_Die& d) {
    if (dwarf_tag(&d) != DW_TAG_subrange_type) return false;
    auto count = number_of(d, DW_AT_count);
    if (!count)
      if (const auto last = number_of(d, DW_AT_upper_bound)) count = *last + 1;
    counts.push_back(count && *count <= largest_object ? *count : 0);
    return counts.size() >= deepest_nesting;
  });
  variable_type* const element = known_of(die);
  if (counts.empty() || element == nullptr) return;
  const bool is_vector = dwarf_hasattr(&die, DW_AT_GNU_vector) != 0;
  variable_type* outer = &to;
  for (size_t k = 0; k < counts.size(); ++k) {
    outer->kind = is_vector ? type_kind::vector : type_kind::array;
    outer->count = counts[k];
    arrays_.push_back(outer);
    if (k + 1 == counts.size()) {
      outer->of = element;
      break;
    }
    variable_type* const inner = all_.emplace_back(std::make_unique<variable_type>()).get();
    const size_t bracket = outer->name.find('[');
    const size_t behind = bracket == std::string::npos ? bracket : outer->name.find(']', bracket);
    inner->name = outer->name;
    if (behind != std::string::npos) inner->name.erase(bracket, behind + 1 - bracket);
    outer->of = inner;
    outer = inner;
  }
}

void type_table::read_members(Dwarf_Die& die, variable_type& to) {
  find_child(die, [&](Dwarf_Die& m) {
    const int tag = dwarf_tag(&m);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&m, DW_AT_external) != 0) return false;
    type_member member;
    member.name = type_name(m);
    member.is_base = tag == DW_TAG_inheritance;
    member.type = known_of(m);
    const uint64_t bits = number_of(m, DW_AT_bit_size).value_or(0);
    const bool has_place = dwarf_hasattr(&m, DW_AT_data_member_location) != 0;
    const auto place = number_of(m, DW_AT_data_member_location);
    // That of a virtual base is computed.
    if (member.type == nullptr || bits > sizeof(uint64_t) * byte_bits || (has_place && !place)) return false;
    member.bits = static_cast<unsigned>(bits);
    member.bit = place.value_or(0) * byte_bits;
    if (const auto bit = number_of(m, DW_AT_data_bit_offset)) member.bit = *bit;
    // DWARF 4 counts the bits of a field from the most significant one of its unit.
    if (const auto from_top = number_of(m, DW_AT_bit_offset))
      if (const auto unit = number_of(m, DW_AT_byte_size); unit && *unit * byte_bits >= *from_top + bits)
        member.bit += *unit * byte_bits - *from_top - bits;
    if (member.bit <= largest_object * byte_bits) to.members.push_back(std::move(member));
    return false;
  });
}

namespace {

// `left`: so many members more are looked at. A damaged structure may be a part of itself.
void add_named(const variable_type& type, uint64_t bit, std::vector<type_member>& all, unsigned& left, unsigned depth) {
  if (depth > deepest_nesting) return;
  for (const type_member& m : type.members) {
    if (left == 0) return;
    --left;
    if (m.is_base || m.name.empty()) {
      add_named(*m.type, bit + m.bit, all, left, depth + 1);
      continue;
    }
    all.push_back(m);
    all.back().bit += bit;
  }
}

}  // namespace

std::vector<type_member> named_members(const variable_type& type) {
  std::vector<type_member> all;
  unsigned most = 10'000;
  add_named(type, 0, all, most, 0);
  return all;
}

}  // namespace pws::loader
