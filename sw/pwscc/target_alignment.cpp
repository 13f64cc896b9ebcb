// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/target_alignment.h"

#include <string_view>
#include <vector>

#include "models/isa/opcode_row.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"

namespace pws::pwscc {

namespace {

constexpr uint64_t longest_instruction = 8;
constexpr std::string_view short_form = "_e32", long_form = "_e64";

// The mnemonic ends in _e32, and the instruction has the same operands in VOP3. Those with a literal have not.
bool can_be_longer(const assembly_file& file, const assembled_kernel& kernel, size_t k) {
  const isa::inst& i = kernel.code.instructions[k];
  const bool vector = i.native == isa::format::vop1 || i.native == isa::format::vop2 || i.native == isa::format::vopc;
  if (!vector || i.variant != isa::encoding_variant::plain || i.dwords != 1) return false;
  if ((i.row->flags & (isa::no_vop3 | isa::scalar_dst | isa::writes_exec | isa::no_dst)) != 0 || i.relative_index)
    return false;
  const bool alone = kernel.begins_line[k] && (k + 1 == kernel.begins_line.size() || kernel.begins_line[k + 1]);
  const assembly_line& line = file.lines()[kernel.line_of[k]];
  const std::string_view mnemonic = first_word(line.statement).first;
  return alone && !line.in_macro && mnemonic.size() > short_form.size() &&
         mnemonic.substr(mnemonic.size() - short_form.size()) == short_form;
}

void lengthen(assembly_file& file, size_t line) {
  std::string text = file.lines()[line].text;
  const size_t at = text.find(short_form);
  file.replace(line, text.replace(at, short_form.size(), long_form));
}

void align_kernel(assembly_file& file, const assembled_kernel& kernel, uint64_t fetch_bytes) {
  const auto& code = kernel.code.instructions;
  std::set<uint64_t> targets;
  for (const isa::inst& i : code)
    if (i.unit == isa::unit::branch) targets.insert(i.target);
  uint64_t moved = 0;
  std::vector<size_t> candidates;  // since the last target
  for (size_t k = 0; k < code.size(); ++k) {
    if (targets.count(code[k].pc) != 0) {
      const uint64_t at = (code[k].pc + moved) % fetch_bytes;
      if (at + longest_instruction > fetch_bytes && !candidates.empty()) {
        lengthen(file, kernel.line_of[candidates.back()]);
        moved += 4;
      }
      candidates.clear();
    }
    if (can_be_longer(file, kernel, k)) candidates.push_back(k);
  }
}

}  // namespace

std::string align_targets(const std::string& assembly, const std::string& name, const std::set<std::string>& kernels,
                          uint64_t fetch_bytes) {
  assembly_file file(assembly, name);
  for (const assembled_kernel& kernel : assemble_kernels(file))
    if (kernels.count(kernel.name) != 0) align_kernel(file, kernel, fetch_bytes);
  return file.text();
}

}  // namespace pws::pwscc
