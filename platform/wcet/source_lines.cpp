// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sw/pwscc/anchor_text.h"

namespace pws::platform {

struct source_lines::assembled_text {
  pwscc::assembly_file file;
  pwscc::assembled_functions functions;
};

// The last one is kept: programs launch many kernels of one text, and assembling it takes longer than the analysis.
std::shared_ptr<const source_lines::assembled_text> source_lines::assembled(const std::string& assembly,
                                                                            const std::string& name) {
  static std::string last_assembly, last_name;
  static std::shared_ptr<const assembled_text> last;
  if (last != nullptr && assembly == last_assembly && name == last_name) return last;
  pwscc::assembly_file file(assembly, name);
  pwscc::assembled_functions functions = pwscc::assemble_functions(file);
  last = std::make_shared<const assembled_text>(assembled_text{std::move(file), std::move(functions)});
  last_assembly = assembly;
  last_name = name;
  return last;
}

bool path_ends_with(const std::string& path, const std::string& end) {
  if (end.empty()) return true;
  if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

source_lines::source_lines(const std::string& assembly, const std::string& name, const std::string& kernel)
    : text_(assembled(assembly, name)), file_(&text_->file) {
  for (const pwscc::assembled_kernel& k : text_->functions.kernels)
    if (k.name == kernel) kernel_ = &k;
}

cfg::source_place source_lines::place(uint64_t offset) const {
  const pwscc::assembled_kernel* f = function_at(offset);
  if (f == nullptr) return {};
  const size_t k = f->code.at(kernel_->code.begin() + offset);
  return k < f->line_of.size() ? file_->place_of(f->line_of[k]) : cfg::source_place{};
}

std::vector<cfg::marked_loop> source_lines::marked(const cfg::inlined_code& code) const {
  if (!known()) return {};
  std::vector<cfg::marked_loop> all = pwscc::read_marked_loops(*file_, *kernel_);
  for (const cfg::inlined_code::copy& c : code.copies) {
    const uint64_t begin = code.address.front();
    const pwscc::assembled_kernel* f = function_at(c.function - begin);
    if (f == nullptr) continue;
    std::map<size_t, size_t> copied;  // by instruction of the function; what nothing leads to has no copy
    for (size_t k = c.first; k < c.end; ++k) {
      const size_t own = f->code.at(code.address[k] - begin + kernel_->code.begin());
      copied[own] = k;
    }
    add_copies(pwscc::read_marked_loops(*file_, *f), copied, all);
  }
  return all;
}

bool source_lines::any_kernel_has(const std::string& file, uint32_t line) const {
  if (!known()) return false;
  const auto& all = file_->lines();
  return std::any_of(all.begin(), all.end(), [&](const pwscc::assembly_line& l) {
    const auto a = pwscc::read_anchor(l.text);
    return a && a->statement_line == line && path_ends_with(a->file, file);
  });
}

std::optional<size_t> source_lines::instruction_at(const std::string& label) const {
  if (!known()) return std::nullopt;
  const auto& lines = file_->lines();
  for (size_t k = kernel_->where.label; k < kernel_->where.end; ++k) {
    if (lines[k].what != pwscc::assembly_line::kind::label || lines[k].statement != label + ":") continue;
    const auto& of = kernel_->line_of;
    const auto at = std::find_if(of.begin(), of.end(), [&](size_t line) { return line > k; });
    if (at != of.end()) return static_cast<size_t>(at - of.begin());
  }
  return std::nullopt;
}

void source_lines::require_same(const cfg::function_code& code) const {
  if (!known()) return;
  if (!kernel_->is(code))
    throw input_error(
        fmt::format("{}: kernel {} does not begin with an instruction of its own line (but with a "
                    "directive or a macro), so that its lines cannot be told",
                    file_->name(), kernel_->name));
}

const pwscc::assembled_kernel* source_lines::function_at(uint64_t offset) const {
  if (!known()) return nullptr;
  const uint64_t at = kernel_->code.begin() + offset;
  if (at >= kernel_->code.begin() && at < kernel_->code.end()) return kernel_;
  for (const pwscc::assembled_kernel& f : text_->functions.others)
    if (at >= f.code.begin() && at < f.code.end()) return &f;
  return nullptr;
}

void source_lines::add_copies(const std::vector<cfg::marked_loop>& loops, const std::map<size_t, size_t>& copied,
                              std::vector<cfg::marked_loop>& all) {
  const size_t first = all.size();
  const auto moved = [&](const std::vector<size_t>& instructions) {
    std::vector<size_t> out;
    for (const size_t k : instructions)
      if (const auto c = copied.find(k); c != copied.end()) out.push_back(c->second);
    return out;
  };
  for (cfg::marked_loop m : loops) {
    m.entries = moved(m.entries);
    m.iterations = moved(m.iterations);
    std::vector<cfg::marked_loop::anchor> anchors;
    for (const auto& a : m.anchors)
      if (const auto c = copied.find(a.instruction); c != copied.end()) anchors.push_back({c->second, a.enters});
    m.anchors = std::move(anchors);
    if (m.parent != cfg::marked_loop::none) m.parent += first;
    all.push_back(std::move(m));
  }
}

}  // namespace pws::platform
