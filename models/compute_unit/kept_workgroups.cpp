// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/kept_workgroups.h"

#include <algorithm>

namespace pws::models {

namespace {

void keep_workgroup(state_archive& a, cu_parts& cu, resident_workgroup& g, const std::vector<dispatch*>& launches) {
  a(g.live);
  if (!g.live) return;
  uint32_t launch = 0;
  if (!a.restores())
    launch = static_cast<uint32_t>(std::find(launches.begin(), launches.end(), g.launch.of) - launches.begin());
  a.index(launch, launches.size());
  g.launch.of = launches[launch];
  a.bytes(g.launch.id.data(), g.launch.id.size());
  a.bytes(g.launch.size.data(), g.launch.size.size());
  a(g.running, g.at_barrier, g.unfinished, g.lds_first);
  const uint32_t bytes = g.launch.of->lds_bytes;
  if (g.lds_first > cu.lds.size() || bytes > cu.lds.size() - g.lds_first)
    throw bad_state("a workgroup has LDS that is not there");
  a.bytes(cu.lds.bytes(g.lds_first), bytes);
  for (auto* contexts : {&g.waves, &g.swfs}) {
    a.list(*contexts, [&](state_archive& b, wf_context*& c) {
      cu.contexts.keep(b, c);
      if (c == nullptr) throw bad_state("a workgroup has a wavefront without a context");
    });
  }
}

// The instruction that a context is at, or was at last.
void keep_next(state_archive& a, wf_context& c) {
  bool there = c.front.next != nullptr && c.status != wf_status::idle;
  uint64_t pc = there && !a.restores() ? c.front.next->pc : 0;
  a(there);
  c.front.next = nullptr;
  if (!there) return;
  a(pc);
  if (c.code == nullptr) throw bad_state("a context has an instruction, and no program");
  c.front.next = &c.code->at(pc);
}

void keep_context(state_archive& a, cu_parts& cu, wf_context& c) {
  a.index(c.status, n_wf_statuses);
  cu.contexts.keep(a, c.tree.root);
  a(c.tree.parent, c.tree.began_at, c.tree.launched, c.tree.live, c.tree.paths, c.tree.stacked, c.wave_in_group);
  const auto is_it = [&c](const auto& g) { return g.get() == c.group; };
  uint64_t group = 0;  // from 1; 0: none
  if (!a.restores() && c.group != nullptr && c.group->live)
    group = static_cast<uint64_t>(std::find_if(cu.groups.begin(), cu.groups.end(), is_it) - cu.groups.begin()) + 1;
  a.index(group, cu.groups.size() + 1);
  if (a.restores()) c.group = group == 0 ? nullptr : cu.groups[group - 1].get();
  c.state.keep(a);
  if (a.restores()) {
    if (c.group != nullptr && !c.group->live) throw bad_state("a wavefront is of a workgroup that is not there");
    c.code = c.group == nullptr ? nullptr : c.group->launch.of->code;
  }
  keep_next(a, c);
}

// Registers, LDS and memory are where this process has them: an SWF's are its wavefront's.
void point_to_storage(cu_parts& cu, wf_context& c, const isa::global_memory& memory) {
  c.state.access = nullptr;
  c.state.host_csr = cu.host_csr;
  c.state.memory = &memory;
  c.state.lds = c.group == nullptr ? nullptr : cu.lds.bytes(c.group->lds_first);
  const wf_context& root = c.tree.root == nullptr ? c : *c.tree.root;
  c.state.vgpr = cu.units[root.unit.value]->registers_of(root, root.state.n_vgprs);
  if (c.state.vgpr == nullptr) throw bad_state("a wavefront has vector registers that are not there");
}

}  // namespace

void keep_workgroups(state_archive& a, cu_parts& cu, const std::vector<dispatch*>& launches,
                     const isa::global_memory& memory) {
  a.section("workgroups");
  a.list(cu.groups, [&](state_archive& b, std::unique_ptr<resident_workgroup>& g) {
    if (g == nullptr) g = std::make_unique<resident_workgroup>();
    keep_workgroup(b, cu, *g, launches);
  });
  const auto each_taken = [&cu](auto f) {
    for (const auto& u : cu.units)
      for (wf_context& c : u->contexts)
        if (c.taken) f(*u, c);
  };
  each_taken([&](simd_unit&, wf_context& c) { keep_context(a, cu, c); });
  if (a.restores()) each_taken([&](simd_unit&, wf_context& c) { point_to_storage(cu, c, memory); });
  each_taken([&](simd_unit& u, wf_context& c) {
    if (c.is_swf() || u.is_spsimd()) return;
    for (uint32_t n = 0; n < c.state.n_vgprs; ++n) a.bytes(c.state.vgpr[n].lane, isa::wave_size);
  });
}

}  // namespace pws::models
