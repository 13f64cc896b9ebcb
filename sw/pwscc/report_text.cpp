#include "sw/pwscc/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sw/loader/names.h"

namespace pws::pwscc {

namespace {

// As short as the compiler's own messages: relative to the working directory for what is below it.
std::string short_path(const std::string& file) {
  const std::string here = std::filesystem::current_path().string() + "/";
  return file.compare(0, here.size(), here) == 0 ? file.substr(here.size()) : file;
}

std::string place(const branch_report& b) {
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

}  // namespace

std::string report_text(const pass_report& report, const pass_options& options) {
  std::string out = fmt::format("split: {}, S = {}\n", name_of(options.choice), options.swf_contexts);
  size_t widest = 0;
  for (const branch_report& b : report.branches) widest = std::max(widest, place(b).size());
  std::string kernel;
  for (const branch_report& b : report.branches) {
    if (b.function != kernel) out += fmt::format("{}\n", loader::demangle(b.function));
    kernel = b.function;
    const std::string line = fmt::format("  {:<{}}  {:<5}  {}", place(b), widest, b.split ? "split" : "-", decision(b));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  const totals t = count(report);
  out += fmt::format("{} divergent branches, {} split, {} lane masks carried\n", t.branches, t.split, t.masks);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  return out;
}

std::string report_json(const pass_report& report, const pass_options& options) {
  using json = nlohmann::ordered_json;
  json out;
  out["options"] = {{"split", name_of(options.choice)},
                    {"swf_contexts", options.swf_contexts},
                    {"split_cycles", options.split_cycles},
                    {"merge_cycles", options.merge_cycles}};
  out["branches"] = json::array();
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
  out["lost_marks"] = json::array();
  for (const mark_report& m : report.lost_marks)
    out["lost_marks"].push_back({{"file", m.mark.file}, {"line", m.mark.line}, {"reason", m.reason}});
  const totals t = count(report);
  out["totals"] = {{"branches", t.branches},
                   {"split", t.split},
                   {"marked", t.marked},
                   {"marked_not_split", t.marked_not_split},
                   {"carried_masks", t.masks}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string mark_warnings(const pass_report& report) {
  std::string out;
  for (const branch_report& b : report.branches)
    if (b.marked && !b.split) out += fmt::format("{}: warning: PWS_SPLIT: {}\n", place(b), b.reason);
  for (const mark_report& m : report.lost_marks)
    out += fmt::format("{}:{}: warning: PWS_SPLIT: {}\n", short_path(m.mark.file), m.mark.line, m.reason);
  return out;
}

}  // namespace pws::pwscc
