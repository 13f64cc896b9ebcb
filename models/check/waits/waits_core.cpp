// SPDX-License-Identifier: Apache-2.0
#include "models/check/waits/waits_core.h"

#include <fmt/format.h>

#include "models/isa/wave_state.h"

namespace pws::check {

namespace {

// "v4", "v[4:5]", "s7", "VCC"
std::string name_of_run(const isa::inst::run& r) {
  if (!r.is_vgpr && r.first == isa::vcc_lo && r.count == 2) return "VCC";
  if (!r.is_vgpr && r.first >= isa::sgpr_limit) {
    constexpr std::string_view names[] = {"flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo",
                                          "xnack_mask_hi",   "vcc_lo",          "vcc_hi"};
    if (r.first - isa::sgpr_limit < std::size(names)) return std::string(names[r.first - isa::sgpr_limit]);
    if (r.first == isa::m0) return "M0";
    if (r.first >= isa::exec_lo) return "EXEC";
    return fmt::format("scalar register {}", r.first);
  }
  const char file = r.is_vgpr ? 'v' : 's';
  return r.count == 1 ? fmt::format("{}{}", file, r.first)
                      : fmt::format("{}[{}:{}]", file, r.first, r.first + r.count - 1);
}

// The registers of both, in one run if they are neighbours; the first run of them otherwise.
isa::inst::run first_run(const register_set& a, const register_set& b) {
  isa::inst::run r;
  for (unsigned bit = 0; bit < register_set::vgprs + register_set::scalars; ++bit) {
    const bool in = ((a.words[bit / 64] & b.words[bit / 64]) >> bit % 64 & 1) != 0;
    if (r.count != 0 && (!in || bit == register_set::vgprs)) return r;
    if (!in) continue;
    if (r.count == 0) {
      r.is_vgpr = bit < register_set::vgprs;
      r.first = static_cast<uint16_t>(r.is_vgpr ? bit : bit - register_set::vgprs);
    }
    ++r.count;
  }
  return r;
}

bool in_order(const operation_under_way& o, counted_by next) {
  if (next == counted_by::lds) return o.facts->counts == counted_by::lds && o.lgkm_number != 0;
  return (next == counted_by::vm || next == counted_by::flat) && o.vm_number != 0 && !o.lgkm_open;
}

}  // namespace

std::string text(const wait_counts& w) {
  std::string t = "s_waitcnt";
  if (w.vm != wait_counts::any) t += fmt::format(" vmcnt({})", w.vm);
  if (w.lgkm != wait_counts::any) t += fmt::format(" lgkmcnt({})", w.lgkm);
  return t;
}

void context_waits::begin(const site& who, bool alone) {
  under_way_.clear();
  recent_.clear();
  who_ = who;
  alone_ = alone;
  scalar_store_ = 0;
}

void context_waits::begin_path(const site& who, const context_waits& from, bool carries) {
  if (&from != this) *this = from;
  who_ = who;
  if (!carries) under_way_.clear();
}

site context_waits::at(uint64_t pc, uint64_t lanes) const {
  site s = who_;
  s.pc = pc;
  s.lanes = lanes;
  return s;
}

void context_waits::issue(const instruction_facts& f, const instruction_facts& actual, uint64_t pc, uint64_t lanes,
                          finding_sink& sink) {
  if (under_way_.size() != 0 && under_way_.touched_by(actual))
    check_registers(actual, pc, f.ignores_exec ? ~uint64_t{0} : lanes, sink);
  recent_.check(f, [&](const wait_state_rule& r, uint64_t first, uint64_t between, const isa::inst::run& in) {
    report_wait_states(r, first, pc, static_cast<uint32_t>(between), in, sink);
  });
  if (f.special) act(f, pc, sink);
  recent_.passed(f, pc);
}

// Youngest first: the wait for it is the wait for the older ones of its counter. Where one was found, the rest goes on
// as if it had been waited for.
void context_waits::check_registers(const instruction_facts& f, uint64_t pc, uint64_t lanes, finding_sink& sink) {
  for (unsigned k = under_way_.size(); k-- > 0;) {
    if (k >= under_way_.size()) continue;
    const operation_under_way o = under_way_[k];
    const auto meet = [&](const register_set& a, const register_set& b) {
      isa::inst::run r = first_run(a, b);
      if (r.is_vgpr && (o.lanes & lanes) == 0) r.count = 0;  // other lanes of it
      return r;
    };
    isa::inst::run r;
    if (o.fills_registers) {
      r = meet(o.facts->writes, f.reads);
      if (r.count != 0) {
        report_operation(r.is_vgpr ? "vgpr_read_too_early" : "sgpr_read_too_early", o, pc,
                         r.is_vgpr ? lanes & o.lanes : 0,
                         name_of_run(r) + " is read while the operation that fills it is under way", sink);
        continue;
      }
      r = meet(o.facts->writes, f.writes);
      if (r.count != 0 && !in_order(o, f.counts)) {
        report_operation(r.is_vgpr ? "vgpr_overwritten_too_early" : "sgpr_overwritten_too_early", o, pc,
                         r.is_vgpr ? lanes & o.lanes : 0,
                         name_of_run(r) + " is written while an earlier operation that fills it is under way", sink);
        continue;
      }
    }
    if (o.reads_scalars) {
      register_set data;
      data.add(o.facts->store_data);
      r = first_run(data, f.writes);
      if (r.count != 0)
        report_operation("sgpr_store_data_overwritten", o, pc, 0,
                         name_of_run(r) + " is written while a scalar store of it is under way", sink);
    }
  }
}

void context_waits::act(const instruction_facts& f, uint64_t pc, finding_sink& sink) {
  switch (f.of->unit) {
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(*f.of);
      under_way_.wait({w.vmcnt, w.lgkmcnt});
      break;
    }
    case isa::unit::barrier:
      if (!alone_) at_barrier(pc, sink);
      break;
    case isa::unit::message:
      under_way_.message();
      break;
    case isa::unit::internal:  // scalar cache written back
      scalar_store_ = 0;
      break;
    case isa::unit::end:
      if (scalar_store_ != 0 && sink.is_new("scalar_store_not_written_back", pc, scalar_store_)) {
        finding x;
        x.rule = "scalar_store_not_written_back";
        x.what = "the program ends while what it stored may be in the scalar cache alone";
        x.mend = "s_dcache_wb in front of s_endpgm";
        x.here = at(pc, 0);
        x.other = at(scalar_store_, 0);
        x.other_is = "the store";
        sink.add(std::move(x));
      }
      under_way_.clear();  // it ends when all of that is done
      break;
    default:
      break;
  }
}

// Wavefronts of different SIMD units have request queues of their own to LDS: one that has passed the barrier may come
// first.
void context_waits::at_barrier(uint64_t pc, finding_sink& sink) {
  for (unsigned k = under_way_.size(); k-- > 0;) {
    if (k >= under_way_.size()) continue;
    const operation_under_way o = under_way_[k];
    if (!o.in_lds || o.lanes == 0) continue;
    report_operation(
        o.writes_lds ? "lds_write_not_waited_before_barrier" : "lds_read_not_waited_before_barrier", o, pc, o.lanes,
        o.writes_lds
            ? "the barrier is reached while a write to LDS is under way, which others may not see behind it"
            : "the barrier is reached while a read of LDS is under way, which may get what others write behind it",
        sink);
  }
}

void context_waits::lds_accessed(uint64_t pc, uint64_t lanes, uint32_t first, uint32_t end, finding_sink& sink) {
  for (unsigned k = under_way_.size(); k-- > 0;) {
    if (k >= under_way_.size()) continue;
    const operation_under_way o = under_way_[k];
    if (o.pc == pc || o.lds_end == 0 || o.lds_first >= end || o.lds_end <= first) continue;
    report_operation(
        "lds_read_before_filled", o, pc, lanes,
        fmt::format("LDS from offset {:#x} on is accessed while a load that fills it is under way", o.lds_first), sink);
  }
}

void context_waits::report_operation(std::string_view rule, const operation_under_way& o, uint64_t pc, uint64_t lanes,
                                     const std::string& what, finding_sink& sink) {
  const wait_counts w = under_way_.wait_for(o);
  under_way_.wait(w);
  if (!sink.is_new(rule, pc, o.pc)) return;
  finding x;
  x.rule = rule;
  x.what = what;
  x.mend = text(w) + " in front of it";
  x.here = at(pc, lanes);
  x.other = at(o.pc, o.facts->counts == counted_by::scalar ? 0 : o.lanes);
  x.other_is = o.fills_registers ? "the load" : "the access";
  sink.add(std::move(x));
}

void context_waits::report_wait_states(const wait_state_rule& r, uint64_t first, uint64_t pc, uint32_t between,
                                       const isa::inst::run& in, finding_sink& sink) const {
  if (!sink.is_new(r.name, pc, first)) return;
  finding x;
  x.rule = r.name;
  x.what = r.what;
  if (x.what[0] == '%') x.what = name_of_run(in) + x.what.substr(1);
  x.mend = fmt::format("s_nop {} between them", r.wait_states - between - 1);
  x.here = at(pc, 0);
  x.other = at(first, 0);
  x.other_is = "the write";
  sink.add(std::move(x));
}

}  // namespace pws::check
