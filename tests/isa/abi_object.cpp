// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/abi_object.h"

#include <elf.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/host_fp.h"
#include "models/isa/inst.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test {

namespace {

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
T at(const std::vector<uint8_t>& file, uint64_t offset) {
  T v;
  if (offset + sizeof v > file.size()) throw std::runtime_error("truncated ELF file");
  std::memcpy(&v, &file[offset], sizeof v);
  return v;
}

void load_segments(const std::vector<uint8_t>& file, code_object& o) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  for (unsigned n = 0; n < header.e_phnum; ++n) {
    const auto p = at<Elf64_Phdr>(file, header.e_phoff + n * sizeof(Elf64_Phdr));
    if (p.p_type != PT_LOAD) continue;
    if (o.image.size() < p.p_vaddr + p.p_memsz) o.image.resize(p.p_vaddr + p.p_memsz);
    std::memcpy(&o.image[p.p_vaddr], &file.at(p.p_offset), p.p_filesz);
  }
}

void load_symbols(const std::vector<uint8_t>& file, code_object& o) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  const auto section = [&](unsigned n) { return at<Elf64_Shdr>(file, header.e_shoff + n * sizeof(Elf64_Shdr)); };
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    const Elf64_Shdr s = section(n);
    if (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr names = section(s.sh_link);
    for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = at<Elf64_Sym>(file, s.sh_offset + k * sizeof(Elf64_Sym));
      const std::string name(reinterpret_cast<const char*>(&file.at(names.sh_offset + symbol.st_name)));
      if (!name.empty()) o.symbols[name] = symbol.st_value;
    }
  }
}

code_object compile(const std::string& file) {
  const std::string source = std::string(PWS_ISA_TEST_DIR) + "/data/" + file;
  const std::string out = temporary_directory() + "/" + file;
  const std::string compiler = hip_compiler() + " -O2 --cuda-device-only ";
  run(fmt::format("{} --no-gpu-bundle-output -c '{}' -o '{}.hsaco'", compiler, source, out));
  run(fmt::format("{} -S '{}' -o '{}.s'", compiler, source, out));
  code_object o;
  const std::vector<uint8_t> binary = read_file(out + ".hsaco"), text = read_file(out + ".s");
  load_segments(binary, o);
  load_symbols(binary, o);
  o.assembly.assign(text.begin(), text.end());
  return o;
}

}  // namespace

const code_object& compile_hip(const std::string& file) {
  static std::map<std::string, code_object> objects;
  const auto found = objects.find(file);
  return found != objects.end() ? found->second : objects.emplace(file, compile(file)).first->second;
}

const uint8_t* descriptor_of(const code_object& o, const std::string& kernel) {
  const uint64_t address = o.symbols.at(kernel + ".kd");
  if (address + kernel_descriptor::size > o.image.size()) throw std::runtime_error("descriptor outside the image");
  return &o.image[address];
}

namespace {

// Where the directive's value begins; npos: nowhere.
size_t place_of_directive(const code_object& o, const std::string& kernel, const std::string& name) {
  const size_t begin = o.assembly.find(".amdhsa_kernel " + kernel + "\n");
  if (begin == std::string::npos) throw std::runtime_error("no kernel " + kernel);
  const std::string key = ".amdhsa_" + name + " ";
  const size_t found = o.assembly.find(key, begin);
  return found < o.assembly.find(".end_amdhsa_kernel", begin) ? found + key.size() : std::string::npos;
}

}  // namespace

bool has_directive(const code_object& o, const std::string& kernel, const std::string& name) {
  return place_of_directive(o, kernel, name) != std::string::npos;
}

uint32_t directive(const code_object& o, const std::string& kernel, const std::string& name) {
  const size_t at = place_of_directive(o, kernel, name);
  if (at == std::string::npos) throw std::runtime_error("no directive " + name + " for " + kernel);
  return static_cast<uint32_t>(std::stoul(o.assembly.substr(at)));
}

small_device::small_device(const code_object& o) : storage_(0x400000), object_(o), lds_(lds_bytes) {
  memory_.set_window(storage_.data(), base, storage_.size());
  code_ = allocate(o.image.size(), "code object");
  std::memcpy(host(code_), o.image.data(), o.image.size());
  buffer_ = allocate(buffer_bytes, "buffer");
  scratch_ = allocate(scratch_bytes, "scratch", memory_use::scratch);
  kernarg_ = allocate(256, "arguments");
  packet_ = allocate(sizeof(kernel_dispatch_packet), "packet");
  queue_ = allocate(sizeof(amd_queue), "queue");
}

uint64_t small_device::allocate(uint64_t bytes, const std::string& name, memory_use use) {
  const uint64_t address = next_;
  memory_.add(address, bytes, name, use);
  next_ = (next_ + bytes + 0x1fff) & ~uint64_t{0xfff};  // a gap between any two
  return address;
}

void small_device::run(const std::string& kernel, wave_launch::dim3 grid, wave_launch::dim3 workgroup,
                       const std::vector<uint8_t>& kernarg, uint32_t private_bytes) {
  const uint64_t descriptor = object_.symbols.at(kernel + ".kd");
  const auto d = kernel_descriptor::parse(&object_.image[descriptor], kernel_descriptor::size);
  if (private_bytes == 0) private_bytes = d.private_segment_bytes;
  private_bytes = (private_bytes + 3) / 4 * 4;

  std::memcpy(host(kernarg_), kernarg.data(), kernarg.size());
  kernel_dispatch_packet packet;
  packet.header = packet_header(packet_type::kernel_dispatch, true, fence_scope::system, fence_scope::system);
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<uint16_t>(workgroup[0]);
  packet.workgroup_size_y = static_cast<uint16_t>(workgroup[1]);
  packet.workgroup_size_z = static_cast<uint16_t>(workgroup[2]);
  packet.grid_size_x = grid[0];
  packet.grid_size_y = grid[1];
  packet.grid_size_z = grid[2];
  packet.private_segment_size = private_bytes;
  packet.kernel_object = code_ + descriptor;
  packet.kernarg_address = kernarg_;
  std::memcpy(host(packet_), &packet, sizeof packet);
  amd_queue queue;
  queue.group_segment_aperture_base_hi = shared_aperture >> 32;
  queue.private_segment_aperture_base_hi = private_aperture >> 32;
  std::memcpy(host(queue_), &queue, sizeof queue);

  program code(reinterpret_cast<const uint32_t*>(host(code_)), code_, object_.image.size() / 4);
  wave_launch l;
  l.entry = code_ + descriptor + static_cast<uint64_t>(d.entry_offset);
  l.dispatch_packet = packet_;
  l.queue = queue_;
  l.kernarg = kernarg_;
  l.workgroup_size = workgroup;
  l.grid_size = grid;
  l.scratch_backing = scratch_;
  l.scratch_backing_bytes = scratch_bytes;
  l.scratch_bytes_per_lane = private_bytes;
  l.lds = lds_.data();
  l.lds_bytes = lds_bytes;
  l.shared_aperture = shared_aperture;
  l.private_aperture = private_aperture;
  std::vector<vgpr_row> vgprs(d.n_vgprs);
  uint32_t slot = 0;
  for (l.workgroup_id[2] = 0; l.workgroup_id[2] * workgroup[2] < grid[2]; ++l.workgroup_id[2])
    for (l.workgroup_id[1] = 0; l.workgroup_id[1] * workgroup[1] < grid[1]; ++l.workgroup_id[1])
      for (l.workgroup_id[0] = 0; l.workgroup_id[0] * workgroup[0] < grid[0]; ++l.workgroup_id[0])
        for (l.wave_in_workgroup = 0; l.wave_in_workgroup < waves_in_workgroup(l); ++l.wave_in_workgroup) {
          // Another place in the backing memory for every wavefront.
          l.scratch_wave_offset = (slot++ % 4 + 1) * private_bytes * wave_size;
          wave_state s;
          s.memory = &memory_;
          s.vgpr = vgprs.data();
          initial_state(d, l, s);
          run_wave(s, code);
        }
}

void small_device::run_wave(wave_state& s, program& p) {
  const host_fp_scope floating_point;
  uint64_t pc = s.pc;
  try {
    for (uint64_t n = 0; n < 1'000'000; ++n) {
      pc = s.pc;
      const inst& i = p.at(pc);
      s.pc += i.bytes();
      ++instructions_;
      if (i.unit == unit::end) return;
      i.exec(s, i);
    }
    throw std::runtime_error("kernel does not end");
  } catch (const program_error& e) {
    throw std::runtime_error(
        fmt::format("{} at PC 0x{:x} ({}), lane {}", e.what(), pc - code_, disassemble(p.at(pc)), e.lane()));
  }
}

}  // namespace pws::isa::test
