// SPDX-License-Identifier: Apache-2.0
// The check of definedness on the kernels of sw/kernels, each in a process of its own:
//   init_kernels                        every small case, unchanged: no report, the same results under zero, random and
//                                       poison, and what the check costs
//   init_kernels --mutants [KERNEL]     takes out one first definition of a register, or one LDS write, at a time
//   --timing, --least N, --most N (work-items of a case)
// The last line sums up; the exit code is 1 where an unchanged case has a report or a wrong result, or a mutant's wrong
// result is not found. No initialisation was taken out where a wrong result is the same whatever registers and memory
// held at first: the register has an older value, as code is not always executed in its order.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <set>

#include "base/error.h"
#include "models/isa/abi/kernel_descriptor.h"
#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/check/machine_checks.h"
#include "platform/machine/device_runtime.h"
#include "sw/loader/hip_compiler.h"
#include "tests/integration/reference/kernel_case.h"

namespace pws::test {
namespace {

struct outcome {
  bool completed = false;
  bool right = false;  // all buffers hold what the case expects
  uint64_t findings = 0;
  uint64_t results = 0;  // a hash of what the buffers hold
  double seconds = 0;
};

struct machine_choice {
  models::memory_fill fill = models::memory_fill::zero;
  models::fidelity fidelity = models::fidelity::functional;
  bool check = true;
  bool print = false;
};

outcome run_here(const reference::kernel_case& c, const loader::program_image& program, const machine_choice& m) {
  models::machine_config config;
  config.fidelity = m.fidelity;
  config.memory.fill = m.fill;
  config.check.init = m.check;
  config.limits.max_cycles = 20'000'000;
  config.limits.max_instructions = 20'000'000;
  platform::virtual_platform board("board", config);
  models::gpu& gpu = board.gpu;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  platform::device_runtime runtime(board);
  platform::machine_checks checks(gpu, runtime);
  runtime.load(program);
  platform::kernel_launch request;
  request.kernel = runtime.find_kernel(c.kernel);
  request.grid = c.grid;
  request.workgroup = c.workgroup;
  request.dynamic_lds = c.dynamic_lds;
  std::vector<uint64_t> addresses;
  for (const reference::kernel_case::arg& a : c.args) {
    addresses.push_back(0);
    request.arguments.push_back(a.bytes);
    if (!a.is_buffer) continue;
    addresses.back() = runtime.allocate(a.bytes.size(), "argument " + a.name);
    runtime.write(addresses.back(), a.bytes.data(), a.bytes.size());
    request.arguments.back().resize(8);
    std::memcpy(request.arguments.back().data(), &addresses.back(), 8);
  }
  outcome o;
  const std::clock_t began = std::clock();  // of this process: others may be at work too
  checks.launch_begins();
  const platform::launch_result result = runtime.launch(request);
  checks.launch_ended(result.completed);
  o.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  o.completed = o.right = result.completed;
  for (size_t k = 0; k < c.args.size(); ++k) {
    if (!c.args[k].is_buffer) continue;
    std::vector<uint8_t> bytes(c.args[k].bytes.size());
    runtime.read(addresses[k], bytes.data(), bytes.size());
    o.right = o.right && bytes == c.args[k].expected;
    for (const uint8_t b : bytes) o.results = (o.results ^ b) * 0x100000001b3;  // FNV-1a
  }
  const platform::check_results found = checks.results();
  o.findings = found.count;
  if (m.print && !found.clean()) platform::print_findings(std::cout, found);
  if (m.print && !result.completed) std::cout << result.error << std::endl;
  return o;
}

// In a child: SystemC is one per process, and a mutant may do anything.
outcome run(const reference::kernel_case& c, const loader::program_image& program, const machine_choice& m) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    outcome o;
    try {
      o = run_here(c, program, m);
    } catch (const std::exception& e) {
      if (m.print) std::cout << e.what() << std::endl;
    }
    std::cout.flush();
    const bool sent = write(ends[1], &o, sizeof o) == sizeof o;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  outcome o;
  if (read(ends[0], &o, sizeof o) != sizeof o) o = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return o;
}

// A place in a kernel's code that can be taken out.
struct definition {
  uint64_t offset = 0;  // of its words in the code object's file
  unsigned words = 1;
  const char* kind = "";
  std::string text;
};

// First definitions, in the order of the code, of registers that the kernel's start does not define; and LDS writes.
std::vector<definition> definitions_of(const loader::code_object& object, const loader::kernel& k) {
  const loader::image image = object.load(0);
  std::vector<uint32_t> words((image.bytes.size() - k.entry_offset) / 4);
  std::memcpy(words.data(), image.bytes.data() + k.entry_offset, words.size() * 4);
  // Where the code is in the file: its first words are there once.
  const std::vector<uint8_t>& file = object.file_bytes();
  const auto* first = reinterpret_cast<const uint8_t*>(words.data());
  const auto found = std::search(file.begin(), file.end(), first, first + std::min<size_t>(64, words.size() * 4));
  if (found == file.end()) throw std::runtime_error("the kernel's code is not in its file");
  const auto base = static_cast<uint64_t>(found - file.begin());

  // What the kernel's start defines is no first definition: without it another defined value is used.
  const auto descriptor =
      isa::kernel_descriptor::parse(&image.bytes[k.descriptor_offset], image.bytes.size() - k.descriptor_offset);
  std::set<std::pair<bool, unsigned>> written;
  for (unsigned n = 0; n < descriptor.workitem_ids; ++n) written.insert({true, n});
  const auto at_start = isa::defined_at_start(descriptor);
  for (unsigned n = 0; n < isa::scalar_count; ++n)
    if (at_start[n]) written.insert({false, n});
  std::vector<definition> all;
  for (size_t at = 0; at < words.size();) {
    isa::inst i;
    try {
      i = isa::decode(&words[at], static_cast<unsigned>(std::min<size_t>(2, words.size() - at)), 4 * at);
    } catch (const program_error&) {
      break;  // behind the code
    }
    definition d{base + 4 * at, i.dwords, nullptr, isa::disassemble(i)};
    if (i.unit == isa::unit::lds && (i.row->flags & isa::is_store) != 0) d.kind = "LDS write";
    for (unsigned n = 0; n < i.n_writes && i.unit != isa::unit::branch; ++n) {
      const isa::inst::run& r = i.writes[n];
      for (unsigned x = r.first; x < unsigned{r.first} + r.count; ++x) {
        if (!r.is_vgpr && x >= isa::exec_lo) continue;
        if (!written.insert({r.is_vgpr, x}).second) continue;
        const bool moves = isa::operation_of(i) == isa::operation::move;
        d.kind = i.is_memory() ? "load" : moves ? "move" : r.is_vgpr ? "vector result" : "scalar result";
      }
    }
    if (d.kind != nullptr) all.push_back(d);
    at += i.dwords;
    if (i.unit == isa::unit::end && at < words.size() && words[at] == 0xbf9f0000) break;  // s_code_end or padding
  }
  return all;
}

loader::program_image without(const loader::code_object& object, const definition& d) {
  std::vector<uint8_t> file = object.file_bytes();
  constexpr uint32_t nop = 0xbf800000;
  for (unsigned n = 0; n < d.words; ++n) std::memcpy(&file[d.offset + 4 * n], &nop, sizeof nop);
  std::vector<loader::code_object> objects;
  objects.emplace_back(std::move(file), object.name());
  return {object.name(), loader::program_kind::code_object, std::move(objects)};
}

struct tally {
  unsigned mutants = 0, found = 0, stopped = 0, same = 0, older = 0, missed = 0;
};

// With whatever registers and memory hold at first, it computes what `o` did.
bool depends_on_nothing(const reference::kernel_case& c, const loader::program_image& mutant, const outcome& o) {
  for (const models::memory_fill fill : {models::memory_fill::zero, models::memory_fill::poison}) {
    const outcome other = run(c, mutant, {fill});
    if (!other.completed || other.findings != 0 || other.results != o.results) return false;
  }
  return true;
}

// How many mutants are missed.
unsigned mutate(const reference::kernel_case& c, const loader::program_image& program,
                std::map<std::string, tally>& sums) {
  const loader::code_object& object = program.code_objects().front();
  unsigned missed = 0;
  for (const definition& d : definitions_of(object, *program.find_kernel(c.kernel).kernel)) {
    const loader::program_image mutant = without(object, d);
    const outcome o = run(c, mutant, {models::memory_fill::random});
    tally& t = sums[d.kind];
    ++t.mutants;
    const char* what = "";
    if (o.findings != 0) {
      ++t.found;
      continue;
    }
    if (!o.completed) {
      ++t.stopped;
      what = "the machine stops it";
    } else if (o.right) {
      ++t.same;
      what = "the same result";
    } else if (depends_on_nothing(c, mutant, o)) {
      ++t.older;
      what = "older values, whatever was there at first";
    } else {
      ++t.missed;
      ++missed;
      what = "MISSED: another result";
    }
    std::cout << fmt::format("{}: {}: without {}: {}\n", c.name, d.kind, d.text, what);
  }
  return missed;
}

int check_unchanged(const reference::kernel_case& c, const loader::program_image& program, models::fidelity f) {
  const outcome plain = run(c, program, {models::memory_fill::zero, f, false});
  int bad = 0;
  std::string text;
  for (const models::memory_fill fill :
       {models::memory_fill::zero, models::memory_fill::random, models::memory_fill::poison}) {
    const outcome o = run(c, program, {fill, f, true, true});
    bad += o.right && o.findings == 0 ? 0 : 1;
    text += fmt::format(" {}: {}, {} findings;", name_of(fill), o.right ? "right" : "WRONG", o.findings);
    if (fill == models::memory_fill::zero) text += fmt::format(" {:.2f} times as long;", o.seconds / plain.seconds);
  }
  std::cout << c.name << ":" << text << "\n";
  return bad;
}

// A kernel that is right by luck: with zeros only, and reported with any fill.
int check_luck(const loader::hip_compiler& compiler) {
  reference::kernel_case c;
  c.name = c.kernel = "zeroed_lds";
  c.source = "tests/check/kernels/zeroed_lds.hip";
  c.grid[0] = c.workgroup[0] = 64;
  reference::kernel_case::arg out{"out", true, std::vector<uint8_t>(256), std::vector<uint8_t>(256)};
  for (uint32_t k = 0; k < 64; ++k) out.expected[4 * k] = static_cast<uint8_t>(63 - k);
  c.args.push_back(out);
  std::vector<loader::code_object> objects;
  objects.emplace_back(compiler.compile(c.source).code_object, c.source);
  const loader::program_image program(c.source, loader::program_kind::source, std::move(objects));
  int bad = 0;
  for (const models::memory_fill fill :
       {models::memory_fill::zero, models::memory_fill::random, models::memory_fill::poison}) {
    const outcome o = run(c, program, {fill});
    const bool lucky = fill == models::memory_fill::zero;
    bad += o.completed && o.right == lucky && o.findings != 0 ? 0 : 1;
    std::cout << fmt::format("{}, {}: {}, {} findings\n", c.name, name_of(fill), o.right ? "right" : "wrong",
                             o.findings);
  }
  return bad;
}

}  // namespace
}  // namespace pws::test

int sc_main(int argc, char** argv) {
  using namespace pws;
  bool mutants = false;
  uint64_t least = 0, most = 4096;
  std::string only;
  models::fidelity fidelity = models::fidelity::functional;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    if (a == "--mutants")
      mutants = true;
    else if (a == "--timing")
      fidelity = models::fidelity::timing;
    else if (a == "--least" && k + 1 < argc)
      least = std::stoull(argv[++k]);
    else if (a == "--most" && k + 1 < argc)
      most = std::stoull(argv[++k]);
    else
      only = a;
  }
  std::map<std::string, loader::program_image> programs;
  std::set<std::string> mutated;
  std::map<std::string, test::tally> sums;
  unsigned cases = 0;
  int bad = 0;
  unsigned missed = 0;
  const loader::hip_compiler compiler;
  if (!mutants && only.empty()) bad += test::check_luck(compiler);
  for (const reference::case_entry& e : reference::all_cases()) {
    if (e.work_items < least || e.work_items > most) continue;
    const reference::kernel_case c = e.make();
    if (!only.empty() && c.kernel.find(only) == std::string::npos && c.name.find(only) == std::string::npos) continue;
    if (programs.count(c.source) == 0) {
      std::vector<loader::code_object> objects;
      objects.emplace_back(compiler.compile(c.source).code_object, c.source);
      programs.emplace(c.source, loader::program_image(c.source, loader::program_kind::source, std::move(objects)));
    }
    ++cases;
    if (!mutants)
      bad += test::check_unchanged(c, programs.at(c.source), fidelity);
    else if (mutated.insert(c.kernel).second)
      missed += test::mutate(c, programs.at(c.source), sums);
  }
  for (const auto& [kind, t] : sums)
    std::cout << fmt::format(
        "{}: {} mutants, {} found, {} stopped by the machine, {} with the same result, {} with older values, {} "
        "missed\n",
        kind, t.mutants, t.found, t.stopped, t.same, t.older, t.missed);
  std::cout << fmt::format("{} cases, {} with a report or a wrong result\n", cases, bad);
  return bad == 0 && missed == 0 ? 0 : 1;
}
