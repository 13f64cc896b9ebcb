// SPDX-License-Identifier: Apache-2.0
// What the analysis says of the memory instructions of kernels that everybody knows, of code that indexes in every way
// there is, and of split wavefronts: by hand where the answer is known, else against the machine.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "models/isa/opcode_row.h"
#include "sw/loader/llvm_version.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_run.h"
#include "tests/splitting/batch_run.h"
#include "tests/wcet/access_check.h"

namespace pws::test::access_pattern_test {
namespace {

using wcet::access_bound;

// A kernel's code as it lies at some address, and a launch of it with pointers at multiples of 4096.
struct launched_kernel {
  cfg::function_code code;
  wcet::launch_facts facts;

  launched_kernel(const loader::program_image& program, const std::string& name, std::array<uint32_t, 3> grid,
                  std::array<uint32_t, 3> workgroup, const std::vector<std::vector<uint8_t>>& arguments) {
    const loader::found_kernel found = program.find_kernel(name);
    const loader::image image = program.load(0x100000000).front();
    const uint64_t entry = image.base + found.kernel->entry_offset;
    std::vector<uint32_t> words(found.kernel->code_size / 4);
    std::memcpy(words.data(), image.bytes.data() + found.kernel->entry_offset, 4 * words.size());
    code = code_at(*found.kernel, entry, words);
    facts.descriptor = found.kernel->descriptor;
    facts.grid = grid;
    facts.workgroup = workgroup;
    facts.work = 500'000;
    facts.kernarg_address = 0x100002000;
    for (const auto& a : arguments) {
      facts.kernarg.resize((facts.kernarg.size() + a.size() - 1) / a.size() * a.size());
      facts.kernarg.insert(facts.kernarg.end(), a.begin(), a.end());
    }
    isa::kernel_dispatch_packet p;
    p.workgroup_size_x = static_cast<uint16_t>(workgroup[0]);
    p.workgroup_size_y = static_cast<uint16_t>(workgroup[1]);
    p.workgroup_size_z = static_cast<uint16_t>(workgroup[2]);
    p.grid_size_x = grid[0];
    p.grid_size_y = grid[1];
    p.grid_size_z = grid[2];
    p.group_segment_size = found.kernel->metadata.group_segment_fixed_size;
    facts.dispatch_packet = bytes_of(p);
  }

  std::vector<access_bound> bounds(const std::string& mnemonic, uint32_t line_bytes) const {
    const cfg::flow_graph graph(code);
    const auto all = wcet::bound_accesses(graph, facts, {line_bytes, 32}).bounds;
    EXPECT_EQ(all.size(), code.instructions.size());
    std::vector<access_bound> out;
    for (size_t k = 0; k < all.size(); ++k) {
      const std::string name = code.instructions[k].row->mnemonic;
      if (name.find(mnemonic) != std::string::npos) out.push_back(all[k]);
      if (!code.instructions[k].is_memory()) {
        EXPECT_EQ(all[k].lines + all[k].lds_passes, 0u) << k;
        EXPECT_EQ(all[k].why, "") << k;
      }
    }
    return out;
  }
  std::vector<uint32_t> lines(const std::string& mnemonic, uint32_t line_bytes) const {
    std::vector<uint32_t> out;
    for (const access_bound& b : bounds(mnemonic, line_bytes)) out.push_back(b.lines);
    return out;
  }
  std::vector<uint32_t> passes(const std::string& mnemonic) const {
    std::vector<uint32_t> out;
    for (const access_bound& b : bounds(mnemonic, 64)) out.push_back(b.lds_passes);
    return out;
  }
};

constexpr uint64_t buffer_a = 0x100010000, buffer_b = 0x100110000, buffer_c = 0x100210000;
std::string source(const std::string& name) {
  return "sw/kernels/" + name + ".hip";
}
using numbers = std::vector<uint32_t>;

TEST(access_pattern, vector_add) {
  const std::vector<std::vector<uint8_t>> arguments = {bytes_of(buffer_a), bytes_of(buffer_b), bytes_of(buffer_c),
                                                       bytes_of(uint32_t{100000})};
  launched_kernel k(program_of(source("vector_add")), "vector_add", {100096, 1, 1}, {256, 1, 1}, arguments);
  EXPECT_EQ(k.lines("flat_", 256), (numbers{1, 1, 1}));
  EXPECT_EQ(k.lines("flat_", 64), (numbers{4, 4, 4}));
  EXPECT_EQ(k.lines("s_load", 64), numbers(loader::llvm_version() == 15 ? 5 : 4, 1));  // as many as the compiler makes
  EXPECT_EQ(k.passes("flat_"), (numbers{0, 0, 0}));
  EXPECT_EQ(k.bounds("flat_", 256)[0].why, "64 lanes x 4 bytes, contiguous, 256-byte aligned");
  EXPECT_TRUE(k.bounds("flat_", 256)[0].exact_pattern);
  // A buffer that begins anywhere; a grid that ends in the middle of a workgroup.
  k.facts.kernarg[0] = 4;
  EXPECT_EQ(k.lines("flat_", 64), (numbers{5, 4, 4}));
  k.facts.grid = {100000, 1, 1};
  k.facts.dispatch_packet[13] = 0xa0 - 0x1a;  // whatever the packet says
  for (const uint32_t n : k.lines("flat_", 64)) EXPECT_LE(n, 5u);
  // Buffers anywhere: still side by side.
  k.facts.kernarg.clear();
  k.facts.kernarg_address = 0;
  EXPECT_EQ(k.lines("flat_", 64), (numbers{5, 5, 5}));
  EXPECT_EQ(k.passes("flat_"), (numbers{0, 0, 0}));  // the packet says that there is no LDS
  // Nothing known at all: the accesses may go to LDS. To scratch they cannot, the kernel has none.
  k.facts.dispatch_packet.clear();
  for (const access_bound& b : k.bounds("flat_", 64)) EXPECT_EQ(b.lds_passes, 2u);
}

TEST(access_pattern, saxpy_and_alu_chain) {
  const launched_kernel saxpy(program_of(source("saxpy")), "saxpy", {4096, 1, 1}, {64, 1, 1},
                              {bytes_of(uint32_t{4096}), bytes_of(2.0f), bytes_of(buffer_a), bytes_of(buffer_b)});
  EXPECT_EQ(saxpy.lines("flat_", 256), (numbers{1, 1, 1}));
  EXPECT_EQ(saxpy.lines("flat_", 64), (numbers{4, 4, 4}));
  const launched_kernel chain(program_of(source("alu_chain")), "alu_chain", {4096, 1, 1}, {256, 1, 1},
                              {bytes_of(buffer_a), bytes_of(uint32_t{4096}), bytes_of(uint32_t{10})});
  for (const uint32_t n : chain.lines("flat_", 256)) EXPECT_EQ(n, 1u);
  for (const uint32_t n : chain.lines("flat_", 64)) EXPECT_EQ(n, 4u);
}

TEST(access_pattern, matrix_multiply) {
  for (const std::string kernel : {"matrix_multiply", "matrix_multiply_tiled"}) {
    SCOPED_TRACE(kernel);
    const launched_kernel k(program_of(source("matrix_multiply")), kernel, {256, 256, 1}, {16, 16, 1},
                            {bytes_of(buffer_a), bytes_of(buffer_b), bytes_of(buffer_c), bytes_of(uint32_t{256})});
    // Four rows of 16 floats.
    EXPECT_EQ(k.lines("flat_", 64), (numbers{4, 4, 4}));
    EXPECT_EQ(k.lines("flat_", 256), (numbers{4, 4, 4}));
    EXPECT_EQ(k.passes("ds_write_b32"), (numbers{2, 2}));
    for (const uint32_t n : k.passes("ds_read_b128")) EXPECT_EQ(n, 2u);
    for (const uint32_t n : k.passes("ds_read2_b32")) EXPECT_EQ(n, 4u);
  }
}

TEST(access_pattern, reduction) {
  const launched_kernel k(program_of(source("reduction")), "reduction", {4096, 1, 1}, {256, 1, 1},
                          {bytes_of(buffer_a), bytes_of(buffer_b), bytes_of(uint32_t{4096})});
  EXPECT_EQ(k.lines("flat_load", 256), (numbers{1}));
  EXPECT_EQ(k.lines("flat_store", 64), (numbers{1}));  // work-item 0 alone
  // In the tree the lanes become fewer: with half of a wavefront or less one pass is enough.
  EXPECT_EQ(k.passes("ds_write_b32"), (numbers{2, 2, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(k.passes("ds_read2st64_b32"), (numbers{4, 4}));
  EXPECT_EQ(k.passes("ds_read2_b32"), (numbers{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(k.passes("ds_read_b32"), (numbers{1}));
}

TEST(access_pattern, needleman_wunsch) {
  const launched_kernel k(
      program_of(source("needleman_wunsch")), "needleman_wunsch", {16, 1, 1}, {16, 1, 1},
      {bytes_of(buffer_a), bytes_of(buffer_b), bytes_of(buffer_c), bytes_of(uint64_t{0x100310000}),
       bytes_of(uint32_t{16}), bytes_of(uint32_t{1}), bytes_of(uint32_t{0}), bytes_of(uint32_t{0})});
  for (const access_bound& b : k.bounds("flat_load_ubyte", 64)) EXPECT_EQ(b.lines, 1u);
  // Along an anti-diagonal words are 16 apart: in two banks. Its lanes become more, then fewer.
  uint32_t longest = 0, shortest = 64;
  for (const access_bound& b : k.bounds("ds_read_b32", 64)) {
    EXPECT_TRUE(b.exact_pattern);
    longest = std::max(longest, b.lds_passes);
    shortest = std::min(shortest, b.lds_passes);
  }
  EXPECT_EQ(longest, 8u);
  EXPECT_EQ(shortest, 1u);
}

TEST(access_pattern, histogram) {
  const launched_kernel k(program_of(source("histogram")), "histogram", {4096, 1, 1}, {256, 1, 1},
                          {bytes_of(buffer_a), bytes_of(buffer_b), bytes_of(uint32_t{100000})});
  EXPECT_EQ(k.passes("ds_write_b32"), (numbers{2}));
  // Any of 256 bins: eight in each bank.
  EXPECT_EQ(k.passes("ds_add_u32"), (numbers{16}));
}

// --- Ways to index ---------------------------------------------------------------------------------

const char* const indexing = R"(
#include <hip/hip_runtime.h>
#include <cstdint>
#define KERNEL extern "C" __global__ void
struct triple { float a, b, c; };
__device__ uint32_t id() { return blockIdx.x * blockDim.x + threadIdx.x; }
// p has 1 << 20 bytes; the numbers are such that all stays inside.
KERNEL behind(int* p, int n, int k) { int i = (int)id() - k; if (i >= 0) p[i] = i + n; }
KERNEL signed_index(int* p, int n, int k) { int i = (int)id() - k; p[200000 + i] = n; }
KERNEL strided(int* p, int n, int k) { p[(id() * (unsigned)k) % 250000u] = n; }
KERNEL reversed(int* p, int n, int k) { int i = (int)id(); if (i < n) p[n - 1 - i] = p[n - 1 - i] + k; }
KERNEL two_d(int* p, int n, int k) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  p[(size_t)y * k + x] += n;
}
KERNEL wide(double* p, int n, int k) { size_t i = (size_t)id() * 3 + k; p[i % 100000] = n; }
KERNEL structs(triple* p, int n, int k) { unsigned i = id(); p[i].b = p[i].a + n; p[i].c += k; }
KERNEL vectors(float4* p, int n, int k) { unsigned i = id(); float4 v = p[i]; v.x += n; v.w *= k; p[i] = v; }
KERNEL halves(unsigned short* p, int n, int k) { p[id() * 2 + (k & 1)] = (unsigned short)(n + p[id()]); }
KERNEL grid_stride(int* p, int n, int k) {
  for (unsigned i = id(); i < (unsigned)n * 16; i += gridDim.x * blockDim.x) p[i] = p[i] * k + 1;
}
KERNEL backwards_loop(int* p, int n, int k) {
  int* q = p + id() + n;
  for (int s = 0; s < (k & 15); ++s) { *q += s; q -= 1; }
}
KERNEL transposed(int* p, int n, int k) {
  __shared__ int t[16 * 65];
  unsigned l = threadIdx.x & 255;
  for (int s = 0; s < 3; ++s) {
    t[(l & 15) * 17 + (l >> 4) + s] = p[l + s];
    __syncthreads();
    p[id() + s] = t[(l >> 4) * 17 + (l & 15)] + t[(l ^ (unsigned)n) & 255] + t[(l * (unsigned)k) & 255];
    __syncthreads();
  }
}
KERNEL branches(int* p, int n, int k) {
  unsigned i = id();
  int* q = p;
  if (i & 1) q = p + n; else if (i & 2) q = p + 2 * i;
  int v = *q;
  while (v > k) { v >>= 1; if (v & 1) q += 3; *q = v; }
  q[1] = v;
  unsigned j = i & 3 ? i * 4 : i + 7;
  p[j] = j;
}
KERNEL uniform(int* p, int n, int k) {
  int i = __builtin_amdgcn_readfirstlane((int)id() * n);
  p[(unsigned)i % 1000u] = p[(unsigned)__builtin_amdgcn_readfirstlane(threadIdx.x + k) & 1023u];
}
KERNEL scratch(int* p, int n, int k) {
  int a[24];
  for (int s = 0; s < 24; ++s) a[s] = p[id() + s];
  for (int s = 0; s < k % 24; ++s) a[(id() * n + s) % 24u] += s;
  int v = 0;
  for (int s = 0; s < 24; ++s) v += a[(s + n) % 24u];
  p[id()] = v + a[k % 24u] + a[(unsigned)p[5] % 24u];
}
__device__ __attribute__((noinline)) int taken(const int* q, unsigned i) { return q[i] + q[i + 1]; }
KERNEL either_memory(int* p, int n, int k) {
  __shared__ int t[256];
  int own[4] = {n, k, 3, 4};
  t[threadIdx.x & 127] = n;
  t[128 + (threadIdx.x & 127)] = k;
  __syncthreads();
  const int* q = (id() & 64) ? t : (n & 1) ? p : own;
  if (k & 1) q = own;
  volatile const int* r = q;
  p[id()] = r[threadIdx.x & 3] + r[1];
}
KERNEL calls(int* p, int n, int k) { p[id()] = taken(p, id() * (k & 3)) + n; }
KERNEL atomics(int* p, int n, int k) {
  atomicAdd(&p[(id() * (unsigned)k) & 1023], n);
  atomicMax(&p[id() >> 3], k);
}
)";

struct indexing_case {
  const char* kernel;
  uint32_t element = 4;
};

TEST(access_pattern, every_way_to_index) {
  const temporary_file file(".hip");
  std::ofstream(file.path()) << indexing;
  const char* const kernels[] = {"behind",   "signed_index", "strided", "reversed",      "two_d",          "wide",
                                 "structs",  "vectors",      "halves",  "grid_stride",   "backwards_loop", "transposed",
                                 "branches", "uniform",      "scratch", "either_memory", "calls",          "atomics"};
  constexpr uint32_t buffer = 1u << 20;
  std::mt19937 random(7);
  uint64_t exact = 0, checked = 0;
  for (const std::string optimisation : {"-O3", "-O1", "-O2", "-O0"}) {
    loader::load_options options;
    options.compile.cache_dir = PWS_TEST_CACHE;
    options.compile.optimisation = optimisation;
    const loader::program_image program = loader::load_program(file.path(), options);
    std::vector<access_case> cases;
    // All of them for one level of optimisation, or for all if asked for.
    const bool some = optimisation != "-O3" && std::getenv("PWS_WCET_ALL") == nullptr;
    const unsigned shapes = some ? 2 : 6;
    for (const std::string kernel : kernels)
      for (unsigned k = 0; k < shapes; ++k) {
        access_case c;
        c.kernel = kernel;
        const bool flat = kernel != "two_d";
        const uint32_t sizes[] = {64, 256, 100, 192, 32, 512};
        c.workgroup = flat ? std::array<uint32_t, 3>{sizes[k], 1, 1}
                           : std::array<uint32_t, 3>{k % 2 == 0 ? 16u : 24u, k < 3 ? 16u : 5u, 1};
        const uint32_t groups = 1 + random() % 5;
        c.grid = {c.workgroup[0] * groups, flat ? 1 : c.workgroup[1] * 3, 1};
        if (k == 2) c.grid[0] += 17;  // ends within a workgroup
        std::vector<uint8_t> memory(buffer);
        for (uint8_t& b : memory) b = static_cast<uint8_t>(random() % 3 == 0 ? random() : 0);
        const uint32_t n = kernel == "reversed" ? c.grid[0] : 16 + random() % 500, stride = 1 + random() % 300;
        c.arguments = {{true, memory, k == 1 ? 4 * static_cast<uint32_t>(random() % 64) : 0},
                       {false, bytes_of(n), 0},
                       {false, bytes_of(stride), 0}};
        if (kernel == std::string("wide") || kernel == std::string("vectors")) c.arguments[0].misplaced &= ~15u;
        c.facts_unknown = k == 4;
        cases.push_back(c);
      }
    for (const uint32_t line : {64u, 256u}) {
      if (some && line != 64) continue;
      const auto outcomes = check_accesses(program, cases, line);
      for (size_t k = 0; k < cases.size(); ++k) {
        SCOPED_TRACE(fmt::format("{} {}, case {}, lines of {} bytes", cases[k].kernel, optimisation, k, line));
        EXPECT_EQ(outcomes[k].violations, 0u) << outcomes[k].first << "\n" << outcomes[k].report;
        EXPECT_GT(outcomes[k].checked, 0u);
        checked += outcomes[k].checked;
        exact += outcomes[k].exact;
        if (std::getenv("PWS_SHOW_BOUNDS") != nullptr)
          fmt::print("{} {} case {} line {}\n{}", cases[k].kernel, optimisation, k, line, outcomes[k].report);
      }
    }
  }
  EXPECT_GT(checked, 10000u);
  EXPECT_GT(exact, 1000u);
}

// --- Split wavefronts ------------------------------------------------------------------------------

// The parts of a split wavefront go different ways with scalar registers of their own, and come together again.
TEST(access_pattern, split_wavefronts) {
  constexpr unsigned programs = 60;
  assembly_file file;
  std::vector<access_case> cases;
  std::mt19937 random(11);
  for (unsigned k = 0; k < programs; ++k) {
    program_options options;
    options.depth = 1 + random() % 4;
    options.split_percent = k % 3 == 0 ? 100 : 60;
    file.add_program(1000 + k, options);
    access_case c;
    c.kernel = fmt::format("k{}", k);
    c.workgroup = {64u << random() % 3, 1, 1};
    c.grid = {c.workgroup[0] * (1 + static_cast<uint32_t>(random() % 3)), 1, 1};
    c.arguments = {{true, std::vector<uint8_t>(c.grid[0] * bytes_per_work_item), 0},
                   {false, bytes_of(uint32_t{0}), 0},
                   {false, bytes_of(uint32_t{0}), 0},
                   {false, bytes_of(static_cast<uint32_t>(random()) | 1), 0},
                   {false, bytes_of(static_cast<uint32_t>(random())), 0},
                   {false, bytes_of(c.workgroup[0]), 0}};
    cases.push_back(c);
  }
  const loader::program_image program = assemble(file.text());
  for (const models::divergence_kind scheme :
       {models::divergence_kind::none, models::divergence_kind::pws, models::divergence_kind::dws}) {
    models::machine_config machine;
    machine.divergence = scheme;
    machine.spsimd_per_simd = 7;
    const auto outcomes = check_accesses(program, cases, 64, machine);
    for (size_t k = 0; k < cases.size(); ++k)
      EXPECT_EQ(outcomes[k].violations, 0u) << cases[k].kernel << ": " << outcomes[k].first << "\n"
                                            << outcomes[k].report;
  }
}

// --- Odd input -------------------------------------------------------------------------------------

cfg::function_code code_of(const std::vector<uint32_t>& words) {
  return cfg::decode_function("f", words.data(), words.size(), 0x100);
}

TEST(access_pattern, odd_launches) {
  // flat_load_dword v2, v[0:1]; ds_read_b32 v3, v0; s_endpgm
  const cfg::function_code code = code_of({0xdc500000, 0x02000000, 0xd86c0000, 0x03000000, 0xbf810000});
  const cfg::flow_graph graph(code);
  for (const std::array<uint32_t, 3> size :
       {std::array<uint32_t, 3>{0, 0, 0}, {1, 1, 1}, {1024, 1, 1}, {7, 11, 13}, {~0u, ~0u, ~0u}, {1, 1, 1000000000}}) {
    wcet::launch_facts facts;
    facts.workgroup = facts.grid = size;
    facts.descriptor.workitem_ids = 3;
    const auto bounds = wcet::bound_accesses(graph, facts, {}).bounds;
    EXPECT_GE(bounds[0].lines, 1u);
    EXPECT_LE(bounds[0].lines, 128u);
    EXPECT_GE(bounds[1].lds_passes, 1u);
    EXPECT_LE(bounds[1].lds_passes, 64u);
  }
  EXPECT_THROW(wcet::bound_accesses(graph, {}, {48, 32}), std::invalid_argument);
  EXPECT_THROW(wcet::bound_accesses(graph, {}, {64, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace pws::test::access_pattern_test
