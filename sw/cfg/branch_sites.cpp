// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/branch_sites.h"

#include <algorithm>
#include <optional>

#include "models/isa/predicates.h"

namespace pws::cfg {

namespace {

using isa::inst;
using isa::operation;

class site_finder {
 public:
  explicit site_finder(const flow_graph& graph) : graph_(graph), code_(graph.code().instructions) {}

  bool narrows(size_t k) const {
    const inst& i = code_[k];
    if (!i.writes_exec) return false;
    if (i.native == isa::format::vopc || is_saveexec(i, operation::bit_and)) return true;
    if (is_saveexec(i) || !is_exec(i.dst)) return false;
    if (is_on_masks(i, operation::bit_and)) return is_exec(i.src[0]) || is_exec(i.src[1]);
    if (is_on_masks(i, operation::bit_andn2)) return is_exec(i.src[0]);
    return is_on_masks(i, operation::move) && moves_part_of_exec(k);
  }

  size_t skip_of(size_t k) const {
    const size_t last = graph_[graph_.block_of(k)].last();
    if (last == k || !tests_exec(code_[last])) return branch_site::no_skip;
    for (size_t n = k + 1; n < last; ++n)
      if (code_[n].writes_exec) return branch_site::no_skip;
    return last;
  }

 private:
  // The last instruction before `k` in its block that writes the pair.
  std::optional<size_t> writer(unsigned pair, size_t k) const {
    for (size_t n = k; n-- > graph_[graph_.block_of(k)].first;)
      if (writes_pair(code_[n], pair)) return n;
    return std::nullopt;
  }
  bool exec_changes(size_t from, size_t to) const {
    return std::any_of(code_.begin() + static_cast<ptrdiff_t>(from), code_.begin() + static_cast<ptrdiff_t>(to),
                       [](const inst& i) { return i.writes_exec; });
  }
  // EXEC, or a copy of it, as it still is at `until`.
  bool holds_exec(const isa::operand& o, size_t k, size_t until) const {
    if (is_exec(o)) return !exec_changes(k, until);
    if (o.kind != isa::operand_kind::scalar || o.dwords != 2) return false;
    const auto w = writer(o.index, k);
    return w && is_on_masks(code_[*w], operation::move) && o.index == code_[*w].dst.index &&
           is_exec(code_[*w].src[0]) && !exec_changes(*w, until);
  }
  // s_mov_b64 exec, P, where P is made of EXEC by s_and_b64 or s_andn2_b64.
  bool moves_part_of_exec(size_t k) const {
    const isa::operand& from = code_[k].src[0];
    if (from.kind != isa::operand_kind::scalar || from.dwords != 2) return false;
    const auto w = writer(from.index, k);
    if (!w || code_[*w].dst.index != from.index) return false;
    const inst& made = code_[*w];
    if (is_on_masks(made, operation::bit_and)) return holds_exec(made.src[0], *w, k) || holds_exec(made.src[1], *w, k);
    return is_on_masks(made, operation::bit_andn2) && holds_exec(made.src[0], *w, k);
  }

  const flow_graph& graph_;
  const std::vector<inst>& code_;
};

}  // namespace

std::vector<branch_site> find_branch_sites(const flow_graph& graph) {
  const auto& code = graph.code().instructions;
  const site_finder find(graph);
  std::vector<branch_site> sites;
  for (size_t k = 0; k < code.size(); ++k) {
    if (tests_scc(code[k])) {
      sites.push_back({branch_kind::scalar, k, branch_site::no_skip});
    } else if (tests_vcc(code[k])) {
      sites.push_back({branch_kind::mask, k, branch_site::no_skip});
    } else if (find.narrows(k)) {
      sites.push_back({branch_kind::narrowing, k, find.skip_of(k)});
    }
  }
  return sites;
}

}  // namespace pws::cfg
