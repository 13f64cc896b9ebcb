// SPDX-License-Identifier: Apache-2.0
// A run's kernel is compiled once: what decides the code, decides whether it is compiled again.
#include "sw/pwscc/cached_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/subprocess.h"

namespace pws::pwscc::cached_device_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* two_sides = R"(#include <hip/hip_runtime.h>
#include "step.h"
extern "C" __global__ void sides(int* out, const int* in) {
  int x = in[threadIdx.x];
  if (x & 1)
    for (int k = 0; k < STEP; ++k) x += in[x & 63];
  else
    for (int k = 0; k < STEP; ++k) x ^= in[x & 31];
  out[threadIdx.x] = x;
}
)";

class compile_cached_test : public testing::Test {
 protected:
  compile_cached_test() {
    write("sides.hip", two_sides);
    write("step.h", "#define STEP 7\n");
    options.flags = {"-O3"};
    options.pass.choice = split_choice::all;
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  }
  cached_device compile() const {
    return compile_cached(folder.path() / "sides.hip", options, loader::compile_cache(kept));
  }
  bool is_compiled() const { return !compile().from_cache; }

  const loader::temporary_directory folder;
  const fs::path kept = folder.path() / "cache";
  device_options options;
};

TEST_F(compile_cached_test, the_second_time_is_as_the_first) {
  const cached_device first = compile(), second = compile();
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.code_object, first.code_object);
  EXPECT_EQ(second.diagnostics, first.diagnostics);
  ASSERT_EQ(second.branches.size(), first.branches.size());
  unsigned of_the_kernel = 0;
  for (size_t k = 0; k < first.branches.size(); ++k) {
    EXPECT_EQ(second.branches[k].function, first.branches[k].function);
    EXPECT_EQ(second.branches[k].split, first.branches[k].split);
    EXPECT_EQ(second.branches[k].carried_masks, first.branches[k].carried_masks);
    of_the_kernel += second.branches[k].function == "sides" && second.branches[k].split;
  }
  EXPECT_GE(of_the_kernel, 1u);
}

TEST_F(compile_cached_test, each_option_makes_another_code) {
  EXPECT_TRUE(is_compiled());
  const auto change = [&](const char* what, auto&& set) {
    const device_options before = options;
    set();
    EXPECT_TRUE(is_compiled()) << what;
    EXPECT_FALSE(is_compiled()) << what;
    options = before;
  };
  change("choice", [&] { options.pass.choice = split_choice::none; });
  change("S", [&] { options.pass.swf_contexts = 3; });
  change("e_s", [&] { options.pass.split_cycles = 9; });
  change("e_m", [&] { options.pass.merge_cycles = 9; });
  change("instruction", [&] { options.pass.instruction_cycles = 9; });
  change("default bound", [&] { options.pass.default_loop_bound = 9; });
  change("machine", [&] { options.pass.machine = wcet::machine_timing(); });
  change("slot", [&] {
    options.pass.machine = wcet::machine_timing();
    options.pass.machine->lds_banks = 16;
  });
  change("flags", [&] { options.flags = {"-O1"}; });
  change("bound", [&] { options.loop_bounds = {{"", 6, 9}}; });
  change("another bound", [&] { options.loop_bounds = {{"", 6, 10}}; });
  change("divergence", [&] {
    options.pass.choice = split_choice::none;
    options.divergence = divergence_code::ps;
  });
  EXPECT_FALSE(is_compiled());
}

TEST_F(compile_cached_test, changed_files_are_noticed) {
  const cached_device first = compile();
  write("step.h", "#define STEP 8\n");
  const cached_device other = compile();
  EXPECT_FALSE(other.from_cache);
  EXPECT_NE(other.code_object, first.code_object);
  write("sides.hip", std::string(two_sides) + "// changed\n");
  EXPECT_TRUE(is_compiled());
  EXPECT_FALSE(is_compiled());
  fs::remove(folder.path() / "step.h");
  EXPECT_THROW(compile(), compilation_failed);
  EXPECT_THROW(compile(), compilation_failed);
}

TEST_F(compile_cached_test, damaged_entries_are_made_anew) {
  const cached_device first = compile();
  for (const char* garbage : {"", "[]", R"({"dependencies": [], "hash": "", "diagnostics": "", "notes": "{"})"}) {
    for (const auto& file : fs::directory_iterator(kept))
      if (file.path().extension() == ".json") std::ofstream(file.path(), std::ios::binary) << garbage;
    EXPECT_TRUE(is_compiled());
  }
  // Notes that are none, of a good object.
  for (const auto& file : fs::directory_iterator(kept)) {
    if (file.path().extension() != ".json") continue;
    const std::vector<uint8_t> bytes = loader::read_file(file.path());
    std::string text(bytes.begin(), bytes.end());
    const size_t at = text.find("[[");
    ASSERT_NE(at, std::string::npos);
    std::ofstream(file.path(), std::ios::binary) << text.replace(at, 2, "[3");
  }
  EXPECT_TRUE(is_compiled());
  EXPECT_EQ(compile().code_object, first.code_object);
}

TEST_F(compile_cached_test, without_a_folder_it_is_compiled_every_time) {
  const loader::compile_cache none{fs::path()};
  const fs::path source = folder.path() / "sides.hip";
  EXPECT_FALSE(compile_cached(source, options, none).from_cache);
  EXPECT_FALSE(compile_cached(source, options, none).from_cache);
  const loader::compile_cache unwritable{"/dev/null/x"};
  EXPECT_FALSE(compile_cached(source, options, unwritable).from_cache);
  EXPECT_FALSE(compile_cached(source, options, unwritable).from_cache);
}

TEST_F(compile_cached_test, assembly_is_assembled_every_time) {
  const device_result assembly = compile_device(folder.path() / "sides.hip", options);
  write("sides.s", assembly.before);
  const fs::path source = folder.path() / "sides.s";
  const loader::compile_cache cache(kept);
  EXPECT_FALSE(compile_cached(source, options, cache).from_cache);
  EXPECT_FALSE(compile_cached(source, options, cache).from_cache);
  EXPECT_THROW(compile_cached(folder.path() / "no.hip", options, cache), input_error);
}

}  // namespace
}  // namespace pws::pwscc::cached_device_test
