// SPDX-License-Identifier: Apache-2.0
// Code objects as clang makes them: header, segments, symbols, relocations, kernels and their names.
#include <cstring>

#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_code_object_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr uint64_t base = 0x7f0000100000;

code_object object_of(const std::string& source, unsigned version = 4) {
  return {compiled(source, version), source};
}

template <typename T>
T device_read(const image& i, uint64_t address) {
  T value{};
  EXPECT_GE(address, i.base);
  EXPECT_LE(address + sizeof(T), i.base + i.bytes.size());
  std::memcpy(&value, i.bytes.data() + (address - i.base), sizeof value);
  return value;
}

uint64_t address_of(const image& i, const std::string& name) {
  const symbol* s = i.find(name);
  EXPECT_NE(s, nullptr) << name;
  return s == nullptr ? 0 : s->address;
}

class code_object_versions : public testing::TestWithParam<unsigned> {};

TEST_P(code_object_versions, is_read_with_all_kernels) {
  const code_object o = object_of("kernels.hip", GetParam());
  EXPECT_EQ(o.version(), GetParam());
  EXPECT_EQ(o.metadata().version_major, 1u);
  EXPECT_EQ(o.metadata().version_minor, GetParam() - 3);
  EXPECT_EQ(o.kernels().size(), 8u);
  for (const kernel& k : o.kernels()) {
    EXPECT_EQ(k.entry_offset % 256, 0u) << k.demangled;
    EXPECT_GT(k.code_size, 0u) << k.demangled;
    EXPECT_TRUE(k.descriptor.has(isa::user_sgpr::kernarg_segment_ptr)) << k.demangled;
    EXPECT_TRUE(k.descriptor.workgroup_id[0]) << k.demangled;
    EXPECT_EQ(k.descriptor.group_segment_bytes, k.metadata.group_segment_fixed_size) << k.demangled;
    EXPECT_EQ(k.descriptor.private_segment_bytes, k.metadata.private_segment_fixed_size) << k.demangled;
    EXPECT_EQ(k.descriptor.kernarg_bytes, k.metadata.kernarg_segment_size) << k.demangled;
    EXPECT_GE(k.descriptor.n_vgprs, k.metadata.vgpr_count) << k.demangled;
    EXPECT_GE(k.descriptor.n_sgprs, k.metadata.sgpr_count) << k.demangled;
  }
}
INSTANTIATE_TEST_SUITE_P(all, code_object_versions, testing::Values(3u, 4u, 5u));

TEST(code_object, without_kernels_is_valid) {
  const code_object o = object_of("no_kernels.hip");
  EXPECT_TRUE(o.kernels().empty());
  EXPECT_THAT(input_error_of([&] { o.find_kernel("x"); }), HasSubstr("the program has no kernels"));
}

TEST(code_object, descriptor_holds_what_the_source_asks_for) {
  const code_object o = object_of("kernels.hip");
  EXPECT_EQ(o.find_kernel("reduces").descriptor.group_segment_bytes, 128u * 4);
  EXPECT_EQ(o.find_kernel("reduces").metadata.max_flat_workgroup_size, 128u);
  EXPECT_TRUE(o.find_kernel("recursive").descriptor.uses_scratch);
  // LLVM 17 says so in version 5 alone.
  const code_object latest(compiled("kernels.hip", 5), "kernels.hip");
  EXPECT_TRUE(latest.find_kernel("recursive").metadata.uses_dynamic_stack);
  EXPECT_FALSE(latest.find_kernel("plain").metadata.uses_dynamic_stack);
  EXPECT_TRUE(o.find_kernel("recursive").descriptor.has(isa::user_sgpr::private_segment_buffer));
  EXPECT_FALSE(o.find_kernel("plain").descriptor.uses_scratch);
  // f32 denormals flushed, f64 and f16 ones kept, DX10 clamp and IEEE mode on: clang's defaults for gfx803.
  EXPECT_EQ(o.find_kernel("plain").descriptor.mode, 0x3c0u);
}

TEST(code_object, finds_a_kernel_by_each_of_its_names) {
  const code_object o = object_of("kernels.hip");
  const kernel& k = o.find_kernel("_ZN8geometry5scaleIfEEvT_PS1_");
  EXPECT_EQ(k.demangled, "void geometry::scale<float>(float, float*)");
  EXPECT_EQ(&o.find_kernel("_ZN8geometry5scaleIfEEvT_PS1_.kd"), &k);
  EXPECT_EQ(&o.find_kernel("void geometry::scale<float>(float, float*)"), &k);
  EXPECT_EQ(&o.find_kernel("geometry::scale<float>"), &k);
  EXPECT_NE(&o.find_kernel("geometry::scale<int>"), &k);
  EXPECT_EQ(o.find_kernel("geometry::only_here").demangled, "geometry::only_here(void (*)(int), int*)");
  EXPECT_EQ(o.find_kernel("plain").metadata.name, "plain");
}

TEST(code_object, unknown_kernel_is_an_error_with_the_list_and_the_nearest) {
  const code_object o = object_of("kernels.hip");
  EXPECT_THAT(input_error_of([&] { o.find_kernel("reducse"); }),
              AllOf(HasSubstr("kernels.hip: no kernel 'reducse', did you mean 'reduces'?"),
                    HasSubstr("'geometry::only_here(void (*)(int), int*)'"), HasSubstr("'plain'")));
  EXPECT_THAT(input_error_of([&] { o.find_kernel("zzzzzzzzzzzzzzz"); }), Not(HasSubstr("did you mean")));
  EXPECT_THAT(input_error_of([&] { o.find_kernel(""); }), HasSubstr("no kernel ''"));
  EXPECT_THAT(input_error_of([&] { o.find_kernel(std::string("\x1b[31m\0x", 7)); }), HasSubstr("'\\x1b[31m\\x00x'"));
  EXPECT_THAT(input_error_of([&] { o.find_kernel(std::string(100000, 'a')); }), HasSubstr("no kernel 'aaa"));
}

TEST(code_object, segments_are_laid_out_with_their_permissions) {
  const code_object o = object_of("globals.hip");
  const image i = o.load(base);
  EXPECT_EQ(i.base, base);
  EXPECT_EQ(i.bytes.size(), o.image_size());
  ASSERT_GE(i.extents.size(), 3u);
  uint64_t last = base;
  for (const extent& e : i.extents) {
    EXPECT_GE(e.begin, last);
    EXPECT_LT(e.begin, e.end);
    EXPECT_LE(e.end, base + i.bytes.size());
    EXPECT_TRUE(e.readable);
    EXPECT_FALSE(e.writable && e.executable);
    last = e.end;
  }
  const auto holder = [&](uint64_t address) -> extent {
    for (const extent& e : i.extents) {
      if (address >= e.begin && address < e.end) return e;
    }
    ADD_FAILURE() << "in no extent";
    return {};
  };
  EXPECT_TRUE(holder(address_of(i, "_Z12uses_globalsPi")).executable);
  EXPECT_FALSE(holder(address_of(i, "_Z12uses_globalsPi.kd")).executable);
  EXPECT_TRUE(holder(address_of(i, "counter")).writable);
  EXPECT_TRUE(holder(address_of(i, "zeros")).writable);
}

TEST(code_object, variables_are_initialised_and_pointers_relocated) {
  const code_object o = object_of("globals.hip");
  for (const uint64_t at : {base, uint64_t{0}, uint64_t{0x1000}, uint64_t{0xffff'ffff'0000'0000}}) {
    const image i = o.load(at);
    EXPECT_EQ(device_read<int>(i, address_of(i, "counter")), 42);
    EXPECT_EQ(device_read<int>(i, address_of(i, "primes") + 12), 7);
    EXPECT_EQ(device_read<int>(i, address_of(i, "zeros") + 396), 0);
    EXPECT_EQ(device_read<uint64_t>(i, address_of(i, "pointers")), address_of(i, "counter"));
    EXPECT_EQ(device_read<uint64_t>(i, address_of(i, "pointers") + 8), address_of(i, "zeros") + 12);
    EXPECT_EQ(device_read<uint64_t>(i, address_of(i, "function_pointer")), address_of(i, "twice(int)"));
    const uint64_t kd = address_of(i, "_Z12uses_globalsPi.kd");
    EXPECT_EQ(kd + device_read<uint64_t>(i, kd + 16), address_of(i, "_Z12uses_globalsPi"));
  }
}

TEST(code_object, symbols_have_kind_size_and_demangled_name) {
  const image i = object_of("globals.hip").load(base);
  ASSERT_NE(i.find("zeros"), nullptr);
  EXPECT_EQ(i.find("zeros")->kind, symbol_kind::variable);
  EXPECT_EQ(i.find("zeros")->size, 400u);
  EXPECT_TRUE(i.find("zeros")->is_global);
  const symbol* hidden = i.find("hidden_from_others");  // static, so mangled with a prefix of its own
  ASSERT_NE(hidden, nullptr);
  EXPECT_FALSE(hidden->is_global);
  EXPECT_EQ(device_read<int>(i, hidden->address), 9);
  ASSERT_NE(i.find("uses_globals(int*)"), nullptr);
  EXPECT_EQ(i.find("uses_globals(int*)")->kind, symbol_kind::function);
  ASSERT_NE(i.find("_Z12uses_globalsPi.kd"), nullptr);
  EXPECT_EQ(i.find("_Z12uses_globalsPi.kd")->kind, symbol_kind::kernel_descriptor);
  EXPECT_EQ(i.find("_Z12uses_globalsPi.kd")->size, 64u);
  EXPECT_EQ(i.find("no_such_thing"), nullptr);
  EXPECT_EQ(i.find(""), nullptr);
}

TEST(code_object, an_address_is_named_by_the_symbol_that_holds_it) {
  const image i = object_of("globals.hip").load(base);
  const symbol* f = i.find("uses_globals(int*)");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(i.at(f->address), f);
  EXPECT_EQ(i.at(f->address + f->size - 1), f);
  EXPECT_NE(i.at(f->address + f->size), f);
  EXPECT_EQ(i.at(base - 1), nullptr);
  EXPECT_EQ(i.at(~uint64_t{0}), nullptr);
}

TEST(code_object, base_must_be_aligned_and_leave_room) {
  const code_object o = object_of("small.s");
  EXPECT_THROW(o.load(base + 1), std::invalid_argument);
  EXPECT_THROW(o.load(base + 256), std::invalid_argument);
  EXPECT_THROW(o.load(~uint64_t{0} - 0xfff), std::invalid_argument);
}

TEST(code_object, assembly_with_symbolic_relocations) {
  const code_object o = object_of("small.s");
  const image i = o.load(base);
  const uint64_t value = address_of(i, "value");
  EXPECT_EQ(device_read<uint64_t>(i, value), value + 4);       // R_AMDGPU_ABS64
  EXPECT_EQ(device_read<uint64_t>(i, value + 8), value + 16);  // R_AMDGPU_RELATIVE64
  EXPECT_EQ(device_read<uint64_t>(i, value + 16), 0x1122334455667788u);
  const kernel& k = o.find_kernel("small");
  EXPECT_EQ(device_read<uint32_t>(i, base + k.entry_offset), 0xbf810000u);  // s_endpgm
  EXPECT_EQ(k.code_size, 4u);
}

}  // namespace
}  // namespace pws::loader::loader_code_object_test
