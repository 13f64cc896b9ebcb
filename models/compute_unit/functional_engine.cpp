#include "models/compute_unit/functional_engine.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "models/compute_unit/special_instructions.h"

namespace pws::models {

namespace {
constexpr uint64_t slice_instructions = 100'000;
}

functional_engine::functional_engine(compute_unit& cu, const machine_config& c)
    : cu_(cu),
      scheme_(*cu.scheme_),
      limit_(c.limits.max_instructions == 0 ? ~uint64_t{0} : c.limits.max_instructions) {}

bool functional_engine::run() {
  bool more = false;
  for (const auto& g : cu_.groups_)
    if (g->live && g->unfinished != 0) more |= run_group(*g);
  return more;
}

// True if the workgroup has used up its turn and can go on.
bool functional_engine::run_group(resident_workgroup& g) {
  for (;;) {
    bool slice_over = false, ran = false;
    const auto turn = [&](wf_context& w) {
      if (w.status != wf_status::running) return;
      ran = true;
      slice_over |= run_turn(w);
    };
    for (wf_context* w : g.waves) turn(*w);
    for (size_t k = 0; k < g.swfs.size(); ++k) turn(*g.swfs[k]);  // they come and go meanwhile
    if (g.unfinished == 0) return false;
    if (g.barrier_complete()) {
      for (const auto* contexts : {&g.waves, &g.swfs})
        for (wf_context* w : *contexts)
          if (w->status == wf_status::barrier) w->become(wf_status::running);
    } else if (slice_over) {
      return true;
    } else if (!ran) {
      return false;  // nothing can go on
    }
  }
}

// True if the context could go on.
bool functional_engine::run_turn(wf_context& w) {
  const outcome o = run_wave(w);
  if (o == outcome::barrier) {
    w.become(wf_status::barrier);
    ++cu_.statistics_.barriers;
  } else if (o == outcome::ended) {
    cu_.latest_time_ = std::max(cu_.latest_time_, w.state.time);
    scheme_.ended(w, *this);
  }
  return o == outcome::slice_over;
}

// ---- splitting

void functional_engine::begin(wf_context& swf, const wf_context&) {
  cu_.swf_started(swf, cu_.clock_.now());
}

void functional_engine::resume(wf_context& c, uint64_t) {
  c.become(wf_status::running);
}

void functional_engine::leave(wf_context& swf) {
  cu_.swf_left(swf, cu_.clock_.now());
  cu_.units[swf.unit]->release(swf);
}

void functional_engine::finish(wf_context& root) {
  cu_.wave_finished(root, cu_.clock_.now());
}

// ---- execution

functional_engine::outcome functional_engine::run_wave(wf_context& c) {
  current_ = &c;
  const outcome result = observer == nullptr ? run_slice<false>(c) : run_slice<true>(c);
  current_ = nullptr;
  return result;
}

template <bool observed>
functional_engine::outcome functional_engine::run_slice(wf_context& c) {
  isa::wave_state& state = c.state;
  isa::program& code = *c.code;
  cu_statistics& statistics = cu_.statistics_;
  const bool can_split = scheme_.can_split();
  for (uint64_t n = 0; n < slice_instructions; ++n) {
    c.front.next = nullptr;
    const isa::inst& i = code.at(state.pc);
    c.front.next = &i;
    state.pc += i.bytes();
    ++state.time;  // s_memtime advances by one per instruction
    if (i.is_memory()) refuse_unallocated_registers(i, state);
    if constexpr (observed) observer->issuing(cu_.index_, c, i, cu_.clock_.now());
    bool splits = false;
    if (can_split) {
      cu_.check_isolation(c, i);
      statistics.schedulable_paths += c.tree.root->tree.paths;
      splits = i.unit == isa::unit::branch && scheme_.splits_at_branches() && scheme_.diverges(c, i);
    }
    if (splits)
      scheme_.execute(c, i, *this);  // the branch, on both sides
    else
      i.exec(state, i);
    statistics.count(i, state.active());
    if constexpr (observed) observer->issued(cu_.index_, c, i, cu_.clock_.now());
    switch (i.unit) {
      case isa::unit::barrier:
        scheme_.check_barrier(c);
        return outcome::barrier;
      case isa::unit::split:
      case isa::unit::merge:
        if (scheme_.diverges(c, i) && scheme_.execute(c, i, *this) == after_divergence::stops) return outcome::stopped;
        break;
      case isa::unit::end:
        return outcome::ended;
      case isa::unit::message:
        cu_.message(c, i);
        break;
      case isa::unit::branch:
        ++statistics.branches;
        statistics.branches_taken += state.pc != i.pc + i.bytes();
        break;
      default:
        break;
    }
  }
  if (statistics.total_instructions() > limit_)
    throw program_error("limits.max_instructions reached: " + std::to_string(limit_) +
                        " wavefront instructions on this compute unit");
  return outcome::slice_over;
}

}  // namespace pws::models
