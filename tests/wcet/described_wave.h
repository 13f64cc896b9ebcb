// SPDX-License-Identifier: Apache-2.0
// A wavefront's registers with what the analysis knows of them, and its ways through code with splits.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/code/decode.h"
#include "sw/wcet/lanes/lane_transfer.h"
#include "tests/wcet/concretisation.h"
#include "tests/wcet/lane_code.h"

namespace pws::test {

using wcet::lane_mask;
using wcet::lane_state;
using wcet::lane_transfer;
using wcet::wide_offsets;

class described_wave {
 public:
  // `numbers`: everything is known.
  described_wave(random_source& r, uint64_t launched, bool numbers = false)
      : known(n_vgprs, launched, launched), rows_(n_vgprs) {
    state.n_vgprs = n_vgprs;
    state.n_sgprs = isa::sgpr_limit;
    state.vgpr = rows_.data();
    state.mode = 0x3c0;
    for (uint32_t& s : state.scalar) s = r.any();
    state.set_scalar64(isa::exec_lo, launched);
    for (unsigned v = 0; v < n_vgprs; ++v) {
      const described d = random_lanes(r);
      EXPECT_TRUE(holds(d.value, d.concrete, ~uint64_t{0}));
      for (unsigned l = 0; l < lanes_per_wave; ++l)
        rows_[v].lane[l] = (launched >> l & 1) != 0 ? d.concrete[l] : r.any();
      known.set_initial(v, numbers ? lane_value::of_lanes(d.concrete) : d.value);
    }
    for (unsigned v = 0; v + 1 < n_vgprs; v += 2)
      if (!numbers && r.one_in(3)) make_wide(r, v);
    for (unsigned s = 0; numbers && s < n_sgprs; ++s) known.set_scalar(s, word_set::constant(state.scalar[s]));
    for (unsigned s = 0; !numbers && s < n_sgprs; ++s) {
      if (r.one_in(3)) continue;
      if (r.one_in(4)) state.scalar[s] = 0;
      const unsigned bits = r.below(33);
      word_set w = r.one_in(2) ? word_set::aligned(bits, state.scalar[s])
                               : word_set{state.scalar[s] - r.below(100), 100 + r.below(100), 0, 0}.reduced();
      if (r.one_in(4)) w = word_set::constant(state.scalar[s]);
      known.set_scalar(s, w);
    }
  }

  described_wave(const described_wave& o) : state(o.state), known(o.known), rows_(o.rows_), launched_(o.launched_) {
    state.vgpr = rows_.data();
  }
  described_wave& operator=(const described_wave&) = delete;

  // Whether a split by that mask leaves work-items on both sides.
  bool diverges_by(uint64_t mask) const {
    const uint64_t work_items = state.split_mask & launched_;
    return (work_items & mask) != 0 && (work_items & ~mask) != 0;
  }
  // At their merge: takes the work-items of the second part.
  void take(const described_wave& second) {
    for (unsigned v = 0; v < n_vgprs; ++v)
      for (unsigned l = 0; l < lanes_per_wave; ++l)
        if ((state.split_mask >> l & 1) == 0) rows_[v].lane[l] = second.rows_[v].lane[l];
    state.split_mask |= second.state.split_mask;
    state.set_scalar64(isa::exec_lo, state.scalar64(isa::exec_lo) | second.state.scalar64(isa::exec_lo));
  }

  // "" or what does not fit.
  std::string mismatch() const {
    const uint64_t exec = state.active();
    if ((exec & ~known.lanes()) != 0) return "EXEC has other lanes";
    if (known.exec_number().value_or(exec) != exec) return "EXEC is another number";
    if (known.split_mask().value_or(state.split_mask) != state.split_mask) return "SpM is another number";
    for (unsigned v = 0; v < n_vgprs; ++v) {
      row_words w;
      std::copy(std::begin(rows_[v].lane), std::end(rows_[v].lane), w.begin());
      if (!holds(known.vector(v), w, exec)) return fmt::format("v{}", v);
    }
    for (unsigned v = 0; v + 1 < n_vgprs; ++v)
      if (const auto offsets = known.wide(v); offsets && !wide_holds(v, *offsets, exec))
        return fmt::format("v[{}:{}]", v, v + 1);
    for (unsigned v = 0; v + 1 < n_vgprs; ++v)
      if (!places_hold(v, known.wide_cover(v), exec)) return fmt::format("places of v[{}:{}]", v, v + 1);
    for (unsigned s = 0; s < isa::exec_lo; ++s)
      if (!known.scalar(s).value.contains(state.scalar[s])) return fmt::format("s{}", s);
    if (!known.scc.contains(state.scc ? 1 : 0)) return "SCC";
    for (unsigned s = 0; s < isa::m0; s += 2) {
      if (s >= n_sgprs && s < first_special) continue;
      const lane_mask m = known.mask(s);
      const uint64_t real = state.scalar64(s);
      if (m.number.value_or(real) != real) return fmt::format("the mask s{} is another number", s);
      if ((real & ~m.lanes) != 0) return fmt::format("the mask s{} has other lanes", s);
      if (m.within_exec && (real & ~exec) != 0) return fmt::format("the mask s{} is not within EXEC", s);
      if (m.within[0] && (real & ~launched_) != 0) return fmt::format("the mask s{} is not within the launched", s);
      row_words bits;
      for (unsigned l = 0; l < lanes_per_wave; ++l) bits[l] = static_cast<uint32_t>(real >> l & 1);
      if (m.bits && !holds(*m.bits, bits, exec)) return fmt::format("bits of the mask s{}", s);
    }
    return "";
  }
  bool wide_holds(unsigned v, const wide_offsets& offsets, uint64_t lanes) const {
    std::optional<uint64_t> base;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      if ((lanes >> l & 1) == 0) continue;
      const uint64_t b = (rows_[v].lane[l] | uint64_t{rows_[v + 1].lane[l]} << 32) - static_cast<uint64_t>(offsets[l]);
      if (base && *base != b) return false;
      base = b;
    }
    return true;
  }
  bool places_hold(unsigned v, const lane_cover& c, uint64_t lanes) const {
    std::vector<uint64_t> at;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if ((lanes >> l & 1) != 0) at.push_back(rows_[v].lane[l] | uint64_t{rows_[v + 1].lane[l]} << 32);
    return holds(c, at, ~uint64_t{0});
  }
  void set_launched(uint64_t l) { launched_ = l; }
  // VCC, M0 and the other special registers, and SCC.
  void describe_others(random_source& r) {
    for (unsigned s = first_special; s <= isa::m0; ++s)
      if (r.one_in(2))
        known.set_scalar(
            s, r.one_in(2) ? word_set::constant(state.scalar[s]) : word_set::aligned(r.below(33), state.scalar[s]));
    state.scc = r.one_in(2);
    if (r.one_in(2)) known.scc = word_set::constant(state.scc ? 1 : 0);
  }
  // In all lanes, whatever is known elsewhere.
  void put(unsigned row, const row_words& lanes, const lane_value& what) {
    std::copy(lanes.begin(), lanes.end(), std::begin(rows_[row].lane));
    known.forget_vector(row);
    known.set_initial(row, what);
  }
  static constexpr unsigned first_special = isa::flat_scratch_lo;

  isa::wave_state state;
  lane_state known;

 private:
  void make_wide(random_source& r, unsigned v) {
    const uint64_t base = r.number() | uint64_t{r.number()} << 32;
    const int64_t step = r.one_in(2) ? r.below(20) : static_cast<int64_t>(r.number()) << r.below(20);
    wide_offsets offsets;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      offsets[l] = static_cast<int64_t>(l) * step;
      const uint64_t value = base + static_cast<uint64_t>(offsets[l]);
      rows_[v].lane[l] = static_cast<uint32_t>(value);
      rows_[v + 1].lane[l] = static_cast<uint32_t>(value >> 32);
    }
    known.set_initial(v, lane_value::unknown());
    known.set_initial(v + 1, lane_value::unknown());
    known.set_wide(v, offsets);
  }

  std::vector<isa::vgpr_row> rows_;
  uint64_t launched_ = ~uint64_t{0};
};

// Straight-line code, which gets its s_endpgm, and what the analysis makes of it.
struct analysed_code {
  explicit analysed_code(std::vector<uint32_t> words, wcet::launch_facts launch = {})
      : code(decode(std::move(words))), graph(code), facts(std::move(launch)), transfer(graph, facts) {}
  static cfg::function_code decode(std::vector<uint32_t> words) {
    words.push_back(0xbf810000);
    return cfg::decode_function("f", words.data(), words.size(), 0x1000);
  }
  std::string text() const {
    std::string lines;
    for (const isa::inst& i : code.instructions) lines += isa::disassemble(i) + "\n";
    return lines;
  }

  cfg::function_code code;
  cfg::flow_graph graph;
  wcet::launch_facts facts;
  lane_transfer transfer;
};

// Such code with splits and their merges, executed by all pieces of a wavefront, each with what is known of it.
class split_walk {
 public:
  split_walk(const analysed_code& of, random_source& r) : transfer_(of.transfer), code_(of.code.instructions), r_(r) {}
  unsigned merged = 0, exec_known = 0;
  std::string failure;

  // From instruction `k` to the end, or to the merge of the split around it.
  size_t run(described_wave& m, size_t k) {
    for (; k + 1 < code_.size() && failure.empty(); ++k) {
      const isa::inst& i = code_[k];
      if (i.unit == isa::unit::merge) return k;
      if (m.state.active() == 0 && std::string(i.row->mnemonic) == "v_readfirstlane_b32") {
        failure = "stop";
        return k;
      }
      m.state.pc = i.pc + i.bytes();
      if (i.unit == isa::unit::split) {
        k = split(m, k);
      } else {
        transfer_.apply(m.known, k);
        i.exec(m.state, i);
      }
      check(m, k);
    }
    return k;
  }

 private:
  void check(const described_wave& m, size_t k) {
    if (failure.empty()) failure = m.mismatch();
    if (!failure.empty() && failure != "stop") failure += fmt::format(" at {} {}", k, isa::disassemble(code_[k]));
  }
  // Returns the merge.
  size_t split(described_wave& m, size_t k) {
    const unsigned pair = code_[k].src[0].index;
    const uint64_t mask = pair == isa::exec_lo ? m.state.active() : m.state.scalar64(pair);
    const auto cases = transfer_.cases_of(m.known, k);
    const bool parts = m.diverges_by(mask) && !r_.one_in(4);  // else there is no context
    if (cases && parts && !cases->first) failure = fmt::format("parts that there are not, at {}", k);
    if (!failure.empty()) return k;
    if (!parts) {
      if (cases)
        m.known = cases->whole;
      else
        transfer_.apply(m.known, k);
      check(m, k);
      const size_t end = run(m, k + 1);
      if (cases)
        m.known.end_whole();
      else
        transfer_.apply(m.known, end);
      return end;
    }
    described_wave second = m;
    m.state.split_mask &= mask;
    second.state.split_mask &= ~mask;
    if (cases) {
      m.known = *cases->first;
      second.known = *cases->second;
    } else {
      transfer_.apply(m.known, k);
      second.known = m.known;
    }
    check(m, k);
    check(second, k);
    const size_t end = run(m, k + 1);
    if (failure.empty()) run(second, k + 1);
    if (!failure.empty()) return end;
    m.take(second);
    if (cases)
      m.known = transfer_.merged(m.known, second.known, end);
    else
      transfer_.apply(m.known, end);
    ++merged;
    exec_known += m.known.exec_number() ? 1 : 0;
    return end;
  }

  const lane_transfer& transfer_;
  const std::vector<isa::inst>& code_;
  random_source& r_;
};

}  // namespace pws::test
