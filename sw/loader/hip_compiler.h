// SPDX-License-Identifier: Apache-2.0
// Compiles HIP, OpenCL C and assembly sources to gfx803 code objects with the system's clang, and remembers the results
// on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pws::loader {

// What a compilation depends on beside the source.
struct compile_options {
  std::string optimisation = "-O3";
  unsigned code_object_version = 4;                 // 3, 4 or 5
  std::vector<std::filesystem::path> include_dirs;  // -I, in this order; then the project's own (pws.inc)
  std::vector<std::string> flags;                   // appended as they are; later ones win
  // Where compiled code objects are kept; may be deleted at any time. Empty: $XDG_CACHE_HOME/pws, else $HOME/.cache/pws
  // (and no cache if neither is set or it cannot be written, which only costs time). One given here must be writable.
  std::filesystem::path cache_dir;
  bool use_cache = true;
};

// What a compilation gives.
struct compile_result {
  std::vector<uint8_t> code_object;
  std::string diagnostics;  // the compiler's warnings; "" if there were none. Kept with the cached result.
  bool from_cache = false;
  std::string notes;  // what else is to be kept with it; empty here
};

// What clang needs to compile HIP for the machine: language, architecture, where headers and device libraries are. With
// device code also device_code_flags().
std::vector<std::string> hip_flags(bool device_code = true);
// Without these, some versions of clang make device code that is wrong on the machine:
// - 16 and 17 at -O0: where a branch's sides meet, vector registers are loaded again in front of the instruction that
//   turns the other work-items on (LLVM's pull request 69924 mends it in 18). Not so with the register allocator of
//   -O1.
// - 17 and later: one work-item does an atomic for all that are active, and tells them the result behind a branch where
//   they meet again. Under schemes that let work-items go on apart they do not.
std::vector<std::string> device_code_flags();
// Throws input_error that names the package if the device libraries are not there.
void require_device_libraries();
// What is most likely missing, by the compiler's own words: a line to be appended to them, or "".
std::string compiler_hint(const std::string& output);

class hip_compiler {
 public:
  // Finds the compiler: $PWS_CLANG (a path or a name in PATH), else that of llvm_version(), else a later clang++.
  // Throws input_error naming the packages to install if there is none, or that $PWS_CLANG is no clang >= 15.
  explicit hip_compiler(compile_options options = {});

  const std::filesystem::path& path() const { return path_; }
  const std::string& version() const { return version_; }  // first line of --version

  // .s is assembly, .S assembly with preprocessor, .cl OpenCL C 2.0, everything else HIP C++. Only device code is
  // compiled.
  // Throws input_error: missing file, missing device libraries, or the compiler's own messages.
  compile_result compile(const std::filesystem::path& source) const;

  // The source and every file that compiling it reads: headers, device libraries. Only the source where it does not
  // compile. The compiler itself is version().
  std::vector<std::filesystem::path> dependencies(const std::filesystem::path& source) const;

  // The name under which a compile_cache keeps what is made of `source`: a hash of `parts`, the compiler's version and
  // what it reads from the environment.
  std::string cache_key(const std::filesystem::path& source, std::vector<std::string> parts) const;

  // The command that assembles `source` for the machine into an object file, not linked.
  std::vector<std::string> assemble_command(const std::filesystem::path& source,
                                            const std::filesystem::path& object) const;

  // True for the extensions of sources: .hip .cpp .cc .cxx .cu .cl .s .S
  static bool is_source(const std::filesystem::path& file);

 private:
  std::vector<std::string> arguments(const std::filesystem::path& source) const;
  std::filesystem::path cache_folder() const;  // empty: none

  compile_options options_;
  std::filesystem::path path_;
  std::string version_;
};

}  // namespace pws::loader
