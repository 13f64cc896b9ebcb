// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/loop_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/loop_marks.h"

namespace pws::platform {

loop_bound_checker* loop_checks::of(const kernel_launch& l) {
  const std::string& name = l.kernel.kernel->metadata.name;
  const std::string_view assembly = l.kernel.program->find_kernel(name).object->assembly();
  if (assembly.empty()) return nullptr;
  const uint64_t entry = l.kernel.entry();
  known_kernel& k = kernels_[entry];
  std::vector<uint32_t> words(k.words.size());
  if (!words.empty()) runtime_.read(entry, words.data(), words.size() * 4);
  if (k.name != name || k.assembly != assembly || k.words != words) {
    k = {name, std::string(assembly), {}, nullptr};
    read(k, l);
  }
  return k.checker.get();
}

void loop_checks::read(known_kernel& k, const kernel_launch& l) const {
  const uint64_t entry = l.kernel.entry();
  const pwscc::assembly_file file(k.assembly, l.source);
  const auto kernels = pwscc::assemble_kernels(file);
  const auto mine = std::find_if(kernels.begin(), kernels.end(), [&](const auto& a) { return a.name == k.name; });
  if (mine == kernels.end()) return;
  std::vector<cfg::marked_loop> loops = pwscc::read_marked_loops(file, *mine);
  if (loops.empty()) return;
  k.words.resize((mine->code.end() - mine->code.begin()) / 4);
  runtime_.read(entry, k.words.data(), k.words.size() * 4);
  cfg::function_code code;
  try {
    code = cfg::decode_function(l.kernel.kernel->demangled, k.words.data(), k.words.size(), entry);
  } catch (const program_error& e) {
    throw input_error(fmt::format("kernel {}: {}", l.kernel.kernel->demangled, e.what()));
  }
  if (!mine->is(code))
    throw input_error(fmt::format("{}: kernel {}: its assembly is that of other code", l.source, k.name));
  k.checker = std::make_unique<loop_bound_checker>(gpu_.config, code, std::move(loops));
}

}  // namespace pws::platform
