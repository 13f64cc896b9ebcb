// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/machine_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/compute_unit/cu_messages.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/inst.h"
#include "platform/debug/variables.h"

namespace pws::platform::debug {

using models::wf_context;
using models::wf_status;

machine_view::machine_view(const models::gpu& g, const loaded_code& r)
    : gpu(g), runtime(r), variables_(std::make_unique<code_variables>(r)) {}
machine_view::~machine_view() = default;

void machine_view::forget_code() {
  parameters_.clear();
  variables_->forget();
}

namespace {
bool is_there(const wf_context& c) {
  return c.status != wf_status::idle && c.status != wf_status::ended;
}
}  // namespace

std::vector<path> machine_view::wavefronts() const {
  std::vector<path> all;
  for (const auto& cu : gpu.cus)
    for (uint32_t u = 0; u < cu->layout().count(); ++u) {
      const models::simd_unit& unit = cu->unit(models::unit_id(u));
      for (const uint16_t k : unit.order) {
        const wf_context& c = unit.contexts[k];
        if (c.status == wf_status::idle || c.is_swf() || c.tree.root == nullptr) continue;
        if (!paths_of({cu->index(), &c}).empty()) all.push_back({cu->index(), &c});
      }
    }
  std::stable_sort(all.begin(), all.end(), [this](const path& a, const path& b) {
    return wavefront_number(*a.context) < wavefront_number(*b.context);
  });
  return all;
}

std::vector<path> machine_view::paths_of(const path& p) const {
  std::vector<path> all;
  const wf_context* const root = p.context->tree.root;
  if (is_there(*root)) all.push_back({p.cu, root});
  for (const wf_context* swf : root->group->swfs)
    if (swf->tree.root == root && is_there(*swf)) all.push_back({p.cu, swf});
  return all;
}

std::vector<stacked_side> machine_view::stacked_of(const path& p) const {
  uint64_t with_context = 0;
  for (const path& o : paths_of(p)) with_context |= o.context->state.split_mask;
  std::map<std::string, uint64_t> values;
  for (const auto& [name, value] : scheme_registers(root_of(p))) values[name] = value;
  std::vector<stacked_side> all;
  const uint64_t depth = std::min<uint64_t>(values["stack.depth"], models::stack_record::entries_shown);
  for (uint32_t k = 0; k < depth; ++k)
    for (const bool right : {false, true}) {
      const std::string side = fmt::format("stack.entry{}.{}_", k, right ? "right" : "left");
      const uint64_t mask = values[side + "mask"];
      if (mask != 0 && (mask & with_context) == 0) all.push_back({values[side + "pc"], mask, k, right});
    }
  return all;
}

uint64_t machine_view::wavefront_number(const wf_context& c) const {
  const models::workgroup& w = c.group->launch;
  const auto& p = w.of->packet;
  const uint64_t work_items = uint64_t{p.workgroup_size_x} * p.workgroup_size_y * p.workgroup_size_z;
  return w.number() * models::wavefronts_of(work_items) + c.wave_in_group;
}

path_name machine_view::name_of(uint32_t cu, const wf_context& c) const {
  return {c.group->launch.of->number(), wavefront_number(c), cu, c.unit.value, c.slot.value};
}

path machine_view::in_context(uint32_t cu, models::unit_id unit, models::slot_id slot) const {
  if (cu >= gpu.cus.size()) return {};
  const wf_context& c = gpu.cus[cu]->unit(unit).contexts[slot.value];
  return is_there(c) && c.group != nullptr ? path{cu, &c} : path{};
}

bool machine_view::has_name(uint32_t cu, const wf_context& c, const path_name& name) const {
  return name.cu == cu && name.unit == c.unit.value && name.slot == c.slot.value && name_of(cu, c) == name;
}

path machine_view::find(const path_name& name) const {
  const path p = in_context(name.cu, models::unit_id(name.unit), models::slot_id(name.slot));
  return p && has_name(p.cu, *p.context, name) ? p : path{};
}

std::string machine_view::place_of(const path& p) const {
  return fmt::format("cu{}.{}", p.cu, cu_of(p).messages().place_of(*p.context));
}

uint64_t machine_view::pc_of(const path& p) const {
  if (p == current) return current_pc;
  const wf_context& c = *p.context;
  constexpr uint64_t end_bytes = 4;  // of s_endpgm
  if (c.status == wf_status::draining) return c.state.pc - end_bytes;
  const bool at_barrier = c.status == wf_status::barrier || c.status == wf_status::grid_barrier;
  return at_barrier && c.front.next != nullptr ? c.front.next->pc : c.state.pc;
}

std::string machine_view::waits_for(const path& p) const {
  const wf_context& c = *p.context;
  const models::resident_workgroup& g = *c.group;
  const auto others = [&](auto wanted) {
    std::string list;
    for (const path& o : paths_of(p))
      if (!(o == p) && wanted(*o.context)) list += (list.empty() ? "" : ", ") + place_of(o);
    return list;
  };
  switch (c.status) {
    case wf_status::waitcnt:
      return fmt::format("memory: {} vector, {} scalar and LDS operations under way", c.front.vm.count(),
                         c.front.lgkm.count());
    case wf_status::barrier:
      return fmt::format("barrier: {} of the {} paths that run in its workgroup are there", g.at_barrier, g.running);
    case wf_status::merge: {
      const std::string side = others([](const wf_context& o) { return o.status != wf_status::merge; });
      return side.empty() ? "the other side at its merge"
                          : "the other side at its merge; its wavefront runs in " + side;
    }
    case wf_status::suspended:
      return "its turn, after " + others([](const wf_context& o) { return o.status != wf_status::suspended; });
    default:
      return models::name_of(c.status);
  }
}

std::string machine_view::waiting_text(const path& p) const {
  const wf_context& c = *p.context;
  const bool waits = c.status != wf_status::running && c.status != wf_status::ended && c.status != wf_status::idle;
  const bool is_timed = gpu.config.fidelity == models::fidelity::timing;
  return waits_for(p) + (waits && is_timed ? fmt::format(", since cycle {}", c.front.issued_at) : "");
}

std::vector<std::pair<std::string, uint64_t>> machine_view::scheme_registers(const path& p) const {
  const models::divergence_scheme& scheme = cu_of(p).scheme();
  const std::vector<models::shown_register> registers = scheme.shown();
  std::vector<uint64_t> values(registers.size());
  scheme.show(*p.context, values.data());
  std::vector<std::pair<std::string, uint64_t>> all;
  for (size_t k = 0; k < registers.size(); ++k)
    if (values[k] != 0) all.emplace_back(registers[k].name, values[k]);
  return all;
}

void machine_view::read(uint64_t address, void* to, uint64_t bytes) const {
  const std::optional<uint64_t> end = runtime.end_of_memory_at(address);
  if (!end || *end - address < bytes) {
    const isa::allocation* const near = gpu.allocations.nearest(address);
    throw input_error(fmt::format(
        "nothing is allocated at {:#x} with {} bytes{}", address, bytes,
        near == nullptr ? "" : fmt::format("; nearest is {}: {:#x} to {:#x}", near->name, near->begin, near->end - 1)));
  }
  runtime.peek(address, to, bytes);
}

void machine_view::read_lds(const path& p, uint64_t offset, void* to, uint64_t bytes) const {
  const isa::wave_state& s = p.context->state;
  if (offset > s.lds_bytes || bytes > s.lds_bytes - offset)
    throw input_error(fmt::format("{} bytes from {:#x} on are not in the workgroup's LDS, which has {} bytes", bytes,
                                  offset, s.lds_bytes));
  if (bytes != 0) std::memcpy(to, s.lds + offset, bytes);
}

void machine_view::note_arguments(const known_arguments& all) {
  buffers_.clear();
  numbers_ = all.numbers;
  const std::string prefix = "argument ";
  for (const isa::allocation& a : gpu.allocations.allocations()) {
    if (a.name.rfind(prefix, 0) != 0) continue;
    const std::string name = a.name.substr(prefix.size());
    const auto type = all.buffers.find(name);
    buffers_[name] = {a.begin, a.end, type == all.buffers.end() ? element_type::u32 : type->second};
  }
}

namespace {

element_type type_of(const loader::kernel_parameter& p) {
  using e = element_type;
  const bool is_signed = p.kind == loader::number_kind::signed_integer;
  if (p.kind == loader::number_kind::real) return p.bytes == 2 ? e::f16 : p.bytes == 8 ? e::f64 : e::f32;
  switch (p.bytes) {
    case 1:
      return is_signed ? e::i8 : e::u8;
    case 2:
      return is_signed ? e::i16 : e::u16;
    case 8:
      return is_signed ? e::i64 : e::u64;
    default:
      return is_signed ? e::i32 : e::u32;
  }
}

}  // namespace

const std::vector<loader::kernel_parameter>& machine_view::parameters_of(const kernel_launch& l) {
  const uint64_t entry = l.kernel.entry();
  const auto [known, is_new] = parameters_.try_emplace(entry);
  if (!is_new) return known->second;
  for (const loaded_code::loaded_object& o : runtime.loaded_after(0))
    if (o.image == runtime.image_at(entry))
      known->second = loader::kernel_parameters(o.object->file_bytes(), entry - o.image->base);
  return known->second;
}

void machine_view::note_arguments(const kernel_launch& l) {
  buffers_.clear();
  numbers_.clear();
  const std::vector<loader::kernel_parameter>& known = parameters_of(l);
  const std::vector<loader::kernel_argument>& all = l.kernel.kernel->metadata.arguments;
  for (size_t k = 0; k < l.arguments.size() && k < all.size(); ++k) {
    const std::vector<uint8_t>& bytes = l.arguments[k];
    // The source's parameters are the metadata's arguments, unless the compiler has changed them.
    const loader::kernel_parameter p = known.size() == l.arguments.size() ? known[k] : loader::kernel_parameter{};
    const element_type type = type_of(p);
    const bool is_number = !p.is_pointer && p.kind != loader::number_kind::none && size_of(type) == bytes.size();
    if (is_number && !p.name.empty()) numbers_[p.name] = {type, load_element(type, bytes.data())};
    uint64_t address = 0;
    if (all[k].kind != loader::value_kind::global_buffer || bytes.size() != sizeof address) continue;
    std::memcpy(&address, bytes.data(), sizeof address);
    const std::optional<uint64_t> end = runtime.end_of_memory_at(address);
    if (!end) continue;
    const std::string name = !p.name.empty() ? p.name : !all[k].name.empty() ? all[k].name : fmt::format("arg{}", k);
    buffers_[name] = {address, *end, type};
  }
}

}  // namespace pws::platform::debug
