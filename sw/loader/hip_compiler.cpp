// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/hip_compiler.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/installation.h"
#include "sw/loader/bytes.h"
#include "sw/loader/compile_cache.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/offload_bundle.h"
#include "sw/loader/subprocess.h"

namespace pws::loader {

namespace {

namespace fs = std::filesystem;

// clang 14 cannot read the bitcode of Debian's device libraries.
constexpr int oldest_clang = 15;

fs::path device_libraries() {
  const std::string given = environment("HIP_DEVICE_LIB_PATH");  // the variable clang itself reads
  return given.empty() ? packaged_device_libraries() : given;
}

struct clang_version {
  int major = 0;
  std::string line;
};

// Under which name a cache knows this very file; "" for a script, which may call another compiler every time.
std::string identity_of(const fs::path& program) {
  std::error_code error;
  const fs::path file = fs::canonical(program, error);
  struct stat about {};
  if (error || stat(file.c_str(), &about) != 0) return "";
  std::array<char, 4> magic{};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  if (!is_elf({reinterpret_cast<const uint8_t*>(magic.data()), magic.size(), file.string()})) return "";
  const std::string what =
      fmt::format("{} {} {}.{:09}", file.string(), about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
  return fmt::format("compiler-{:016x}", content_hash(what.data(), what.size()));
}

// To start clang only to ask it takes as long as a short run of the machine: its answer is kept, by this process and on
// the disk.
std::string first_line_of_version(const fs::path& clang, const compile_cache* kept) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(one_at_a_time);
  const std::string key = identity_of(clang);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (kept != nullptr && !key.empty())
    if (const auto hit = kept->find(key)) return known[key] = hit->notes;
  const process_result run = run_process({clang.string(), "--version"});
  compile_result answer;
  answer.notes = run.output.substr(0, run.output.find('\n'));
  if (key.empty() || run.exit_code != 0) return answer.notes;
  if (kept != nullptr) kept->store(key, answer, {});
  return known[key] = answer.notes;
}

clang_version version_of(const fs::path& clang, const compile_cache* kept) {
  clang_version v;
  v.line = first_line_of_version(clang, kept);
  constexpr std::string_view before = "clang version ";
  const size_t found = v.line.find(before);
  if (found != std::string::npos) v.major = std::atoi(v.line.c_str() + found + before.size());
  return v;
}

// /usr/bin/clang++-15 is a link into /usr/lib/llvm-15/bin, and so with every version. Called by that name, clang looks
// for lld beside the link first and would find another version's, which does not know every code object version.
fs::path beside_its_linker(const fs::path& clang) {
  std::error_code error;
  const fs::path real = fs::canonical(clang, error);
  if (error) return clang;
  const fs::path found = find_executable((real.parent_path() / "clang++").string());
  return found.empty() ? clang : found;
}

bool is_assembly(const fs::path& source) {
  return source.extension() == ".s" || source.extension() == ".S";
}

bool is_opencl(const fs::path& source) {
  return source.extension() == ".cl";
}

}  // namespace

std::vector<std::string> hip_flags(bool device_code) {
  std::vector<std::string> flags{"-x", "hip", "--offload-arch=" + std::string(machine_processor), "--rocm-path=/usr",
                                 "--hip-device-lib-path=" + device_libraries().string()};
  if (device_code)
    for (std::string& flag : device_code_flags()) flags.push_back(std::move(flag));
  return flags;
}

std::vector<std::string> device_code_flags() {
  std::vector<std::string> flags;
  if (llvm_version() == 16 || llvm_version() == 17) flags.insert(flags.end(), {"-mllvm", "-optimize-regalloc"});
  if (llvm_version() >= 17) flags.insert(flags.end(), {"-mllvm", "-amdgpu-atomic-optimizer-strategy=None"});
  return flags;
}

void require_device_libraries() {
  if (fs::is_directory(device_libraries())) return;
  throw input_error(fmt::format(
      "{}: no such directory: the device libraries are missing. apt install {} (or set HIP_DEVICE_LIB_PATH)",
      device_libraries().string(), device_library_package()));
}

std::string compiler_hint(const std::string& output) {
  const auto says = [&](const char* text) { return output.find(text) != std::string::npos; };
  if (says("'hip/hip_runtime.h' file not found")) return "\nThe HIP headers are missing: apt install libamdhip64-dev";
  if (says("unknown abi version")) {
    return "\nThe linker is older than the compiler and does not know this code object version: apt install " +
           of_llvm_version("lld");
  }
  if (says("unknown type name '__global__'") || says("unknown type name '__device__'") ||
      says("Can't find declaration for hipLaunchKernel"))
    return "\nHIP's words are in its headers: #include <hip/hip_runtime.h>";
  if (says("error: invalid instruction") && (says("split ") || says("merge")))
    return "\nsplit and merge are instructions to pwscc (in a run file program.split); for others the assembly begins "
           "with .include \"pws.inc\"";
  if (says("undefined reference to `main'") || says("undefined symbol: main"))
    return "\nThere is no main() to start with: -c makes an object, -o FILE.hsaco (hipcc: --genco) the kernels' code "
           "alone";
  if (says("'omp.h' file not found") || says("cannot find -lomp") || says("unable to find library -lomp"))
    return fmt::format("\nOpenMP for the host is a package of its own: apt install {}-dev", of_llvm_version("libomp"));
  if (says("doesn't exist") && says("lld\"")) return "\nThe linker is missing: apt install " + of_llvm_version("lld");
  return "";
}

hip_compiler::hip_compiler(compile_options options) : options_(std::move(options)) {
  if (options_.code_object_version < 3 || options_.code_object_version > 5) {
    throw input_error(fmt::format("code object version {} is not 3, 4 or 5", options_.code_object_version));
  }
  const compile_cache cache(cache_folder());
  const compile_cache* kept = options_.use_cache && !cache.directory().empty() ? &cache : nullptr;
  clang_version version;
  if (const std::string wanted = environment("PWS_CLANG"); !wanted.empty()) {
    path_ = find_executable(wanted);
    if (path_.empty()) throw input_error(fmt::format("PWS_CLANG={}: no such executable", wanted));
    version = version_of(path_, kept);
    if (version.major < oldest_clang) {
      throw input_error(fmt::format("PWS_CLANG={}: is not clang {} or later, it says {}", wanted, oldest_clang,
                                    in_quotes(version.line)));
    }
  } else {
    std::string seen;
    for (const std::string& name : {of_llvm_version("clang++"), std::string("clang++")}) {
      path_ = find_executable(name);
      if (path_.empty()) continue;
      version = version_of(path_, kept);
      if (version.major >= oldest_clang) break;
      seen += fmt::format("; {} is too old ({})", path_.string(), version.line);
      path_.clear();
    }
    if (path_.empty()) {
      throw input_error(fmt::format(
          "no clang++ of version {} or later in PATH{}. apt install {} {} {} libamdhip64-dev (or set PWS_CLANG)",
          oldest_clang, seen, of_llvm_version("clang"), of_llvm_version("lld"), device_library_package()));
    }
  }
  path_ = beside_its_linker(path_);
  version_ = version.line;
}

bool hip_compiler::is_source(const fs::path& file) {
  static constexpr std::array extensions{".hip", ".cpp", ".cc", ".cxx", ".cu", ".cl", ".s", ".S"};
  return std::find(extensions.begin(), extensions.end(), file.extension()) != extensions.end();
}

std::vector<std::string> hip_compiler::arguments(const fs::path& source) const {
  std::vector<std::string> out{path_.string()};
  const std::string processor(machine_processor);
  // Line tables change no instruction. Assembly has them of its own text (-g) unless it brings its own (.loc).
  if (is_assembly(source)) {
    out.insert(out.end(), {"-g", "-x", source.extension() == ".S" ? "assembler-with-cpp" : "assembler",
                           "--target=amdgcn-amd-amdhsa", "-mcpu=" + processor, "-nogpulib"});
  } else if (is_opencl(source)) {
    out.insert(out.end(), {"-x", "cl", "--target=amdgcn-amd-amdhsa", "-mcpu=" + processor, "-cl-std=CL2.0",
                           "--rocm-path=/usr", "--rocm-device-lib-path=" + device_libraries().string(),
                           options_.optimisation, "-include", (include_folder() / "pws_opencl.h").string()});
    for (std::string& flag : device_code_flags()) out.push_back(std::move(flag));
  } else {
    const std::vector<std::string> hip = hip_flags();
    out.insert(out.end(), hip.begin(), hip.end());
    out.insert(out.end(), {"--cuda-device-only", "--no-gpu-bundle-output", "-c", "-std=c++17", options_.optimisation});
  }
  if (!is_assembly(source)) out.emplace_back("-gline-tables-only");
  out.push_back(fmt::format("-mcode-object-version={}", options_.code_object_version));
  for (const fs::path& dir : options_.include_dirs) out.push_back("-I" + fs::absolute(dir).string());
  out.push_back("-I" + include_folder().string());
  out.insert(out.end(), options_.flags.begin(), options_.flags.end());
  out.push_back(source.string());
  return out;
}

namespace {

// Whether a program depends on files that its assembly names: no dependency file has them.
bool includes_assembly(const std::string& text) {
  return text.find(".include") != std::string::npos || text.find(".incbin") != std::string::npos;
}

// Files that the source's assembly could mean.
void add_included_assembly(const fs::path& source, std::vector<fs::path>& all) {
  const std::string text = read_text(source);
  const auto first = static_cast<ptrdiff_t>(all.size());
  if (!includes_assembly(text)) return;
  for (const fs::path& folder : {source.parent_path(), include_folder()}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      // Assembly in a C++ program stands in a string.
      const bool named =
          text.find('"' + name + '"') != std::string::npos || text.find('"' + name + "\\\"") != std::string::npos;
      if (named) all.push_back(entry.path());
    }
  }
  std::sort(all.begin() + first, all.end());
}

}  // namespace

std::vector<fs::path> hip_compiler::dependencies(const fs::path& source_path) const {
  const fs::path source = fs::absolute(source_path);
  std::vector<fs::path> all{source};
  add_included_assembly(source, all);
  if (source.extension() == ".s") return all;  // has no dependency file
  const temporary_directory scratch;
  const fs::path depfile = scratch.path() / "out.d";
  std::vector<std::string> argv = arguments(source);
  argv.erase(std::remove(argv.begin(), argv.end(), "-c"), argv.end());
  argv.insert(argv.end(), {"-M", "-MF", depfile.string()});
  if (run_process(argv).exit_code != 0) return all;
  const std::vector<fs::path> assembly(all.begin() + 1, all.end());
  all = read_depfile(read_text(depfile), working_folder(argv));
  all.insert(all.end(), assembly.begin(), assembly.end());
  std::error_code error;
  const size_t libraries = all.size();
  for (const auto& entry : fs::directory_iterator(device_libraries(), error))
    if (entry.is_regular_file(error)) all.push_back(entry.path());
  std::sort(all.begin() + static_cast<ptrdiff_t>(libraries), all.end());
  return all;
}

std::vector<std::string> hip_compiler::assemble_command(const fs::path& source, const fs::path& object) const {
  return {path_.string(),
          "-x",
          "assembler",
          "--target=amdgcn-amd-amdhsa",
          "-mcpu=" + std::string(machine_processor),
          "-c",
          "-I" + include_folder().string(),
          source.string(),
          "-o",
          object.string()};
}

std::string hip_compiler::cache_key(const fs::path& source, std::vector<std::string> parts) const {
  const auto given = static_cast<ptrdiff_t>(parts.size());
  parts.push_back(version_);
  // All that clang reads from the environment, and what a relative path among the flags is relative to.
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "HIP_PATH", "ROCM_PATH"}) {
    parts.push_back(environment(name));
  }
  if (!options_.flags.empty()) parts.push_back(fs::current_path().string());
  if (!is_assembly(source)) {
    for (const auto& entry : fs::directory_iterator(device_libraries())) {
      std::error_code error;
      const auto time = fs::last_write_time(entry.path(), error);
      parts.push_back(fmt::format("{} {}", entry.path().string(), error ? 0 : time.time_since_epoch().count()));
    }
    std::sort(parts.begin() + given, parts.end());
  }
  uint64_t hash = content_hash(nullptr, 0);
  for (const std::string& part : parts) hash = content_hash(part.c_str(), part.size() + 1, hash);
  return fmt::format("{}-{:016x}", source.stem().string(), hash);
}

fs::path hip_compiler::cache_folder() const {
  return options_.cache_dir.empty() ? compile_cache::default_directory() : fs::absolute(options_.cache_dir);
}

compile_result hip_compiler::compile(const fs::path& source_path) const {
  const fs::path source = fs::absolute(source_path);
  const std::string text = read_text(source);  // reports a missing or unreadable file better than the compiler does
  if (!is_assembly(source)) require_device_libraries();
  std::vector<std::string> argv = arguments(source);
  const compile_cache cache(cache_folder());
  const bool cached = options_.use_cache && !includes_assembly(text) && !cache.directory().empty();
  const std::string key = cached ? cache_key(source, argv) : "";
  if (cached) {
    if (auto hit = cache.find(key)) return std::move(*hit);
  }

  const temporary_directory scratch;
  const fs::path object = scratch.path() / "out.hsaco";
  const fs::path depfile = scratch.path() / "out.d";
  argv.insert(argv.end(), {"-o", object.string()});
  if (source.extension() != ".s") argv.insert(argv.end(), {"-MD", "-MF", depfile.string()});
  const auto start = fs::file_time_type::clock::now();
  const process_result run = run_process(argv, scratch.path());
  if (run.exit_code != 0) {
    throw input_error(fmt::format("{}: compilation failed (exit code {} of {}):\n{}{}", source_path.string(),
                                  run.exit_code, path_.string(), run.output, compiler_hint(run.output)));
  }
  compile_result result;
  result.code_object = read_file(object);
  result.diagnostics = run.output;
  if (cached) {
    std::vector<fs::path> dependencies{source};
    if (source.extension() != ".s") dependencies = read_depfile(read_text(depfile), working_folder(argv));
    const bool known = std::none_of(dependencies.begin(), dependencies.end(), [](const fs::path& file) {
      return file.string().rfind("/usr/", 0) != 0 && includes_assembly(read_text(file));
    });
    if (known && !changed_since(dependencies, start) && !cache.store(key, result, dependencies) &&
        !options_.cache_dir.empty()) {
      throw input_error(fmt::format("{}: the compilation cache cannot be written", options_.cache_dir.string()));
    }
  }
  return result;
}

}  // namespace pws::loader
