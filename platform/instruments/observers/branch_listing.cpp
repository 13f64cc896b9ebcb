// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"
#include "platform/instruments/observers/branch_report.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/wcet/uniformity/branch_uniformity.h"

namespace pws::platform {

namespace {

// The kernel's code as it lies in the file.
cfg::function_code code_of(const loader::code_object& object, const loader::kernel& k) {
  const loader::image image = object.load(0);
  uint64_t size = k.code_size;
  for (const loader::extent& e : image.extents)
    if (size == 0 && e.begin <= k.entry_offset && k.entry_offset < e.end) size = e.end - k.entry_offset;
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), image.bytes.data() + (k.entry_offset - image.base), words.size() * 4);
  return cfg::decode_function(k.demangled, words.data(), words.size(), k.entry_offset);
}

// Which line of the source an instruction comes from, by the assembly that the code object carries.
class lines_of_source {
 public:
  lines_of_source(const loader::code_object& object, const loader::kernel& k, const cfg::function_code& code) {
    if (object.assembly().empty()) return;
    file_.emplace(std::string(object.assembly()), k.metadata.name);
    for (pwscc::assembled_kernel& a : pwscc::assemble_kernels(*file_))
      if (a.name == k.metadata.name && a.is(code)) kernel_ = std::move(a);
  }
  // "" if it is not known.
  std::string operator()(size_t instruction) const {
    if (!kernel_) return "";
    const cfg::source_place p = file_->place_of(kernel_->line_of[instruction]);
    return p.line == 0 ? "" : fmt::format("{}:{}", p.file, p.line);
  }

 private:
  std::optional<pwscc::assembly_file> file_;
  std::optional<pwscc::assembled_kernel> kernel_;
};

std::string verdict_of(const wcet::branch_uniformity& b) {
  if (!b.uniform) return "may diverge";
  return b.serialised_for_nothing() ? "uniform, serialised" : "uniform";
}

void list(std::ostream& out, const loader::code_object& object, const loader::kernel& k) {
  const cfg::function_code code = code_of(object, k);
  const cfg::flow_graph graph(code);
  const std::vector<wcet::branch_uniformity> all = wcet::analyse_uniformity(graph, k.descriptor);
  const auto count = [&](auto f) { return std::count_if(all.begin(), all.end(), f); };
  fmt::print(out, "{}: {} branches, {} uniform in every run, {} of them serialised as if they were divergent\n",
             k.demangled, all.size(), count([](const auto& b) { return b.uniform; }),
             count([](const auto& b) { return b.serialised_for_nothing(); }));
  const lines_of_source line(object, k, code);
  for (const wcet::branch_uniformity& b : all) {
    std::string chain;
    for (const size_t n : b.chain)
      chain += fmt::format("{}+0x{:x} {}", chain.empty() ? ": " : " < ", code.instructions[n].pc - code.begin(),
                           code.instructions[n].row->mnemonic);
    const isa::inst& i = code.instructions[b.site.instruction];
    std::string where = line(b.site.instruction);
    if (!where.empty()) where += "  ";
    fmt::print(out, "  +0x{:<6x}  {:<9}  {:<19}  {}{}  ({}{})\n", i.pc - code.begin(), name_of(b.site.kind),
               verdict_of(b), where, isa::disassemble(i), name_of(b.origin), chain);
  }
}

}  // namespace

void list_branches(std::ostream& out, const loader::program_image& program, const std::string& kernel) {
  const loader::found_kernel only = kernel.empty() ? loader::found_kernel{} : program.find_kernel(kernel);
  for (const loader::code_object& object : program.code_objects()) {
    for (const loader::kernel& k : object.kernels()) {
      if (only.kernel != nullptr && only.kernel != &k) continue;
      try {
        list(out, object, k);
      } catch (const program_error& e) {  // data in the code, or behind a kernel of unknown size
        fmt::print(out, "{}: not analysed: {}\n", k.demangled, e.what());
      } catch (const input_error& e) {  // code without a graph
        fmt::print(out, "{}: not analysed: {}\n", k.demangled, e.what());
      }
    }
  }
}

}  // namespace pws::platform
