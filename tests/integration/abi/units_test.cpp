// SPDX-License-Identifier: Apache-2.0
// Programs of several translation units: device code linked across them (-fgpu-rdc), and host files that hold one code
// object per unit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"
#include "tests/integration/abi/abi_run.h"

namespace pws::test::units_test {
namespace {

using words = std::vector<uint32_t>;

// clang on these units with these flags; the file is kept for the test's life.
class linked_program {
 public:
  linked_program(const std::vector<std::string>& flags, const std::vector<std::string>& units, const char* suffix)
      : file_(suffix) {
    std::vector<std::string> argv{loader::hip_compiler().path().string(), "-O3", "-std=c++17"};
    for (const std::string& f : loader::hip_flags()) argv.push_back(f);
    argv.insert(argv.end(), flags.begin(), flags.end());
    for (const std::string& u : units) argv.push_back(PWS_SOURCE_DIR "/tests/integration/abi/kernels/" + u);
    argv.insert(argv.end(), {"-o", file_.path()});
    const loader::temporary_directory scratch;
    const loader::process_result r = loader::run_process(argv, scratch.path());
    if (r.exit_code != 0) throw std::runtime_error(fmt::format("{}\n{}", fmt::join(argv, " "), r.output));
    program_.emplace_back(loader::load_program(file_.path()));
  }
  const loader::program_image& operator*() const { return program_.front(); }

 private:
  temporary_file file_;
  std::vector<loader::program_image> program_;
};

void expect_words(const loader::program_image& program, const std::string& kernel, uint32_t (*value)(uint32_t)) {
  for (const auto f : {models::fidelity::functional, models::fidelity::timing}) {
    platform::kernel_run run;
    run.machine.fidelity = f;
    run.program = &program;
    run.launches.front().kernel = kernel;
    run.launches.front().shape.grid = run.launches.front().shape.workgroup = {100, 1, 1};
    run.arguments.push_back({"out", true, std::vector<uint8_t>(400)});
    const child_report r = run_in_child(run);
    ASSERT_TRUE(r.completed) << kernel << ": " << r.error;
    words out(100);
    std::memcpy(out.data(), r.arguments[0].data(), 400);
    for (uint32_t i = 0; i < 100; ++i) ASSERT_EQ(out[i], value(i)) << kernel << " " << i;
  }
}

uint32_t of_a(uint32_t i) {
  return i * 3 + 100 + 11;
}
uint32_t of_b(uint32_t i) {
  return ((i + 100) * 3 + 100) * 2;
}
uint32_t of_c(uint32_t i) {
  return 507 + i;
}

TEST(units, linked_as_one_code_object) {
  const linked_program p({"-fgpu-rdc", "--cuda-device-only", "--no-gpu-bundle-output"}, {"unit_a.hip", "unit_b.hip"},
                         ".hsaco");
  EXPECT_EQ((*p).code_objects().size(), 1u);
  expect_words(*p, "from_a", of_a);
  expect_words(*p, "from_b", of_b);
}

TEST(units, linked_into_a_host_library) {
  const linked_program p({"-fgpu-rdc", "--hip-link", "-fPIC", "-shared"}, {"unit_a.hip", "unit_b.hip"}, ".so");
  EXPECT_EQ((*p).kind(), loader::program_kind::host_file);
  expect_words(*p, "from_a", of_a);
  expect_words(*p, "from_b", of_b);
}

TEST(units, code_objects_side_by_side_in_a_host_library) {
  const linked_program p({"-fPIC", "-shared"}, {"unit_b.hip", "unit_c.hip"}, ".so");
  EXPECT_EQ((*p).kind(), loader::program_kind::host_file);
  EXPECT_EQ((*p).code_objects().size(), 2u);
  expect_words(*p, "from_b", of_b);
  expect_words(*p, "from_c", of_c);
}

}  // namespace
}  // namespace pws::test::units_test
