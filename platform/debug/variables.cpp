// SPDX-License-Identifier: Apache-2.0
// Which variables there are, and where.
#include "platform/debug/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "models/isa/predicates.h"
#include "platform/debug/expression_node.h"
#include "platform/debug/variable_memory.h"

namespace pws::platform::debug {

using place_state = loader::value_place::state;

const code_variables::object* code_variables::object_at(uint64_t pc) const {
  const loader::image* const image = runtime_.image_at(pc);
  if (image == nullptr) return nullptr;
  const auto known = objects_.find(image);
  if (known != objects_.end()) return &known->second;
  for (const loaded_code::loaded_object& o : runtime_.loaded_after(0))
    if (o.image == image)
      return &objects_.emplace(image, object{image->base, loader::debug_variables(o.object->file_bytes())})
                  .first->second;
  return nullptr;
}

const std::vector<loader::scope_function>& code_variables::functions_at(uint64_t pc) const {
  const auto known = functions_.find(pc);
  if (known != functions_.end()) return known->second;
  const object* const o = object_at(pc);
  return functions_.emplace(pc, o == nullptr ? std::vector<loader::scope_function>{} : o->variables.at(pc - o->base))
      .first->second;
}

void code_variables::forget() {
  functions_.clear();
  objects_.clear();
}

namespace {

uint64_t pc_of(const scene& s) {
  return s.frame.is_caller ? s.frame.pc : s.machine->pc_of(s.at);
}

// The registers of the scene's path, or what is known of them in a caller.
class path_context : public loader::variable_context {
 public:
  path_context(const scene& s, const code_variables::object& o) : s_(s), o_(o) {}

  std::optional<uint32_t> scalar(unsigned n) const override {
    if (s_.frame.is_caller || n >= state().n_sgprs) return {};
    return state().scalar[n];
  }
  std::optional<uint32_t> vector(unsigned n) const override {
    if (s_.frame.is_caller || n >= state().n_vgprs || state().vgpr == nullptr) return {};
    return state().vgpr[n].lane[std::max(s_.lane, 0)];
  }
  std::optional<uint64_t> exec() const override {
    if (s_.frame.is_caller) return {};
    return state().scalar64(isa::exec_lo);
  }
  std::optional<uint64_t> vcc() const override {
    if (s_.frame.is_caller) return {};
    return state().vcc();
  }
  std::optional<uint32_t> frame_register(unsigned n) const override {
    const isa::inst* const i = s_.machine->runtime.instruction_at(pc_of(s_));
    const auto& functions = s_.machine->variables().functions_at(pc_of(s_));
    // A kernel's frame is at the beginning of private memory, whoever has used the register since.
    if (!functions.empty() && functions.back().entry == kernel_entry()) return 0;
    // In front of its return a function has given its frame up.
    const bool returns = i != nullptr && isa::operation_of(*i) == isa::operation::set_pc;
    if (returns && !functions.empty() && !functions.back().is_optimised) return {};
    return scalar(n);
  }
  bool read(loader::memory_space space, uint64_t address, void* to, uint64_t bytes) const override {
    try {
      read_variable(s_, space, address, to, bytes);
      return true;
    } catch (const input_error&) {
      return false;
    }
  }
  uint64_t base() const override { return o_.base; }
  uint64_t kernel_entry() const override { return launch().setup.entry - o_.base; }
  uint64_t lds_bytes() const override { return launch().descriptor.group_segment_bytes; }
  uint64_t private_bytes() const override { return launch().descriptor.private_segment_bytes; }

 private:
  const isa::wave_state& state() const { return s_.at.context->state; }
  const models::dispatch& launch() const { return *s_.at.context->group->launch.of; }

  const scene& s_;
  const code_variables::object& o_;
};

typed_object placed(const scene& s, const code_variables::object& o, const loader::scope_variable& v) {
  return {v.type,
          std::make_shared<loader::value_place>(o.variables.place_of(v, pc_of(s) - o.base, path_context(s, o)))};
}

}  // namespace

typed_object object_of(const scene& s, const loader::scope_variable& v) {
  return placed(s, *s.machine->variables().object_at(pc_of(s)), v);
}

std::vector<visible_variable> variables_in(const scene& s) {
  std::vector<visible_variable> all;
  if (s.machine == nullptr || !s.at) return all;
  const auto& functions = s.machine->variables().functions_at(pc_of(s));
  for (size_t f = s.frame.function; f < functions.size(); ++f) {
    std::set<std::string> names;  // of a function's own
    for (const loader::scope_variable& v : functions[f].variables) all.push_back({&v, f, !names.insert(v.name).second});
  }
  return all;
}

std::string expression_of(const visible_variable& v, const scene& s) {
  const std::string& name = v.variable->name;
  const bool is_register = register_number(name, 's') >= 0 || register_number(name, 'v') >= 0 || name == "lds" ||
                           special_named(name).has_value();
  const std::string& function = s.machine->variables().functions_at(pc_of(s))[v.function].name;
  for (const std::string& text : {name, fmt::format("{}::{}", function, name)}) {
    if (text[0] == ':' || (is_register && text == name)) continue;
    if (const auto found = find_variable(s, text); found && found->id == v.variable->id) return text;
  }
  return "";
}

namespace {

bool is_of_kernel(const scene& s, const loader::scope_function& f, const loader::scope_variable& v) {
  return v.is_parameter && !f.is_inlined &&
         f.entry + s.machine->variables().object_at(pc_of(s))->base == s.at.context->group->launch.of->setup.entry;
}

}  // namespace

// As variables_in() has them, without a list: conditions ask in every lane.
std::optional<found_variable> find_variable(const scene& s, const std::string& name, uint64_t bound) {
  if (s.machine == nullptr || !s.at) return {};
  const size_t colons = name.rfind("::");
  const std::string_view of = colons == std::string::npos ? "" : std::string_view(name).substr(0, colons);
  const std::string_view own = colons == std::string::npos ? name : std::string_view(name).substr(colons + 2);
  const auto& functions = s.machine->variables().functions_at(pc_of(s));
  for (size_t f = s.frame.function; f < functions.size(); ++f) {
    if (!of.empty() && functions[f].name != of) continue;
    for (const loader::scope_variable& v : functions[f].variables)
      if (bound != 0 ? v.id == bound : v.name == own)
        return found_variable{object_of(s, v), v.id, is_of_kernel(s, functions[f], v)};
  }
  if (bound != 0) throw input_error(fmt::format("{} is not in scope", name));
  return {};
}

std::string shown_value(const visible_variable& v, const scene& s) {
  const typed_object o = object_of(s, *v.variable);
  const loader::scope_function& f = s.machine->variables().functions_at(pc_of(s))[v.function];
  if (o.place->what == place_state::found || !is_of_kernel(s, f, *v.variable)) return text_of(o, s);
  const auto number = s.machine->numbers().find(v.variable->name);
  const auto buffer = s.machine->buffers().find(v.variable->name);
  if (number != s.machine->numbers().end())
    return fmt::format("{}, as it was given", platform::text_of(number->second.type, number->second.bits));
  if (buffer != s.machine->buffers().end()) return fmt::format("{:#x}, as it was given", buffer->second.begin);
  return text_of(o, s);
}

std::optional<typed_object> global_named(const scene& s, const std::string& name) {
  if (s.machine == nullptr || !s.at) return {};
  const code_variables::object* const o = s.machine->variables().object_at(pc_of(s));
  if (o == nullptr) return {};
  for (const loader::scope_variable& v : o->variables.globals(pc_of(s) - o->base))
    if (v.name == name) return placed(s, *o, v);
  return {};
}

std::string state_of_lane(const path& p, int lane) {
  const auto bit = [&](uint64_t mask) { return (mask >> lane & 1) != 0; };
  const isa::wave_state& s = p.context->state;
  return !bit(p.context->tree.root->tree.launched) ? "no such work-item"
         : !bit(s.split_mask)                      ? "not of this path"
         : bit(s.active())                         ? "active"
                                                   : "not active";
}

}  // namespace pws::platform::debug
