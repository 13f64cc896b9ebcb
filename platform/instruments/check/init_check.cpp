// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/init_check.h"

#include "base/error.h"
#include "models/isa/abi/kernel_descriptor.h"

namespace pws::platform {

init_check::init_check(const models::gpu& gpu, check::finding_sink& sink)
    : checker_(sink, gpu.config.memory.dram.base(), gpu.config.memory.dram.bytes()),
      cus_(gpu.cus.size()),
      paths_move_(models::traits_of(gpu.config.divergence).keeps_own_paths()) {}

void init_check::workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t) {
  cus_[cu].lds[&g].begin(g.launch.of->lds_bytes);
}

void init_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  shadow& s = of(cu, c);
  shadow& root = of(cu, *c.tree.root);
  s.moves_seen = root.moves;
  check::init::context& to = s.context;
  if (c.is_swf()) {
    // Whoever splits has issued last in this compute unit; what it knew of its scalars goes along.
    const shadow* from = cus_[cu].latest;
    if (from == nullptr || from->context.vectors != &root.vectors) from = &root;
    if (from != &s) to = from->context;
    to.where = site_of(cu, c, 0, 0);
    return;
  }
  const isa::kernel_descriptor& d = c.group->launch.of->descriptor;
  s.vectors.begin(c.state.n_vgprs, d.workitem_ids);
  to.where = site_of(cu, c, 0, 0);
  to.launched = c.tree.launched;
  to.vectors = &s.vectors;
  to.lds = &cus_[cu].lds[c.group];
  to.scalars = {};
  const auto defined = isa::defined_at_start(d);
  for (size_t n = 0; n < isa::scalar_count; ++n) to.scalars.bits[n] = defined[n] ? 0 : ~uint32_t{0};
  to.scalars.scc = true;
  checker_.memory().undefine(c.state.scratch_base, uint64_t{c.state.scratch_bytes_per_lane} * isa::wave_size);
}

void init_check::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  shadow& s = of(cu, c);
  cus_[cu].latest = &s;
  if (paths_move_) {
    shadow& root = of(cu, *c.tree.root);
    if (s.moves_seen != root.moves)
      s.context.scalars = {};  // another path may have come: what it had written is not known
    s.moves_seen = root.moves;
    if (i.unit == isa::unit::split || i.unit == isa::unit::merge) ++root.moves;
  }
  checker_.executes(s.context, c.state, i);
}

void init_check::accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                          models::cycle_t) {
  checker_.accessed(of(cu, c).context, c.state, i, a);
}

void init_check::launch_ended(uint64_t, bool, bool last) {
  if (last) checker_.memory().tidy();
}

// ---- the host

void init_check::allocated(uint64_t address, uint64_t bytes, const std::string&) {
  checker_.memory().undefine(address, bytes);
}

void init_check::host_wrote(uint64_t address, uint64_t bytes) {
  checker_.memory().define(address, bytes);
}

void init_check::host_reads(uint64_t address, uint64_t bytes) {
  try {
    checker_.host_reads(address, bytes);
  } catch (const program_error&) {  // there is no instruction to stop at, and the log has it
  }
}

void init_check::copied(uint64_t to, uint64_t from, uint64_t bytes) {
  checker_.memory().copy(to, from, bytes);
}

}  // namespace pws::platform
