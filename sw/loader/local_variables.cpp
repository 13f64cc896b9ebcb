// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/local_variables.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/lds_layout.h"
#include "sw/loader/type_table.h"
#include "sw/loader/variable_place.h"

namespace pws::loader {

namespace {

bool is_variable(int tag) {
  return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

std::string own_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  const char* const name =
      dwarf_attr_integrate(&die, DW_AT_name, &attribute) == nullptr ? nullptr : dwarf_formstring(&attribute);
  return name == nullptr ? "" : printable(name);
}

// The widest number in it, which clang aligns the whole by. `left`: so many parts more are looked at.
uint64_t alignment_of(const variable_type& t, unsigned& left) {
  constexpr uint64_t widest_vector = 16;
  if (left == 0) return 1;
  --left;
  if (t.kind == type_kind::vector) return std::clamp<uint64_t>(t.bytes, 1, widest_vector);
  if (has_elements(t.kind) && t.of != nullptr) return alignment_of(*t.of, left);
  if (t.kind != type_kind::structure) return std::clamp<uint64_t>(t.bytes, 1, sizeof(uint64_t));
  uint64_t all = 1;
  for (const type_member& m : t.members) all = std::max(all, alignment_of(*m.type, left));
  return all;
}
lds_variable packed(const variable_type& t) {
  unsigned most = 10'000;
  return {t.bytes, alignment_of(t, most)};
}

// clang 15 is the one whose layout is known. Later ones have another, or leave such variables out.
bool is_of_known_layout(Dwarf_Die& unit) {
  Dwarf_Attribute attribute;
  const char* const producer =
      dwarf_attr(&unit, DW_AT_producer, &attribute) == nullptr ? nullptr : dwarf_formstring(&attribute);
  return producer != nullptr && std::string(producer).find("clang version 15.") != std::string::npos;
}

// The addresses of kernels' first instructions: a kernel has a descriptor, NAME.kd.
std::set<uint64_t> kernels_in(const std::vector<uint8_t>& file) {
  std::map<std::string, uint64_t> functions;
  std::set<std::string> kernels;
  const std::string descriptor = ".kd";
  try {
    const elf_file elf({file.data(), file.size(), "code object"});
    for (const elf_section& table : elf.sections()) {
      if (table.type != SHT_SYMTAB && table.type != SHT_DYNSYM) continue;
      for (const elf_symbol& s : elf.symbols(table)) {
        if (s.type == STT_FUNC) functions[s.name] = s.value;
        if (s.name.size() > descriptor.size() && s.name.compare(s.name.size() - 3, 3, descriptor) == 0)
          kernels.insert(s.name.substr(0, s.name.size() - descriptor.size()));
      }
    }
  } catch (const input_error&) {  // damaged: none is known
  }
  std::set<uint64_t> entries;
  for (const auto& [name, address] : functions)
    if (kernels.count(name) != 0) entries.insert(address);
  return entries;
}

}  // namespace

struct debug_variables::reader : dwarf_file {
  explicit reader(std::vector<uint8_t> file) : dwarf_file(std::move(file)), kernels(kernels_in(bytes)) {
    find_unit([&](Dwarf_Die& unit) {
      read_functions(unit, unit, 0);
      return false;
    });
  }

  // A function with code.
  struct function {
    Dwarf_Die die, unit;
    uint64_t entry = 0;
    uint64_t begin = 0, end = 0;  // of its code, where that is in one part
    bool optimised = false;
    std::optional<uint64_t> frame_register;
    mutable std::optional<uint64_t> prologue_end;  // as far as somebody has asked
  };
  // A variable in LDS, and the kernel that alone can have it; 0: it may be any that has it.
  struct lds_row {
    uint64_t id = 0, kernel = 0;
    const variable_type* type = nullptr;
  };

  void read_functions(Dwarf_Die& scope, Dwarf_Die& unit, unsigned depth) {
    if (depth > deepest_nesting) return;
    find_child(scope, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_namespace) read_functions(die, unit, depth + 1);
      if (tag == DW_TAG_variable) note_lds(die, 0);
      if (tag != DW_TAG_subprogram) return false;
      function f;
      f.die = die;
      f.unit = unit;
      const bool has_code = dwarf_entrypc(&die, &f.entry) == 0;
      if (dwarf_lowpc(&die, &f.begin) != 0 || dwarf_highpc(&die, &f.end) != 0) f.begin = f.end = 0;
      f.optimised = is_optimised(die);
      Dwarf_Attribute base;
      if (dwarf_attr(&die, DW_AT_frame_base, &base) != nullptr) f.frame_register = frame_register_of(base);
      if (has_code) functions.push_back(f);
      read_lds(die, has_code && kernels.count(f.entry) != 0 ? f.entry : 0, 0);
      return false;
    });
  }

  void read_lds(Dwarf_Die& scope, uint64_t kernel, unsigned depth) {
    if (depth > deepest_nesting) return;
    find_child(scope, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_variable) note_lds(die, kernel);
      if (tag == DW_TAG_lexical_block) read_lds(die, kernel, depth + 1);
      return false;
    });
  }

  void note_lds(Dwarf_Die& die, uint64_t kernel) {
    Dwarf_Attribute location;
    if (dwarf_attr(&die, DW_AT_location, &location) == nullptr || !is_in_lds(location)) return;
    lds.push_back({dwarf_dieoffset(&die), kernel, types.type_of_entry(die)});
  }

  const function* function_at(uint64_t offset) const {
    for (const function& f : functions) {
      if (f.begin != f.end) {
        if (offset >= f.begin && offset < f.end) return &f;
        continue;
      }
      Dwarf_Die die = f.die;
      if (dwarf_haspc(&die, offset) == 1) return &f;
    }
    return nullptr;
  }

  scope_variable variable(Dwarf_Die& die) {
    return {own_name(die), types.type_of_entry(die), dwarf_dieoffset(&die), dwarf_tag(&die) == DW_TAG_formal_parameter};
  }

  // What is in a block or function; then what is in the block around it.
  void read_scope(Dwarf_Die& scope, uint64_t offset, std::vector<scope_function>& all, unsigned depth) {
    if (depth > deepest_nesting) return;
    std::vector<scope_variable> own;
    const size_t here = all.size() - 1;
    find_child(scope, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (is_variable(tag)) {
        own.push_back(variable(die));
        if (own.back().name.empty()) own.pop_back();
      }
      if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) return false;
      if (all.size() != here + 1 || dwarf_haspc(&die, offset) != 1) return false;
      if (tag == DW_TAG_inlined_subroutine) {
        all.push_back({own_name(die), true, all.front().is_optimised, all.front().entry, {}});
        read_scope(die, offset, all, depth + 1);
      } else {
        read_scope(die, offset, all, depth + 1);
      }
      return false;
    });
    if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) add_statics(scope, own);
    std::vector<scope_variable>& to = all[here].variables;
    to.insert(to.end(), own.begin(), own.end());
  }

  // Those that an inlined function has once, such as __shared__ ones, stand in its definition alone.
  void add_statics(Dwarf_Die& inlined, std::vector<scope_variable>& own) {
    Dwarf_Attribute attribute;
    Dwarf_Die definition;
    if (dwarf_attr(&inlined, DW_AT_abstract_origin, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, &definition) == nullptr)
      return;
    find_child(definition, [&](Dwarf_Die& die) {
      if (dwarf_tag(&die) == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_location) != 0) own.push_back(variable(die));
      return false;
    });
  }

  // Behind a function's prologue its frame is there, and its parameters are in it.
  uint64_t end_of_prologue(const function& f) const {
    if (!f.prologue_end) f.prologue_end = find_end_of_prologue(f);
    return *f.prologue_end;
  }
  static uint64_t find_end_of_prologue(const function& f) {
    Dwarf_Die unit = f.unit, die = f.die;
    Dwarf_Lines* rows = nullptr;
    size_t n = 0;
    if (dwarf_getsrclines(&unit, &rows, &n) != 0) return 0;
    for (size_t k = 0; k < n; ++k) {
      Dwarf_Line* const row = dwarf_onesrcline(rows, k);
      bool ends = false;
      Dwarf_Addr at = 0;
      if (dwarf_lineprologueend(row, &ends) == 0 && ends && dwarf_lineaddr(row, &at) == 0 && dwarf_haspc(&die, at) == 1)
        return at;
    }
    return 0;
  }

  std::optional<uint64_t> lds_offset(uint64_t id, const variable_context& c) const {
    std::vector<lds_variable> own, others;
    std::vector<uint64_t> ids;
    for (const lds_row& row : lds) {
      if (row.type->bytes == 0 || (row.kernel != 0 && row.kernel != c.kernel_entry())) continue;
      if (row.kernel == 0) {
        others.push_back(packed(*row.type));
        if (lds.size() != 1) continue;
      }
      own.push_back(packed(*row.type));
      ids.push_back(row.id);
    }
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end()) return {};
    const size_t k = static_cast<size_t>(found - ids.begin());
    // An optimiser leaves no variable that is not used, but it moves arrays of work-items to LDS, behind these.
    const function* const kernel = function_at(c.kernel_entry());
    if (kernel == nullptr) return {};
    Dwarf_Die unit = kernel->unit;
    if (!is_of_known_layout(unit)) return {};
    if (kernel->optimised && others.empty()) {
      const lds_layout l = layout_of(own);
      if (l.bytes <= c.lds_bytes()) return l.offsets[k];
      return {};
    }
    return lds_offsets(own, c.lds_bytes())[k];
  }

  const std::set<uint64_t> kernels;
  std::vector<function> functions;
  std::vector<lds_row> lds;
  type_table types;
};

debug_variables::debug_variables(std::vector<uint8_t> code_object)
    : reader_(std::make_unique<reader>(std::move(code_object))) {}
debug_variables::~debug_variables() = default;
debug_variables::debug_variables(debug_variables&&) noexcept = default;
debug_variables& debug_variables::operator=(debug_variables&&) noexcept = default;

std::vector<scope_function> debug_variables::at(uint64_t offset) const {
  std::vector<scope_function> all;
  const reader::function* const f = reader_->function_at(offset);
  if (f == nullptr) return all;
  Dwarf_Die die = f->die;
  all.push_back({own_name(die), false, f->optimised, f->entry, {}});
  reader_->read_scope(die, offset, all, 0);
  std::reverse(all.begin(), all.end());
  return all;
}

std::vector<scope_variable> debug_variables::globals(uint64_t offset) const {
  std::vector<scope_variable> all;
  const reader::function* const f = reader_->function_at(offset);
  if (f == nullptr) return all;
  const auto read = [&](auto& self, Dwarf_Die scope, unsigned depth) -> void {
    if (depth > deepest_nesting) return;
    find_child(scope, [&](Dwarf_Die& die) {
      if (dwarf_tag(&die) == DW_TAG_namespace) self(self, die, depth + 1);
      // A member of a class, which an entry elsewhere declares, has no name by itself.
      if (dwarf_tag(&die) == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_location) != 0 &&
          dwarf_hasattr(&die, DW_AT_specification) == 0)
        all.push_back(reader_->variable(die));
      return false;
    });
  };
  read(read, f->unit, 0);
  return all;
}

value_place debug_variables::place_of(const scope_variable& v, uint64_t offset, const variable_context& c) const {
  value_place p;
  Dwarf_Die die;
  Dwarf_Attribute attribute;
  if (reader_->dwarf == nullptr || dwarf_offdie(reader_->dwarf, v.id, &die) == nullptr) return p;
  if (dwarf_attr_integrate(&die, DW_AT_location, &attribute) == nullptr) {
    if (dwarf_attr_integrate(&die, DW_AT_const_value, &attribute) == nullptr) return p;
    return constant_place(attribute, v.type->bytes);
  }
  location_context context{c, {}, [&] { return reader_->lds_offset(v.id, c); }};
  if (const reader::function* const f = reader_->function_at(offset)) {
    context.frame_register = f->frame_register;
    if (!f->optimised && is_of_frame(attribute) && offset < reader_->end_of_prologue(*f)) {
      p.what = value_place::state::not_yet;
      return p;
    }
  }
  return place_by(attribute, offset, v.type->bytes, context);
}

}  // namespace pws::loader
