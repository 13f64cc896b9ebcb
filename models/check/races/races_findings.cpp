// SPDX-License-Identifier: Apache-2.0
// What is found, and in which words.
#include <fmt/format.h>

#include "models/check/races/races.h"
#include "models/check/shadow/lanes.h"

namespace pws::check {

// The same two instructions meet in many lanes and bytes: one finding of an instruction.
void races::note(step& s, std::string_view rule, const char* here_is, const char* other_is, path_id other,
                 uint32_t other_place, uint64_t other_lanes, uint64_t address, uint32_t bytes) {
  for (found& f : found_)
    if (f.rule == rule && instruction_of(f.other_place) == instruction_of(other_place)) {
      f.lanes |= uint64_t{1} << s.lane;
      if (f.other == other) f.other_lanes |= other_lanes;
      return;
    }
  found_.push_back({rule, here_is, other_is, other, other_place, other_lanes, uint64_t{1} << s.lane, address, bytes});
}

void races::report(const step& s) {
  const race_access& a = *s.a;
  for (const found& f : found_) {
    const uint64_t other_pc = pcs_[instruction_of(f.other_place)];
    if (!sink_.is_new(f.rule, a.pc, other_pc)) continue;
    const path& other = paths_[f.other];
    finding r;
    r.check = family::races;
    r.rule = f.rule;
    r.here = s.p->where;
    r.here.pc = a.pc;
    r.here.lanes = f.lanes;
    if (a.does == race_access::kind::load)  // those that load the same were not looked at one by one
      for_each_lane(f.lanes, [&](uint32_t l) {
        for_each_lane(a.mask, [&](uint32_t k) {
          if (a.address[k] == a.address[l]) r.here.lanes |= uint64_t{1} << k;
        });
      });
    r.other = other.where;
    r.other->pc = other_pc;
    r.other->lanes = f.other_lanes;
    r.space = a.in_lds ? memory_space::lds : memory_space::global;
    r.address = f.address;
    r.bytes = f.bytes;
    const char* what = a.in_lds ? "LDS" : "memory";
    const char* unit = f.bytes == 1 ? "byte" : "bytes";
    if (f.rule == in_one_instruction) {
      r.what = fmt::format(
          "lanes of one instruction write different values to the same byte of {}: hardware keeps one "
          "of them, and need not always keep the same",
          what);
      r.mend = "one lane alone that writes, or an atomic";
      r.other_is = "and lanes";
    } else {
      const bool mates = other.workgroup == s.p->workgroup;
      const bool parts = mates && other.where.wave == s.p->where.wave;
      r.what = fmt::format("{} {} of {} {} {} here and {} by another {}, and nothing orders the two", f.bytes, unit,
                           what, f.bytes == 1 ? "is" : "are", f.here_is, f.other_is,
                           parts   ? "path of the same wavefront"
                           : mates ? "wavefront of the workgroup"
                                   : "workgroup");
      r.mend =
          parts   ? "a merge (or no split) between the two, or an atomic"
          : mates ? "s_barrier (__syncthreads) between the two, or atomics for both"
                  : "atomics for both; or a fence and an atomic after the first (s_waitcnt vmcnt(0) before it), and an "
                    "atomic and a fence (buffer_wbinvl1 after it) before the second; or two launches";
      r.other_is = fmt::format("{} by", f.other_is);
    }
    sink_.add(std::move(r));
  }
}

}  // namespace pws::check
