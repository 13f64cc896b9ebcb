// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/output/output_files.h"

namespace pws::platform {

namespace {

struct covered_function {
  unsigned line = 0;
  uint64_t executions = 0;
};
struct covered_file {
  std::map<unsigned, uint64_t> lines;  // executions
  std::map<std::string, covered_function> functions;
};
using covered_files = std::map<std::string, covered_file>;

void count_lines(const profile& p, covered_files& files) {
  for (const profiled_object& o : p.objects)
    for (const loader::line_code& c : o.lines)
      if (c.begin != c.end) files[c.line.file].lines[c.line.line];
  // Code objects, functions, files and lines.
  std::map<std::tuple<object_name, std::string, std::string, unsigned>, uint64_t> most;
  for (const profiled_instruction& i : p.instructions) {
    if (i.lines.empty()) continue;
    uint64_t& n = most[{i.object, i.symbol, i.lines.front().file, i.lines.front().line}];
    n = std::max(n, i.counted.issues);
  }
  for (const auto& [place, executions] : most) files[std::get<2>(place)].lines[std::get<3>(place)] += executions;
}

void count_functions(const profile& p, covered_files& files) {
  std::map<std::pair<object_name, std::string>, std::map<uint64_t, uint64_t>> entries;  // by object, function, offset
  for (const profiled_instruction& i : p.instructions) entries[{i.object, i.symbol}][i.offset] += i.counted.issues;
  std::set<std::pair<object_name, std::string>> counted;
  for (const profiled_object& o : p.objects)
    for (const profiled_object::function& f : o.functions) {
      if (f.line.line == 0) continue;
      covered_function& g = files[f.line.file].functions[f.name];
      if (g.line == 0) g.line = f.line.line;
      const auto executed = entries.find({o.name, f.name});
      if (executed != entries.end() && counted.insert({o.name, f.name}).second)
        g.executions += executed->second[f.begin];
    }
}

// A comma ends a name.
std::string without_commas(std::string name) {
  std::replace(name.begin(), name.end(), ',', ';');
  return name;
}

}  // namespace

std::string coverage_text(const profile& p) {
  covered_files files;
  count_lines(p, files);
  count_functions(p, files);
  std::string out;
  for (const auto& [path, file] : files) {
    out += "TN:\nSF:" + path + "\n";
    size_t hit = 0;
    for (const auto& [name, f] : file.functions) out += fmt::format("FN:{},{}\n", f.line, without_commas(name));
    for (const auto& [name, f] : file.functions) {
      out += fmt::format("FNDA:{},{}\n", f.executions, without_commas(name));
      hit += f.executions != 0;
    }
    if (!file.functions.empty()) out += fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(), hit);
    hit = 0;
    for (const auto& [line, executions] : file.lines) {
      out += fmt::format("DA:{},{}\n", line, executions);
      hit += executions != 0;
    }
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), hit);
  }
  return out;
}

std::string objects_without_lines(const profile& p) {
  std::set<std::string> names;
  for (const profiled_object& o : p.objects)
    if (o.lines.empty()) names.insert(o.name.file);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void write_coverage(const std::string& path, const profile& p) {
  constexpr const char* advice = "no line tables: compile it with -g or -gline-tables-only";
  const std::string without = objects_without_lines(p);
  const std::string text = coverage_text(p);
  if (text.empty() && !without.empty())
    throw input_error(fmt::format("--coverage {}: there is nothing to write: {} has {}", path, without, advice));
  if (text.empty()) {
    std::cerr << "warning: --coverage " << path << ": there is nothing to write: no kernels were loaded\n";
    return;
  }
  if (!without.empty())
    std::cerr << "warning: --coverage " << path << " lacks " << without << ", which has " << advice << '\n';
  write_output({"--coverage", path}, text);
}

}  // namespace pws::platform
