// SPDX-License-Identifier: Apache-2.0
// LLVM's assembler, disassembler and compiler as oracles. Everything goes through files and one call per question,
// because starting llvm-mc once per instruction would take minutes. All throw std::runtime_error where a tool is
// missing or fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::isa::test {

using words = std::vector<uint32_t>;

std::string hex(const words& w);

// Path of a program of the LLVM that the project is built with: llvm_tool("llvm-mc").
std::string llvm_tool(const std::string& name);
// Its clang++ with what it needs to compile HIP for gfx803.
std::string hip_compiler();
// A directory of this process for temporary files; removed at exit.
std::string temporary_directory();
// Runs a shell command; throws with its output if it fails.
std::string run(const std::string& command);

// Text of each instruction as llvm-mc prints it, spaces at the end removed; "invalid" where it refuses the words.
std::vector<std::string> llvm_disassemble(const std::vector<words>& code);
// True where this LLVM has the text of an instruction otherwise than version 15, or refuses it. From 16 on, it names
// the register that tfe adds to a load's results and drops tfe of others; it refuses sext() of v_cndmask_b32_sdwa; and
// it remarks on EXEC as the mask of a select or a carry.
bool text_is_of_llvm_15_alone(const std::string& text);
// Words of each line of assembly; empty where llvm-mc refuses it.
std::vector<words> llvm_assemble(const std::vector<std::string>& text);
// Words of a whole assembly source, assembled by clang with -I of a directory.
words assembled_text(const std::string& source, const std::string& include_dir);

}  // namespace pws::isa::test
