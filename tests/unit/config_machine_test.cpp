// SPDX-License-Identifier: Apache-2.0
// The machine's schema, its defaults, files and overrides.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "models/isa/wave_state.h"
#include "platform/config/files/params.h"
#include "platform/config/files/run_config.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/machine_loader.h"
#include "platform/config/machine_schema.h"
#include "platform/config/overrides.h"

namespace pws::platform::config_machine_test {
namespace {

const std::string configs = std::string(PWS_TEST_DATA) + "/../../../configs/gpu/";

std::string read_all(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string error_of(const std::vector<std::string>& overrides) {
  try {
    load_machine(configs + "default.yaml", overrides);
  } catch (const config_error& e) {
    return e.what();
  }
  return "none";
}

void expect_same(const models::machine_config& a, const models::machine_config& b) {
  const std::vector<field> of_a = machine_fields(a), of_b = machine_fields(b);
  for (size_t k = 0; k < of_a.size(); ++k) EXPECT_EQ(of_a[k].default_text, of_b[k].default_text) << of_a[k].path;
}

TEST(config_machine, default_file_is_what_params_prints) {
  std::ostringstream printed;
  print_params_yaml(printed);
  EXPECT_EQ(read_all(configs + "default.yaml"), printed.str());
}

TEST(config_machine, default_file_loads_as_the_default) {
  expect_same(load_machine(configs + "default.yaml"), models::machine_config{});
}

TEST(config_machine, small_machine) {
  const models::machine_config small = load_machine(configs + "small.yaml");
  models::machine_config wanted;
  wanted.n_cu = 1;
  wanted.n_simd = 1;
  expect_same(small, wanted);
}

// What the DPE paper's Table 1 gives, but for the width of a warp and the lines of the L2.
TEST(config_machine, dpe_paper_machine) {
  const models::machine_config c = load_machine(configs + "dpe_table1.yaml");
  EXPECT_EQ(c.n_cu, 15u);
  EXPECT_EQ(c.n_simd * c.n_wfc * isa::wave_size, 1536u) << "threads of an SM";
  EXPECT_EQ(c.valu_lanes, unsigned{isa::wave_size}) << "a warp issues in one cycle";
  EXPECT_EQ(c.n_simd * c.vgprs_per_simd * isa::wave_size, 32768u) << "registers of an SM";
  EXPECT_EQ(c.lds.size_kib, 48u);
  EXPECT_EQ(c.n_simd, 2u) << "warp schedulers";
  EXPECT_EQ(c.schedule, models::schedule_policy::round_robin);
  const models::cache_config &l1 = c.memory.vector_l1, &l2 = c.memory.l2.bank;
  EXPECT_EQ(l1.size_kib, 16u);
  EXPECT_EQ(l1.ways, 4u);
  EXPECT_EQ(l1.line_bytes, 128u);
  EXPECT_EQ(c.memory.l2.banks * l2.size_kib, 768u);
  EXPECT_EQ(l2.ways, 8u);
  EXPECT_EQ(c.memory.dram.channels, 6u);
  const double gb_per_second = l1.line_bytes * c.clock_mhz / 1000.0 / c.memory.dram.t_burst;
  EXPECT_NEAR(gb_per_second, 29.6, 0.3);
  EXPECT_EQ(c.memory.dram.scheduling, models::dram_scheduling::fr_fcfs);
}

// What `f` has in `config`, as one would write it.
std::string value_of(const field& f, const models::machine_config& config) {
  for (const field& one : machine_fields(config)) {
    if (one.path == f.path) return one.default_text;
  }
  return "no such field";
}

// A value of `f` that is not its default.
std::string another_value(const field& f) {
  for (const std::string& choice : f.choices) {
    if (choice != f.default_text) return choice;
  }
  const std::string number = to_text(f.default_text == to_text(f.max) ? f.min : f.max);
  return f.kind == field_kind::integer_list ? "[" + number + "]" : number;
}

TEST(config_machine, every_field_reaches_a_member_of_its_own) {
  for (const field& changed : machine_fields()) {
    issue_list issues("");
    reader read(issues);
    yaml_node root;
    root.type = yaml_node::kind::mapping;
    const std::string value = another_value(changed);
    apply_overrides(root, {changed.path + "=" + value}, issues);
    models::machine_config config;
    EXPECT_TRUE(machine_schema().read(root, "", config, read)) << changed.path;
    EXPECT_EQ(value_of(changed, config), value);
    for (const field& f : machine_fields(config)) {
      EXPECT_EQ(f.default_text != value_of(f, models::machine_config{}), f.path == changed.path)
          << "setting " << changed.path << ", looking at " << f.path;
    }
  }
}

// A field added to the struct without a row in the schema shows here.
TEST(config_machine, schema_covers_the_struct) {
  size_t bytes = 0;
  for (const field& f : machine_fields()) {
    bytes += f.kind == field_kind::integer_list ? sizeof(std::vector<uint32_t>)
             : f.may_be_nothing ? f.max > UINT32_MAX ? sizeof(std::optional<uint64_t>) : sizeof(std::optional<uint32_t>)
             : f.max > UINT32_MAX            ? 8
             : f.kind == field_kind::boolean ? 1
                                             : 4;
  }
  // Padding: at most a word in front of each of the two eight-byte aligned groups and of the order's seed, and behind
  // the four groups of flags, of which that behind the list of compute units pads to eight bytes; a word behind the
  // waveform's depth.
  bytes += sizeof(models::memory_place);  // of no file
  EXPECT_LE(bytes, sizeof(models::machine_config));
  EXPECT_GE(bytes + 40, sizeof(models::machine_config));
}

TEST(config_machine, a_number_need_not_be_set) {
  const auto threshold = [](const std::vector<std::string>& set) {
    return load_machine(configs + "default.yaml", set).dws.threshold;
  };
  EXPECT_EQ(threshold({}), std::nullopt);
  EXPECT_EQ(threshold({"divergence=dws-table", "dws.threshold=10"}), 10u);
  EXPECT_EQ(threshold({"divergence=dws-table", "dws.threshold=10", "dws.threshold=~"}), std::nullopt);
}

TEST(config_machine, defaults_are_in_range_and_named) {
  std::set<std::string> paths;
  for (const field& f : machine_fields()) {
    EXPECT_TRUE(paths.insert(f.path).second) << f.path;
    EXPECT_FALSE(f.help.empty()) << f.path;
    EXPECT_EQ(f.help.find('\n'), std::string::npos);
    if (!f.choices.empty() || f.kind == field_kind::integer_list || f.may_be_nothing) continue;
    int128 value = 0;
    EXPECT_EQ(parse_integer(f.default_text, value), number_status::ok) << f.path;
    EXPECT_GE(value, f.min) << f.path;
    EXPECT_LE(value, f.max) << f.path;
  }
}

TEST(config_machine, every_range_is_enforced_at_both_ends) {
  for (const field& f : machine_fields()) {
    if (f.kind == field_kind::choice || f.kind == field_kind::boolean) {
      EXPECT_NE(error_of({f.path + "=" + f.choices.front() + "x"}).find("is not one of"), std::string::npos) << f.path;
      continue;
    }
    if (!f.choices.empty()) {
      uint64_t none = 1;
      while (std::find(f.choices.begin(), f.choices.end(), std::to_string(none)) != f.choices.end()) ++none;
      const std::string wanted = fmt::format("is not one of {}", fmt::join(f.choices, ", "));
      EXPECT_THAT(error_of({fmt::format("{}={}", f.path, none)}), testing::HasSubstr(wanted)) << f.path;
      continue;
    }
    const bool list = f.kind == field_kind::integer_list;
    const auto with = [&](const int128& value) {
      return error_of({f.path + "=" + (list ? "[" + to_text(value) + "]" : to_text(value))});
    };
    EXPECT_NE(with(f.max + 1).find("is above the maximum " + to_text(f.max)), std::string::npos) << f.path;
    EXPECT_NE(with(f.min - 1).find("is below the minimum " + to_text(f.min)), std::string::npos) << f.path;
    // At the ends themselves only other rules may complain.
    EXPECT_EQ(with(f.max).find("maximum"), std::string::npos) << f.path;
    EXPECT_EQ(with(f.min).find("minimum"), std::string::npos) << f.path;
  }
}

TEST(config_machine, every_choice_is_accepted) {
  for (const field& f : machine_fields()) {
    for (size_t k = 0; k < f.choices.size(); ++k) {
      // Slots and an open row are for one machine each; the other predictable values stand in predictable.yaml.
      const bool predictable = f.choices[k] == "tdm";
      std::vector<std::string> overrides = {f.path + "=" + f.choices[k]};
      // RTL is of an SpSIMD unit.
      const bool rtl = f.path == "cosim.mode" && k != 0;
      const models::machine_config config = load_machine(configs + (predictable ? "predictable.yaml"
                                                                    : rtl       ? "rtl.yaml"
                                                                                : "default.yaml"),
                                                         overrides);
      EXPECT_EQ(value_of(f, config), f.choices[k]) << f.path;
    }
  }
  using models::fidelity;
  EXPECT_EQ(load_machine(configs + "default.yaml", {"fidelity=functional"}).fidelity, fidelity::functional);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"memory.dram.page=closed"}).memory.dram.page,
            models::page_policy::closed);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"schedule=round_robin"}).schedule,
            models::schedule_policy::round_robin);
}

template <class E>
void expect_table() {
  std::set<std::string> seen;
  size_t next = 0;  // none is left out between two others
  for (const auto& [value, name] : enumerators(E{})) {
    EXPECT_EQ(static_cast<size_t>(value), next++) << name;
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_STREQ(name_of(value), name);
    EXPECT_EQ(value_named<E>(name), value);
  }
}

TEST(config_machine, every_enumerator_has_a_name_of_its_own) {
  expect_table<models::fidelity>();
  expect_table<models::schedule_policy>();
  expect_table<models::memory_arbitration>();
  expect_table<models::dram_scheduling>();
  expect_table<models::page_policy>();
  expect_table<models::divergence_kind>();
  expect_table<models::cosim_mode>();
  expect_table<block_time_source>();
  expect_table<pwscc::split_choice>();
  expect_table<element_type>();
}

TEST(config_machine, numbers_in_all_spellings) {
  const auto cycles = [](const std::string& text) {
    return load_machine(configs + "default.yaml", {"limits.max_cycles=" + text}).limits.max_cycles;
  };
  EXPECT_EQ(cycles("0x10"), 16u);
  EXPECT_EQ(cycles("0XfF"), 255u);
  EXPECT_EQ(cycles("+7"), 7u);
  EXPECT_EQ(cycles("007"), 7u);
  EXPECT_EQ(cycles("3Ki"), 3072u);
  EXPECT_EQ(cycles("2Mi"), 2097152u);
  EXPECT_EQ(cycles("1Gi"), 1073741824u);
  for (const char* bad : {"1k", "1e3", "0x", "Ki", "1 0", "1_000", "'1'", "--1", "0b1", "1Ti", "true"}) {
    EXPECT_NE(error_of({std::string("limits.max_cycles=") + bad}).find("expected an integer"), std::string::npos)
        << bad;
  }
}

TEST(config_machine, overrides_with_and_without_the_leading_word) {
  EXPECT_EQ(load_machine(configs + "default.yaml", {"n_cu=2"}).n_cu, 2u);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"machine.n_cu=2"}).n_cu, 2u);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"n_cu=2", "n_cu=3"}).n_cu, 3u);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"memory={dram: {banks: 8}}"}).memory.dram.banks, 8u);
  EXPECT_EQ(load_machine(configs + "default.yaml", {"trace.cus.0=3"}).trace.cus, std::vector<uint32_t>{3});
  EXPECT_TRUE(load_machine(configs + "default.yaml", {"trace.cus=[]"}).trace.cus.empty());
}

TEST(config_machine, blames_the_override_in_a_rule_about_several_values) {
  EXPECT_EQ(
      error_of({"memory.interconnect.latency=33"}),
      "--set: machine.dispatch_latency: dispatch_latency 32 must be at least memory.interconnect.latency, which is 33");
}

// Which keys the memories leave without effect, and what they cannot be combined with.
TEST(config_machine, memory_outside) {
  const auto idle = [](const std::vector<std::string>& set) {
    return keys_without_effect(load_machine_layers(configs + "default.yaml", set));
  };
  const std::string at_socket = "memory.local.at=socket";
  EXPECT_THAT(idle({at_socket, "memory.local.latency=7", "memory.local.outstanding=2", "memory.dram.size_mib=64"}),
              testing::IsEmpty());
  EXPECT_THAT(idle({at_socket, "memory.dram.channels=2", "memory.dram.page=closed"}),
              testing::ElementsAre("--set: machine.memory.dram.channels has no effect with memory.local.at: socket",
                                   "--set: machine.memory.dram.page has no effect with memory.local.at: socket"));
  EXPECT_THAT(idle({"memory.local.latency=7", "memory.system.base=4096", "memory.dram.channels=2"}),
              testing::ElementsAre("--set: machine.memory.local.latency has no effect without memory.local.at: socket",
                                   "--set: machine.memory.system.base has no effect without memory.system.size_mib"));
  // The host need not have what is behind the socket.
  EXPECT_EQ(error_of({at_socket, "memory.dram.size_mib=65536"}), "none");
  EXPECT_THAT(error_of({at_socket, "memory.arbitration=tdm", "memory.dram.page=closed", "divergence=pws"}),
              testing::HasSubstr("machine.memory.local.at: memory.arbitration tdm has no slots for memory.local.at: "
                                 "socket, whose time is the platform's"));
  EXPECT_THAT(error_of({at_socket, "memory.system.size_mib=1", "memory.system.base=0x100000000"}),
              testing::HasSubstr("overlaps device memory"));
}

TEST(config_machine, a_run_file_is_no_machine_file) {
  const std::string file = testing::TempDir() + "/config_machine_run.yaml";
  std::ofstream(file) << "machine: {}\nprogram: {}\nlaunch: {}\n";
  try {
    load_machine(file);
    FAIL();
  } catch (const config_error& e) {
    EXPECT_EQ(e.what(), file + ":1:1: this is a run file; a machine file is wanted here");
  }
}

TEST(config_machine, params_list_every_key) {
  std::ostringstream printed;
  print_params(printed);
  // A key begins a line; its meaning is in lines of their own.
  std::set<std::string> keys;
  std::string words;
  std::istringstream lines(printed.str());
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') keys.insert(line.substr(0, line.find(' ')));
    words += ' ' + line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }
  for (const field& f : machine_fields()) EXPECT_EQ(keys.count(f.path), 1u) << f.path;
  for (const field& f : run_fields()) {
    std::string path = f.path;
    for (size_t star = path.find('*'); star != std::string::npos; star = path.find('*')) path.replace(star, 1, "NAME");
    EXPECT_EQ(keys.count(path), 1u) << path;
    EXPECT_NE(words.find(f.help), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace pws::platform::config_machine_test
