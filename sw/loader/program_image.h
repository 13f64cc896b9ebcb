// SPDX-License-Identifier: Apache-2.0
// The front of the loader: any file that holds a GPU program, as code objects ready to be placed in device memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sw/loader/code_object.h"
#include "sw/loader/hip_compiler.h"

namespace pws::loader {

// What the file is.
enum class program_kind : uint8_t { source, code_object, bundle, host_file };

class program_image {
 public:
  program_image(std::string name, program_kind kind, std::vector<code_object> objects);

  const std::string& name() const { return name_; }
  program_kind kind() const { return kind_; }
  // One per translation unit: a host executable made from several sources has several.
  const std::vector<code_object>& code_objects() const { return objects_; }

  // As code_object::find_kernel, over all code objects.
  found_kernel find_kernel(std::string_view kernel_name) const;
  // Every kernel of every code object, in the order of the file.
  std::vector<found_kernel> kernels() const;

  // Lays all code objects out one after another from `base` up, images[i] belonging to code_objects()[i]. Throws as
  // code_object::load.
  std::vector<image> load(uint64_t base) const;
  // Bytes from base to the end of the last image that load(base) makes, for a base aligned to image_alignment().
  uint64_t load_size() const;
  uint64_t image_alignment() const;

 private:
  std::string name_;
  program_kind kind_;
  std::vector<code_object> objects_;
};

// How a file is loaded.
struct load_options {
  compile_options compile;  // for sources
};

// Reads a HIP, OpenCL C or assembly source (compiled on the fly), a code object, an offload bundle, or a host
// executable, object or library with embedded device code: told apart by contents, sources by their extension. Throws
// input_error naming the file, what is wrong and where.
program_image load_program(const std::filesystem::path& path, const load_options& options = {});
// The same for bytes in memory (no sources); `name` is what messages call them.
program_image read_program(const std::vector<uint8_t>& bytes, const std::string& name);

}  // namespace pws::loader
