// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/split_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::pwscc {

namespace {

constexpr const char* split_text = "\t.long 0xbf147f7e                        ; split exec_lo, exec_hi\n";
constexpr const char* merge_text = "\t.long 0xbf150000                        ; merge\n";

// Edits at one place come in this order.
enum class rank : uint8_t { merge_behind, split, join, label };

struct edit {
  size_t line;
  enum rank rank;
  size_t region_size;  // inner regions first
  std::string text;
};

class editor {
 public:
  editor(assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph, register_budget& registers,
         unsigned& number)
      : file_(file), kernel_(kernel), graph_(graph), registers_(registers), number_(number) {}

  void run(const std::vector<chosen_split>& chosen) {
    for (const chosen_split& c : chosen) {
      write_split(*c.region);
      if (c.region->joins_in_place) {
        add(line_behind(c.region->merge_after), rank::merge_behind, *c.region, merge_code(c));
      } else {
        edge_joins_[c.region->join].push_back(c);
      }
    }
    for (auto& [join, splits] : edge_joins_) write_edge_joins(join, splits);
    std::stable_sort(edits_.begin(), edits_.end(), [](const edit& a, const edit& b) {
      return std::tie(a.line, a.rank, a.region_size) < std::tie(b.line, b.rank, b.region_size);
    });
    for (const edit& e : edits_) file_.insert_before(e.line, e.text);
  }

 private:
  size_t line_of(size_t instruction) const { return kernel_.line_of[instruction]; }
  size_t line_behind(size_t instruction) const { return line_of(instruction) + 1; }
  std::string new_label(const char* what) { return fmt::format(".Lpws_{}{}", what, number_++); }
  void add(size_t line, enum rank r, const cfg::split_region& region, std::string text) {
    edits_.push_back({line, r, region.blocks.size(), std::move(text)});
  }

  // Split before the skip, and the skips that clang left out.
  void write_split(const cfg::split_region& r) {
    const cfg::divergent_branch& b = r.branch;
    if (b.skip.missing) {
      const std::string label = new_label("bsb");
      add(line_behind(b.skip.after), rank::split, r, fmt::format("{}\ts_cbranch_execz {}\n", split_text, label));
      add(line_of(b.skip.target), rank::label, r, label + ":\n");
    } else {
      add(line_of(b.skip.after), rank::split, r, split_text);
    }
    if (b.bsb.missing && r.joins_in_place) {
      const std::string label = new_label("end");
      add(line_behind(b.bsb.after), rank::split, r, fmt::format("\ts_cbranch_execz {}\n", label));
      add(line_of(b.bsb.target), rank::label, r, label + ":\n");
    }
  }

  std::string merge_code(const chosen_split& c) {
    const auto& masks = c.carried->masks;
    if (masks.empty())
      return c.region->exec_restored ? merge_text : fmt::format("\ts_mov_b64 exec, exec\n{}", merge_text);
    registers_.use_vgprs(static_cast<unsigned>(masks.size()));
    std::string spare = "vcc";
    if (!c.carried->vcc_free) {
      spare = scalar_name(registers_.free_sgpr_pair(), 2);
      registers_.use_sgpr_pair();
    }
    return c.region->exec_restored ? carry_active(masks, spare) : carry_all(masks, spare);
  }

  std::string save(const std::vector<lane_mask>& masks) const {
    std::string out;
    for (size_t k = 0; k < masks.size(); ++k)
      out += fmt::format("\tv_cndmask_b32_e64 v{}, 0, 1, {}\n", registers_.first_free_vgpr() + k,
                         scalar_name(masks[k], 2));
    return out;
  }
  std::string compare(const std::string& pair, size_t k) const {
    return fmt::format("\tv_cmp_ne_u32_{} {}, 0, v{}\n", pair == "vcc" ? "e32" : "e64", pair,
                       registers_.first_free_vgpr() + k);
  }

  // All work-items of both sides are active at the merge. Those that are not keep the parent's bits.
  std::string carry_active(const std::vector<lane_mask>& masks, const std::string& spare) const {
    std::string out = save(masks) + merge_text;
    for (size_t k = 0; k < masks.size(); ++k) {
      const std::string mask = scalar_name(masks[k], 2);
      out += compare(spare, k);
      out += fmt::format("\ts_andn2_b64 {0}, {0}, exec\n\ts_or_b64 {0}, {0}, {1}\n", mask, spare);
    }
    return out;
  }

  // Some work-items of a side may be inactive at the merge: every bit of a side's own part of the wavefront goes
  // across.
  std::string carry_all(const std::vector<lane_mask>& masks, const std::string& spare) const {
    const std::string all_on = fmt::format("\ts_mov_b64 {}, exec\n\ts_mov_b64 exec, -1\n", spare);
    const std::string back = fmt::format("\ts_mov_b64 exec, {}\n", spare);
    std::string out = all_on + save(masks) + back + merge_text + all_on;
    for (size_t k = 0; k < masks.size(); ++k) out += compare(scalar_name(masks[k], 2), k);
    return out + back;
  }

  // Blocks of their own in front of the join's, inner region's first, each falling into the next; the regions' branches
  // go to their own.
  void write_edge_joins(size_t join, std::vector<chosen_split>& splits) {
    std::stable_sort(splits.begin(), splits.end(), [](const chosen_split& a, const chosen_split& b) {
      return a.region->blocks.size() < b.region->blocks.size();
    });
    const cfg::basic_block& block = graph_[join];
    const std::string behind = new_label("join");
    std::vector<std::string> labels;
    std::string text;
    for (const chosen_split& c : splits) {
      labels.push_back(new_label("join"));
      text += labels.back() + ":\n" + merge_code(c);
    }
    text += behind + ":\n";
    // The innermost of the regions that a block is in.
    const auto destination = [&](size_t b) {
      for (size_t k = 0; k < splits.size(); ++k)
        if (splits[k].region->contains(b) || splits[k].region->block == b) return labels[k];
      return behind;
    };
    for (const size_t p : block.predecessors) {
      const size_t last = graph_[p].last();
      const isa::inst& i = kernel_.code.instructions[last];
      const bool branches_there = i.unit == isa::unit::branch && i.target == kernel_.code.instructions[block.first].pc;
      const std::string to = destination(p);
      if (branches_there && to != behind) {
        const assembly_line& line = file_.lines()[line_of(last)];
        const auto [mnemonic, target] = first_word(line.statement);
        file_.replace(line_of(last), fmt::format("\t{} {}", mnemonic, to));
      }
      // The block in front falls into the first of them, which need not be its own.
      const bool falls_there =
          graph_[p].end == block.first && graph_[p].successors.front() == join && to != labels.front();
      const bool goes_on = branch_condition_of(i) != isa::branch_condition::always;
      if (falls_there && goes_on) text.insert(0, fmt::format("\ts_branch {}\n", to));
    }
    for (const chosen_split& c : splits) {
      const cfg::exec_skip& skip = c.region->branch.bsb;
      if (!skip.missing) continue;
      add(line_behind(skip.after), rank::split, *c.region,
          fmt::format("\ts_cbranch_execz {}\n", destination(graph_.block_of(skip.after))));
    }
    add(line_behind(block.first - 1), rank::join, *splits.front().region, text);
  }

  assembly_file& file_;
  const assembled_kernel& kernel_;
  const cfg::flow_graph& graph_;
  register_budget& registers_;
  unsigned& number_;
  std::vector<edit> edits_;
  std::map<size_t, std::vector<chosen_split>> edge_joins_;
};

}  // namespace

void write_splits(assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph,
                  const std::vector<chosen_split>& chosen, register_budget& registers, unsigned& number) {
  editor(file, kernel, graph, registers, number).run(chosen);
}

std::string why_not_editable(const assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph,
                             const cfg::split_region& region) {
  const auto& code = kernel.code.instructions;
  // Text goes before an instruction that begins its line, and behind one that ends it.
  const auto before = [&](size_t k) { return kernel.begins_line[k] && !file.lines()[kernel.line_of[k]].in_macro; };
  const auto behind = [&](size_t k) {
    return !file.lines()[kernel.line_of[k]].in_macro && (k + 1 == code.size() || kernel.begins_line[k + 1]);
  };
  bool editable = region.branch.skip.missing ? behind(region.branch.skip.after) && before(region.branch.skip.target)
                                             : before(region.branch.skip.after);
  if (region.branch.bsb.missing)
    editable = editable && behind(region.branch.bsb.after) && before(region.branch.bsb.target);
  if (region.joins_in_place) {
    editable = editable && behind(region.merge_after);
  } else {
    const size_t first = graph[region.join].first;
    editable = editable && first > 0 && behind(first - 1);
    for (const size_t p : graph[region.join].predecessors) editable = editable && before(graph[p].last());
  }
  return editable ? "" : "its code comes from a macro or from data";
}

}  // namespace pws::pwscc
