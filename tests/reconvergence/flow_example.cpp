// SPDX-License-Identifier: Apache-2.0
#include "tests/reconvergence/flow_example.h"

#include <algorithm>
#include <stdexcept>

#include "tests/models/code_words.h"

namespace pws::test {

using reconvergence::schedule;
using reconvergence::slot;
using reconvergence::trace;
using reconvergence::warp;

flow_example::flow_example(const std::vector<block>& blocks) : blocks_(blocks) {
  std::vector<int> first;
  int n = 0;
  for (const block& b : blocks) {
    first.push_back(n);
    n += static_cast<int>(b.instructions);
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    const block& b = blocks[k];
    words_.resize(words_.size() + b.instructions - 1, s_nop);
    const auto over = [&](unsigned target) { return first[target] - static_cast<int>(words_.size()) - 1; };
    if (b.successors.size() == 2 && b.successors[0] != k + 1) throw std::logic_error("the next block comes first");
    words_.push_back(b.successors.empty()       ? s_endpgm
                     : b.successors.size() == 1 ? s_branch(over(b.successors[0]))
                                                : s_cbranch(over(b.successors[1])));
  }
  isa::program program(words_.data(), 0x1000, words_.size());
  code_ = std::make_unique<cfg::code_table>(program);
  if (code_->blocks().size() != blocks.size()) throw std::logic_error("a block that nobody jumps to");
  for (const cfg::code_table::block& b : code_->blocks()) passes_.add(b.begin, b.instructions);
}

trace flow_example::trace(const std::string& names) const {
  reconvergence::trace t;
  for (const char name : names)
    if (name == '|')
      t.barriers.push_back(t.passes.size());
    else
      t.passes.push_back(static_cast<reconvergence::pass_id>(name - 'A'));
  return t;
}

warp flow_example::warp(const std::vector<std::string>& traces) const {
  reconvergence::warp w;
  for (const std::string& t : traces) w.push_back(trace(t));
  return w;
}

warp flow_example::random_warp(std::mt19937& random, size_t work_items, size_t longest) const {
  reconvergence::warp w(work_items);
  for (reconvergence::trace& t : w)
    for (unsigned at = 0; t.passes.size() < longest;) {
      t.passes.push_back(at);
      const std::vector<unsigned>& next = blocks_[at].successors;
      if (next.empty()) break;
      at = next[random() % next.size()];
    }
  return w;
}

std::string flow_example::text(const schedule& s) const {
  std::string out;
  for (const slot& one : s) {
    out += (out.empty() ? "" : " ") + std::string(1, static_cast<char>('A' + one.pass)) + ":";
    for (unsigned m = 0; m < 64; ++m)
      if ((one.members >> m & 1) != 0) out += std::to_string(m);
  }
  return out;
}

flow_example random_example(std::mt19937& random) {
  const unsigned n = 3 + random() % 7;
  std::vector<flow_example::block> blocks;
  for (unsigned k = 0; k < n; ++k) {
    flow_example::block b{1 + static_cast<uint32_t>(random() % 9), {}};
    // Every block ends with a branch or the end, so that each begins one.
    if (k + 1 < n && random() % 8 != 0) b.successors = {k + 1, static_cast<unsigned>(random() % n)};
    if (k + 1 < n && b.successors.empty() && random() % 2 != 0) b.successors = {static_cast<unsigned>(random() % n)};
    blocks.push_back(b);
  }
  return flow_example(blocks);
}

std::string not_an_order_of(const warp& w, const schedule& s, bool barriers) {
  std::vector<size_t> done(w.size(), 0);
  const auto segment = [&](size_t m) {  // of the pass that it has just been through
    return std::upper_bound(w[m].barriers.begin(), w[m].barriers.end(), done[m] - 1) - w[m].barriers.begin();
  };
  ptrdiff_t latest = 0;
  for (const slot& one : s) {
    if (one.members == 0) return "a slot of nobody";
    for (size_t m = 0; m < 64; ++m) {
      if ((one.members >> m & 1) == 0) continue;
      if (m >= w.size() || done[m] == w[m].passes.size()) return "too many passes of " + std::to_string(m);
      if (w[m].passes[done[m]++] != one.pass) return "another pass than that of " + std::to_string(m);
      if (!barriers) continue;
      if (segment(m) < latest) return "over a barrier: " + std::to_string(m);
      latest = segment(m);
    }
  }
  for (size_t m = 0; m < w.size(); ++m)
    if (done[m] != w[m].passes.size()) return "too few passes of " + std::to_string(m);
  return "";
}

}  // namespace pws::test
