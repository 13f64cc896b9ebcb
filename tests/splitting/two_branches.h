// SPDX-License-Identifier: Apache-2.0
// The control-flow graph of the DPE paper's Figure 1, from configs/runs/two_branches.yaml, as waveform and debug window
// show its wavefront's stack in every cycle.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/divergence/shown_registers.h"
#include "tests/splitting/observed_run.h"

namespace pws::test {

constexpr uint64_t cycle = 1000;  // ps
inline const std::string scope = "SystemC.gpu.cu0.simd0.wf0.";

// The figure's masks: "0100" is work-items 16 to 31.
inline uint64_t mask(const std::string& figure) {
  uint64_t m = 0;
  for (size_t k = 0; k < figure.size(); ++k)
    if (figure[k] == '1') m |= uint64_t{0xffff} << (16 * k);
  return m;
}

struct entry {
  uint64_t left_pc = 0, left_mask = 0, right_pc = 0, right_mask = 0, rpc = 0;
  bool operator==(const entry& o) const {
    return left_pc == o.left_pc && left_mask == o.left_mask && right_pc == o.right_pc && right_mask == o.right_mask &&
           rpc == o.rpc;
  }
};

// The wavefront's context in one cycle.
struct snapshot {
  uint64_t spm = 0, pc = 0;
  uint32_t state = 0, path = 0, depth = 0;
  std::array<entry, 3> entries;  // one more than the program needs
  bool operator==(const snapshot& o) const {
    return spm == o.spm && pc == o.pc && state == o.state && path == o.path && depth == o.depth && entries == o.entries;
  }
  // Which side of which entry issues, and the masks of all entries.
  std::vector<uint64_t> stack() const {
    std::vector<uint64_t> s{path};
    for (uint32_t k = 0; k < depth; ++k) s.insert(s.end(), {entries[k].left_mask, entries[k].right_mask});
    return s;
  }
};

inline snapshot in_waveform(const vcd_file& v, uint64_t time) {
  const auto value = [&](const std::string& s) { return v.signal(scope + s).at(time); };
  snapshot s;
  s.spm = value("spm");
  s.pc = value("pc");
  s.state = static_cast<uint32_t>(value("status"));
  s.path = static_cast<uint32_t>(value("stack.path"));
  s.depth = static_cast<uint32_t>(value("stack.depth"));
  for (size_t k = 0; k < s.entries.size(); ++k) {
    const std::string name = "stack.entry" + std::to_string(k) + ".";
    s.entries[k] = {value(name + "left_pc"), value(name + "left_mask"), value(name + "right_pc"),
                    value(name + "right_mask"), value(name + "rpc")};
  }
  return s;
}

inline snapshot from_record(const std::vector<uint8_t>& r) {
  namespace record = models::debug_register;
  namespace stack = models::stack_record;
  snapshot s;
  s.spm = field<uint64_t>(r, record::spm);
  s.pc = field<uint64_t>(r, record::pc);
  s.state = field<uint32_t>(r, record::state);
  s.path = field<uint32_t>(r, stack::path);
  s.depth = field<uint32_t>(r, stack::depth);
  for (size_t k = 0; k < s.entries.size(); ++k) {
    const uint64_t at = stack::entries + k * stack::entry_bytes;
    s.entries[k] = {field<uint64_t>(r, at + stack::left_pc), field<uint64_t>(r, at + stack::left_mask),
                    field<uint64_t>(r, at + stack::right_pc), field<uint64_t>(r, at + stack::right_mask),
                    field<uint64_t>(r, at + stack::rpc)};
  }
  return s;
}

// While the wavefront runs, one per cycle.
inline std::vector<snapshot> cycles_of(const observed_run& run) {
  std::vector<snapshot> all;
  for (uint64_t t = 0; t <= run.waveform.end_time; t += cycle) {
    const snapshot s = in_waveform(run.waveform, t);
    const auto state = static_cast<models::wf_status>(s.state);
    if (state != models::wf_status::idle && state != models::wf_status::ended) all.push_back(s);
  }
  return all;
}

// What it is, each time that it changes.
template <class F>
auto history(const std::vector<snapshot>& cycles, F what) {
  std::vector<decltype(what(snapshot{}))> values;
  for (const snapshot& s : cycles)
    if (values.empty() || values.back() != what(s)) values.push_back(what(s));
  return values;
}

}  // namespace pws::test
