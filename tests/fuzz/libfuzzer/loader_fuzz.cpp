// SPDX-License-Identifier: Apache-2.0
// The loader on arbitrary bytes. Input: one byte that chooses the reader, then its file. Whatever the bytes, the reader
// answers or throws input_error; memory and time are libFuzzer's limits (run.sh).
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sw/loader/line_table.h"
#include "sw/loader/names.h"
#include "sw/loader/offload_bundle.h"
#include "sw/loader/program_image.h"
#include "tests/fuzz/libfuzzer/require.h"

namespace {

using namespace pws;
using fuzz::require;

// Larger images are within the loader's own limit, but filling them takes the time of thousands of other inputs.
constexpr uint64_t largest_image = uint64_t{1} << 22;
constexpr uint64_t base = uint64_t{1} << 21;  // aligned to all that the loader accepts

void check_image(const loader::image& image) {
  for (const loader::extent& e : image.extents) {
    require(e.begin >= image.base && e.begin <= e.end && e.end - image.base <= image.bytes.size(),
            "segments are inside the image", image.name);
  }
  for (const loader::symbol& s : image.symbols) {
    require(s.address >= image.base && s.address - image.base <= image.bytes.size(), "symbols are inside the image",
            image.name);
    image.at(s.address);
    require(image.find(s.name) != nullptr, "a symbol is found by its name", image.name);
  }
  image.at(image.base - 1);
  image.at(image.base + image.bytes.size());
}

void check_program(const std::vector<uint8_t>& bytes) {
  const loader::program_image program = loader::read_program(bytes, "f");
  for (const loader::found_kernel& k : program.kernels()) {
    require(k.kernel->entry_offset < k.object->image_size(), "a kernel begins inside the image", k.kernel->demangled);
    require(k.kernel->metadata.explicit_arguments() <= k.kernel->metadata.arguments.size(), "arguments are counted",
            k.kernel->demangled);
    // Throws where several kernels have that name.
    try {
      program.find_kernel(k.kernel->metadata.name);
    } catch (const input_error&) {
    }
  }
  try {
    program.find_kernel("no such kernel");
    require(false, "an unknown kernel is refused", "");
  } catch (const input_error&) {
  }
  if (program.load_size() > largest_image) return;
  for (const loader::image& image : program.load(base)) check_image(image);
}

void check_bundles(const std::vector<uint8_t>& bytes) {
  const loader::byte_view file(bytes.data(), bytes.size(), "f");
  for (const loader::offload_bundle& b : loader::read_bundles(file)) {
    require(b.size <= bytes.size(), "a bundle is inside its file", "");
    for (const loader::bundle_entry& e : b.entries) {
      require(e.bytes.size() == 0 ||
                  (e.bytes.data() >= bytes.data() && e.bytes.data() + e.bytes.size() <= bytes.data() + bytes.size()),
              "an entry is inside its file", "");
    }
    loader::entry_for_machine(b, file);
  }
}

void check_metadata(const std::vector<uint8_t>& bytes) {
  const loader::code_object_metadata m = loader::read_metadata({bytes.data(), bytes.size(), "f"});
  for (const loader::kernel_metadata& k : m.kernels) {
    require(!k.name.empty() && k.wavefront_size == 64, "a kernel is complete", k.name);
    for (const loader::kernel_argument& a : k.arguments) {
      require(uint64_t{a.offset} + a.size <= k.kernarg_segment_size, "arguments are inside their segment", k.name);
      require(!loader::to_string(a.kind).empty(), "an argument's kind has a name", k.name);
    }
  }
}

void check_descriptor(const std::vector<uint8_t>& bytes) {
  const isa::kernel_descriptor d = isa::kernel_descriptor::parse(bytes.data(), bytes.size());
  require(d.n_vgprs >= 4 && d.n_vgprs <= 256 && d.n_sgprs >= 8 && d.n_sgprs <= 112, "registers exist", "");
  require(d.user_sgpr_count <= 16, "user SGPRs are at most 16", "");
}

void check_names(const std::vector<uint8_t>& bytes) {
  const std::string name(bytes.begin(), bytes.end());
  const std::string quoted = loader::in_quotes(name);
  for (const char c : quoted) require(std::isprint(static_cast<unsigned char>(c)) != 0, "quoted text is printable", "");
  loader::without_parameters(loader::demangle(name));
  loader::nearest_name(name, {"", "axpy", name.substr(name.size() / 2)});
}

// Addresses all over the first pages, where small code objects have their code.
void check_lines(const std::vector<uint8_t>& bytes) {
  const loader::line_table table(bytes);
  for (uint64_t at = 0; at < 0x3000; at += 0x40)
    for (const loader::source_line& l : table.at(at)) require(l.line != 0, "lines count from 1", l.file);
  table.at(~uint64_t{0});
  for (const loader::line_code& c : table.code())
    require(c.begin <= c.end && c.line.line != 0, "code has an extent and a line", c.line.file);
}

constexpr void (*readers[])(const std::vector<uint8_t>&) = {check_program,    check_bundles, check_metadata,
                                                            check_descriptor, check_names,   check_lines};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  // A copy of exactly that size: the sanitizer sees a read beyond it.
  const std::vector<uint8_t> bytes(data + 1, data + size);
  try {
    readers[data[0] % std::size(readers)](bytes);
  } catch (const input_error& e) {
    for (const char* c = e.what(); *c != 0; ++c) {
      require(*c == '\n' || std::isprint(static_cast<unsigned char>(*c)) != 0, "messages are printable", e.what());
    }
  }
  return 0;
}
