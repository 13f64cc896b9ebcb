// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/trace/cu_trace.h"

#include "models/compute_unit/statistics.h"
#include "models/compute_unit/warp_scheduler.h"

namespace pws::platform {

using models::unit_id;

namespace {

const std::vector<std::string>& status_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> n;
    for (size_t s = 0; s < models::n_wf_statuses; ++s) n.emplace_back(name_of(static_cast<models::wf_status>(s)));
    return n;
  }();
  return names;
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> n;
    for (unsigned u = 0; u <= static_cast<unsigned>(isa::unit::merge); ++u)
      n.emplace_back(models::name_of(static_cast<isa::unit>(u)));
    return n;
  }();
  return names;
}

}  // namespace

cu_trace::cu_trace(const models::compute_unit& cu)
    : cu_(cu), registers_(cu.scheme().shown()), units_(cu.layout().count()) {
  for (uint32_t u = 0; u < units_.size(); ++u) contexts_.resize(contexts_.size() + cu.unit(unit_id(u)).shown());
  for (context_view& v : contexts_) v.registers.resize(registers_.size());
}

void cu_trace::declare(wave_signals& signals, const std::string& scope) const {
  size_t context = 0;
  for (uint32_t u = 0; u < units_.size(); ++u) {
    const models::simd_unit& unit = cu_.unit(unit_id(u));
    std::string unit_scope = scope + ".simd" + std::to_string(unit.simd.value);
    if (unit.is_spsimd()) unit_scope += ".spsimd" + std::to_string(unit.number.value());
    signals.add(units_[u].valu_busy, unit_scope + ".valu_busy");
    signals.add(units_[u].salu_busy, unit_scope + ".salu_busy");
    signals.add(units_[u].contexts, unit_scope + ".contexts");
    if (cu_.warps() != nullptr) {
      signals.add(units_[u].warp_pc, unit_scope + ".warp.pc");
      signals.add(units_[u].warp_work_items, unit_scope + ".warp.work_items");
      signals.add(units_[u].pool, unit_scope + ".warp.pool");
    }
    for (uint32_t k = 0; k < unit.shown(); ++k) {
      const models::wf_context& c = unit.contexts[k];
      declare(signals, scope + "." + cu_.messages().place_of(c), contexts_[context++], !unit.is_second(c));
    }
  }
  signals.add(memory_in_flight_, scope + ".memory_in_flight");
}

void cu_trace::declare(wave_signals& signals, const std::string& scope, const context_view& v,
                       bool with_registers) const {
  signals.add(v.pc, scope + ".pc");
  signals.add(v.em, scope + ".em");
  signals.add(v.status, scope + ".status", status_names());
  signals.add(v.unit, scope + ".unit", unit_names());
  signals.add(v.vm_outstanding, scope + ".vmcnt");
  signals.add(v.lgkm_outstanding, scope + ".lgkmcnt");
  signals.add(v.kernel, scope + ".kernel");
  signals.add(v.launch, scope + ".launch");
  signals.add(v.workgroup, scope + ".workgroup");
  signals.add(v.wavefront, scope + ".wavefront");
  if (!cu_.scheme().can_split()) return;
  signals.add(v.spm, scope + ".spm");
  for (size_t k = 0; k < registers_.size() && with_registers; ++k)
    if (registers_[k].bits != 0) signals.add(v.registers[k], scope + "." + registers_[k].name, registers_[k].bits);
}

void cu_trace::update(models::cycle_t now, const std::vector<launch_shown>& launches) {
  size_t context = 0;
  for (uint32_t u = 0; u < units_.size(); ++u) {
    const models::simd_unit& unit = cu_.unit(unit_id(u));
    units_[u] = {unit.is_busy(models::issue_port::valu, now), unit.is_busy(models::issue_port::salu, now),
                 unit.in_use()};
    if (cu_.warps() != nullptr) update(units_[u], unit.simd, now);
    for (uint32_t k = 0; k < unit.shown(); ++k) update(unit, unit.contexts[k], launches, contexts_[context++]);
  }
  memory_in_flight_ = static_cast<unsigned>(cu_.mif.in_flight());
}

// The warp that issues in this cycle, if one does.
void cu_trace::update(unit_view& v, models::simd_id simd, models::cycle_t now) const {
  const auto& latest = cu_.warps()->latest(simd);
  v.warp_pc = latest.pc;
  v.warp_work_items = latest.at == now ? latest.work_items : 0;
  v.pool = cu_.warps()->pool(simd).in_use();
}

void cu_trace::update(const models::simd_unit& unit, const models::wf_context& c,
                      const std::vector<launch_shown>& launches, context_view& v) const {
  const bool in_use = c.status != models::wf_status::idle && c.status != models::wf_status::ended;
  v.pc = c.state.pc;
  v.em = in_use ? c.state.scalar64(isa::exec_lo) : 0;
  v.spm = in_use ? unit.split_masks.read(c.slot) : 0;
  v.status = static_cast<unsigned>(c.status);
  v.unit = static_cast<unsigned>(c.front.issued_to);
  v.vm_outstanding = c.front.vm.count();
  v.lgkm_outstanding = c.front.lgkm.count();
  v.launch = in_use ? c.group->launch.of->number() : 0;
  v.kernel = 0;
  for (const launch_shown& l : launches)
    if (in_use && l.launch == v.launch) v.kernel = l.kernel;
  v.workgroup = in_use ? c.group->launch.number() : 0;
  v.wavefront = in_use ? c.wave_in_group : 0;
  cu_.scheme().show(c, v.registers.data());
}

}  // namespace pws::platform
