// SPDX-License-Identifier: Apache-2.0
// Writes the seed inputs of the fuzz targets: make_seeds SOURCE-FOLDER OUTPUT-FOLDER COMPILE-CACHE. The programs are
// the project's own kernels, compiled here, so that no binary file is kept with the sources.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/program_image.h"

namespace {

namespace fs = std::filesystem;
using namespace pws;
using bytes = std::vector<uint8_t>;

void write(const fs::path& folder, const std::string& name, const bytes& head, const uint8_t* data, uint64_t size) {
  fs::create_directories(folder);
  std::ofstream out(folder / name, std::ios::binary);
  out.write(reinterpret_cast<const char*>(head.data()), static_cast<std::streamsize>(head.size()));
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!out.good()) throw input_error(fmt::format("{}: cannot be written", (folder / name).string()));
}

bytes bundle_of(const bytes& code) {
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__", id = "hipv4-amdgcn-amd-amdhsa--gfx803";
  bytes out(magic.begin(), magic.end());
  for (const uint64_t v : {uint64_t{1}, uint64_t{56 + id.size()}, uint64_t{code.size()}, uint64_t{id.size()}})
    for (int i = 0; i < 8; ++i) out.push_back(static_cast<uint8_t>(v >> (8 * i)));
  out.insert(out.end(), id.begin(), id.end());
  out.insert(out.end(), code.begin(), code.end());
  return out;
}

// Code in pieces that leave libFuzzer room to change them, after 8 bytes of program counter.
void write_code(const fs::path& folder, const std::string& name, const loader::byte_view& code) {
  constexpr uint64_t piece = 64;
  for (uint64_t at = 0; at < code.size(); at += piece)
    write(folder, fmt::format("{}-{}", name, at), bytes(8, 0), code.data() + at, std::min(piece, code.size() - at));
}

// As loader_fuzz.cpp numbers its readers: program, bundles, metadata, descriptor, names, lines.
void write_object(const fs::path& out, const std::string& name, const bytes& code) {
  const fs::path folder = out / "loader";
  write(folder, name, {0}, code.data(), code.size());
  write(folder, name + "-lines", {5}, code.data(), code.size());
  const bytes bundle = bundle_of(code);
  write(folder, name + "-bundle", {1}, bundle.data(), bundle.size());
  const loader::elf_file elf({code.data(), code.size(), name});
  for (const loader::elf_section& s : elf.sections()) {
    const loader::byte_view contents = elf.contents(s);
    constexpr uint64_t note_header = 20;  // three words and the owner's name
    if (s.name == ".text") write_code(out / "decoder", name, contents);
    if (s.name == ".note" && contents.size() > note_header)
      write(folder, name + "-metadata", {2}, contents.data() + note_header, contents.size() - note_header);
    if (s.name == ".rodata" && contents.size() >= 64) write(folder, name + "-descriptor", {3}, contents.data(), 64);
    if (s.name == ".dynstr") write(folder, name + "-names", {4}, contents.data(), contents.size());
  }
}

void write_yaml(const fs::path& out, const fs::path& folder, uint8_t kind) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const bytes text = loader::read_file(entry.path());
    write(out / "config", folder.filename().string() + "-" + entry.path().filename().string(), {kind}, text.data(),
          text.size());
  }
}

void make(const fs::path& source, const fs::path& out, const fs::path& cache) {
  for (const char* folder : {"sw/kernels", "tests/unit/data", "tests/isa/data", "tests/isa/kernels"}) {
    for (const auto& entry : fs::directory_iterator(source / folder)) {
      if (!loader::hip_compiler::is_source(entry.path())) continue;
      for (const unsigned version : {3u, 4u, 5u}) {
        // One version of each kernel is enough for the decoder and the large files.
        if (version != 4 && std::string(folder) != "tests/unit/data") continue;
        loader::compile_options options;
        options.code_object_version = version;
        options.cache_dir = cache;
        write_object(out, fmt::format("{}-v{}", entry.path().stem().string(), version),
                     loader::hip_compiler(options).compile(entry.path()).code_object);
      }
    }
  }
  write_yaml(out, source / "configs/runs", 0);
  write_yaml(out, source / "tests/errors/yaml", 0);
  write_yaml(out, source / "configs/gpu", 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: {} SOURCE-FOLDER OUTPUT-FOLDER COMPILE-CACHE\n", argv[0]);
    return 2;
  }
  try {
    make(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const input_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
