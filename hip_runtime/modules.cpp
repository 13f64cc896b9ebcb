// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "sw/loader/offload_bundle.h"

namespace pws::hip {

namespace {
using loader::program_image;

// Bytes from `from` to the end of the readable mapping that holds it. Throws input_error if none does.
uint64_t readable_bytes(const void* from) {
  const auto wanted = reinterpret_cast<uint64_t>(from);
  std::ifstream maps("/proc/self/maps");
  uint64_t limit = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char readable = '-';
    if (std::sscanf(line.c_str(), "%lx-%lx %c", &begin, &end, &readable) != 3) continue;
    // Mappings that lie side by side are one: a file's segments, a buffer that grew.
    const bool goes_on = limit != 0 && begin == limit;
    const bool holds = limit == 0 && wanted >= begin && wanted < end;
    if (limit != 0 && !goes_on) break;
    if (!goes_on && !holds) continue;
    if (readable != 'r') break;
    limit = end;
  }
  if (limit == 0) throw input_error(fmt::format("{} is no readable memory", from));
  return limit - wanted;
}

// Size of the ELF file at the view's begin: its last section or segment, or its section headers.
uint64_t elf_bytes(const loader::byte_view& view) {
  if (!view.holds(0, sizeof(Elf64_Ehdr))) view.fail("shorter than an ELF header");
  Elf64_Ehdr header;
  std::memcpy(&header, view.data(), sizeof header);
  uint64_t end = sizeof header;
  const auto reach = [&](uint64_t offset, uint64_t bytes) {
    if (!view.holds(offset, bytes)) view.fail("a part of the ELF file lies outside readable memory");
    end = std::max(end, offset + bytes);
  };
  reach(header.e_shoff, uint64_t{header.e_shentsize} * header.e_shnum);
  reach(header.e_phoff, uint64_t{header.e_phentsize} * header.e_phnum);
  for (unsigned k = 0; k < header.e_shnum && header.e_shentsize >= sizeof(Elf64_Shdr); ++k) {
    Elf64_Shdr section;
    std::memcpy(&section, view.data() + header.e_shoff + uint64_t{k} * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS) reach(section.sh_offset, section.sh_size);
  }
  for (unsigned k = 0; k < header.e_phnum && header.e_phentsize >= sizeof(Elf64_Phdr); ++k) {
    Elf64_Phdr segment;
    std::memcpy(&segment, view.data() + header.e_phoff + uint64_t{k} * header.e_phentsize, sizeof segment);
    reach(segment.p_offset, segment.p_filesz);
  }
  return end;
}

std::string owner_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr || *info.dli_fname == '\0') return "the program";
  return info.dli_fname;
}
}  // namespace

program_image program_in_memory(const void* image, const std::string& name) {
  const auto* begin = static_cast<const uint8_t*>(image);
  const loader::byte_view view(begin, readable_bytes(image), name);
  uint64_t bytes = 0;
  if (loader::is_offload_bundle(view)) {
    bytes = loader::read_bundle(view).size;
  } else if (loader::is_elf(view)) {
    bytes = elf_bytes(view);
  } else {
    view.fail("neither a code object nor an offload bundle");
  }
  return loader::read_program({begin, begin + bytes}, name);
}

const code_points& kernel_function::code() const {
  if (!points) points = points_of(loader::found_kernel{object, loaded.kernel});
  return *points;
}

// ---- one module

bool code_module::place(device_runtime& runtime) {
  if (placed(runtime)) return false;
  read();
  try {
    runtime.load(*image_);
  } catch (const input_error& e) {
    throw failure(hipErrorOutOfMemory, e.what());
  }
  functions_[&runtime];
  return true;
}

const loader::program_image& code_module::read() {
  try {
    if (!image_) image_ = program_in_memory(bundle_, owner_of(bundle_));
  } catch (const input_error& e) {
    throw failure(hipErrorNoBinaryForGpu, e.what());
  }
  return *image_;
}

void code_module::remove(device_runtime& runtime) {
  if (placed(runtime)) runtime.unload(*image_);
  functions_.erase(&runtime);
}

kernel_function& code_module::function(const std::string& name, const device_runtime& runtime) {
  auto& functions = functions_.at(&runtime);
  const auto known = functions.find(name);
  if (known != functions.end()) return *known->second;
  const std::vector<loader::image>& images = *runtime.images(*image_);
  for (size_t k = 0; k < images.size(); ++k)
    for (const loader::kernel& kernel : image_->code_objects()[k].kernels()) {
      if (kernel.metadata.name != name) continue;
      auto f = std::make_unique<kernel_function>();
      f->name = name;
      f->module = this;
      f->object = &image_->code_objects()[k];
      f->loaded = {&kernel, images[k].base + kernel.descriptor_offset, &*image_};
      return *(functions[name] = std::move(f));
    }
  std::string there;
  for (const loader::found_kernel& f : image_->kernels())
    there += (there.empty() ? "" : ", ") + f.kernel->metadata.name;
  throw failure(hipErrorNotFound, fmt::format("{} has no kernel {}; it has {}", image_->name(), loader::in_quotes(name),
                                              there.empty() ? "none" : there));
}

bool code_module::owns(const kernel_function* f) const {
  for (const auto& [runtime, functions] : functions_)
    for (const auto& [name, one] : functions)
      if (one.get() == f) return true;
  return false;
}

void code_module::give_managed(device_runtime& runtime, memory& blocks) {
  static constexpr std::string_view mark = ".managed";
  for (const loader::image& i : *runtime.images(*image_))
    for (const loader::symbol& s : i.symbols) {
      if (s.kind != loader::symbol_kind::variable || s.size == 0 || s.name.size() <= mark.size() ||
          s.name.compare(s.name.size() - mark.size(), mark.size(), mark) != 0)
        continue;
      const std::string name = s.name.substr(0, s.name.size() - mark.size());
      const uint64_t pointer = variable(name, runtime).address;
      loader::symbol placed = s;
      placed.name = name;
      placed.address = blocks.allocate(s.size, memory_kind::managed, hipMemAttachGlobal);
      std::vector<uint8_t> contents(s.size);
      runtime.read(s.address, contents.data(), contents.size());
      runtime.write(placed.address, contents.data(), contents.size());
      runtime.write(pointer, &placed.address, sizeof placed.address);
      managed_[name] = placed;
    }
}

void code_module::take_managed(memory& blocks) {
  for (const auto& [name, s] : managed_) blocks.release(s.address, {memory_kind::managed}, hipErrorInvalidValue);
  managed_.clear();
}

loader::symbol code_module::variable(const std::string& name, const device_runtime& runtime) const {
  if (const auto managed = managed_.find(name); managed != managed_.end()) return managed->second;
  for (const loader::image& i : *runtime.images(*image_))
    for (const loader::symbol& s : i.symbols)
      if (s.kind == loader::symbol_kind::variable && s.name == name) return s;
  throw failure(hipErrorNotFound, fmt::format("{} has no variable {}", image_->name(), loader::in_quotes(name)));
}

// ---- all of them

code_module* module_table::add_bundle(const void* bundle) {
  auto m = std::make_unique<code_module>(bundle);
  code_module* raw = m.get();
  modules_[raw] = std::move(m);
  return raw;
}

void module_table::remove_bundle(code_module* module, const std::vector<device_runtime*>& runtimes) {
  if (modules_.count(module) == 0) return;
  const auto forget = [&](auto& table) {
    for (auto it = table.begin(); it != table.end();)
      it = it->second.module == module ? table.erase(it) : std::next(it);
  };
  forget(stubs_);
  forget(variables_);
  for (device_runtime* runtime : runtimes) module->remove(*runtime);
  modules_.erase(module);
}

std::vector<code_module*> module_table::all() const {
  std::vector<code_module*> all;
  for (const auto& [key, module] : modules_) all.push_back(module.get());
  return all;
}

void module_table::add_kernel(code_module* module, const void* handle, const char* name) {
  stubs_[handle] = {module, name, nullptr, nullptr};
}

void module_table::add_variable(code_module* module, const void* shadow, registered_variable v) {
  v.module = module;
  variables_[shadow] = std::move(v);
}

void module_table::add_managed(registered_variable v, device_runtime& runtime, memory& blocks) {
  give_block(v, runtime, blocks);
  variables_[v.pointer] = std::move(v);
}

void module_table::give_block(registered_variable& v, device_runtime& runtime, memory& blocks) {
  v.managed_at = blocks.allocate(v.bytes, memory_kind::managed, hipMemAttachGlobal);
  *v.pointer = reinterpret_cast<void*>(v.managed_at);
  if (v.initial != nullptr)
    std::memcpy(*v.pointer, v.initial, v.bytes);
  else
    std::memset(*v.pointer, 0, v.bytes);
  place(*v.module, runtime);
  write_managed(v, runtime);
}

void module_table::write_managed(const registered_variable& v, device_runtime& runtime) {
  runtime.write(v.module->variable(v.name, runtime).address, &v.managed_at, sizeof v.managed_at);
}

void module_table::place(code_module& module, device_runtime& runtime) {
  if (!module.place(runtime)) return;
  for (const auto& [shadow, v] : variables_)
    if (v.module == &module && v.managed_at != 0) write_managed(v, runtime);
}

void module_table::take_from_device(device_runtime& runtime, memory& blocks) {
  for (auto at = loaded_.begin(); at != loaded_.end();) {
    auto* const module = const_cast<code_module*>(at->first);
    const bool here = at->second == &runtime;
    ++at;
    if (here) unload(module, blocks);
  }
  for (auto& [handle, s] : stubs_) s.on = nullptr;
  for (auto& [key, m] : modules_) m->remove(runtime);
}

void module_table::give_managed_again(device_runtime& runtime, memory& blocks,
                                      const std::vector<device_runtime*>& runtimes) {
  std::vector<registered_variable*> lost;  // all of them before any has a new block, which may be where an old one was
  for (auto& [shadow, v] : variables_)
    if (v.pointer != nullptr && blocks.find(v.managed_at) == nullptr) lost.push_back(&v);
  for (registered_variable* v : lost) {
    give_block(*v, runtime, blocks);
    for (device_runtime* other : runtimes)
      if (v->module->placed(*other)) write_managed(*v, *other);
  }
}

code_module* module_table::load(program_image image, device_runtime& runtime, memory& blocks) {
  auto m = std::make_unique<code_module>(std::move(image));
  m->place(runtime);
  m->give_managed(runtime, blocks);
  code_module* raw = m.get();
  modules_[raw] = std::move(m);
  loaded_[raw] = &runtime;
  return raw;
}

void module_table::unload(code_module* module, memory& blocks) {
  if (!is_loaded(module))
    throw failure(hipErrorInvalidHandle, fmt::format("{} is no module", static_cast<const void*>(module)));
  module->take_managed(blocks);
  module->remove(home_of(module));
  loaded_.erase(module);
  modules_.erase(module);
}

bool module_table::is_loaded(const code_module* module) const {
  return loaded_.count(module) != 0;
}

bool module_table::is_function(const void* handle) const {
  const auto* f = static_cast<const kernel_function*>(handle);
  return std::any_of(modules_.begin(), modules_.end(), [&](const auto& m) { return m.second->owns(f); });
}

kernel_function& module_table::kernel(const void* handle, device_runtime& runtime) {
  const auto it = stubs_.find(handle);
  if (it != stubs_.end()) {
    stub& s = it->second;
    if (s.on == &runtime) return *s.found;
    place(*s.module, runtime);
    try {
      s.found = &s.module->function(s.name, runtime);
      s.on = &runtime;
    } catch (const failure& e) {
      throw failure(hipErrorInvalidDeviceFunction, e.what());
    }
    return *s.found;
  }
  if (is_function(handle)) {
    auto& f = *static_cast<kernel_function*>(const_cast<void*>(handle));
    const auto home = loaded_.find(f.module);
    require(home == loaded_.end() || home->second == &runtime, hipErrorInvalidDevice,
            "a function of a module that another device has loaded");
    return f;
  }
  throw failure(hipErrorInvalidDeviceFunction, fmt::format("{} is no kernel of this program", handle));
}

std::pair<uint64_t, uint64_t> module_table::variable(const void* shadow, device_runtime& runtime) {
  auto it = variables_.find(shadow);
  if (it == variables_.end())  // in C++ a managed variable's address is its block's
    it = std::find_if(variables_.begin(), variables_.end(), [shadow](const auto& one) {
      return one.second.managed_at != 0 && one.second.managed_at == reinterpret_cast<uint64_t>(shadow);
    });
  if (it == variables_.end())
    throw failure(hipErrorInvalidSymbol, fmt::format("{} is no device variable of this program", shadow));
  const registered_variable& v = it->second;
  if (v.managed_at != 0) return {v.managed_at, v.bytes};
  place(*v.module, runtime);
  try {
    return {v.module->variable(v.name, runtime).address, v.bytes};
  } catch (const failure& e) {
    throw failure(hipErrorInvalidSymbol, e.what());
  }
}

const char* module_table::kernel_name(const void* handle) const {
  const auto it = stubs_.find(handle);
  if (it != stubs_.end()) return it->second.name.c_str();
  return is_function(handle) ? static_cast<const kernel_function*>(handle)->name.c_str() : nullptr;
}

}  // namespace pws::hip
