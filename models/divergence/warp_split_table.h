// SPDX-License-Identifier: Apache-2.0
// `dws-table`: dynamic warp subdivision as the DPE paper compares with it (2.2). A wavefront has a reconvergence stack
// and a warp-split table. A split is served by the stack, or, if the block behind its merge is short enough
// (dws.threshold), the table: both sides become warp-splits, which are all schedulable. While there are warp-splits,
// every split makes more of them.
//
// Warp-splits do not wait at merges: what follows runs once for each of them. Only where one comes to a merge at which
// another one stands too, and it is the merge of the same split for both, they become one. Elsewhere those that stand
// at one PC issue together (dws.pc_reconvergence), each with scalar registers of its own. The reconvergence PC of the
// table is that of the stack: when all warp-splits have come there, or ended, the table is empty, and the stack goes on
// with one path. With an empty stack that is the program's end.
//
// The first warp-split runs in the wavefront's own context, the others in further ones, as many as there are.
#pragma once

#include <unordered_map>
#include <vector>

#include "models/divergence/code_blocks.h"
#include "models/divergence/reconvergence_stack.h"

namespace pws::models {

// Where it stands in a context's record of the debug window, behind the first entries of the stack.
namespace table_record {
constexpr uint64_t count = 0x3c;  // 32 bits: warp-splits
constexpr uint32_t stack_entries_shown = 8;
constexpr uint64_t splits = 0x180;  // oldest first
constexpr uint64_t split_bytes = 16;
constexpr uint64_t pc = 0, mask = 8;   // in a split, 64 bits each
constexpr uint32_t splits_shown = 40;  // what a record has room for
}  // namespace table_record

// A path of a wavefront.
struct warp_split {
  wf_context* context = nullptr;
  // Splits whose merge it has not passed, innermost last. Each split that the table serves has a number of its own.
  std::vector<uint64_t> open;
  bool at_rpc = false;
};

class warp_split_table : public reconvergence_stack {
 public:
  warp_split_table(const machine_config& c, context_map& contexts);

  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  // A merge that a warp-split passes is nothing to wait for.
  bool waits_at(const wf_context& w, const isa::inst& i) const override;
  // Warp-splits whose code is behind all merges take part in barriers, each by itself.
  void check_barrier(const wf_context& w) const override;
  // At the reconvergence PC, also until one path can count what all that have come there count.
  wait waits_for(const wf_context& w, const isa::inst& i) const override;
  bool issues_together() const override { return together_; }
  void standing_with(wf_context& w, std::vector<wf_context*>& all) const override;
  uint32_t schedulable_paths(const wf_context& w) const override;
  void ended(wf_context& w, swf_scheduler& s) override;
  // Warp-splits become one while they have results and operations under way, whatever the scoreboard: what they come to
  // is no merge that anybody waits at.
  void rejoin(front_end&) const override {}
  // What one warp-split asks memory for, others count too.
  bool keeps_operations_across_contexts() const override { return true; }
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

  // The warp-splits of the wavefront in `w`, oldest first; none while it runs on its stack alone.
  const std::vector<warp_split>& splits(const wf_context& w) const;

 private:
  void keep_paths(state_archive& a) override;
  struct split_served {
    uint32_t open = 0;    // warp-splits that have not passed its merge
    uint32_t passed = 0;  // times that its merge has been passed
  };
  struct table {
    std::vector<warp_split> splits;
    std::unordered_map<uint64_t, split_served> served;  // by number
  };
  table& of(const wf_context& w) { return tables_[w.tdm_requester.place]; }
  const table& of(const wf_context& w) const { return tables_[w.tdm_requester.place]; }
  template <class T>
  static auto find(T& t, const wf_context& w);  // the warp-split of this context, which there is
  bool subdivides(const wf_context& w, const isa::inst& split);
  void subdivide(table& t, wf_context& w, uint64_t mask, swf_scheduler& s);
  after_divergence pass_merge(table& t, wf_context& w, const isa::inst& i, swf_scheduler& s);
  wf_context& recombine(table& t, wf_context& w, uint64_t merge, swf_scheduler& s);
  void absorb(wf_context& w, wf_context& other) const;
  void move(wf_context& from, wf_context& to) const;
  after_divergence arrive(table& t, wf_context& w, swf_scheduler& s);
  bool all_at_rpc(const table& t) const;
  after_divergence empty(table& t, wf_context& root, wf_context* acting, swf_scheduler& s);
  void drop(table& t, wf_context& c, swf_scheduler& s);

  const uint64_t threshold_;
  const bool together_;
  const uint32_t stack_shown_;
  std::vector<table> tables_;                         // by tdm_requester.place
  std::unordered_map<uint64_t, code_blocks> blocks_;  // by the program's number
  uint64_t next_number_ = 0;
};

}  // namespace pws::models
