// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/predication.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/code/decode.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/cfg/branch_classes.h"
#include "sw/cfg/empty_exec.h"
#include "sw/cfg/liveness.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/split_editor.h"

namespace pws::pwscc {

namespace {

using isa::inst;

// Paper, III.C.
constexpr uint64_t most_instructions = 3, most_blocks = 2;
bool is_worth_a_check(const cfg::empty_exec::side& s) {
  return s.single && (s.instructions > most_instructions || s.blocks > most_blocks);
}

// Scalar registers that `before` writes as a vector instruction and `after` may not read so soon (GCN3 ISA, 4.5
// "Manually Inserted Wait States").
bool is_hazard(const inst& before, const inst& after) {
  if (is_scalar(before) || before.is_memory()) return false;
  const cfg::scalar_set written = cfg::scalars_written(before);
  for (const isa::input_operand& in : isa::operands_of(after).sources) {
    if (in.of_other_lanes) return true;
    const bool zero_flag = in.from.kind == isa::operand_kind::vccz || in.from.kind == isa::operand_kind::execz;
    const bool vcc = in.role == isa::operand_role::flag && in.field < 0 && is_pair(in.from, isa::vcc_lo);
    if (written.any() && (zero_flag || vcc)) return true;
  }
  const isa::operation o = operation_of(after);
  const bool picks_lane = o == isa::operation::read_lane || o == isa::operation::write_lane;
  if (!picks_lane && after.unit != isa::unit::vector_memory) return false;
  cfg::scalar_set read = cfg::scalars_read(after);
  read.reset(isa::exec_lo);  // as every vector instruction does
  read.reset(isa::exec_hi);
  return (written & read).any();
}

// The branch is an instruction that the hardware may need between two others.
bool stands_for_a_wait(const std::vector<inst>& code, size_t branch) {
  constexpr size_t most_wait_states = 5;
  for (size_t back = 1; back <= most_wait_states && back <= branch; ++back)
    for (size_t on = 1; back + on <= most_wait_states + 1 && branch + on < code.size(); ++on)
      if (is_hazard(code[branch - back], code[branch + on])) return true;
  return false;
}

class kernel_checks {
 public:
  kernel_checks(assembly_file& file, const assembled_kernel& kernel, divergence_code rule)
      : file_(file), kernel_(kernel), rule_(rule), graph_(kernel.code), live_(graph_), empty_(graph_, live_) {}

  std::vector<check_report> run() {
    std::vector<candidate> checks;
    for (const cfg::classified_branch& b : cfg::classify_branches(graph_))
      if (b.what == cfg::branch_class::run_time_check) checks.push_back({b.instruction, empty_.side_of(b.instruction)});
    // Inner ones first: what is left of a side's own checks decides whether the side is harmless.
    std::vector<size_t> order(checks.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return checks[a].side.instructions < checks[b].side.instructions; });
    std::vector<check_report> reports(checks.size());
    std::vector<bool> removed(kernel_.code.instructions.size(), false);
    for (const size_t k : order) {
      reports[k] = decide(checks[k], removed);
      removed[checks[k].branch] = !reports[k].kept;
    }
    for (size_t k = 0; k < checks.size(); ++k)
      if (!reports[k].kept) take_out(checks[k].branch);
    return reports;
  }

 private:
  struct candidate {
    size_t branch;
    cfg::empty_exec::side side;
  };

  check_report decide(const candidate& c, const std::vector<bool>& removed) const {
    const size_t line = kernel_.line_of[c.branch];
    check_report r;
    put_place(r, kernel_.name, file_.place_of(line), line);
    r.instructions = c.side.instructions;
    r.blocks = c.side.blocks;
    r.single = c.side.single;
    r.asked_for = rule_ == divergence_code::psr && is_worth_a_check(c.side);
    r.kept = r.asked_for;
    if (r.kept) return r;
    if (file_.lines()[line].in_macro) {
      r.reason = "it comes from a macro";
    } else if (const cfg::empty_finding f = empty_.without(c.branch, removed); !f.harmless()) {
      r.reason = f.instruction == c.branch ? f.why : fmt::format("{}: {}", place_text(f.instruction), f.why);
    }
    r.kept = !r.reason.empty();
    return r;
  }

  std::string place_text(size_t instruction) const {
    const size_t line = kernel_.line_of[instruction];
    const cfg::source_place place = file_.place_of(line);
    const std::string where =
        place.line != 0 ? fmt::format("line {}", place.line) : fmt::format("assembly line {}", line + 1);
    return fmt::format("{} ({})", isa::disassemble(kernel_.code.instructions[instruction]), where);
  }

  void take_out(size_t branch) {
    const inst& i = kernel_.code.instructions[branch];
    const size_t line = kernel_.line_of[branch];
    const std::string statement = file_.lines()[line].statement;
    // A side that is placed elsewhere is gone to whatever the mask.
    if (branch_condition_of(i) == isa::branch_condition::exec_nonzero)
      file_.replace(line, fmt::format("\ts_branch {}", first_word(statement).second));
    else
      file_.replace(line,
                    fmt::format("{}; no check: {}",
                                stands_for_a_wait(kernel_.code.instructions, branch) ? "\ts_nop 0 " : "\t", statement));
  }

  assembly_file& file_;
  const assembled_kernel& kernel_;
  divergence_code rule_;
  cfg::flow_graph graph_;
  cfg::scalar_liveness live_;
  cfg::empty_exec empty_;
};

}  // namespace

predicated remove_checks(const std::string& assembly, const std::string& name, divergence_code rule) {
  assembly_file file(assembly, name);
  predicated out;
  for (const assembled_kernel& kernel : assemble_kernels(file))
    for (check_report& r : kernel_checks(file, kernel, rule).run()) out.checks.push_back(std::move(r));
  out.assembly = file.text();
  return out;
}

}  // namespace pws::pwscc
