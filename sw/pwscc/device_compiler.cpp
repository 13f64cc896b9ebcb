// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/device_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/installation.h"
#include "sw/loader/bytes.h"
#include "sw/loader/code_object.h"
#include "sw/loader/compile_cache.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/offload_bundle.h"
#include "sw/loader/precompiled_headers.h"
#include "sw/loader/subprocess.h"
#include "sw/pwscc/assembler_gaps.h"
#include "sw/pwscc/loop_marks.h"
#include "sw/pwscc/source_mark.h"

namespace pws::pwscc {

namespace {

namespace fs = std::filesystem;

// Clang leaves out the checksum of some headers, which its assembler warns about: a line table has all of them or none.
std::string without_partial_checksums(const std::string& assembly) {
  constexpr std::string_view checksum = " md5 0x";
  std::string text;
  bool some = false, all = true;
  for (size_t at = 0; at < assembly.size();) {
    const size_t end = std::min(assembly.find('\n', at), assembly.size());
    std::string_view line = std::string_view(assembly).substr(at, end - at);
    const size_t word = line.find_first_not_of(" \t");
    if (word != std::string_view::npos && line.substr(word, 5) == ".file") {
      const size_t sum = line.rfind(checksum), quote = line.rfind('"');
      const bool has_sum = sum != std::string_view::npos && sum > quote;
      some = some || has_sum;
      all = all && has_sum;
      if (has_sum) line = line.substr(0, sum);
    }
    text += line;
    if (end < assembly.size()) text += '\n';
    at = end + 1;
  }
  return some && !all ? text : assembly;
}

// What it printed.
std::string checked(const loader::process_result& r) {
  if (r.exit_code != 0) throw compilation_failed(r.output + loader::compiler_hint(r.output));
  return r.output;
}

// Empty: nowhere.
fs::path kept_headers() {
  const fs::path cache = loader::compile_cache::default_directory();
  return cache.empty() ? cache : fs::absolute(cache / "headers");
}

// For the compiler's plugin, which removes it.
std::string stated_bounds_header(const std::vector<stated_loop_bound>& bounds) {
  std::string text;
  for (const stated_loop_bound& b : bounds) {
    std::string file;
    for (const char c : b.file) file += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    text += fmt::format("  \"{} {} {}\\n\"\n", b.line, b.bound, file);
  }
  return "extern \"C\" __attribute__((device)) const char __pws_stated_bounds[] =\n" + text + ";\n";
}

// Without what was written for the compiler only.
std::vector<fs::path> dependencies_in(const std::string& depfile, const std::vector<std::string>& flags,
                                      const std::array<fs::path, 2>& written) {
  std::vector<fs::path> files;
  for (const fs::path& file : loader::read_depfile(depfile, loader::working_folder(flags)))
    if (std::find(written.begin(), written.end(), file.parent_path()) == written.end()) files.push_back(file);
  for (const char* plugin : {"lib/pws_loop_anchors.so", "lib/pws_predication.so"}) files.push_back(installed(plugin));
  files.push_back(include_folder() / "pws.inc");
  std::sort(files.begin(), files.end());  // precompiled headers come in another order
  return files;
}

bool splits_any(const pass_report& report) {
  return std::any_of(report.branches.begin(), report.branches.end(), [](const branch_report& b) { return b.split; });
}

// -load makes the plugin's options known before they are read.
void use_plugin(std::vector<std::string>& command) {
  const std::string plugin = installed("lib/pws_predication.so").string();
  command.insert(command.end(), {"-fpass-plugin=" + plugin, "-Xclang", "-load", "-Xclang", plugin});
}

std::vector<std::string> generator_flags(divergence_code divergence) {
  std::vector<std::string> flags;
  // What it would make branches of behind the plugin, the plugin does itself.
  if (divergence == divergence_code::p)
    flags = {"-mllvm", "-pws-hide-uniformity", "-mllvm", "-amdgpu-bypass-slow-div=0"};
  // All checks: remove_checks() takes out those that go. Without copies of the code behind branches, which would leave
  // sides without one place where they end. And the register allocator takes both sides for executed, as the paper's
  // does: clang would tell it that no work-item executes both.
  if (predicates(divergence))
    flags.insert(flags.end(), {"-mllvm", "-amdgpu-skip-threshold=1", "-mllvm", "-tail-dup-placement=0", "-mllvm",
                               "-amdgpu-opt-vgpr-liverange=0"});
  return flags;
}

// The source as clang's assembly in result.before, with diagnostics and dependencies. Returns the structure that the
// optimiser gave to each kernel, where it is asked for.
std::map<std::string, ir_structure> compile_to_assembly(const fs::path& source, const device_options& options,
                                                        const loader::hip_compiler& compiler, const fs::path& scratch,
                                                        device_result& result) {
  loader::require_device_libraries();
  const fs::path assembly = scratch / "device.s";
  loader::precompiled_headers::compilation c;
  c.source = source;
  c.language = loader::hip_flags();
  // Line tables say where branches come from; they change no instruction. A -g of the caller's comes later and wins.
  c.language.insert(c.language.end(), {"-gline-tables-only", "-D__PWSCC__=1", "-I" + include_folder().string()});
  c.passes.push_back("-fpass-plugin=" + installed("lib/pws_loop_anchors.so").string());
  if (!options.loop_bounds.empty()) {
    const fs::path stated = scratch / "stated_bounds.h";
    std::ofstream(stated, std::ios::binary) << stated_bounds_header(options.loop_bounds);
    c.passes.insert(c.passes.end(), {"-include", stated.string()});
  }
  const fs::path structure = scratch / "structure.txt";
  if (options.describe || options.divergence == divergence_code::p) use_plugin(c.passes);
  if (options.describe) c.passes.insert(c.passes.end(), {"-mllvm", "-pws-structure-file=" + structure.string()});
  const std::vector<std::string> predication = generator_flags(options.divergence);
  c.passes.insert(c.passes.end(), predication.begin(), predication.end());
  if (options.pass.choice != split_choice::none) c.passes.insert(c.passes.end(), {"-mllvm", "-tail-dup-placement=0"});
  c.given = options.flags;
  const fs::path depfile = scratch / "device.d";
  if (options.find_dependencies) c.outputs.insert(c.outputs.end(), {"-MD", "-MF", depfile.string()});
  c.outputs.insert(c.outputs.end(), {"--cuda-device-only", "-S", "-o", assembly.string()});
  const fs::path kept = kept_headers();
  result.diagnostics = checked(loader::precompiled_headers(compiler, kept).run(c, scratch));
  if (options.find_dependencies)
    result.dependencies = dependencies_in(loader::read_text(depfile), options.flags, {scratch, kept});
  std::string text = without_partial_checksums(loader::read_text(assembly));
  if (loader::llvm_version() < 18) text = without_assembler_gaps(text);
  result.before = with_marks_left_out(with_mnemonics(text));
  return options.describe ? read_structure(loader::read_text(structure)) : std::map<std::string, ir_structure>();
}

// Makes the code object of result.after.
void link_code_object(const fs::path& source, const device_options& options, const loader::hip_compiler& compiler,
                      const fs::path& scratch, device_result& result) {
  const fs::path split = scratch / (source.stem().string() + ".s"), object = scratch / "device.hsaco";
  // The text travels with the code, as -fembed-bitcode has it: the WCET analysis of a finished program finds source
  // lines and marks in it.
  const fs::path text = scratch / "device.after.s";
  std::ofstream(text, std::ios::binary) << result.after;
  std::ofstream(split, std::ios::binary) << result.after << "\n.section " << loader::assembly_section
                                         << ",\"\",@progbits\n.incbin \"" << text.string() << "\"\n";
  std::vector<std::string> link{compiler.path().string(),
                                "-x",
                                "assembler",
                                "--target=amdgcn-amd-amdhsa",
                                "-mcpu=" + std::string(loader::machine_processor),
                                "-I" + include_folder().string()};
  for (const std::string& flag : options.flags)
    if (source.extension() == ".s" || flag.rfind("-mcode-object-version", 0) == 0) link.push_back(flag);
  link.insert(link.end(), {split.string(), "-o", object.string()});
  result.diagnostics += checked(loader::run_process(link, scratch));
  result.code_object = loader::read_file(object);
}

}  // namespace

std::vector<std::string> predication_flags(divergence_code divergence) {
  std::vector<std::string> flags;
  if (divergence == divergence_code::p) use_plugin(flags);
  const std::vector<std::string> generator = generator_flags(divergence);
  flags.insert(flags.end(), generator.begin(), generator.end());
  return flags;
}

device_result compile_device(const fs::path& source, const device_options& options) {
  const loader::hip_compiler compiler;
  const loader::temporary_directory scratch;
  device_result result;
  const bool is_assembly = source.extension() == ".s";
  if (is_assembly && predicates(options.divergence))
    throw input_error(fmt::format("{}: assembly is not predicated: --divergence={} is for HIP", source.string(),
                                  name_of(options.divergence)));
  std::map<std::string, ir_structure> structure_of;
  if (is_assembly) {
    result.before = loader::read_text(source);
  } else {
    structure_of = compile_to_assembly(source, options, compiler, scratch.path(), result);
  }
  pass_options pass = options.pass;
  pass.marks = read_marks(result.before);
  if (!is_assembly) check_loop_marks(pass.marks, result.before);
  result.before = with_anchored_blocks(result.before, source.string());
  pass_result placed = place_splits(result.before, source.string(), pass);
  result.after = std::move(placed.assembly);
  result.report = std::move(placed.report);
  if (predicates(options.divergence)) {
    predicated p = remove_checks(result.before, source.string(), options.divergence);
    result.after = std::move(p.assembly);
    result.report.branches.clear();
    result.report.checks = std::move(p.checks);
  }
  if (options.describe) result.report.kernels = describe_kernels(result.after, source.string(), structure_of);
  if (!is_assembly && options.pass.choice == split_choice::automatic && !splits_any(result.report)) {
    // Then with clang's own code, which may be the shorter one.
    device_options unsplit = options;
    unsplit.pass.choice = split_choice::none;
    device_result own = compile_device(source, unsplit);
    own.report = std::move(result.report);
    return own;
  }
  link_code_object(source, options, compiler, scratch.path(), result);
  return result;
}

}  // namespace pws::pwscc
