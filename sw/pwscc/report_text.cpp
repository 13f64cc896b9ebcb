// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sw/loader/names.h"

namespace pws::pwscc {

using nlohmann::ordered_json;

namespace {

// As short as the compiler's own messages: relative to the working directory for what is below it.
std::string short_path(const std::string& file) {
  const std::string here = std::filesystem::current_path().string() + "/";
  return file.compare(0, here.size(), here) == 0 ? file.substr(here.size()) : file;
}

// The place of a branch, a check, a missed branch, or a split by hand.
template <typename report>
std::string source_place(const report& b) {
  if (b.line == 0) return fmt::format("assembly:{}", b.assembly_line);
  const std::string file = short_path(b.file);
  return b.column == 0 ? fmt::format("{}:{}", file, b.line) : fmt::format("{}:{}:{}", file, b.line, b.column);
}

struct totals {
  size_t branches = 0, split = 0, marked = 0, marked_not_split = 0, masks = 0;
};
totals count(const pass_report& report) {
  totals t;
  t.branches = report.branches.size();
  for (const branch_report& b : report.branches) {
    t.split += b.split;
    t.marked += b.marked;
    t.marked_not_split += b.marked && !b.split;
    t.masks += b.carried_masks;
  }
  return t;
}

std::string decision(const branch_report& b) {
  if (!b.split) return b.reason;
  std::string out = b.marked ? "marked" : "";
  if (b.carried_masks != 0)
    out += fmt::format("{}{} lane mask{} carried over the merge", out.empty() ? "" : "; ", b.carried_masks,
                       b.carried_masks == 1 ? "" : "s");
  return out;
}

std::string checks_text(const pass_report& report, divergence_code divergence) {
  std::string out = fmt::format("divergence: {}\n", name_of(divergence));
  size_t widest = 0, kept = 0;
  for (const check_report& c : report.checks) widest = std::max(widest, source_place(c).size());
  std::string kernel;
  for (const check_report& c : report.checks) {
    if (c.function != kernel) out += fmt::format("{}\n", loader::demangle(c.function));
    kernel = c.function;
    kept += c.kept;
    out += fmt::format("  {:<{}}  {}  {} instruction{}, {} block{}{}{}\n", source_place(c), widest,
                       c.kept ? "check   " : "no check", c.instructions, c.instructions == 1 ? "" : "s", c.blocks,
                       c.blocks == 1 ? "" : "s", c.single ? "" : ", several ways in or out",
                       c.reason.empty() ? "" : "; " + c.reason);
  }
  return out + fmt::format("{} run-time checks, {} kept\n", report.checks.size(), kept);
}

std::string missed_text(const kernel_report& k) {
  std::string out;
  for (const missed_branch& b : k.missed)
    out += fmt::format("{}: uniform in every run, but serialised: {} (from: {}; {})\n", source_place(b), b.instruction,
                       b.origin, loader::demangle(k.function));
  return out;
}

// Table I of paper 004, and the uniform branches that the compiler missed.
std::string kernels_text(const pass_report& report) {
  if (report.kernels.empty()) return "";
  std::string out = "  BB   R   L  Br  SBU  RBU   LC missed  VGPRs  SGPRs  masks  kernel\n";
  for (const kernel_report& k : report.kernels) {
    const auto of_ir = [&](uint64_t n) { return k.has_structure ? std::to_string(n) : std::string("-"); };
    out += fmt::format("{:>4}{:>4}{:>4}{:>4}{:>5}{:>5}{:>5}{:>7}{:>7}{:>7}{:>7}  {}\n", of_ir(k.structure.blocks),
                       of_ir(k.structure.regions), of_ir(k.structure.loops), of_ir(k.structure.branches), k.uniform,
                       k.checks, k.loop_branches, k.missed.size(), k.vgprs, k.sgprs, k.mask_pairs,
                       loader::demangle(k.function));
  }
  for (const kernel_report& k : report.kernels) out += missed_text(k);
  return out;
}

ordered_json missed_json(const kernel_report& k) {
  ordered_json out = ordered_json::array();
  for (const missed_branch& b : k.missed)
    out.push_back({{"file", b.file},
                   {"line", b.line},
                   {"column", b.column},
                   {"assembly_line", b.assembly_line},
                   {"instruction", b.instruction},
                   {"origin", b.origin}});
  return out;
}

// What is counted of a kernel; `most` stands in front of what has no sum.
void add_counts(ordered_json& out, const kernel_report& k, size_t missed, const std::string& most) {
  const auto of_ir = [&](uint64_t n) { return k.has_structure ? ordered_json(n) : ordered_json(nullptr); };
  out["ir_blocks"] = of_ir(k.structure.blocks);
  out["ir_regions"] = of_ir(k.structure.regions);
  out["ir_loops"] = of_ir(k.structure.loops);
  out["ir_branches"] = of_ir(k.structure.branches);
  out["ir_switches"] = of_ir(k.structure.switches);
  out["blocks"] = k.blocks;
  out["uniform_branches"] = k.uniform;
  out["checks"] = k.checks;
  out["loop_branches"] = k.loop_branches;
  out["other_branches"] = k.other;
  out["missed_uniform_branches"] = missed;
  out[most + "vgprs"] = k.vgprs;
  out[most + "sgprs"] = k.sgprs;
  out[most + "mask_pairs"] = k.mask_pairs;
}

// Over all kernels: sums of what is counted, the most of registers and masks.
ordered_json kernel_sums(const pass_report& report) {
  kernel_report all;
  size_t missed = 0;
  for (const kernel_report& k : report.kernels) {
    all.has_structure = all.has_structure || k.has_structure;
    all.structure.blocks += k.structure.blocks;
    all.structure.regions += k.structure.regions;
    all.structure.loops += k.structure.loops;
    all.structure.branches += k.structure.branches;
    all.structure.switches += k.structure.switches;
    all.blocks += k.blocks;
    all.uniform += k.uniform;
    all.checks += k.checks;
    all.loop_branches += k.loop_branches;
    all.other += k.other;
    missed += k.missed.size();
    all.vgprs = std::max(all.vgprs, k.vgprs);
    all.sgprs = std::max(all.sgprs, k.sgprs);
    all.mask_pairs = std::max(all.mask_pairs, k.mask_pairs);
  }
  ordered_json out;
  add_counts(out, all, missed, "most_");
  // The paper's Fig. 6a: what became of the branches.
  const auto predicated = static_cast<uint64_t>(
      std::count_if(report.checks.begin(), report.checks.end(), [](const check_report& c) { return !c.kept; }));
  const uint64_t branches = all.uniform + all.checks + all.loop_branches + predicated;
  const auto share = [&](uint64_t n) {
    return branches == 0 ? ordered_json(nullptr) : ordered_json(double(n) / double(branches));
  };
  out["predicated_branches"] = predicated;
  out["shares"] = {{"uniform_branches", share(all.uniform)},
                   {"checks", share(all.checks)},
                   {"loop_branches", share(all.loop_branches)},
                   {"predicated_branches", share(predicated)}};
  return out;
}

}  // namespace

std::string report_text(const pass_report& report, const pass_options& options, divergence_code divergence) {
  if (predicates(divergence)) return checks_text(report, divergence) + kernels_text(report);
  std::string out = fmt::format("split: {}, S = {}\n", name_of(options.choice), options.swf_contexts);
  size_t widest = 0;
  for (const branch_report& b : report.branches) widest = std::max(widest, source_place(b).size());
  std::string kernel;
  for (const branch_report& b : report.branches) {
    if (b.function != kernel) out += fmt::format("{}\n", loader::demangle(b.function));
    kernel = b.function;
    const std::string line =
        fmt::format("  {:<{}}  {:<5}  {}", source_place(b), widest, b.split ? "split" : "-", decision(b));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  const totals t = count(report);
  out += fmt::format("{} divergent branches, {} split, {} lane masks carried\n", t.branches, t.split, t.masks);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  for (const hand_report& h : report.by_hand)
    out += fmt::format("{}: {} by hand: {}\n", source_place(h), h.instruction, h.reason);
  return out + kernels_text(report);
}

std::string report_json(const pass_report& report, const pass_options& options, divergence_code divergence) {
  ordered_json out;
  out["options"] = {{"split", name_of(options.choice)},
                    {"divergence", name_of(divergence)},
                    {"swf_contexts", options.swf_contexts},
                    {"split_cycles", options.split_cycles},
                    {"merge_cycles", options.merge_cycles}};
  out["branches"] = ordered_json::array();
  for (const branch_report& b : report.branches)
    out["branches"].push_back({{"function", b.function},
                               {"demangled", loader::demangle(b.function)},
                               {"file", b.file},
                               {"line", b.line},
                               {"column", b.column},
                               {"assembly_line", b.assembly_line},
                               {"marked", b.marked},
                               {"split", b.split},
                               {"carried_masks", b.carried_masks},
                               {"reason", b.reason}});
  out["checks"] = ordered_json::array();
  for (const check_report& c : report.checks)
    out["checks"].push_back({{"function", c.function},
                             {"demangled", loader::demangle(c.function)},
                             {"file", c.file},
                             {"line", c.line},
                             {"column", c.column},
                             {"assembly_line", c.assembly_line},
                             {"instructions", c.instructions},
                             {"blocks", c.blocks},
                             {"single_entry_exit", c.single},
                             {"kept", c.kept},
                             {"by_rule", c.asked_for},
                             {"reason", c.reason}});
  out["lost_marks"] = ordered_json::array();
  for (const mark_report& m : report.lost_marks)
    out["lost_marks"].push_back({{"file", m.mark.file}, {"line", m.mark.line}, {"reason", m.reason}});
  out["by_hand"] = ordered_json::array();
  for (const hand_report& h : report.by_hand)
    out["by_hand"].push_back({{"function", h.function},
                              {"demangled", loader::demangle(h.function)},
                              {"file", h.file},
                              {"line", h.line},
                              {"column", h.column},
                              {"assembly_line", h.assembly_line},
                              {"instruction", h.instruction},
                              {"marks_branch", h.marks_branch},
                              {"reason", h.reason}});
  out["kernels"] = ordered_json::array();
  for (const kernel_report& k : report.kernels) {
    ordered_json one = {{"function", k.function}, {"demangled", loader::demangle(k.function)}};
    add_counts(one, k, k.missed.size(), "");
    one["missed_uniform"] = missed_json(k);
    out["kernels"].push_back(std::move(one));
  }
  if (!report.kernels.empty()) out["all_kernels"] = kernel_sums(report);
  const totals t = count(report);
  out["totals"] = {{"branches", t.branches},
                   {"split", t.split},
                   {"marked", t.marked},
                   {"marked_not_split", t.marked_not_split},
                   {"carried_masks", t.masks}};
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string mark_warnings(const pass_report& report) {
  std::string out;
  for (const branch_report& b : report.branches)
    if (b.marked && !b.split) out += fmt::format("{}: warning: PWS_SPLIT: {}\n", source_place(b), b.reason);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: warning: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  for (const hand_report& h : report.by_hand)
    if (!h.marks_branch) out += fmt::format("{}: warning: {} by hand: {}\n", source_place(h), h.instruction, h.reason);
  return out;
}

}  // namespace pws::pwscc
