// SPDX-License-Identifier: Apache-2.0
// What all models of schemes have in common: places in which paths issue, units, results under way, barriers.
// path_machine.h says what it assumes.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "tests/splitting/path_machine.h"

namespace pws::test {

// A set of work-items of one wavefront, with scalar registers and a PC of its own.
struct path {
  size_t at = 0;
  uint64_t work_items = 0;
  path_scalars scalar;
  uint64_t can_issue = 0;                // cycle
  std::map<unsigned, uint64_t> results;  // under way: when they are there
  unsigned one_sided = 0;                // splits without a second side whose merge has not come
};

// A context: of a wavefront, or a part of it.
struct place {
  enum class state { empty, runs, at_barrier, at_merge, ends };
  unsigned unit = 0;  // the SIMD unit is 0
  uint32_t wavefront = 0;
  uint64_t rank = 0;  // the lowest is the oldest
  state is = state::empty;
  uint64_t ends_at = 0;      // the cycle behind its s_endpgm
  uint64_t empty_at = 0;     // it can be taken from this cycle on
  std::optional<path> runs;  // or waits
  struct result {
    uint64_t ready = 0;
    bool shadow = false;  // the other slot waits for it too
  };
  std::map<unsigned, result> results;  // issued here, if the scoreboard keeps them by slot
};

// The one path that two become: `left`, with the work-items and the results under way of both.
path joined(const path& left, const path& right);

class path_pipeline {
 public:
  path_pipeline(const path_program& program, const models::machine_config& machine, uint32_t work_items);
  virtual ~path_pipeline() = default;
  std::vector<path_issue> run(uint64_t begin);

 protected:
  // ---- What a scheme decides. The path has issued the instruction in this cycle and stands behind it.
  virtual void split(place& p, uint64_t left) = 0;               // both sides have work-items
  virtual void keep_together(place& p) { ++p.runs->one_sided; }  // a split whose merge has nothing to do
  virtual void merge(place& p) = 0;
  // The path in this place has come to its end and has left it.
  virtual void ended(place& p) = 0;
  // Whether a path waits that is in no place.
  virtual bool somebody_waits_elsewhere(uint32_t) const { return false; }
  virtual void long_operation(place&) {}
  virtual bool may_issue(const place&) const { return true; }
  // Whether the split is one that its merge finds, but nothing happens at.
  virtual bool parts(const place&, uint64_t left, uint64_t right) const { return left != 0 && right != 0; }
  // Whether the path does not wait at the merge that it has come to.
  virtual bool passes(const place&) const { return false; }
  // Who issues with the path that runs in this place, and only with it; whose turn it is comes first.
  virtual std::vector<place*> together(place& p) { return {&p}; }
  // The other slot of the wavefront: a conservative scoreboard looks there too.
  virtual const place* other_slot(const place&) const { return nullptr; }

  place& add_place(unsigned number, uint32_t wavefront, uint64_t rank);
  void begin(place& p, path what, uint64_t at) const;
  // Paths of the wavefront have parted or become one: what is under way in a slot is seen in the other one too.
  void set_shadow_bits(uint32_t wavefront);
  path_instruction const& instruction(const place& p) const { return code_[p.runs->at]; }

  const path_program& program_;
  const std::vector<path_instruction>& code_;
  const models::machine_config& machine_;
  uint64_t now_ = 0;
  std::vector<std::unique_ptr<place>> places_;  // oldest first within a unit, but for those with ranks of their own
  uint32_t wavefronts_ = 0;
  std::vector<vector_words> vector_;

 private:
  enum port { valu, scalar, none };
  port port_of(const path_instruction& i) const;
  uint64_t valu_cycles(const path_instruction& i) const;
  bool by_slot() const { return machine_.scoreboard == models::path_scoreboard::conservative; }
  bool there(const place& p, unsigned reg) const;
  bool ready(const place& p) const;
  bool all_ready(const std::vector<place*>& together) const;
  void cycle(unsigned unit);
  void issue(place& p);
  void take_split(place& p);
  void pass_barrier();

  struct unit {
    uint64_t valu_free_at = 0;
    uint64_t turn = 0;  // round robin: the rank that comes first
  };
  std::map<unsigned, unit> units_;
  unsigned last_unit_ = 0;
  std::vector<path_issue> issued_;
};

std::unique_ptr<path_pipeline> make_stack_model(const path_program&, const models::machine_config&, uint32_t);
std::unique_ptr<path_pipeline> make_dual_path_model(const path_program&, const models::machine_config&, uint32_t);
std::unique_ptr<path_pipeline> make_table_model(const path_program&, const models::machine_config&, uint32_t);
std::unique_ptr<path_pipeline> make_tree_model(const path_program&, const models::machine_config&, uint32_t);

}  // namespace pws::test
