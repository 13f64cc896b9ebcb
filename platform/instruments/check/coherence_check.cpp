// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/coherence_check.h"

#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

// s_dcache_wb, s_dcache_wb_vol (GCN3 ISA, table "SMEM opcodes"): an operation that nothing else asks about.
bool writes_scalar_cache_back(const isa::inst& i) {
  return i.native == isa::format::smem && (i.row->opcode == 0x21 || i.row->opcode == 0x23);
}

}  // namespace

// A launch's beginning empties the caches also under what runs beside it.
void coherence_check::launch_begins(uint64_t, bool alone) {
  if (!alone) {
    for (uint32_t cu = 0; cu < n_cu_; ++cu) {
      coherence_.vector_invalidated(cu);
      coherence_.scalar_invalidated(cu);
      coherence_.instructions_invalidated(cu);
    }
    return;
  }
  coherence_.launch_begins();
  paths_.clear();
  last_ = nullptr;
}

// Which of the launches that are there has left a scalar store in a cache is known when none goes on.
void coherence_check::launch_ended(uint64_t, bool completed, bool last) {
  if (completed && last) coherence_.launch_ended();
}

void coherence_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  paths_[&c] = coherence_.path_started(site_of(cu, c, 0, 0));
  last_ = nullptr;
  if (!c.is_swf()) coherence_.code_at(c.code->begin(), c.code->end());
}

void coherence_check::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  coherence_.fetched(path_of(c), i.pc, i.bytes());
}

void coherence_check::accessed(uint32_t, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                               models::cycle_t) {
  using kind = check::cached_access::kind;
  if (guesses_.has(c, i, a)) return;
  pieces_.set(c, i, a);
  for (const access_piece& p : pieces_) {
    if (p.in_lds) continue;
    check::cached_access x;
    switch (p.does) {
      case access_piece::kind::load:
        x.does = p.past_cache ? kind::past_cache : kind::load;
        break;
      case access_piece::kind::store:
        x.does = kind::store;
        break;
      case access_piece::kind::atomic:
        x.does = kind::atomic;
        break;
    }
    x.scalar = p.scalar;
    x.bytes = p.bytes;
    x.pc = i.pc;
    x.mask = p.mask;
    x.address = p.address;
    coherence_.access(path_of(c), x);
  }
}

void coherence_check::issued(uint32_t cu, const models::wf_context&, const isa::inst& i, models::cycle_t) {
  if (i.unit != isa::unit::internal) return;
  switch (isa::operation_of(i)) {
    case isa::operation::invalidate_vector_cache:
      coherence_.vector_invalidated(cu);
      break;
    case isa::operation::invalidate_scalar_cache:
      coherence_.scalar_invalidated(cu);
      break;
    case isa::operation::invalidate_instruction_cache:
      coherence_.instructions_invalidated(cu);
      break;
    default:
      if (writes_scalar_cache_back(i)) coherence_.scalar_written_back(cu);
      break;
  }
}

}  // namespace pws::platform
