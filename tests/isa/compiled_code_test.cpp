// SPDX-License-Identifier: Apache-2.0
// Code that clang made from HIP kernels for gfx803: our disassembly of .text against llvm-objdump's, and every
// instruction of it executable by the machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/inst.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test::compiled_code_test {

namespace {

struct line {
  uint64_t pc = 0;
  words code;
  std::string text;
  std::string target;  // "symbol+0xoffset" of a branch
};
struct listing {
  std::vector<line> lines;
  std::map<std::string, uint64_t> symbols;
};

// "\ts_cbranch_execz 12   // 000000001000: BF88000C <kernel+0x34>" and "0000000000001000 <kernel>:"
listing parse(const std::string& objdump) {
  listing l;
  std::istringstream in(objdump);
  for (std::string s; std::getline(in, s);) {
    const size_t comment = s.find("// ");
    const size_t open = s.rfind('<'), close = s.rfind('>');
    if (comment == std::string::npos) {
      if (open != std::string::npos && s.substr(close) == ">:")
        l.symbols[s.substr(open + 1, close - open - 1)] = std::stoull(s, nullptr, 16);
      continue;
    }
    line x;
    const size_t begin = s.find_first_not_of(" \t"), end = s.find_last_not_of(" \t", comment - 1);
    x.text = s.substr(begin, end + 1 - begin);
    std::istringstream fields(s.substr(comment + 3));
    std::string f;
    fields >> f;
    x.pc = std::stoull(f, nullptr, 16);
    while (fields >> f && f[0] != '<') x.code.push_back(static_cast<uint32_t>(std::stoul(f, nullptr, 16)));
    if (open != std::string::npos && open > comment) x.target = s.substr(open + 1, close - open - 1);
    l.lines.push_back(x);
  }
  return l;
}

uint64_t address_of(const listing& l, const std::string& target) {
  const size_t plus = target.find('+');
  const auto symbol = l.symbols.find(target.substr(0, plus));
  if (symbol == l.symbols.end()) throw std::runtime_error("objdump names unknown symbol " + target);
  return symbol->second + (plus == std::string::npos ? 0 : std::stoull(target.substr(plus + 1), nullptr, 16));
}

class compiled_code : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(compiled_code, disassembles_and_decodes) {
  const auto [kernel, level] = GetParam();
  const std::string object = fmt::format("{}/{}{}.hsaco", temporary_directory(), kernel, level);
  run(fmt::format("{} {} --cuda-device-only --no-gpu-bundle-output -c '{}/kernels/{}.hip' -o '{}'", hip_compiler(),
                  level, PWS_ISA_TEST_DIR, kernel, object));
  const listing l = parse(run(llvm_tool("llvm-objdump") + " -d '" + object + "'"));
  ASSERT_GT(l.lines.size(), 500u);
  int branches = 0;
  for (const line& x : l.lines) {
    try {
      const inst i = decode(x.code.data(), static_cast<unsigned>(x.code.size()), x.pc);
      EXPECT_EQ(disassemble(i), x.text) << hex(x.code);
      EXPECT_EQ(i.dwords, x.code.size()) << x.text;
      if (!x.target.empty()) {
        EXPECT_EQ(i.target, address_of(l, x.target)) << x.text << " to " << x.target;
        ++branches;
      }
    } catch (const program_error& e) {
      ADD_FAILURE() << x.text << " (" << hex(x.code) << "): " << e.what();
    }
  }
  EXPECT_GT(branches, 3);
}

INSTANTIATE_TEST_SUITE_P(kernels, compiled_code,
                         ::testing::Values(std::pair("arithmetic", "-O3"), std::pair("arithmetic", "-O0"),
                                           std::pair("control", "-O3"), std::pair("control", "-O0")),
                         [](const auto& i) { return std::string(i.param.first) + "_O" + i.param.second[2]; });

}  // namespace

}  // namespace pws::isa::test::compiled_code_test
