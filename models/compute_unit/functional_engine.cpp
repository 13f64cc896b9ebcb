#include "models/compute_unit/functional_engine.h"

#include <string>

#include "models/compute_unit/special_instructions.h"
#include "models/isa/error.h"

namespace pws::models {

namespace {
constexpr uint64_t slice_instructions = 100'000;
}

functional_engine::functional_engine(compute_unit& cu, const machine_config& c)
    : cu_(cu), limit_(c.limits.max_instructions == 0 ? ~uint64_t{0} : c.limits.max_instructions) {}

bool functional_engine::run() {
  bool more = false;
  for (const auto& g : cu_.groups_)
    if (g->live && g->unfinished != 0) more |= run_group(*g);
  return more;
}

bool functional_engine::run_group(resident_workgroup& g) {
  for (;;) {
    bool slice_over = false;
    for (wf_context* w : g.waves) {
      if (w->status != wf_status::running) continue;
      switch (run_wave(*w)) {
        case outcome::slice_over:
          slice_over = true;
          break;
        case outcome::barrier:
          w->status = wf_status::barrier;
          ++g.at_barrier;
          ++cu_.statistics_.barriers;
          break;
        case outcome::ended:
          w->status = wf_status::ended;
          --g.running;
          cu_.wave_finished(*w, cu_.clock_.now());
          break;
      }
    }
    if (g.unfinished == 0) return false;
    if (g.at_barrier == g.running) {
      g.at_barrier = 0;
      for (wf_context* w : g.waves)
        if (w->status == wf_status::barrier) w->status = wf_status::running;
    } else if (slice_over) {
      return true;
    }
  }
}

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
  for (uint64_t n = 0; n < slice_instructions; ++n) {
    c.next = nullptr;
    const isa::inst& i = code.at(state.pc);
    c.next = &i;
    state.pc += i.bytes();
    ++state.time;  // s_memtime advances by one per instruction
    if (i.is_memory()) refuse_unallocated_registers(i, state);
    i.exec(state, i);
    statistics.count(i, state.active());
    if constexpr (observed) observer->issued(cu_.index_, c, i, cu_.clock_.now());
    switch (i.unit) {
      case isa::unit::barrier:
        return outcome::barrier;
      case isa::unit::end:
        return outcome::ended;
      case isa::unit::message:
        refuse_message(i);
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
