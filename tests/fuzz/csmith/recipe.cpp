// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/recipe.h"

#include <algorithm>
#include <csignal>
#include <stdexcept>

#include "sw/loader/subprocess.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

constexpr unsigned max_attempts = 200;
constexpr unsigned generator_seconds = 20;
// Edges of the control flow, all lanes together. The GPU may have to run each of them alone.
constexpr uint64_t max_steps = 400'000;

// splitmix64: the choices that a seed stands for.
class chooser {
 public:
  explicit chooser(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint32_t one_of(std::initializer_list<uint32_t> values) { return values.begin()[next() % values.size()]; }

 private:
  uint64_t state_;
};

std::vector<std::string> language(const toolchain& t) {
  // Generated code narrows in braces, compares signed with unsigned and so on, all of it on purpose. Unions are read
  // through members other than the last written one. A loop without effect may be endless (and is found so by its
  // steps).
  return {"-std=c++17", "-w", "-Wno-c++11-narrowing", "-fno-strict-aliasing", "-fno-finite-loops", "-I" + t.device_dir};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string group_definition(const recipe& r) {
  return "-DFUZZ_GROUP=" + std::to_string(r.workgroup);
}
std::string uniform_definition(const recipe& r) {
  return std::string("-DFUZZ_UNIFORM=") + (r.uniform ? "1" : "0");
}

std::vector<std::string> host_command(const toolchain& t, const recipe& r, const std::vector<std::string>& flags,
                                      const std::string& source, const std::string& output) {
  std::vector<std::string> c{t.clang, "-x", "c++"};
  append(c, language(t));
  append(c, flags);
  append(c, {"-DFUZZ_LANES=" + std::to_string(r.lanes), group_definition(r), uniform_definition(r),
             "-DFUZZ_SEED=" + std::to_string(r.seed) + "ul", "-DFUZZ_STEPS=" + std::to_string(max_steps), source, "-o",
             output});
  return c;
}

}  // namespace

const char* name_of(state_memory m) {
  switch (m) {
    case state_memory::scratch:
      return "scratch";
    case state_memory::global:
      return "global memory";
    case state_memory::lds:
      return "LDS";
  }
  return "?";
}

recipe recipe_of(uint64_t seed) {
  recipe r;
  r.seed = seed;
  chooser c(seed);
  const auto number = [&](std::initializer_list<uint32_t> values) { return std::to_string(c.one_of(values)); };
  r.generator_options = {"--lang-cpp", "--cpp11", "--no-argc", "--concise", "--no-volatiles", "--no-volatile-pointers",
                         // A const member would leave a struct without assignment in C++.
                         "--no-const-struct-union-fields",
                         // Clang 15 reads fields of packed structs in scratch and LDS with unaligned accesses that GCN3
                         // does not have there.
                         "--no-packed-struct"};
  append(r.generator_options, {"--max-funcs", number({2, 3, 4, 5, 6, 7})});
  append(r.generator_options, {"--max-block-size", number({2, 3, 4})});
  append(r.generator_options, {"--max-block-depth", number({2, 3, 4, 5})});
  append(r.generator_options, {"--max-expr-complexity", number({4, 7, 10})});
  append(r.generator_options, {"--max-array-len-per-dim", number({3, 6, 10})});
  if (c.one_of({0, 1}) != 0) r.generator_options.emplace_back("--builtins");
  r.state = static_cast<state_memory>(c.one_of({0, 0, 0, 1, 1, 2}));
  r.uniform = c.one_of({0, 0, 0, 1}) != 0;
  if (r.uniform) r.state = state_memory::scratch;
  r.workgroup = c.one_of({64, 64, 70, 48, 33, 67});
  r.max_workgroup = c.one_of({256, 1024});
  // Clang 15 at -O0 reads a bit-field that begins in a word's second byte with an unaligned flat_load_ushort.
  if (r.state == state_memory::lds) r.generator_options.emplace_back("--no-bitfields");
  return r;
}

void place_state(recipe& r, uint64_t state_bytes) {
  if (r.state != state_memory::lds) return;
  constexpr uint64_t lds_bytes = 64 * 1024;
  constexpr uint32_t fewest_lanes = 6;  // fewer would hardly diverge
  const uint64_t stride = std::max<uint64_t>((state_bytes + 15) / 16 * 16, 16);
  const auto fitting = static_cast<uint32_t>(std::min<uint64_t>(r.workgroup, lds_bytes / stride));
  if (fitting >= fewest_lanes)
    r.workgroup = fitting;
  else
    r.state = state_memory::global;
}

generated_program generate(const recipe& r, const size_limits& limits) {
  chooser seeds(~r.seed);
  generated_program p;
  for (; p.passed_over < max_attempts; ++p.passed_over) {
    // csmith keeps a file in the folder it runs in, which several at a time would write over one another.
    const loader::temporary_directory own;
    std::vector<std::string> command{"env", "--chdir=" + own.path().string(), "csmith"};
    append(command, r.generator_options);
    append(command, {"--seed", std::to_string(seeds.next() >> 33)});
    program_result made = run_program(command, generator_seconds);
    // It may fail to find its way back from a dead end within the limits asked for.
    if (made.exit_code == 128 + SIGALRM) continue;
    if (made.exit_code == 127) throw std::runtime_error("csmith cannot be run; it is in the package csmith");
    if (made.exit_code != 0) throw std::runtime_error("csmith failed: " + made.err);
    if (made.out.size() < limits.min || made.out.size() > limits.max) continue;
    p.text = std::move(made.out);
    return p;
  }
  throw std::runtime_error("csmith makes no program of the wanted size");
}

std::vector<std::string> reference_command(const toolchain& t, const recipe& r, const std::string& source,
                                           const std::string& output) {
  return host_command(t, r,
                      {"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                       "-fsanitize-coverage=trace-pc-guard,no-prune"},
                      source, output);
}

std::vector<std::string> plain_host_command(const toolchain& t, const recipe& r, const std::string& level,
                                            const std::string& source, const std::string& output) {
  return host_command(t, r, {"-O" + level}, source, output);
}

std::string kernel_name(const std::string& level) {
  return "fuzz_O" + level;
}

std::vector<std::string> device_command(const toolchain& t, const recipe& r, const std::string& level,
                                        const std::string& source, const std::string& output) {
  std::vector<std::string> c{t.clang,
                             "-x",
                             "hip",
                             "--offload-arch=gfx803",
                             "-nogpuinc",
                             "-nogpulib",
                             "--cuda-device-only",
                             "--no-gpu-bundle-output",
                             "-c"};
  append(c, language(t));
  // LLVM 15 moves over-aligned arrays from scratch to LDS without keeping every lane's copy aligned, and then accesses
  // them with ds_write_b128.
  append(c, {"-mllvm", "-disable-promote-alloca-to-lds"});
  // LLVM 15 moves arrays of up to eight bytes to registers, where it writes two bytes at a variable index: the mask in
  // SITargetLowering::lowerINSERT_VECTOR_ELT has 16 bits, however small the element.
  append(c, {"-mllvm", "-disable-promote-alloca-to-vector"});
  // A uniform program's variables can only become scalar registers where everything is one function.
  if (r.uniform) append(c, {"-mllvm", "-inline-threshold=20000"});
  append(c, {"-O" + level, "-DFUZZ_KERNEL=" + kernel_name(level), group_definition(r), uniform_definition(r),
             "-DFUZZ_MAX_GROUP=" + std::to_string(r.max_workgroup),
             "-DFUZZ_STATE=" + std::to_string(static_cast<unsigned>(r.state)), source, "-o", output});
  return c;
}

std::string shell_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-+=./,:") == std::string::npos;
    if (!line.empty()) line += ' ';
    line += plain ? word : "'" + word + "'";
  }
  return line;
}

}  // namespace pws::test
