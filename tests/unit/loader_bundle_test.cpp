// SPDX-License-Identifier: Apache-2.0
// Offload bundles and host files as clang makes them, and hand-made ones.
#include <algorithm>
#include <cstring>

#include "sw/loader/llvm_version.h"
#include "sw/loader/offload_bundle.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::loader_bundle_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Runs clang on sources of tests/unit/data with extra arguments; the output is at the returned path.
std::filesystem::path clang(const temporary_directory& dir, const std::vector<std::string>& sources,
                            const std::vector<std::string>& extra) {
  const hip_compiler compiler(test_options());
  const std::filesystem::path out = dir.path() / "out";
  std::vector<std::string> argv{compiler.path().string(),
                                "-x",
                                "hip",
                                "--rocm-path=/usr",
                                "--hip-device-lib-path=" + packaged_device_libraries(),
                                "-O1"};
  argv.insert(argv.end(), extra.begin(), extra.end());
  for (const std::string& s : sources) argv.push_back(test_data(s).string());
  argv.insert(argv.end(), {"-o", out.string()});
  const process_result run = run_process(argv);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  return out;
}

std::vector<uint8_t> bundle_of(const std::vector<std::pair<std::string, std::vector<uint8_t>>>& entries) {
  std::vector<uint8_t> out;
  const auto put = [&out](uint64_t v) {
    for (int i = 0; i < 8; ++i) out.push_back(static_cast<uint8_t>(v >> (8 * i)));
  };
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  out.assign(magic.begin(), magic.end());
  put(entries.size());
  uint64_t at = 32;
  for (const auto& [id, code] : entries) at += 24 + id.size();
  for (const auto& [id, code] : entries) {
    put(at);
    put(code.size());
    put(id.size());
    out.insert(out.end(), id.begin(), id.end());
    at += code.size();
  }
  for (const auto& [id, code] : entries) out.insert(out.end(), code.begin(), code.end());
  return out;
}

TEST(offload_bundle, of_several_targets_gives_ours) {
  const temporary_directory dir;
  const auto file = clang(
      dir, {"unit_a.hip"},
      {"--offload-arch=gfx900:xnack-", "--offload-arch=gfx803", "--offload-arch=gfx1030", "--cuda-device-only", "-c"});
  const program_image p = load_program(file);
  EXPECT_EQ(p.kind(), program_kind::bundle);
  ASSERT_EQ(p.code_objects().size(), 1u);
  EXPECT_EQ(p.find_kernel("from_a").kernel->demangled, "from_a(int*)");
}

TEST(offload_bundle, without_our_target_lists_what_is_there) {
  const temporary_directory dir;
  const auto file = clang(dir, {"unit_a.hip"},
                          {"--offload-arch=gfx900:xnack-", "--offload-arch=gfx1030", "--cuda-device-only", "-c"});
  EXPECT_THAT(input_error_of([&] { load_program(file); }),
              AllOf(HasSubstr(file.string()), HasSubstr("has no code for gfx803"), HasSubstr("gfx900:xnack-'"),
                    HasSubstr("'hipv4-amdgcn-amd-amdhsa--gfx1030'")));
}

TEST(offload_bundle, host_object_holds_one) {
  const temporary_directory dir;
  const program_image p = load_program(clang(dir, {"unit_a.hip"}, {"--offload-arch=gfx803", "-c"}));
  EXPECT_EQ(p.kind(), program_kind::host_file);
  EXPECT_EQ(p.code_objects().size(), 1u);
  EXPECT_EQ(p.find_kernel("overloaded").kernel->demangled, "overloaded(int*)");
}

TEST(offload_bundle, executable_of_two_translation_units_holds_two) {
  const temporary_directory dir;
  const program_image p = load_program(
      clang(dir, {"unit_a.hip", "unit_b.hip"}, {"--offload-arch=gfx803", "--offload-arch=gfx900", "-lamdhip64"}));
  EXPECT_EQ(p.kind(), program_kind::host_file);
  ASSERT_EQ(p.code_objects().size(), 2u);
  EXPECT_EQ(p.kernels().size(), 4u);
  EXPECT_EQ(p.find_kernel("from_a").object, &p.code_objects()[0]);
  EXPECT_EQ(p.find_kernel("from_b").object, &p.code_objects()[1]);
  EXPECT_EQ(p.find_kernel("overloaded(float*)").object, &p.code_objects()[1]);
  EXPECT_THAT(input_error_of([&] { p.find_kernel("overloaded"); }),
              AllOf(HasSubstr("ambiguous"), HasSubstr("'overloaded(int*)', 'overloaded(float*)'")));
  EXPECT_THAT(input_error_of([&] { p.find_kernel("from_c"); }), HasSubstr("did you mean 'from_a'"));

  const std::vector<image> images = p.load(0x10000);
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].base, 0x10000u);
  EXPECT_GE(images[1].base, images[0].base + images[0].bytes.size());
  EXPECT_EQ(images[1].base + images[1].bytes.size(), 0x10000 + p.load_size());
  EXPECT_NE(images[1].find("_Z6from_bPf.kd"), nullptr);
}

TEST(offload_bundle, relocatable_device_code_is_refused) {
  const temporary_directory dir;
  const auto file = clang(dir, {"unit_a.hip"}, {"--offload-arch=gfx803", "-fgpu-rdc", "-c"});
  EXPECT_THAT(input_error_of([&] { load_program(file); }), HasSubstr("-fgpu-rdc"));
}

TEST(offload_bundle, ids_of_every_spelling) {
  for (const char* id :
       {"hipv4-amdgcn-amd-amdhsa--gfx803", "hip-amdgcn-amd-amdhsa--gfx803", "hip-amdgcn-amd-amdhsa-gfx803",
        "hipv4-amdgcn-amd-amdhsa--gfx803:xnack-", "hipv4-amdgcn-amd-amdhsa--gfx803:sramecc+:xnack+"}) {
    EXPECT_TRUE(targets_processor(id, "gfx803")) << id;
  }
  for (const char* id :
       {"", "host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx8030", "hipv4-amdgcn-amd-amdhsa--gfx80",
        "hipv4-amdgcn-amd-amdhsa--", "openmp-amdgcn-amd-amdhsa--gfx803", "hipv4-", "gfx803"}) {
    EXPECT_FALSE(targets_processor(id, "gfx803")) << id;
  }
}

TEST(offload_bundle, entry_without_features_is_preferred) {
  const std::vector<uint8_t> code = compiled("small.s");
  const std::vector<uint8_t> bytes = bundle_of({{"hipv4-amdgcn-amd-amdhsa--gfx803:xnack+", {1, 2, 3}},
                                                {"hipv4-amdgcn-amd-amdhsa--gfx803", code},
                                                {"hipv4-amdgcn-amd-amdhsa--gfx803:xnack-", {4}}});
  EXPECT_EQ(read_program(bytes, "b").find_kernel("small").kernel->metadata.name, "small");
}

TEST(offload_bundle, bundles_follow_one_another_with_any_padding) {
  const std::vector<uint8_t> one = bundle_of({{"hip-amdgcn-amd-amdhsa-gfx803", compiled("small.s")}});
  for (const size_t padding : {size_t{0}, size_t{1}, size_t{4096}}) {
    std::vector<uint8_t> bytes = one;
    bytes.resize(bytes.size() + padding);
    bytes.insert(bytes.end(), one.begin(), one.end());
    EXPECT_EQ(read_bundles({bytes.data(), bytes.size(), "b"}).size(), 2u);
  }
}

}  // namespace
}  // namespace pws::loader::loader_bundle_test
