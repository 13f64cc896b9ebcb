// SPDX-License-Identifier: Apache-2.0
// The reader of variables: what is in scope in code that clang made, of which types and where; what location
// expressions are worth, written by hand; and code that has been damaged.
#include "sw/loader/local_variables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "tests/debug/compiled_code.h"

namespace pws::loader::local_variables_test {
namespace {

using state = value_place::state;
using piece = value_piece::what;
using test::address_of;
using test::compiled;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Registers whose contents are known: sN is 0x1000 + N, vN is 0x2000 + N, and memory is its address.
struct registers : variable_context {
  std::optional<uint32_t> scalar(unsigned n) const override {
    return n < 100 ? std::optional(0x1000 + n) : std::nullopt;
  }
  std::optional<uint32_t> vector(unsigned n) const override {
    return n < 64 ? std::optional(0x2000 + n) : std::nullopt;
  }
  std::optional<uint64_t> exec() const override { return 0x8000000000000001; }
  std::optional<uint64_t> vcc() const override { return 0x8000000000000002; }
  std::optional<uint32_t> frame_register(unsigned n) const override {
    return n == 33 ? std::optional<uint32_t>(frame) : std::nullopt;
  }
  bool read(memory_space space, uint64_t address, void* to, uint64_t bytes) const override {
    if (space == memory_space::global) return false;
    std::memcpy(to, &address, bytes);
    return true;
  }
  uint64_t base() const override { return 0x100000000; }
  uint64_t kernel_entry() const override { return entry; }
  uint64_t lds_bytes() const override { return lds; }
  uint64_t private_bytes() const override { return own; }
  uint64_t entry = 0, lds = 0, own = 64;
  uint32_t frame = 0;
};

constexpr const char* source = R"(#include <hip/hip_runtime.h>
enum colour : unsigned char { red, green = 7 };
enum class wide_enum : long { low = -5 };
struct base { int inherited; };
struct pair : base { int first; unsigned low : 3; int high : 5; union { float real; int whole; }; pair* next; };
typedef unsigned long long u64;
typedef float four __attribute__((ext_vector_type(4)));
__device__ int counter;
__device__ __attribute__((noinline)) int called(int x, const pair& p) { int y = x + p.first; return y * 3; }
__device__ inline int inlined(int* at, int z) { int inner = at[z]; at[z + 64] = inner; return inner + 1; }
extern "C" __global__ void kernel(int* out, int n) {
  __shared__ int tile[64];
  __shared__ double table[2][3];
  int i = threadIdx.x;
  pair p{{1}, i, 5, -3, {2.5f}, nullptr};
  colour c = green; wide_enum e = wide_enum::low; u64 big = n; four v = {1, 2, 3, 4}; const char* text = "x";
  bool flag = n > 3; _Float16 half = 1; int (*rows)[4] = nullptr; float grid[2][5] = {};
  tile[i] = n; table[0][i % 3] = n;
  for (int k = 0; k < n; ++k) {
    int i = k * 2;
    out[k] = i + tile[k] + (int)table[0][k % 3];
  }
  out[i] += called(i, p) + inlined(out, i) + c + (int)e + (int)big + (int)v[i % 4] + text[0] + flag + (int)half + (int)grid[1][i % 5] + (rows != nullptr) + counter;
}
)";

std::string name_of(type_kind k) {
  const char* const names[] = {"?",    "bool",    "char",      "int",   "unsigned", "real",
                               "enum", "pointer", "reference", "array", "vector",   "struct"};
  return names[static_cast<size_t>(k)];
}

// "name type kind bytes" of a function's variables.
std::vector<std::string> texts(const scope_function& f) {
  std::vector<std::string> all;
  for (const scope_variable& v : f.variables)
    all.push_back(fmt::format("{}: {} {} {}", v.name, v.type->name, name_of(v.type->kind), v.type->bytes));
  return all;
}

// Every address in a function at which a variable of the name is in scope.
std::vector<uint64_t> addresses_with(const debug_variables& d, uint64_t begin, uint64_t end, const std::string& name) {
  std::vector<uint64_t> all;
  for (uint64_t pc = begin; pc < end; pc += 4)
    for (const scope_function& f : d.at(pc))
      if (std::any_of(f.variables.begin(), f.variables.end(),
                      [&](const scope_variable& v) { return v.name == name; })) {
        all.push_back(pc);
        break;
      }
  return all;
}

const scope_variable& variable(const std::vector<scope_function>& all, const std::string& name) {
  for (const scope_function& f : all)
    for (const scope_variable& v : f.variables)
      if (v.name == name) return v;
  throw std::runtime_error("no variable " + name);
}

constexpr uint64_t most_code = 0x4000;

TEST(local_variables, types_and_scopes) {
  for (const char* level : {"-O0", "-O1", "-O3"})
    for (const char* version : {"-gdwarf-5", "-gdwarf-4"}) {
      SCOPED_TRACE(std::string(level) + " " + version);
      const test::code_bytes code = compiled(source, {level, "-g", "-w", version});
      const debug_variables d(code);
      const uint64_t kernel = address_of(code, "kernel");
      const std::vector<scope_function> at_entry = d.at(kernel);
      ASSERT_FALSE(at_entry.empty());
      const scope_function& f = at_entry.back();
      EXPECT_EQ(f.name, "kernel");
      EXPECT_EQ(f.entry, kernel);
      EXPECT_FALSE(f.is_inlined);
      EXPECT_EQ(f.is_optimised, std::string(level) != "-O0");
      for (const char* wanted :
           {"tile: int[64] array 256", "table: double[2][3] array 48", "out: int * pointer 8", "n: int int 4",
            "i: int int 4", "p: pair struct 24", "c: colour enum 1", "e: wide_enum enum 8", "big: u64 unsigned 8",
            "v: four vector 16", "text: const char * pointer 8", "flag: bool bool 1", "half: _Float16 real 2",
            "rows: int (*)[4] pointer 8", "grid: float[2][5] array 40"})
        EXPECT_THAT(texts(f), Contains(wanted));
      const scope_variable& grid = variable(at_entry, "grid");
      EXPECT_EQ(grid.type->count, 2u);
      ASSERT_NE(grid.type->of, nullptr);
      EXPECT_EQ(fmt::format("{} {} {}", grid.type->of->name, grid.type->of->count, grid.type->of->bytes),
                "float[5] 5 20");
      std::vector<std::string> members;
      for (const type_member& m : named_members(*variable(at_entry, "p").type))
        members.push_back(fmt::format("{} {} at {} of {}", m.type->name, m.name, m.bit, m.bits));
      EXPECT_THAT(members, ElementsAre("int inherited at 0 of 0", "int first at 32 of 0", "unsigned int low at 64 of 3",
                                       "int high at 67 of 5", "float real at 96 of 0", "int whole at 96 of 0",
                                       "pair * next at 128 of 0"));
      const variable_type* const next = named_members(*variable(at_entry, "p").type).back().type;
      EXPECT_EQ(next->of->bytes, 24u) << "a type that leads to itself";
      EXPECT_EQ(variable(at_entry, "c").type->enumerators.back().value, 7);
      EXPECT_EQ(variable(at_entry, "e").type->enumerators.back().value, -5);
      EXPECT_TRUE(variable(at_entry, "n").is_parameter);
      EXPECT_FALSE(variable(at_entry, "i").is_parameter);

      // The inner block's `i` is in front of the outer one's, and both are there.
      const std::vector<uint64_t> in_loop = addresses_with(d, kernel, kernel + most_code, "k");
      ASSERT_FALSE(in_loop.empty());
      bool both = false;
      for (const uint64_t pc : in_loop) {
        const std::vector<scope_function> here = d.at(pc);
        const auto& all = here.back().variables;
        both =
            both || std::count_if(all.begin(), all.end(), [](const scope_variable& v) { return v.name == "i"; }) == 2;
        EXPECT_LT(std::find_if(all.begin(), all.end(), [](const scope_variable& v) { return v.name == "k"; }),
                  std::find_if(all.begin(), all.end(), [](const scope_variable& v) { return v.name == "n"; }));
      }
      EXPECT_TRUE(both);

      std::vector<std::string> globals;
      for (const scope_variable& v : d.globals(kernel)) globals.push_back(v.name);
      EXPECT_THAT(globals, Contains("counter"));
      EXPECT_THAT(globals, testing::Not(Contains("x"))) << "threadIdx has one";
      registers r;
      for (const scope_variable& v : d.globals(kernel))
        if (v.name == "counter") {
          const value_place place = d.place_of(v, kernel, r);
          ASSERT_EQ(place.what, state::found);
          EXPECT_EQ(place.pieces.at(0).kind, piece::memory);
          EXPECT_EQ(place.pieces.at(0).space, memory_space::global);
          EXPECT_GT(place.pieces.at(0).address, r.base());
          EXPECT_FALSE(place.is_of_lane);
        }
    }
}

TEST(local_variables, places_of_code_that_is_not_optimised) {
  for (const char* version : {"-gdwarf-5", "-gdwarf-4"}) {
    SCOPED_TRACE(version);
    const test::code_bytes code = compiled(source, {"-O0", "-g", "-w", version});
    const debug_variables d(code);
    registers r;
    const uint64_t kernel = r.entry = address_of(code, "kernel");
    const std::vector<uint64_t> in_loop = addresses_with(d, kernel, kernel + most_code, "k");
    ASSERT_FALSE(in_loop.empty());
    const std::vector<scope_function> here = d.at(in_loop.front());
    // In the prologue nothing is stored.
    EXPECT_EQ(d.place_of(variable(here, "n"), kernel, r).what, state::not_yet);
    EXPECT_EQ(d.place_of(variable(here, "tile"), kernel, r).what, state::no_lds_offset);
    // A frame begins at what its register says for all 64 lanes.
    std::map<std::string, uint64_t> in_first;
    for (const uint32_t frame : {0u, 64u * 100}) {
      r.frame = frame;
      std::map<uint64_t, std::string> by_address;
      for (const scope_variable& v : here.back().variables) {
        const value_place place = d.place_of(v, in_loop.front(), r);
        if (v.name == "tile" || v.name == "table") continue;
        ASSERT_EQ(place.what, state::found) << v.name;
        ASSERT_EQ(place.pieces.size(), 1u);
        EXPECT_EQ(place.pieces[0].kind, piece::memory);
        EXPECT_EQ(place.pieces[0].space, memory_space::of_lane);
        EXPECT_EQ(place.pieces[0].bytes, v.type->bytes);
        EXPECT_TRUE(place.is_of_lane);
        if (frame == 0) in_first[fmt::format("{} {}", v.name, v.id)] = place.pieces[0].address;
        EXPECT_EQ(place.pieces[0].address, in_first.at(fmt::format("{} {}", v.name, v.id)) + frame / 64) << v.name;
        EXPECT_TRUE(by_address.emplace(place.pieces[0].address, v.name).second) << v.name;
      }
    }
    // LDS: as many bytes as the kernel declares.
    r.lds = 256 + 48;
    if (PWS_LLVM != 15) {  // later ones do not say where variables are in LDS
      EXPECT_EQ(d.place_of(variable(here, "tile"), kernel, r).what, state::no_lds_offset);
      continue;
    }
    EXPECT_EQ(d.place_of(variable(here, "tile"), kernel, r).pieces.at(0).address, 0u);
    EXPECT_EQ(d.place_of(variable(here, "table"), kernel, r).pieces.at(0).address, 256u);
    EXPECT_EQ(d.place_of(variable(here, "table"), kernel, r).pieces.at(0).space, memory_space::lds);
    EXPECT_FALSE(d.place_of(variable(here, "table"), kernel, r).is_of_lane);
    r.lds = 48;
    EXPECT_EQ(d.place_of(variable(here, "table"), kernel, r).pieces.at(0).address, 0u);
    EXPECT_EQ(d.place_of(variable(here, "tile"), kernel, r).what, state::no_lds_offset);
    // Another kernel's variables are not there.
    r.lds = 256 + 48;
    r.entry = kernel + 4;
    EXPECT_EQ(d.place_of(variable(here, "tile"), kernel, r).what, state::no_lds_offset);
  }
}

TEST(local_variables, functions_that_are_called_and_inlined) {
  const test::code_bytes code = compiled(source, {"-O2", "-g", "-w"});
  const debug_variables d(code);
  const uint64_t kernel = address_of(code, "kernel");
  const std::vector<uint64_t> places = addresses_with(d, 0, kernel + most_code, "inner");
  ASSERT_FALSE(places.empty());
  for (const uint64_t pc : places) {
    const std::vector<scope_function> here = d.at(pc);
    ASSERT_GE(here.size(), 2u);
    EXPECT_EQ(here.front().name, "inlined");
    EXPECT_TRUE(here.front().is_inlined);
    EXPECT_EQ(here.back().name, "kernel");
    EXPECT_EQ(here.front().entry, kernel);
    EXPECT_EQ(here.front().variables.front().type->name, "int");
  }
  const std::vector<uint64_t> in_called = addresses_with(d, 0, kernel + most_code, "y");
  ASSERT_FALSE(in_called.empty());
  EXPECT_EQ(d.at(in_called.front()).back().name, "called");
  EXPECT_NE(d.at(in_called.front()).back().entry, kernel);
}

TEST(local_variables, none_without_entries) {
  const test::code_bytes code = compiled(source, {"-O2", "-gline-tables-only", "-w"});
  const debug_variables d(code);
  for (uint64_t pc = 0; pc < most_code; pc += 4)
    for (const scope_function& f : d.at(pc)) EXPECT_THAT(f.variables, IsEmpty());
  for (const test::code_bytes& nothing : {test::code_bytes{}, test::code_bytes{1, 2, 3}}) {
    const debug_variables none(nothing);
    EXPECT_THAT(none.at(0), IsEmpty());
    EXPECT_THAT(none.globals(0), IsEmpty());
    EXPECT_EQ(none.place_of({"x", nullptr, 0, false}, 0, registers()).what, state::optimised_out);
  }
}

// ---- Location expressions, by hand

// Code with a function of two instructions, whose frame is at s33, and a variable of eight bytes for each expression.
std::string assembly(const std::vector<std::vector<unsigned>>& expressions) {
  std::string text = R"(.text
.globl f
.type f,@function
f: s_nop 0
s_endpgm
.Lend:
.size f, .Lend-f
.section .debug_abbrev,"",@progbits
.byte 1,0x11,1,3,8,0x11,1,0x12,6,0,0
.byte 2,0x2e,1,3,8,0x11,1,0x12,6,0x40,0x18,0,0
.byte 3,0x34,0,3,8,0x49,0x13,2,0x18,0,0
.byte 4,0x24,0,3,8,0x3e,0xb,0xb,0xb,0,0
.byte 0
.section .debug_info,"",@progbits
.Lunit:
.long .Linfo_end-.Linfo
.Linfo:
.short 4
.long .debug_abbrev
.byte 8
.byte 1
.asciz "by_hand.s"
.quad f
.long .Lend-f
.Ltype:
.byte 4
.asciz "long"
.byte 5,8
.Lsmall:
.byte 4
.asciz "signed char"
.byte 5,1
.Lodd:
.byte 4
.asciz "DW_ATE_unsigned_3"
.byte 7,1
.byte 2
.asciz "f"
.quad f
.long .Lend-f
.byte 2,0x90,65
)";
  for (size_t k = 0; k < expressions.size(); ++k) {
    text += fmt::format(".byte 3\n.asciz \"x{}\"\n.long .Ltype-.Lunit\n.byte {}\n", k, expressions[k].size());
    for (const unsigned b : expressions[k]) text += fmt::format(".byte {}\n", b);
  }
  return text + ".byte 0,0\n.Linfo_end:\n";
}

// "bits 01 02", "of_lane 0x40", one piece after the other.
std::string text_of(const value_place& p) {
  const char* const states[] = {"", "optimised_out", "not_yet", "no_register", "no_lds_offset", "not_understood"};
  const char* const spaces[] = {"flat", "global", "lds", "of_lane", "not_flat"};
  std::string text = states[static_cast<size_t>(p.what)];
  for (const value_piece& v : p.pieces) {
    text += fmt::format("{}{}:", text.empty() ? "" : ", ", v.bytes);
    if (v.kind == piece::absent) text += "absent";
    if (v.kind == piece::memory) text += fmt::format("{} {:#x}", spaces[static_cast<size_t>(v.space)], v.address);
    for (const uint8_t b : v.content) text += fmt::format("{:02x}", b);
  }
  return text + (p.is_of_lane ? " of lane" : "");
}

struct worth {
  std::vector<unsigned> expression;
  const char* text;
};

TEST(local_variables, location_expressions) {
  // Numbers of operations as DWARF 5 has them in table 7.9; v0 is register 2560 (0x80, 0x14), s0 is 32, s64 is 1088.
  const std::vector<worth> all = {
      {{0x90, 0x80, 0x14}, "8:00200000 of lane"},
      {{0x90, 0x83, 0x14}, "8:03200000 of lane"},
      {{0x90, 36}, "8:04100000"},
      {{0x90, 0xc0, 0x08}, "8:40100000"},
      {{0x90, 17}, "8:0100000000000080"},
      {{0x90, 0x80, 0x06}, "8:0200000000000080"},
      {{0x90, 0xff, 0x14}, "no_register of lane"},  // v127
      {{0x90, 0x80, 0x18}, "not_understood"},       // an accumulation register
      {{0x90, 0x84, 0x14, 0x93, 4, 0x90, 0x85, 0x14, 0x93, 4}, "4:04200000, 4:05200000 of lane"},
      {{0x90, 0x84, 0x14, 0x93, 2}, "2:0420 of lane"},
      {{0x93, 4, 0x90, 33, 0x93, 4}, "4:absent, 4:01100000"},
      {{0x93, 8}, "optimised_out, 8:absent"},
      {{}, "optimised_out"},
      {{0x35, 0x9f}, "8:0500000000000000"},                                // lit5
      {{0x11, 0x7f, 0x9f}, "8:ffffffffffffffff"},                          // consts -1
      {{0x10, 0x80, 0x01, 0x9f, 0x93, 1}, "1:80"},                         // constu 128
      {{0x9e, 3, 7, 8, 9}, "8:070809"},                                    // implicit_value
      {{0x91, 8}, "8:of_lane 0x8 of lane"},                                // fbreg 8
      {{0x91, 8, 0x23, 4}, "8:of_lane 0xc of lane"},                       // and plus_uconst 4
      {{0x92, 65, 16}, "8:of_lane 0x10 of lane"},                          // bregx of the frame's register
      {{0x92, 0x80, 0x14, 4}, "8:of_lane 0x2004 of lane"},                 // bregx v0, 4
      {{0x92, 36, 4, 0x9f}, "8:0810000000000000"},                         // s4 + 4 itself
      {{0x91, 8, 0x6}, "8:flat 0x8 of lane"},                              // a pointer in the frame
      {{0x91, 8, 0x94, 4}, "8:of_lane 0x8 of lane"},                       // of four bytes
      {{0x91, 8, 0x94, 9}, "not_understood"},                              // of nine
      {{0x32, 0x12, 0x1e, 0x9f}, "8:0400000000000000"},                    // dup, mul
      {{0x37, 0x32, 0x14, 0x1c, 0x22, 0x9f}, "8:0200000000000000"},        // 7 2 over minus plus
      {{0x37, 0x32, 0x16, 0x1c, 0x9f}, "8:fbffffffffffffff"},              // swap, minus
      {{0x37, 0x35, 0x32, 0x17, 0x1c, 0x1e, 0x9f}, "8:0400000000000000"},  // 7 5 2 rot: 2 7 5, minus, mul
      {{0x37, 0x30, 0x1b, 0x9f}, "not_understood"},                        // division by 0
      {{0x37, 0x30, 0x1d, 0x9f}, "not_understood"},                        // modulo 0
      {{0xd, 0, 0, 0, 0x80, 0x31, 0x25, 0x9f}, "8:000000c0ffffff7f"},      // const4s shifted by 1, unsigned: below
      {{0x11, 0x78, 0x32, 0x26, 0x9f}, "8:feffffffffffffff"},              // -8 shra 2
      {{0x37, 0x32, 0x2b, 0x9f}, "8:0100000000000000"},                    // 7 > 2
      {{0x11, 0x7f, 0x31, 0x2d, 0x9f}, "8:0100000000000000"},              // -1 < 1
      {{0x10, 0xff, 0x01, 0xa8, 0x2a, 0x9f}, "8:ffffffffffffffff"},        // convert to signed char
      {{0x10, 0xff, 0x01, 0xa8, 0x39, 0x9f}, "8:0700000000000000"},        // to three bits
      {{0x9f}, "not_understood"},                                          // nothing there
      {{0x22}, "not_understood"},
      {{0x31, 0x15, 9, 0x9f}, "not_understood"},                           // pick too deep
      {{0x2f, 0xfd, 0xff}, "not_understood"},                              // skip -3: for ever
      {{0x31, 0x28, 0xfc, 0xff}, "not_understood"},                        // bra
      {{0x96, 0x90, 36}, "8:04100000"},                                    // nop
      {{0x40, 0x32, 0x16, 0x18}, "8:lds 0x10"},                            // 16 in space 2
      {{0x40, 0x31, 0x16, 0x18}, "8:of_lane 0x10 of lane"},                // in space 1
      {{0x40, 0x35, 0x16, 0x18}, "not_understood"},                        // in space 5
      {{0x3, 0, 0, 0, 0, 0, 0, 0, 0, 0x32, 0x16, 0x18}, "no_lds_offset"},  // the compiler's 0
      {{0x3, 16, 0, 0, 0, 0, 0, 0, 0}, "8:global 0x100000010"},            // an address of the object
      {{0xa3, 3, 0x90, 0x80, 0x14, 0x9f}, "optimised_out"},                // entry_value
      {{0x90, 36, 0x93, 0xff, 0xff, 0xff, 0xff, 0x7f}, "not_understood"},  // a piece without end
      {{0xe9}, "not_understood"},                                          // of LLVM, without a number of its own
  };
  std::vector<std::vector<unsigned>> expressions;
  for (const worth& w : all) expressions.push_back(w.expression);
  const test::code_bytes code = compiled(assembly(expressions), {}, "code.s");
  const debug_variables d(code);
  const uint64_t f = address_of(code, "f");
  const std::vector<scope_function> here = d.at(f);
  ASSERT_EQ(here.size(), 1u);
  ASSERT_EQ(here[0].variables.size(), all.size());
  for (size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(text_of(d.place_of(here[0].variables[k], f, registers())), all[k].text) << "expression " << k;

  // A 32-bit address is in LDS where the kernel has nothing else, and unknown where it has both.
  const scope_variable& array = here[0].variables[20];
  registers r;
  r.lds = 128;
  EXPECT_EQ(text_of(d.place_of(array, f, r)), "not_understood of lane");
  r.own = 0;
  EXPECT_EQ(text_of(d.place_of(array, f, r)), "8:lds 0x2004 of lane");
}

TEST(local_variables, damaged_code_objects_are_no_error) {
  for (const char* level : {"-O0", "-O2"}) {
    const test::code_bytes whole = compiled(source, {level, "-g", "-w"});
    const uint64_t kernel = address_of(whole, "kernel");
    const std::vector<uint64_t> places = {kernel, kernel + 0x100, kernel + 0x400,
                                          address_of(whole, "_Z6callediRK4pair") + 8};
    const unsigned still_some = test::read_damaged(whole, [&](const test::code_bytes& code) {
      const debug_variables d(code);
      registers r;
      r.entry = kernel;
      r.lds = 256 + 48;
      size_t found = 0;
      for (const uint64_t pc : places) {
        std::vector<scope_variable> all = d.globals(pc);
        for (const scope_function& f : d.at(pc)) {
          EXPECT_TRUE(test::is_printable(f.name));
          all.insert(all.end(), f.variables.begin(), f.variables.end());
        }
        for (const scope_variable& v : all) {
          EXPECT_TRUE(test::is_printable(v.name));
          EXPECT_TRUE(test::is_printable(v.type->name));
          const value_place p = d.place_of(v, pc, r);
          for (const value_piece& part : p.pieces) EXPECT_LE(part.content.size(), part.bytes);
          found += p.what == state::found ? 1 : 0;
          named_members(*v.type);
        }
      }
      return found != 0;
    });
    EXPECT_GT(still_some, 100u);
  }
}

}  // namespace
}  // namespace pws::loader::local_variables_test
