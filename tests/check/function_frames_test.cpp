// SPDX-License-Identifier: Apache-2.0
// The reader of private variables' places: what it finds in code that clang made, in code that has been damaged, and in
// what it does not know; and the finder of accesses on input that says nothing.
#include "sw/loader/function_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/error.h"
#include "models/check/frames/frame_accesses.h"
#include "models/isa/code/decode.h"
#include "models/isa/inst.h"
#include "tests/debug/compiled_code.h"

namespace pws::loader::function_frames_test {
namespace {

using test::compiled;
using testing::IsEmpty;

constexpr const char* source = R"(#include <hip/hip_runtime.h>
struct pair { int first; char second[3]; };
__device__ __attribute__((always_inline)) inline int inlined(int n) { int inner[6] = {n}; return inner[n & 3]; }
extern "C" __global__ void arrays(int* out, int n) {
  int one[10]; short many[3][4]; pair both; double single; char bytes[7];
  for (int i = 0; i < 10; ++i) { one[i] = i; many[i % 3][i % 4] = i; bytes[i % 7] = i; }
  both.first = n; both.second[n % 3] = 1; single = n;
  out[threadIdx.x] = one[n] + many[n % 3][n % 4] + both.first + static_cast<int>(single) + bytes[n % 7];
}
extern "C" __global__ void with_inlined(int* out, int n) { out[0] = inlined(n) + inlined(n + 1); }
extern "C" __global__ void empty_array(int* out, int n) { int none[0]; int some[4] = {n}; out[0] = some[n & 3] + (int)sizeof none; }
extern "C" __global__ void nothing() {}
)";

const std::vector<uint8_t>& unoptimised() {
  static const std::vector<uint8_t> code = compiled(source, {"-O0", "-g", "-w"});
  return code;
}

// The variables of all functions, as "name bytes element".
std::multiset<std::string> variables_of(const std::vector<function_frame>& frames) {
  std::multiset<std::string> all;
  for (const function_frame& f : frames)
    for (const frame_variable& v : f.variables)
      all.insert(v.name + " " + std::to_string(v.bytes) + " " + std::to_string(v.element));
  return all;
}

void expect_sane(const std::vector<function_frame>& frames) {
  for (const function_frame& f : frames)
    for (const frame_variable& v : f.variables) {
      EXPECT_GE(v.bytes, 1u);
      EXPECT_LE(v.bytes, uint64_t{1} << 31);
      EXPECT_LE(v.offset, uint64_t{1} << 31);
      EXPECT_TRUE(test::is_printable(v.name));
    }
}

TEST(function_frames, variables_with_their_sizes) {
  for (const char* version : {"-gdwarf-5", "-gdwarf-4"}) {
    SCOPED_TRACE(version);
    const std::vector<function_frame> frames = function_frames(
        std::string(version) == "-gdwarf-5" ? unoptimised() : compiled(source, {"-O0", "-g", "-w", version}));
    expect_sane(frames);
    const std::multiset<std::string> all = variables_of(frames);
    // No element is known of an array with several dimensions; an array without elements has no place.
    for (const char* wanted : {"one 40 4", "many 24 0", "both 8 0", "single 8 0", "bytes 7 1", "some 16 4"})
      EXPECT_EQ(all.count(wanted), 1u) << wanted << " in " << testing::PrintToString(all);
    for (const std::string& v : all) EXPECT_NE(v.substr(0, 5), "none ") << v;
    // Each call of an inlined function has variables of its own, in its caller's frame.
    EXPECT_EQ(all.count("inner 24 4"), 2u) << testing::PrintToString(all);
    EXPECT_TRUE(std::is_sorted(frames.begin(), frames.end(),
                               [](const function_frame& a, const function_frame& b) { return a.begin < b.begin; }));
    for (const function_frame& f : frames) {
      EXPECT_LT(f.begin, f.end);
      std::set<uint64_t> places;
      for (const frame_variable& v : f.variables) EXPECT_TRUE(places.insert(v.offset).second) << v.name;
    }
  }
}

TEST(function_frames, not_of_optimised_code_nor_without_entries) {
  EXPECT_THAT(function_frames(compiled(source, {"-O1", "-g", "-w"})), IsEmpty());
  EXPECT_THAT(function_frames(compiled(source, {"-O0", "-gline-tables-only", "-w"})), IsEmpty());
  EXPECT_THAT(function_frames(compiled(source, {"-O0", "-w"})), IsEmpty());
  EXPECT_THAT(function_frames({}), IsEmpty());
  EXPECT_THAT(function_frames({1, 2, 3}), IsEmpty());
}

TEST(function_frames, damaged_code_objects_are_no_error) {
  const std::vector<uint8_t>& whole = unoptimised();
  const unsigned still_some = test::read_damaged(whole, [](const test::code_bytes& code) {
    const std::vector<function_frame> frames = function_frames(code);
    expect_sane(frames);
    return !frames.empty();
  });
  EXPECT_GT(still_some, 100u);
}

// An array whose length is not known until it runs has no place that could be checked: this compiler has none.
TEST(function_frames, arrays_of_any_length_do_not_compile) {
  try {
    compiled("#include <hip/hip_runtime.h>\n__global__ void k(int* x, int n) { int v[n]; v[n - 1] = 1; *x = v[0]; }\n",
             {"-O0", "-g", "-w"});
    ADD_FAILURE() << "they do: what does the check of private variables make of them?";
  } catch (const input_error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("unsupported dynamic alloca"));
  }
}

// Whatever stands there for code, and whatever is said of the frame.
TEST(frame_accesses, of_words_at_random) {
  std::mt19937_64 random(2);
  size_t decoded = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<isa::inst> code;
    for (uint64_t pc = 0; code.size() < 40; pc += 8) {
      const uint32_t words[] = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
      try {
        code.push_back(isa::decode(words, 2, pc));
      } catch (const program_error&) {
        continue;
      }
    }
    decoded += code.size();
    std::vector<check::frame_object> objects;
    for (unsigned k = 0; k < round % 5; ++k)
      objects.push_back({random() % 64, random() % 3 == 0 ? random() : random() % 9});
    uint64_t before = 0;
    for (const check::frame_access& a : check::frame_accesses(code, objects)) {
      EXPECT_LT(a.object, objects.size());
      EXPECT_GE(a.pc, before);
      before = a.pc;
    }
  }
  EXPECT_EQ(decoded, 12000u);
}

TEST(frame_accesses, nothing_of_nothing) {
  EXPECT_TRUE(check::frame_accesses({}, {}).empty());
  EXPECT_TRUE(check::frame_accesses({}, {{16, 40}, {0, 0}, {~uint64_t{0}, ~uint64_t{0}}}).empty());
}

}  // namespace
}  // namespace pws::loader::function_frames_test
