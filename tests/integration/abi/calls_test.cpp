// SPDX-License-Identifier: Apache-2.0
// Calls: stack frames, recursion, function pointers, virtual functions, jumps over more than a branch reaches.
#include <algorithm>
#include <array>

#include "sw/loader/llvm_version.h"
#include "tests/integration/abi/abi_run.h"

namespace pws::test::calls_test {
namespace {

using reference::input;
using reference::output;
using reference::random_u32;
using reference::scalar;
using reference::unwritten;
using words = std::vector<uint32_t>;

constexpr const char* file = "calls.hip";
constexpr uint32_t n = 192;  // one and a half wavefronts per workgroup
const words in = random_u32(7, n, 1u << 30);

uint32_t mix(uint32_t a, uint32_t b) {
  return (a ^ b) * 2654435761u + (a >> 7);
}

// One output word per work-item.
reference::kernel_case mapped(const std::string& kernel, uint32_t (*f)(uint32_t i)) {
  words expected(n);
  for (uint32_t i = 0; i < n; ++i) expected[i] = f(i);
  return abi_case(file, kernel, n, 96, {input("in", in), output("out", unwritten<uint32_t>(n), expected)});
}

TEST(calls, arguments_and_results_through_the_stack) {
  expect_results(mapped("noinline_calls", [](uint32_t i) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 40; ++k) {
      const uint64_t b = 0x0123456789abcdefull >> (k & 31);
      sum = mix(sum, mix(in[i] + k + i, static_cast<uint32_t>(b) + static_cast<uint32_t>(3.75 * i)));
    }
    return sum;
  }));
}

uint32_t ackermann(uint32_t m, uint32_t k) {
  return m == 0 ? k + 1 : k == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, k - 1));
}
uint32_t fibonacci(uint32_t k) {
  return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}

TEST(calls, recursion) {
  words expected;
  for (uint32_t i = 0; i < n; ++i) {
    expected.push_back(ackermann(2, i % 5));
    expected.push_back(fibonacci(i % 12));
  }
  expect_results(abi_case(file, "recursion", n, 96, {output("out", unwritten<uint32_t>(2 * n), expected)}));
}

TEST(calls, recursion_on_private_data) {
  std::vector<int32_t> values;
  for (const uint32_t v : random_u32(8, n * 24, 1000)) values.push_back(static_cast<int32_t>(v) - 500);
  std::vector<int32_t> sorted = values;
  for (size_t i = 0; i < n; ++i)
    std::sort(sorted.begin() + static_cast<ptrdiff_t>(24 * i), sorted.begin() + static_cast<ptrdiff_t>(24 * i + 24));
  expect_results(
      abi_case(file, "sorts", n, 96, {input("in", values), output("out", unwritten<int32_t>(24 * n), sorted)}));
}

uint32_t deep(uint32_t depth, uint32_t seed) {
  return (depth == 0 ? seed : deep(depth - 1, seed * 3 + 1)) + seed;
}

// clang 15 to 17 read the private aperture of a function that is no kernel from address 0 in code object v5, which no
// machine can serve: generic pointers to a callee's own frame are a matter of v3 and v4 (v4 is the default).
std::vector<abi_build> before_v5() {
  std::vector<abi_build> out = all_builds();
  out.erase(std::remove_if(out.begin(), out.end(), [](const abi_build& b) { return b.code_object_version == 5; }),
            out.end());
  return out;
}

reference::kernel_case deep_case(uint32_t depth) {
  words expected;
  for (uint32_t i = 0; i < 64; ++i) expected.push_back(deep(depth, i));
  return abi_case(file, "deep_recursion", 64, 64,
                  {output("out", unwritten<uint32_t>(64), expected), scalar<uint32_t>("depth", depth)});
}

TEST(calls, deep_recursion) {
  expect_results(deep_case(100), before_v5());
}

// Where the compiler assumes no size of its own, the runtime gives 16 KiB.
TEST(calls, deep_recursion_on_a_stack_that_the_runtime_sizes) {
  if (loader::llvm_version() >= 16) GTEST_SKIP() << "said in v5 alone: tests/hip/conformance/stack_limit.hip";
  const std::vector<abi_build> builds = both_fidelities({"-mllvm", "-amdgpu-assume-external-call-stack-size=0"});
  const loader::kernel_metadata& k = abi_program(file, builds[0]).find_kernel("deep_recursion").kernel->metadata;
  EXPECT_TRUE(k.uses_dynamic_stack);
  EXPECT_LT(k.private_segment_fixed_size, 1024u);
  expect_results(deep_case(100), builds);
  expect_error(deep_case(100'000), testing::HasSubstr("the work-item has 16384 bytes of scratch"), builds);
}

TEST(calls, stack_overflow_is_named) {
  expect_error(deep_case(100'000),
               testing::AllOf(testing::HasSubstr("kernel deep_recursion, workgroup (0,0,0), wavefront 0"),
                              testing::HasSubstr("lane 0"), testing::HasSubstr("private access out of range"),
                              testing::ContainsRegex("the work-item has [0-9]+ bytes of scratch")),
               before_v5());
}

TEST(calls, function_pointers) {
  expect_results(mapped("function_pointers", [](uint32_t i) -> uint32_t {
    switch (in[i] % 4) {
      case 0:
        return in[i] + i;
      case 1:
        return in[i] - i;
      case 2:
        return in[i] * i;
      default:
        return mix(in[i], i);
    }
  }));
}

TEST(calls, virtual_functions) {
  std::vector<float> expected;
  for (uint32_t i = 0; i < n; ++i) {
    const auto side = static_cast<float>(i), radius = static_cast<float>(in[i] & 63);
    expected.push_back((in[i] & 1) != 0 ? side * side * 10.0f + 4.0f : 3.0f * radius * radius * 10.0f);
  }
  expect_results(
      abi_case(file, "virtual_functions", n, 96, {input("in", in), output("out", unwritten<float>(n), expected)}));
}

uint32_t switched(uint32_t i) {
  uint32_t x = in[i];
  switch (in[0] % 9 + i / 96 % 9) {
    case 0:
      x += 3;
      break;
    case 1:
      x *= 7;
      break;
    case 2:
      x ^= 0x55;
      break;
    case 3:
      x -= 11;
      break;
    case 4:
      x = ~x;
      break;
    case 5:
      x <<= 3;
      break;
    case 6:
      x >>= 2;
      break;
    case 7:
      x = x * x;
      break;
    case 8:
      x = x / 3;
      break;
    case 9:
      x |= 0xf0;
      break;
    default:
      x = 0;
      break;
  }
  switch (x & 7) {
    case 0:
      return x + 13;
    case 1:
      return x * 17;
    case 2:
      return x ^ 0x5555;
    case 3:
      return x - 111;
    case 5:
      return x << 1;
    case 6:
      return 0xa5a5a5a5;  // left as it was
    default:
      return x | 1;
  }
}

TEST(calls, switches) {
  expect_results(mapped("switches", switched));
}

TEST(calls, branches_beyond_16_bits) {
  words expected;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t x = i;
    for (uint32_t r = 0; r < 3; ++r) x = x * 5 + r;
    expected.push_back(x);
  }
  expect_results(abi_case(file, "long_branch", 64, 64,
                          {output("out", unwritten<uint32_t>(64), expected), scalar<uint32_t>("rounds", 3)}));
}

}  // namespace
}  // namespace pws::test::calls_test
