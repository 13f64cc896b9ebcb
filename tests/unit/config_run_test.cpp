// SPDX-License-Identifier: Apache-2.0
// A run file as a whole: what each key becomes, places, overrides.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "platform/config/files/run_config.h"

namespace pws::platform::config_run_test {
namespace {

namespace fs = std::filesystem;

class config_run : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "pws_run_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
    fs::create_directory(dir_ + "/gpu");
    write("gpu/base.yaml", "n_cu: 8\nn_simd: 2\nmemory: {dram: {banks: 8, t_rp: 20}}\n");
    write("gpu/tuned.yaml", "base: base.yaml\nn_simd: 1\n");
    write("k.hip", "");
    write("app", "\177ELF");
    write("data.bin", std::string("\1\0\2\0\3\0\4\0", 8));
  }
  void TearDown() override { fs::remove_all(dir_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(dir_ + "/" + name, std::ios::binary) << text;
  }

  run_config load(const std::vector<std::string>& overrides = {}) const {
    write("run.yaml", text_);
    return load_run(dir_ + "/run.yaml", overrides);
  }
  std::string problems(const std::vector<std::string>& overrides) const {
    try {
      load(overrides);
    } catch (const config_error& e) {
      return e.what();
    }
    return "none";
  }

  std::string dir_;
  std::string text_ = R"yaml(machine: gpu/tuned.yaml
program: {source: ./k.hip, kernel: saxpy, flags: [-O3, "-DN=8"]}
launch: {grid: [256, 2], workgroup: 64, dynamic_lds: 1Ki}
arguments:
  - {name: n, type: i32, value: -8}
  - {name: x, type: f32, value: 0.1}
  - {name: a, type: f32, count: 1Ki, init: {ramp: {start: 0.5, step: -1}}}
  - {name: b, type: u16, init: {file: data.bin}}
  - {name: c, type: f32, count: 0x10}
  - {name: s, bytes: "0x00fF10"}
expect:
  c: {expression: "a * x", tolerance: {ulp: 2}, first: 2, count: 3}
  b: {values: [1, 2, 3, 4]}
)yaml";
};

TEST_F(config_run, everything_arrives) {
  const run_config run = load();
  EXPECT_EQ(run.file, dir_ + "/run.yaml");
  EXPECT_EQ(run.machine.n_cu, 8u);
  EXPECT_EQ(run.machine.n_simd, 1u);
  EXPECT_EQ(run.machine.memory.dram.banks, 8u);
  EXPECT_EQ(run.machine.memory.dram.t_rp, 20u);
  EXPECT_EQ(run.machine.memory.dram.t_rcd, models::dram_config{}.t_rcd);
  EXPECT_EQ(run.program.source, dir_ + "/k.hip");
  EXPECT_EQ(run.program.kernel, "saxpy");
  EXPECT_EQ(run.program.flags, (std::vector<std::string>{"-O3", "-DN=8"}));
  EXPECT_EQ(run.launches.front().shape.grid, (std::array<uint32_t, 3>{256, 2, 1}));
  EXPECT_EQ(run.launches.front().shape.workgroup, (std::array<uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(run.launches.front().shape.dynamic_lds, 1024u);
  ASSERT_EQ(run.arguments.size(), 6u);
  EXPECT_EQ(std::get<scalar_argument>(run.arguments[0].value).bits, 0xfffffff8u);
  EXPECT_EQ(std::get<scalar_argument>(run.arguments[1].value).bits, 0x3dcccccdu);  // 0.1f
  EXPECT_EQ(run.arguments[2].buffer()->count, 1024u);
  EXPECT_EQ(run.arguments[3].buffer()->count, 4u);
  EXPECT_EQ(run.arguments[4].buffer()->count, 16u);
  EXPECT_TRUE(std::holds_alternative<poison_init>(run.arguments[4].buffer()->init));
  EXPECT_EQ(std::get<bytes_argument>(run.arguments[5].value).bytes, (std::vector<uint8_t>{0, 255, 16}));
  ASSERT_EQ(run.expect.size(), 2u);
  EXPECT_EQ(run.expect[0].argument, 4u);
  EXPECT_EQ(run.expect[0].first, 2u);
  EXPECT_EQ(run.expect[0].count, 3u);
  EXPECT_EQ(run.expect[0].tolerance.ulp, 2u);
  EXPECT_EQ(run.expect[1].count, 4u);
}

TEST_F(config_run, places) {
  const run_config run = load({"program.kernel=other"});
  EXPECT_EQ(run.program.where.text(), dir_ + "/run.yaml:2:19");
  EXPECT_EQ(run.program.kernel_where.text(), "--set");
  EXPECT_EQ(run.arguments[2].where.line(), 7);
  EXPECT_EQ(run.expect[1].where.line(), 13);
  EXPECT_EQ(run.expect[1].where.column(), 3);
}

TEST_F(config_run, structures) {
  const run_config run =
      load({"arguments=[{name: p, struct: [{type: i8, value: -1}, {name: k, type: i16, values: [1, 2]}, {buffer: c},"
            " {struct: [{type: i32, value: 7}, {type: u8, value: 9}]}, {pad: 3}, {type: f64, value: 1, align: 2}]},"
            " {name: c, type: f32, count: 16}]",
            "expect={}"});
  const auto& p = std::get<bytes_argument>(run.arguments[0].value);
  EXPECT_EQ(p.bytes, (std::vector<uint8_t>{0xff, 0, 1, 0, 2, 0, 0, 0,  // i8, i16 at 2 and 4
                                           0,    0, 0, 0, 0, 0, 0, 0,  // the address at 8
                                           7,    0, 0, 0, 9, 0, 0, 0,  // the structure at 16, of 8 bytes
                                           0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f,  // padding to 27, f64 at 28
                                           0,    0, 0, 0}));                             // to a multiple of 8
  ASSERT_EQ(p.pointers.size(), 1u);
  EXPECT_EQ(p.pointers[0].offset, 8u);
  EXPECT_EQ(p.pointers[0].argument, 1u);
  EXPECT_EQ(p.layout,
            "0 i8, 2 k: 2 i16, 8 address of c, 16 i32, 20 u8, 24 3 bytes of padding, 28 f64, 40 end, a multiple of 8");
  EXPECT_EQ(run.launches.front().of(2), (std::vector<size_t>{0}));  // c is reached through p
}

TEST_F(config_run, expectations_of_a_launch) {
  text_.replace(text_.find(", kernel: saxpy"), 15, "");
  text_.replace(
      text_.find("launch: {"), text_.find('\n', text_.find("launch: {")) - text_.find("launch: {"),
      "launches:\n  - {kernel: k, launch: {grid: 64, workgroup: 64}, arguments: [b], expect: {b: {constant: 3}}}"
      "\n  - {kernel: k, launch: {grid: 64, workgroup: 64}, arguments: [b]}");
  const run_config run = load();
  ASSERT_EQ(run.launches.size(), 2u);
  ASSERT_EQ(run.launches[0].expect.size(), 1u);
  EXPECT_EQ(run.launches[0].expect[0].argument, 3u);
  EXPECT_EQ(run.launches[0].expect[0].count, 4u);
  EXPECT_TRUE(run.launches[1].expect.empty());
  EXPECT_EQ(run.expect.size(), 2u);
  const run_config other = load({"launches.0.expect.b.expression=i"});
  EXPECT_TRUE(std::holds_alternative<expect_expression>(other.launches[0].expect[0].value));
}

TEST_F(config_run, machine_as_mapping_over_a_base) {
  text_.replace(0, text_.find('\n'), "machine: {base: gpu/base.yaml, n_cu: 3}");
  const run_config run = load();
  EXPECT_EQ(run.machine.n_cu, 3u);
  EXPECT_EQ(run.machine.n_simd, 2u);
}

TEST_F(config_run, grid_in_workgroups) {
  const run_config run = load({"launch.grid={workgroups: [4, 2, 3]}", "launch.workgroup=[8, 4, 2]"});
  EXPECT_EQ(run.launches.front().shape.grid, (std::array<uint32_t, 3>{32, 8, 6}));
}

TEST_F(config_run, largest_workgroup_and_grid) {
  const run_config run = load(
      {"machine.n_simd=2", "launch.workgroup=[1024]", "launch.grid=[4294967295]", "launch.partial_workgroups=true"});
  EXPECT_EQ(run.launches.front().shape.grid[0], 0xffffffffu);
  EXPECT_EQ(run.launches.front().shape.workgroup[0], 1024u);
}

TEST_F(config_run, override_of_a_machine_named_by_file) {
  const run_config run = load({"machine.n_cu=2", "machine.memory.l2.banks=1"});
  EXPECT_EQ(run.machine.n_cu, 2u);
  EXPECT_EQ(run.machine.n_simd, 1u);  // still from the file
  EXPECT_EQ(run.machine.memory.l2.banks, 1u);
}

TEST_F(config_run, override_of_the_machine_file) {
  // Files on the command line are relative to the working directory.
  EXPECT_EQ(load({"machine=" + dir_ + "/gpu/base.yaml"}).machine.n_simd, 2u);
  EXPECT_EQ(problems({"machine=gpu/base.yaml"}), "--set: machine: there is no file 'gpu/base.yaml'");
}

TEST_F(config_run, override_of_arguments_by_name_and_index) {
  EXPECT_EQ(std::get<scalar_argument>(load({"arguments.n.value=5"}).arguments[0].value).bits, 5u);
  EXPECT_EQ(std::get<scalar_argument>(load({"arguments.0.value=5"}).arguments[0].value).bits, 5u);
  const run_config run = load({"arguments.a.count=32", "arguments.a.init.constant=2"});
  EXPECT_EQ(run.arguments[2].buffer()->count, 32u);
  EXPECT_EQ(std::get<constant_init>(run.arguments[2].buffer()->init).bits, 0x40000000u);
}

TEST_F(config_run, override_replaces_the_alternative) {
  EXPECT_TRUE(
      std::holds_alternative<random_init>(load({"arguments.c.init.random.seed=3"}).arguments[4].buffer()->init));
  EXPECT_TRUE(std::holds_alternative<expect_constant>(load({"expect.c.constant=3"}).expect[0].value));
  EXPECT_EQ(load({"expect.c.tolerance.absolute=1"}).expect[0].tolerance.ulp, 2u);
  EXPECT_EQ(load({"arguments.a.init.ramp.step=2"}).arguments[2].buffer()->count, 1024u);
}

TEST_F(config_run, override_repairs_a_mistake_of_the_file) {
  text_.replace(text_.find("1Ki}\narg"), 3, "lots");
  EXPECT_NE(problems({}), "none");
  EXPECT_EQ(problems({"launch.dynamic_lds=0"}), "none");
}

TEST_F(config_run, overrides_report_a_path_and_no_place) {
  EXPECT_EQ(problems({"machine.n_cuu=3"}), "--set: machine.n_cuu: unknown key; did you mean n_cu?");
  EXPECT_EQ(problems({"arguments.aa.count=3"}),
            "--set: arguments.aa: the list has no element of that name; did you mean a?");
  EXPECT_EQ(problems({"machine.n_cu"}), "--set: expected path=value, got 'machine.n_cu'");
}

TEST_F(config_run, arguments_and_expect_may_be_absent) {
  text_.erase(text_.find("arguments:"));
  const run_config run = load();
  EXPECT_TRUE(run.arguments.empty());
  EXPECT_TRUE(run.expect.empty());
}

TEST_F(config_run, compiled_program_without_flags) {
  EXPECT_EQ(load({"program={source: " + dir_ + "/app, kernel: k}"}).program.source, dir_ + "/app");
}

TEST_F(config_run, unreadable_file) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read everything";
  fs::permissions(dir_ + "/k.hip", fs::perms::none);
  EXPECT_NE(problems({}).find("cannot be read: Permission denied"), std::string::npos);
}

TEST_F(config_run, all_integer_limits_of_scalars) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"i8", {"-128", "127", "-129", "128"}},
      {"u8", {"0", "255", "-1", "256"}},
      {"i16", {"-32768", "32767", "-32769", "32768"}},
      {"u16", {"0", "65535", "-1", "65536"}},
      {"i32", {"-2147483648", "2147483647", "-2147483649", "2147483648"}},
      {"u32", {"0", "4294967295", "-1", "4294967296"}},
      {"i64", {"-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"}},
      {"u64", {"0", "18446744073709551615", "-1", "18446744073709551616"}},
  };
  for (const auto& [type, values] : cases) {
    for (size_t k = 0; k < 4; ++k) {
      const std::string result = problems({"arguments.n={name: n, type: " + type + ", value: " + values[k] + "}"});
      EXPECT_EQ(result == "none", k < 2) << type << " " << values[k] << ": " << result;
    }
  }
}

TEST_F(config_run, special_real_scalars) {
  const auto bits = [this](const std::string& type, const std::string& value) {
    return std::get<scalar_argument>(
               load({"arguments.n={name: n, type: " + type + ", value: " + value + "}"}).arguments[0].value)
        .bits;
  };
  EXPECT_EQ(bits("f32", ".inf"), 0x7f800000u);
  EXPECT_EQ(bits("f32", "-.inf"), 0xff800000u);
  EXPECT_EQ(bits("f32", ".nan"), 0x7fc00000u);
  EXPECT_EQ(bits("f32", "-0.0"), 0x80000000u);
  EXPECT_EQ(bits("f32", "1e-45"), 1u);
  EXPECT_EQ(bits("f32", "1e-60"), 0u);
  EXPECT_EQ(bits("f32", "16777217"), 0x4b800000u);      // ties to even
  EXPECT_EQ(bits("f32", "7.038531e-26"), 0x15ae43fdu);  // rounded once, not by way of double
  EXPECT_EQ(bits("f64", "0x10"), 0x4030000000000000u);
  EXPECT_EQ(bits("f16", "65504"), 0x7bffu);
  EXPECT_EQ(bits("f16", "65519"), 0x7bffu);
}

}  // namespace
}  // namespace pws::platform::config_run_test
