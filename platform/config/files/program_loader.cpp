// SPDX-License-Identifier: Apache-2.0
// `program` of a run file.
#include <filesystem>
#include <fstream>

#include "platform/config/files/run_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

bool is_compiled(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(24, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.rfind("\177ELF", 0) == 0 || start == "__CLANG_OFFLOAD_BUNDLE__";
}

void check_flags(const value_at& v, const program_config& p) {
  if (!p.flags.empty() && !p.source.empty() && is_compiled(p.source))
    v.issue("flags are for sources, and " + file_in_quotes(p.source) + " is compiled already");
}

void check_split(const value_at& v, const program_config& p) {
  if (p.split == pwscc::split_choice::none || p.source.empty()) return;
  const std::string extension = std::filesystem::path(p.source).extension().string();
  if (is_compiled(p.source) || extension == ".cl" || extension == ".S")
    v.issue("split points are placed in HIP and assembly (.s), and " + file_in_quotes(p.source) + " is neither");
}

// `true` is what there is without the key: every key with its value is a run file too.
void check_split_by_launch(const value_at& v, const program_config& p) {
  if (!p.split_by_launch && p.split != pwscc::split_choice::automatic)
    v.issue(std::string("false is for split: auto, and split is ") + name_of(p.split));
}

// Behind `split`, which it goes with or not.
void settle_divergence(const value_at& v, program_config& p) {
  using code = pwscc::divergence_code;
  if (p.divergence == code::none || p.source.empty()) return;
  const std::string extension = std::filesystem::path(p.source).extension().string();
  const bool assembly = extension == ".s";
  if (is_compiled(p.source) || extension == ".cl" || extension == ".S" || (assembly && p.divergence != code::s))
    v.issue("code is compiled for it from HIP, and " + file_in_quotes(p.source) + " is not that");
  const pwscc::split_choice needed = pwscc::splits_of(p.divergence);
  if (p.split != pwscc::split_choice::none && p.split != needed)
    v.issue(std::string("does not go with split: ") + name_of(p.split) + ", but with " + name_of(needed));
  p.split = needed;
}

void fill_program(schema<program_config>& s) {
  using p = program_config;
  s.file("source", &p::source, "HIP, OpenCL C or assembly source, code object, offload bundle or executable")
      .required()
      .then([](const value_at& v, p& to) { to.where = v.node.where; });
  s.text("kernel", &p::kernel, "name of the kernel; needed unless there are `launches`")
      .by_default("")
      .then([](const value_at& v, p& to) { to.kernel_where = v.node.where; });
  s.texts("flags", &p::flags, "clang's flags; only for sources").then(check_flags);
  s.choice("split", &p::split,
           "branches that pwscc makes split points, for S = machine.spsimd_per_simd, or any S where paths need no "
           "contexts of "
           "their own; only for HIP and .s")
      .then(check_split);
  s.boolean(
       "split_by_launch", &p::split_by_launch,
       "split: auto takes the code without splits where the bounds of the run's launches, summed up, are longer with "
       "them; false: auto's splits, whatever the launches are")
      .then(check_split_by_launch);
  s.choice("divergence", &p::divergence,
           "how pwscc's code manages divergence: s (a stack, split: all), p (every branch predicated), ps (uniform "
           "branches stay), psr (and checks that skip long sides), or none (clang's own); only for HIP")
      .then(settle_divergence);
}

}  // namespace

const schema<program_config>& program_schema() {
  static const schema<program_config> s(fill_program);
  return s;
}

}  // namespace pws::platform
