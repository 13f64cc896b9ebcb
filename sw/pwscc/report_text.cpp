// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sw/loader/names.h"

namespace pws::pwscc {

namespace {

// The place of a branch, a check, a missed branch, or a split by hand.
template <typename report>
std::string source_place(const report& b) {
  if (b.line == 0) return fmt::format("assembly:{}", b.assembly_line);
  const std::string file = short_path(b.file);
  return b.column == 0 ? fmt::format("{}:{}", file, b.line) : fmt::format("{}:{}:{}", file, b.line, b.column);
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

}  // namespace

std::string short_path(const std::string& file) {
  const std::string here = std::filesystem::current_path().string() + "/";
  return file.compare(0, here.size(), here) == 0 ? file.substr(here.size()) : file;
}

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
  const branch_totals t = totals_of(report);
  out += fmt::format("{} divergent branches, {} split, {} lane masks carried\n", t.branches, t.split, t.masks);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  for (const hand_report& h : report.by_hand)
    out += fmt::format("{}: {} by hand: {}\n", source_place(h), h.instruction, h.reason);
  return out + kernels_text(report);
}

std::string mark_warnings(const pass_report& report) {
  std::string out;
  for (const branch_report& b : report.branches)
    if (b.marked && !b.split)
      out += fmt::format("{}: warning: {}: {}\n", source_place(b), b.by_hand ? "split by hand" : "PWS_SPLIT", b.reason);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: warning: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  for (const hand_report& h : report.by_hand)
    if (!h.marks_branch) out += fmt::format("{}: warning: {} by hand: {}\n", source_place(h), h.instruction, h.reason);
  return out;
}

}  // namespace pws::pwscc
