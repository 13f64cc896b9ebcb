// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/divergent_branch.h"

#include <algorithm>
#include <optional>

#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::cfg {

namespace {

using isa::inst;
using isa::operation;

unsigned pair_of(const isa::operand& o) {
  return o.kind == isa::operand_kind::scalar && o.dwords == 2 ? o.index : no_pair;
}

// Where straight-line code ends: branches, ends, and places that branches go to.
class straight_lines {
 public:
  explicit straight_lines(const function_code& code) : graph_(code) {}
  size_t end(size_t instruction) const { return graph_[graph_.block_of(instruction)].end; }
  size_t begin(size_t instruction) const { return graph_[graph_.block_of(instruction)].first; }

 private:
  flow_graph graph_;
};

class divergence_finder {
 public:
  explicit divergence_finder(const function_code& code) : code_(code.instructions), lines_(code), function_(code) {}

  std::vector<divergent_branch> run() {
    for (size_t k = 0; k < code_.size(); ++k) {
      if (tests_exec(code_[k])) {
        if (std::find(taken_.begin(), taken_.end(), k) == taken_.end()) with_skip(k);
      } else if (is_saveexec(code_[k], operation::bit_and) && !has_skip(k)) {
        without_skip(k);
      }
    }
    return std::move(found_);
  }

 private:
  // The last instruction before the branch `k` in its block that writes EXEC.
  std::optional<size_t> last_exec_write(size_t k) const {
    for (size_t j = k; j-- > lines_.begin(k);)
      if (code_[j].writes_exec) return j;
    return std::nullopt;
  }
  // The first instruction from `k` on in its block that writes EXEC.
  std::optional<size_t> next_exec_write(size_t k) const {
    for (size_t j = k; j < lines_.end(k); ++j)
      if (code_[j].writes_exec) return j;
    return std::nullopt;
  }
  // True if the block ends with a branch on EXEC and nothing else writes EXEC before.
  bool has_skip(size_t narrow) const {
    const size_t last = lines_.end(narrow) - 1;
    return tests_exec(code_[last]) && !exec_written(narrow + 1, last);
  }
  // Where a skip leads if EXEC is empty: s_cbranch_execnz goes to a side that is placed elsewhere.
  size_t skipped_to(size_t skip) const {
    const bool if_empty = branch_condition_of(code_[skip]) == isa::branch_condition::exec_zero;
    return if_empty ? function_.at(code_[skip].target) : skip + 1;
  }
  bool exec_written(size_t from, size_t to) const {
    return std::any_of(code_.begin() + static_cast<ptrdiff_t>(from), code_.begin() + static_cast<ptrdiff_t>(to),
                       [](const inst& i) { return i.writes_exec; });
  }

  // The pair that holds the other side's work-items: what `narrow` saved, or the s_xor_b64 behind it made of that.
  struct other_side {
    unsigned pair = no_pair;
    size_t known_from = 0;  // first instruction behind those that made it
  };
  other_side other_side_of(size_t narrow) const {
    other_side o{pair_of(code_[narrow].dst), narrow + 1};
    if (!is_saveexec(code_[narrow], operation::bit_and)) return {};
    for (size_t k = narrow + 1; k < std::min(narrow + 3, lines_.end(narrow)); ++k) {
      const inst& x = code_[k];
      if (!is_on_masks(x, operation::bit_xor) || is_exec(x.dst)) continue;
      if ((is_exec(x.src[0]) && is_pair(x.src[1], o.pair)) || (is_exec(x.src[1]) && is_pair(x.src[0], o.pair)))
        return {pair_of(x.dst), k + 1};
    }
    return o;
  }

  // The BSB's narrowing that begins with the EXEC write `k`: the instruction after which EXEC holds the second side,
  // and the pair that the first one is kept in.
  struct inversion {
    size_t narrow = 0;
    unsigned saved = no_pair;
  };
  std::optional<inversion> inversion_at(size_t k, unsigned other) const {
    const inst& i = code_[k];
    if (!is_pair(i.src[0], other)) return std::nullopt;
    if (is_saveexec(i, operation::bit_andn2)) return inversion{k, pair_of(i.dst)};
    if (!is_saveexec(i, operation::bit_or)) return std::nullopt;
    const unsigned saved = pair_of(i.dst);
    for (size_t j = k + 1; j < lines_.end(k); ++j) {
      const inst& x = code_[j];
      if (x.writes_exec) {
        const bool narrows = is_on_masks(x, operation::bit_xor) && is_exec(x.dst) &&
                             (is_pair(x.src[0], saved) || is_pair(x.src[1], saved));
        if (narrows) return inversion{j, saved};
        return std::nullopt;
      }
      if (writes_pair(x, saved)) return std::nullopt;
    }
    return std::nullopt;
  }

  // The skip over the second side, in the code or missing.
  std::optional<exec_skip> second_skip(const inversion& v) const {
    const size_t end = lines_.end(v.narrow);
    if (has_skip(v.narrow)) return exec_skip{v.narrow, end - 1, skipped_to(end - 1), false};
    for (size_t k = v.narrow + 1; k < end; ++k) {
      if (restores_exec(code_[k], v.saved)) return exec_skip{v.narrow, v.narrow, k, true};
      if (code_[k].writes_exec || writes_pair(code_[k], v.saved)) return std::nullopt;
    }
    // The second side ends where a branch goes to or comes from: the restoring instruction is the next block's first.
    const bool falls_through = end < code_.size() && !ends_function(code_[end - 1]) && code_[end - 1].target == 0;
    if (falls_through && restores_exec(code_[end], v.saved)) return exec_skip{v.narrow, v.narrow, end, true};
    return std::nullopt;
  }

  void with_skip(size_t skip) {
    const auto narrow = last_exec_write(skip);
    if (!narrow) return;  // EXEC was narrowed before this block: an inner part of some other branch
    divergent_branch b;
    b.skip = {*narrow, skip, skipped_to(skip), false};
    const inst& how = code_[*narrow];
    if (is_on_masks(how, operation::bit_andn2)) {
      add_loop_exit(*narrow, skip);
      return;
    }
    const auto write = next_exec_write(b.skip.target);
    if (!(write && classify(b, *write)) && ends_function(code_[b.skip.target]))
      b.what = divergent_branch::kind::if_only;
    if (is_saveexec(how, operation::bit_and) || is_saveexec(how, operation::bit_andn2) ||
        is_on_masks(how, operation::move) || is_on_masks(how, operation::bit_and) ||
        is_on_masks(how, operation::bit_xor))
      found_.push_back(b);
  }

  void without_skip(size_t narrow) {
    const other_side other = other_side_of(narrow);
    divergent_branch b;
    for (size_t k = other.known_from; k < lines_.end(narrow); ++k) {
      if (code_[k].writes_exec) {
        b.skip = {narrow, other.known_from - 1, k, true};
        classify(b, k);
        found_.push_back(b);
        return;
      }
      if (writes_pair(code_[k], other.pair)) break;
    }
    // The side ends with its block: the next block's first EXEC write says what it is.
    const size_t end = lines_.end(narrow);
    const bool falls_through = end < code_.size() && !ends_function(code_[end - 1]) && code_[end - 1].target == 0;
    b.skip = {narrow, other.known_from - 1, end, true};
    if (falls_through && code_[end].writes_exec) classify(b, end);
    found_.push_back(b);
  }

  // By the first EXEC write behind the side: it restores EXEC, or begins the BSB. False if it does neither.
  bool classify(divergent_branch& b, size_t exec_write) {
    const unsigned saved = pair_of(code_[b.skip.narrow].dst), other = other_side_of(b.skip.narrow).pair;
    for (const unsigned pair : {saved, other}) {
      if (other == no_pair || !restores_exec(code_[exec_write], pair)) continue;
      b.what = divergent_branch::kind::if_only;
      b.restored_from = pair;
      return true;
    }
    if (const auto v = inversion_at(exec_write, other)) finish(b, *v);
    return b.what != divergent_branch::kind::unknown;
  }

  void finish(divergent_branch& b, const inversion& v) {
    const auto second = second_skip(v);
    if (!second) return;
    b.what = divergent_branch::kind::if_else;
    b.bsb = *second;
    b.restored_from = v.saved;
    if (!second->missing) taken_.push_back(second->after);
  }

  void add_loop_exit(size_t narrow, size_t branch) {
    divergent_branch b;
    b.what = divergent_branch::kind::loop_exit;
    b.skip = {narrow, branch, skipped_to(branch), false};
    found_.push_back(b);
  }

  const std::vector<inst>& code_;
  straight_lines lines_;
  const function_code& function_;
  std::vector<divergent_branch> found_;
  std::vector<size_t> taken_;  // skips that belong to a BSB
};

}  // namespace

bool restores_exec(const inst& i, unsigned pair) {
  if (pair == no_pair || !is_exec(i.dst)) return false;
  if (is_on_masks(i, operation::move)) return is_pair(i.src[0], pair);
  return is_on_masks(i, operation::bit_or) &&
         ((is_exec(i.src[0]) && is_pair(i.src[1], pair)) || (is_exec(i.src[1]) && is_pair(i.src[0], pair)));
}

std::vector<divergent_branch> find_divergent_branches(const function_code& code) {
  return divergence_finder(code).run();
}

std::vector<added_branch> missing_skips(const std::vector<divergent_branch>& branches) {
  std::vector<added_branch> added;
  for (const divergent_branch& b : branches) {
    if (b.what != divergent_branch::kind::if_else) continue;
    if (b.skip.missing) added.push_back({b.skip.after, b.skip.target});
    if (b.bsb.missing) added.push_back({b.bsb.after, b.bsb.target});
  }
  return added;
}

}  // namespace pws::cfg
