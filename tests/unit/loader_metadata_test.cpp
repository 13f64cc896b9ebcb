// SPDX-License-Identifier: Apache-2.0
// The metadata note: arguments with offsets and kinds, hidden ones of each version, and hand-made documents.
#include <nlohmann/json.hpp>

#include "sw/loader/metadata.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_metadata_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<value_kind> hidden_kinds(const kernel_metadata& k) {
  std::vector<value_kind> out;
  for (const kernel_argument& a : k.arguments) {
    if (is_hidden(a.kind)) out.push_back(a.kind);
  }
  return out;
}

TEST(metadata, arguments_have_the_layout_of_the_source) {
  const code_object o(compiled("kernels.hip"), "kernels.hip");
  const kernel_metadata& k = o.find_kernel("by_struct").metadata;
  ASSERT_GE(k.arguments.size(), 4u);
  EXPECT_EQ(k.explicit_arguments(), 4u);
  const auto check = [&](size_t i, uint32_t offset, uint32_t size, value_kind kind, const char* space) {
    EXPECT_EQ(k.arguments[i].offset, offset) << i;
    EXPECT_EQ(k.arguments[i].size, size) << i;
    EXPECT_EQ(k.arguments[i].kind, kind) << i;
    EXPECT_EQ(k.arguments[i].address_space, space) << i;
  };
  check(0, 0, 16, value_kind::by_value, "");
  check(1, 16, 1, value_kind::by_value, "");
  check(2, 24, 8, value_kind::global_buffer, "global");
  check(3, 32, 8, value_kind::global_buffer, "global");
  EXPECT_GE(k.kernarg_segment_size, 40u);
  EXPECT_EQ(k.kernarg_segment_align, 8u);
  EXPECT_EQ(k.wavefront_size, 64u);
  EXPECT_GT(k.vgpr_count, 0u);
}

TEST(metadata, hidden_arguments_of_version_4) {
  const code_object o(compiled("kernels.hip", 4), "kernels.hip");
  EXPECT_THAT(hidden_kinds(o.find_kernel("speaks").metadata),
              testing::ElementsAre(value_kind::hidden_global_offset_x, value_kind::hidden_global_offset_y,
                                   value_kind::hidden_global_offset_z, value_kind::hidden_hostcall_buffer,
                                   value_kind::hidden_none, value_kind::hidden_none,
                                   // From LLVM 16 on only where the kernel asks for it.
                                   testing::AnyOf(value_kind::hidden_multigrid_sync_arg, value_kind::hidden_none)));
  EXPECT_EQ(o.find_kernel("speaks").metadata.explicit_arguments(), 1u);
}

TEST(metadata, hidden_arguments_of_version_5) {
  const code_object o(compiled("kernels.hip", 5), "kernels.hip");
  const kernel_metadata& k = o.find_kernel("speaks").metadata;
  EXPECT_THAT(hidden_kinds(k),
              testing::IsSupersetOf({value_kind::hidden_block_count_x, value_kind::hidden_block_count_z,
                                     value_kind::hidden_group_size_x, value_kind::hidden_remainder_y,
                                     value_kind::hidden_grid_dims, value_kind::hidden_hostcall_buffer}));
  for (const kernel_argument& a : k.arguments) {
    if (a.kind == value_kind::hidden_block_count_x) {
      EXPECT_EQ(a.size, 4u);
    }
    if (a.kind == value_kind::hidden_group_size_x) {
      EXPECT_EQ(a.size, 2u);
    }
  }
}

TEST(metadata, names_types_and_required_size_are_kept) {
  const code_object o(compiled("small.s"), "small.s");
  EXPECT_EQ(o.metadata().target, "amdgcn-amd-amdhsa--gfx803");
  const kernel_metadata& k = o.find_kernel("small").metadata;
  EXPECT_EQ(k.language, "Assembler");
  ASSERT_EQ(k.arguments.size(), 1u);
  EXPECT_EQ(k.arguments[0].name, "out");
  EXPECT_EQ(k.arguments[0].type_name, "int*");
  EXPECT_EQ(k.required_workgroup_size, (std::array<uint32_t, 3>{64, 2, 1}));
}

TEST(metadata, every_value_kind_is_read_back_by_its_name) {
  for (auto i = static_cast<int>(value_kind::by_value); i <= static_cast<int>(value_kind::hidden_dynamic_lds_size);
       ++i) {
    const auto kind = static_cast<value_kind>(i);
    const json argument = {{".offset", 0}, {".size", 8}, {".value_kind", std::string(to_string(kind))}};
    const json document = {{"amdhsa.version", {1, 1}},
                           {"amdhsa.kernels",
                            {{{".name", "k"},
                              {".symbol", "k.kd"},
                              {".kernarg_segment_size", 8},
                              {".kernarg_segment_align", 8},
                              {".group_segment_fixed_size", 0},
                              {".private_segment_fixed_size", 0},
                              {".wavefront_size", 64},
                              {".args", json::array({argument})}}}}};
    const std::vector<uint8_t> bytes = json::to_msgpack(document);
    const code_object_metadata m = read_metadata({bytes.data(), bytes.size(), "note"});
    ASSERT_EQ(m.kernels.size(), 1u);
    EXPECT_EQ(m.kernels[0].arguments.at(0).kind, kind) << to_string(kind);
    EXPECT_EQ(is_hidden(kind), to_string(kind).substr(0, 7) == "hidden_");
  }
}

}  // namespace
}  // namespace pws::loader::loader_metadata_test
