// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "platform/config/files/soc_config.h"
#include "platform/config/machine_loader.h"
#include "platform/config/overrides.h"
#include "platform/config/schema.h"

namespace pws::platform {

namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t picoseconds_by_khz = 1'000'000'000;  // of a tick
constexpr limits any_address{0, UINT64_MAX};
constexpr size_t most_gpus = 8;

// A range of bus addresses that something answers at.
struct window {
  std::string key;  // of the part, from the top
  uint64_t begin = 0, size = 0;
  uint64_t last() const { return begin + (size - 1); }
};

std::string range_text(const window& w) {
  return fmt::format("{:#x} to {:#x}", w.begin, w.last());
}

// Sizes are those that the devices' maps have (models/soc).
std::vector<window> windows_of(const soc_config& c) {
  std::vector<window> all = {{"ram", c.ram.base, c.ram.size},   {"rom", c.rom.base, c.rom.size},
                             {"clint", c.clint.base, 0x1'0000}, {"plic", c.plic.base, 0x400'0000},
                             {"uart", c.uart.base, 0x1000},     {"finisher", c.finisher.base, 0x1000},
                             {"tasks", c.tasks.base, 0x1000}};
  for (size_t k = 0; k < c.gpus.size(); ++k) {
    const std::string key = fmt::format("gpus.{}", k);
    all.push_back({key, c.gpus[k].base, soc_config::gpu_window});
    all.push_back({key + " (device memory)", c.gpus[k].memory_base, c.gpus[k].machine.memory.dram.bytes()});
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](const window& w) { return w.size == 0; }), all.end());
  return all;
}

template <class T>
void add_base(schema<T>& s, const char* help, const char* key = "base", uint64_t T::*place = &T::base) {
  s.integer(key, place, "", any_address, help).in_hex().then([place](const value_at& v, T& to) {
    if (to.*place % page != 0) v.issue(fmt::format("{:#x} is no multiple of {}", to.*place, page));
  });
}

void fill_memory(schema<soc_config::memory>& s) {
  add_base(s, "bus address, a multiple of 4 Ki as those of all parts");
  s.integer("size", &soc_config::memory::size, "byte", {0, int128{1} << 40}, "a multiple of 4 Ki; 0: there is none")
      .then([](const value_at& v, soc_config::memory& to) {
        if (to.size % page != 0) v.issue(fmt::format("{} is no multiple of {}", to.size, page));
      });
}

void fill_cpu(schema<soc_config::processor>& s) {
  using p = soc_config::processor;
  s.integer("clock_mhz", &p::clock_mhz, "MHz", {1, 10'000}, "clock of the processor, which mcycle counts");
  s.integer("cycles_per_instruction", &p::cycles_per_instruction, "cycle", {1, 1000},
            "each instruction and each trap takes as many");
}

void fill_clint(schema<soc_config::timer>& s) {
  add_base(s, "bus address of 64 KiB, laid out as SiFive's CLINT");
  s.integer("timebase_khz", &soc_config::timer::timebase_khz, "kHz", {1, 1'000'000}, "ticks of mtime")
      .then([](const value_at& v, soc_config::timer& to) {
        if (picoseconds_by_khz % to.timebase_khz != 0)
          v.issue(fmt::format("a tick of {} kHz is no whole number of picoseconds", to.timebase_khz));
      });
}

void fill_plic(schema<soc_config::interrupts>& s) {
  add_base(s, "bus address of 64 MiB, laid out as SiFive's PLIC; context 0 is the processor's");
  s.integer("sources", &soc_config::interrupts::sources, "", {1, 1023}, "interrupt sources, from number 1 on");
}

void fill_uart(schema<soc_config::serial>& s) {
  using u = soc_config::serial;
  add_base(s, "bus address of a 16550, a register a byte");
  s.integer("interrupt", &u::interrupt, "", {1, 1023}, "its source at the plic");
  s.file("input", &u::input, "what it receives").by_default("");
  s.integer("input_interval_us", &u::input_interval_us, "us", {1, 1'000'000}, "from one received byte to the next");
}

void read_gpu_machine(const value_at& v, soc_config::gpu& to) {
  models::machine_config& m = to.machine;
  const loaded_machine loaded = read_machine(v.node, v.read.issues());
  m = loaded.config;
  to.idle_keys = keys_without_effect(loaded, m.fidelity == models::fidelity::functional);
  // Both need the runtime of pwsvp run.
  if (m.cosim.mode != models::cosim_mode::model) v.issue("machine.cosim is not for pwsvp soc: set mode: model");
  if (models::finds_hardware_errors(m.check)) v.issue("machine.check is not for pwsvp soc");
}

void fill_gpu(schema<soc_config::gpu>& s) {
  using g = soc_config::gpu;
  s.custom(machine_key, field_kind::mapping, "machine file, or a mapping of a machine's keys with an optional `base`",
           [](const value_at& v, g& to) {
             read_gpu_machine(v, to);
             return true;
           })
      .or_short(field_kind::text)
      .by_default("the default machine");
  add_base(s, "bus address of its registers (docs/registers.md), 32 MiB with the debug window");
  s.integer("interrupt", &g::interrupt, "", {1, 1023}, "its source at the plic");
  add_base(s, "address of its device memory, on the bus and for itself", "memory_base", &g::memory_base);
}

void fill_finisher(schema<soc_config::end>& s) {
  add_base(s, "bus address of SiFive's test finisher, by which firmware ends the run");
}

void fill_tasks(schema<soc_config::marks>& s) {
  add_base(s, "bus address at which firmware names the task that it is at, for timeline and report");
}

void fill_limits(schema<soc_config::bounds>& s) {
  using b = soc_config::bounds;
  s.integer("instructions", &b::instructions, "instruction", {1, int128{1} << 60},
            "firmware that executes more has failed");
  s.integer("time_us", &b::time_us, "us", {1, 1'000'000'000'000}, "firmware that runs longer has failed");
}

const schema<soc_config>& soc_schema() {
  static const schema<soc_config::processor> cpu(fill_cpu);
  static const schema<soc_config::timer> clint(fill_clint);
  static const schema<soc_config::interrupts> plic(fill_plic);
  static const schema<soc_config::serial> uart(fill_uart);
  static const schema<soc_config::end> finisher(fill_finisher);
  static const schema<soc_config::marks> tasks(fill_tasks);
  static const schema<soc_config::gpu> gpu(fill_gpu);
  static const schema<soc_config::bounds> limits_below(fill_limits);
  static const schema<soc_config::memory> memory(fill_memory);
  static const schema<soc_config> s([](schema<soc_config>& made) {
    using c = soc_config;
    made.group("cpu", &c::cpu, cpu);
    made.integer("quantum_ns", &c::quantum_ns, "ns", {0, 1'000'000'000},
                 "computations run ahead of the simulation's time by at most as much: an interrupt is taken at most as "
                 "late; 0: by an instruction");
    made.group("ram", &c::ram, memory);
    made.group("rom", &c::rom, memory);
    made.group("clint", &c::clint, clint);
    made.group("plic", &c::plic, plic);
    made.group("uart", &c::uart, uart);
    made.group("finisher", &c::finisher, finisher);
    made.group("tasks", &c::tasks, tasks);
    made.list("gpus", &c::gpus, gpu, "GPUs, each with device memory of its own").then([](const value_at& v, c& to) {
      if (to.gpus.size() > most_gpus) v.issue(fmt::format("{} of at most {}", to.gpus.size(), most_gpus));
      for (soc_config::gpu& g : to.gpus) g.machine.memory.dram.place.begin = g.memory_base;
    });
    made.group("limits", &c::limits, limits_below);
  });
  return s;
}

// Where a key is given, or else what it would stand in: "uart.interrupt", "gpus.0.base".
origin place(const yaml_node& root, const std::string& path) {
  const yaml_node* at = &root;
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');) {
    const yaml_node* below = at->is_list() ? &at->items[std::stoul(part)] : at->find(part);
    if (below == nullptr) break;
    at = below;
  }
  return at->where;
}

// Two parts at one address, and what ends behind the last one.
void check_map(const soc_config& c, const yaml_node& root, issue_list& issues) {
  const std::vector<window> all = windows_of(c);
  const auto place_of = [&root](const window& w) {
    const size_t space = w.key.find(' ');
    return space == std::string::npos ? place(root, w.key + ".base")
                                      : place(root, w.key.substr(0, space) + ".memory_base");
  };
  for (const window& w : all)
    if (w.last() < w.begin)
      issues.add(place_of(w), w.key, fmt::format("{} bytes at {:#x} end beyond all addresses", w.size, w.begin));
  // The later one in the order of keys is blamed, if the file has it.
  for (size_t k = 0; k < all.size(); ++k)
    for (size_t n = 0; n < k; ++n) {
      const window &later = all[k], &earlier = all[n];
      if (later.begin > earlier.last() || earlier.begin > later.last()) continue;
      const bool is_given = root.find(later.key.substr(0, later.key.find('.'))) != nullptr;
      const window &blamed = is_given ? later : earlier, &other = is_given ? earlier : later;
      issues.add(place_of(blamed), blamed.key,
                 fmt::format("is at {}, where {} is, at {}", range_text(blamed), other.key, range_text(other)));
    }
  if (c.ram.size == 0) issues.add(place(root, "ram.size"), "ram.size", "there is no memory");
}

// Each has a source of its own, which there is.
void check_sources(const soc_config& c, const yaml_node& root, issue_list& issues) {
  std::vector<std::pair<std::string, uint32_t>> all = {{"uart.interrupt", c.uart.interrupt}};
  for (size_t k = 0; k < c.gpus.size(); ++k) all.emplace_back(fmt::format("gpus.{}.interrupt", k), c.gpus[k].interrupt);
  for (size_t k = 0; k < all.size(); ++k) {
    const auto& [key, source] = all[k];
    if (source > c.plic.sources)
      issues.add(place(root, key), key, fmt::format("source {} of {} (plic.sources)", source, c.plic.sources));
    for (size_t n = 0; n < k; ++n)
      if (all[n].second == source)
        issues.add(place(root, key), key, fmt::format("source {} is that of {}", source, all[n].first));
  }
}

// Keys that are given and that another one leaves without effect.
std::vector<std::string> idle_keys(const soc_config& c, const yaml_node& root) {
  std::vector<std::string> idle;
  const auto look = [&](const char* part, const char* key, bool has_effect, const char* needs) {
    const yaml_node* const in = root.find(part);
    const yaml_node* const given = in == nullptr || has_effect ? nullptr : in->find(key);
    if (given != nullptr)
      idle.push_back(fmt::format("{}: {}.{} has no effect without {}.{}", given->where.text(), part, key, part, needs));
  };
  look("rom", "base", c.rom.size != 0, "size");
  look("uart", "input_interval_us", !c.uart.input.empty(), "input");
  for (const soc_config::gpu& g : c.gpus) idle.insert(idle.end(), g.idle_keys.begin(), g.idle_keys.end());
  return idle;
}

}  // namespace

const std::vector<field>& soc_fields() {
  static const std::vector<field> all = soc_schema().fields();
  return all;
}

soc_config load_soc(const std::string& path, const std::vector<std::string>& overrides) {
  soc_config c;
  c.file = path;
  issue_list issues(path);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(path, "", root, issues) || !read.mapping(root, "")) issues.throw_if_any();
  apply_overrides(root, overrides, issues);
  if (soc_schema().read(root, "", c, read)) {
    check_map(c, root, issues);
    check_sources(c, root, issues);
  }
  issues.throw_if_any();
  c.files = issues.files();
  c.idle_keys = idle_keys(c, root);
  c.effective = effective(std::move(root), soc_fields());
  return c;
}

}  // namespace pws::platform
