// SPDX-License-Identifier: Apache-2.0
// The assembly that a kernel was made of: where its instructions come from, its marks and its labels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/cfg/inlined_calls.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/loop_marks.h"

namespace pws::platform {

// Whether a path ends with these whole parts; any does with none.
bool path_ends_with(const std::string& path, const std::string& end);

class source_lines {
 public:
  source_lines() = default;  // of a program without assembly: nothing is known
  // `name`: the program's, for messages. Throws input_error for assembly that is none.
  source_lines(const std::string& assembly, const std::string& name, const std::string& kernel);

  bool known() const { return kernel_ != nullptr; }
  size_t words() const { return (kernel_->code.end() - kernel_->code.begin()) / 4; }
  // The place of the instruction `offset` bytes behind the kernel's beginning. It may be in a function that the kernel
  // calls.
  cfg::source_place place(uint64_t offset) const;
  // The marked loops of the kernel and of each copy of a function. What a mark says holds for each call by itself.
  std::vector<cfg::marked_loop> marked(const cfg::inlined_code& code) const;
  // Whether a loop statement of that line has anchors anywhere in the code.
  bool any_kernel_has(const std::string& file, uint32_t line) const;
  // The first instruction behind a label of the kernel; none: there is no such label.
  std::optional<size_t> instruction_at(const std::string& label) const;
  // Throws input_error if the code is another one.
  void require_same(const cfg::function_code& code) const;

 private:
  struct assembled_text;
  static std::shared_ptr<const assembled_text> assembled(const std::string& assembly, const std::string& name);
  const pwscc::assembled_kernel* function_at(uint64_t offset) const;
  static void add_copies(const std::vector<cfg::marked_loop>& loops, const std::map<size_t, size_t>& copied,
                         std::vector<cfg::marked_loop>& all);

  std::shared_ptr<const assembled_text> text_;
  const pwscc::assembly_file* file_ = nullptr;
  const pwscc::assembled_kernel* kernel_ = nullptr;
};

}  // namespace pws::platform
