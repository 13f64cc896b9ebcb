// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/profile.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "base/file_names.h"
#include "base/output/output_files.h"
#include "platform/instruments/observers/coverage.h"

namespace pws::platform {

namespace {
bool ends_in(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
}  // namespace

uint64_t profile_counters::all_stalls() const {
  return std::accumulate(stalls.begin(), stalls.end(), uint64_t{0});
}

profile_counters& profile_counters::operator+=(const profile_counters& o) {
  issues += o.issues;
  cycles += o.cycles;
  lanes += o.lanes;
  for (size_t k = 0; k < stalls.size(); ++k) stalls[k] += o.stalls[k];
  lines += o.lines;
  l1_hits += o.l1_hits;
  l1_misses += o.l1_misses;
  return *this;
}

profile_counters profile::total() const {
  profile_counters sum;
  for (const profiled_instruction& i : instructions) sum += i.counted;
  return sum;
}

profile_format profile_format_of(const std::string& path) {
  const std::string name = file_name(path);
  if (ends_in(name, ".html")) return profile_format::html;
  if (ends_in(name, ".callgrind") || ends_in(name, "callgrind.out") || name.rfind("callgrind.out.", 0) == 0)
    return profile_format::callgrind;
  throw input_error("--profile " + path +
                    ": the file's name says the format: *.html, or *.callgrind, callgrind.out and callgrind.out.* for "
                    "kcachegrind");
}

void write_profile(const std::string& path, const profile& p) {
  write_output({"--profile", path}, profile_format_of(path) == profile_format::html ? html_text(p) : callgrind_text(p));
}

void write_profiles(const profile_files& files, const profile& p, output_problems& problems) {
  if (!files.profile.empty() && p.instructions.empty())
    std::cerr << "warning: --profile " << files.profile << ": no instruction was executed\n";
  if (!files.profile.empty()) problems.noting([&] { write_profile(files.profile, p); });
  if (!files.coverage.empty()) problems.noting([&] { write_coverage(files.coverage, p); });
}

namespace {

// A row without code, where there is one in front of the function's first instruction. Else the first instruction's,
// which may be of a function that is inlined there.
loader::source_line line_of_function(const loader::line_table& table, const std::vector<loader::line_code>& rows,
                                     uint64_t begin) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), begin,
                                    [](const loader::line_code& c, uint64_t at) { return c.begin < at; });
  if (row == rows.end() || row->begin != begin) return {};
  if (row->begin == row->end) return row->line;
  const std::vector<loader::source_line> calls = table.at(begin);
  return calls.empty() ? row->line : calls.back();
}

}  // namespace

profiled_object described(const loader::code_object& object, size_t index) {
  profiled_object o;
  o.name = {object.name(), index};
  const loader::line_table table(object.file_bytes());
  o.lines = table.code();
  for (const loader::symbol& s : object.symbols())
    if (s.kind == loader::symbol_kind::function)
      o.functions.push_back({s.name, s.address, line_of_function(table, o.lines, s.address)});
  return o;
}

void unused_code::note(const loader::program_image& program) {
  for (size_t k = 0; k < program.code_objects().size(); ++k) {
    profiled_object o = described(program.code_objects()[k], k);
    if (!o.functions.empty()) objects_.push_back(std::move(o));
  }
}

void unused_code::add_to(profile& p) const {
  std::vector<profiled_object> sorted = objects_;
  std::sort(sorted.begin(), sorted.end(),
            [](const profiled_object& a, const profiled_object& b) { return a.name < b.name; });
  std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(p.objects),
               [](const profiled_object& o) { return !o.lines.empty(); });
  if (p.objects.empty()) p.objects = std::move(sorted);
}

}  // namespace pws::platform
