// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/instructions/instruction_time.h"

#include <algorithm>

#include "models/isa/idle_cycles.h"
#include "models/isa/predicates.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/instructions/outstanding_operations.h"

namespace pws::wcet {

namespace {

class timer {
 public:
  timer(const machine_timing& m, scheme s) : m_(m), scheme_(s) {}

  instruction_time of(const isa::inst& i, const outstanding_operations& under_way, const access_bound& access) const {
    instruction_time t;
    t.issue = issue(i);
    t.wait = wait(i, under_way);
    if (i.is_memory()) t.memory = memory(i, access);
    if (i.unit == isa::unit::branch) t.target = taken(i);
    return t;
  }

 private:
  // Slots until the next one at which a result of that latency is there.
  uint64_t rounds(uint64_t latency) const {
    return std::max<uint64_t>(1, (latency + m_.round - 1) / m_.round) * m_.round;
  }
  // A vector instruction of several passes: each in a slot of its own, the latency of what is left behind the last.
  uint64_t passes(uint64_t n, uint64_t latency) const {
    const uint64_t before = (n - 1) * m_.slot;
    return (n - 1) * m_.round + rounds(std::max(latency > before ? latency - before : 0, m_.slot));
  }

  uint64_t issue(const isa::inst& i) const {
    switch (i.unit) {
      case isa::unit::salu:
        return rounds(m_.salu);
      case isa::unit::valu:
        return passes(1, m_.valu);
      case isa::unit::valu_trans:
        return passes(4, m_.valu_trans);
      case isa::unit::valu_f64:
        return passes(2, m_.valu_f64);
      case isa::unit::branch:
        return rounds(std::max(m_.branch, m_.salu));
      case isa::unit::internal:
        return rounds(std::max(m_.internal, isa::idle_cycles(i)));
      case isa::unit::split:
        return rounds(scheme_ == scheme::none ? m_.internal : std::max(m_.internal, m_.split));
      case isa::unit::merge:
        return rounds(scheme_ == scheme::none ? m_.internal : std::max(m_.internal, m_.merge));
      default:
        return m_.round;
    }
  }

  // A target across two fetches: only the first is there at the next slot.
  uint64_t taken(const isa::inst& i) const {
    const uint64_t longest = 8;
    return i.target % m_.fetch_bytes + longest > m_.fetch_bytes ? m_.round : 0;
  }

  uint64_t memory(const isa::inst& i, const access_bound& a) const {
    const uint64_t slots =
        checked_product(a.lines, is_vector_memory_atomic(i) ? m_.atomic_slots : 1, "an access's memory slots");
    return std::max(checked_product(slots, m_.memory_frame, "an access's time"),
                    checked_product(a.lds_passes, m_.lds_frame, "an access's time"));
  }

  uint64_t wait(const isa::inst& i, const outstanding_operations& o) const {
    const auto [vector, local] = waits_for(i, o, scheme_);
    uint64_t longest = 0;
    if (vector && o.vector > 0) longest = std::max(longest, 1 + m_.address + m_.way_there + m_.way_back);
    if (vector && o.vector_local > 0) longest = std::max(longest, m_.lds);
    if (local && o.scalar > 0) longest = std::max(longest, 2 + m_.way_there + m_.way_back);
    if (local && o.lds > 0) longest = std::max(longest, m_.lds);
    return longest == 0 ? 0 : longest + m_.round - 1;
  }

  const machine_timing& m_;
  scheme scheme_;
};

}  // namespace

waited_counters waits_for(const isa::inst& i, const outstanding_operations& o, scheme s) {
  constexpr unsigned full = outstanding_operations::capacity;
  const unsigned lgkm = o.scalar + o.lds;
  switch (i.unit) {
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(i);
      return {o.vector > w.vmcnt, lgkm > w.lgkmcnt};
    }
    case isa::unit::vector_memory:
      return {o.vector >= full, lgkm >= full};
    case isa::unit::scalar_memory:
    case isa::unit::lds:
      return {false, lgkm >= full};
    case isa::unit::split:
    case isa::unit::merge:
      return {s != scheme::none, s != scheme::none};
    case isa::unit::end:
      return {true, true};
    default:
      return {};
  }
}

std::vector<instruction_time> instruction_times(const cfg::flow_graph& graph, const machine_timing& machine, scheme s,
                                                const std::vector<access_bound>& accesses) {
  const std::vector<outstanding_operations> under_way =
      find_outstanding(graph, [&](size_t k) { return accesses[k].lds_passes != 0; });
  const timer t(machine, s);
  const auto& code = graph.code().instructions;
  std::vector<instruction_time> out;
  out.reserve(code.size());
  for (size_t k = 0; k < code.size(); ++k) out.push_back(t.of(code[k], under_way[k], accesses[k]));
  return out;
}

instruction_time time_of(const isa::inst& instruction, const machine_timing& machine, scheme s,
                         const outstanding_operations& under_way) {
  return timer(machine, s).of(instruction, under_way, {});
}

}  // namespace pws::wcet
