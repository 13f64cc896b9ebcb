// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/context.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/output/output_files.h"
#include "hip_runtime/debugging.h"
#include "hip_runtime/host_window.h"
#include "hip_runtime/process_end.h"
#include "hip_runtime/this_thread.h"
#include "hip_runtime/visible_devices.h"
#include "platform/config/files/exec_notes.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/observers/profile.h"

namespace pws::hip {

namespace {
constexpr unsigned most_messages = 200;  // a program that polls with a wrong argument must not fill the disk

// After the destructors of the program and of libraries that use this one, which may still call.
struct at_exit {
  at_exit() {
    call_at_exit(run);
    note_exec(exec_note::loaded);
  }

 private:
  static void run() {
    context& c = context::instance();
    const std::lock_guard<std::recursive_mutex> one_at_a_time(c.lock);
    c.note_end();
    // Without a machine there is nothing, which the first process to end says. Another may have had one.
    if (c.runtimes().empty() && !exec_lacks(exec_note::finished)) return;
    c.pending.end();
    for (int device = 0; device < c.device_count(); ++device) try {
        c.finish_all(device);  // of a program that did not wait
      } catch (const failure& e) {
        if (*e.what() != '\0') say("exit", fmt::format("{} ({})", e.what(), error_name(e.code())));
      } catch (const std::exception& e) {
        say("HIP runtime", e.what());
      }
    c.end_if_interrupted();
    end_debugging();
    try {
      c.finish_files();
    } catch (const input_error& e) {
      say("exec", e.what());
      end_with(exit_bad_input);
    } catch (const std::exception& e) {
      say("HIP runtime", e.what());
    }
    const std::string problem = c.log.without_guarantee();
    if (!problem.empty()) std::fprintf(stderr, "pwsvp: exec --wcet: %s\n", problem.c_str());
    if (!problem.empty() || c.has_findings()) end_with(exit_fail);
  }

  // Where the program itself has nothing to complain about.
  static void end_with(int code) {
    if (exit_status != 0) return;
    std::cout.flush();
    std::fflush(nullptr);
    _exit(code);
  }

 public:
  static inline int exit_status = 0;  // that the program ends with
} at_exit_hook;

// Registered by code of the program's, it comes before the destructors of the libraries.
void note_exit_status() {
  on_exit([](int status, void*) { at_exit::exit_status = status; }, nullptr);
}

}  // namespace

context& context::instance() {
  // Never destroyed: the program's destructors and other threads may call until the process ends.
  static context* const c = make();
  return *c;
}

context* context::make() {
  // No call is under way in another thread when the process forks: in the child it would never end, nor give its lock
  // back. The mutex of the child is a new one, as the thread that holds it has another number there.
  pthread_atfork(
      [] {
        instance().lock.lock();
        instance().storage_file_.before_fork();
      },
      [] {
        instance().storage_file_.after_fork_in_parent();
        instance().lock.unlock();
      },
      [] {
        new (&instance().lock) std::recursive_mutex;
        instance().storage_file_.after_fork_in_child();
        instance().finished_ = true;  // files are the parent's
      });
  return new context;
}

const exec_config& context::config() {
  if (config_) return *config_;
  try {
    config_ = std::make_unique<exec_config>(exec_from_environment());
  } catch (const input_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::exit(exit_bad_input);
  }
  return *config_;
}

// ---- devices

std::vector<std::unique_ptr<device_slot>>& context::devices() {
  if (counted_) return devices_;
  counted_ = true;
  for (const uint32_t machine : visible_devices(config().devices)) {
    auto& s = devices_.emplace_back(std::make_unique<device_slot>());
    s->machine = machine;
    s->number = s->legacy_stream.device = static_cast<int>(devices_.size()) - 1;
  }
  return devices_;
}

int context::current_device() {
  return this_thread().device;
}
void context::choose_device(int device) {
  this_thread().device = device;
}

device_slot& context::slot(int device) {
  if (devices().empty()) throw failure(hipErrorNoDevice, "the environment (..._VISIBLE_DEVICES) hides all devices");
  return *devices_.at(static_cast<size_t>(device));
}

device& context::gpu(int device) {
  device_slot& s = slot(device);
  if (!s.gpu) build(s, {});
  return *s.gpu;
}

device* context::gpu_if_built(int device) {
  return devices().empty() ? nullptr : slot(device).gpu.get();
}

std::vector<device_runtime*> context::runtimes() {
  std::vector<device_runtime*> all;
  for (const auto& s : devices_)
    if (s->gpu) all.push_back(s->gpu->runtime);
  return all;
}

models::memory_place context::place_of(uint32_t machine) {
  models::dram_config all = config().machine.memory.dram;
  all.place.machines = config().devices;
  if (storage_ == nullptr) {
    storage_ = models::map_device_memory(all, storage_file_.make(all.place.machines * all.bytes()));
    memory_begin_ = models::device_memory_base;
    if (!host_window::could_be_at(memory_begin_, all.place.machines * all.bytes()))
      memory_begin_ = models::high_device_memory_base;
  }
  all.place.begin = memory_begin_;
  all.place.machine = machine;
  all.place.storage = storage_;
  return all.place;
}

void context::build(device_slot& s, device_past past) {
  if (!simulates_) quiet_systemc();
  if (simulates_) new_simulation();
  if (!watch_) watch_ = std::make_unique<interrupt_watch>(*this);
  try {
    s.gpu = std::make_unique<device>(config(),
                                     device_site{place_of(s.machine), s.number, log, memories_, unused_,
                                                 interruption::while_building(config().machine.n_cu)},
                                     past);
  } catch (const interrupted_error& e) {  // the process ends here
    watch_->end_if_interrupted(e.meanwhile());
  } catch (const input_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    finished_ = true;
    note_exec(exec_note::finished);
    std::exit(exit_bad_input);
  }
  if (memory_check* const m = s.gpu->checks().memory())
    m->set_host([] { return host_action{text(current_call()), current_call().place()}; });
  if (s.gpu->checks().streams() != nullptr)
    s.gpu->memory->on_access(
        [this](uint64_t address, uint64_t bytes, bool written) { order.touched(address, bytes, written); });
  s.gpu->gpu.on_tolerated_access([](const std::string& text) { say("warning", text); });
  if (!simulates_) note_exit_status();
  simulates_ = true;
  watch_->watch(s.gpu->gpu);
}

device_slot& context::slot_of(hipMemPool_t pool) {
  for (const auto& s : devices())
    if (s->pools.has(pool)) return *s;
  throw failure(hipErrorInvalidValue, fmt::format("{} is no memory pool", static_cast<const void*>(pool)));
}

void context::note_freed(uint64_t address) {
  for (const auto& s : devices()) s->pools.freed(address);
}

void context::note_code(code_module* module) {
  if (finished_ || (runtimes().empty() && !exec_lacks(exec_note::finished)) || config().to_write.of("coverage").empty())
    return;
  bool loaded = false;
  for (const auto& s : devices_)
    if (s->gpu && module->placed(*s->gpu->runtime)) {
      s->gpu->note_code();
      loaded = true;
    }
  if (loaded) return;
  try {
    unused_.note(module->read());
  } catch (const failure&) {  // no code for this machine, which the program has not asked for
  }
}

void context::finish_without_machine(output_problems& problems) {
  const outputs& files = config().to_write;
  profile p;
  unused_.add_to(p);
  write_profiles({files.of("profile"), files.of("coverage")}, p, problems);
  std::vector<named_output> missing;
  for (const output_kind& k : output_kinds())
    if ((k.made_by.needs & (need::time | need::rtl)) != 0) missing.push_back({option_of(k.name), files.of(k.name)});
  if (const std::string all = list_of(missing); !all.empty())
    std::cerr << "warning: no machine was used, so there is nothing to write: " << all << '\n';
  if (!files.of("report").empty()) std::cerr << "warning: --report " << files.of("report") << ": no machine was used\n";
}

void context::finish_files() {
  if (finished_) return;
  for (code_module* module : modules.all()) note_code(module);
  finished_ = true;
  output_problems problems;
  device_memory_use use;
  for (const auto& s : devices_) {
    if (!s->gpu) continue;
    s->gpu->finish(problems);
    use[s->machine] = s->gpu->use_of_memory();
  }
  if (use.empty()) finish_without_machine(problems);
  note_exec(exec_note::finished);
  if (config().summary)
    log.print(std::cerr, config(), use);
  else {
    log.print_warnings(std::cerr, config());
    print_findings(std::cerr, log.found);
  }
  if (const std::string& file = config().to_write.of("report"); !file.empty())
    problems.noting([&] { log.write({"--report", file}, config(), use); });
  if (!problems.text().empty()) throw input_error(problems.text());
}

// ---- streams

void context::check_stream(hipStream_t s) const {
  if (s == nullptr || s == hipStreamPerThread) return;
  if (streams.count(reinterpret_cast<const stream*>(s)) == 0)
    throw failure(hipErrorInvalidHandle, fmt::format("{} is no stream", static_cast<const void*>(s)));
}

stream& context::stream_of(hipStream_t s) {
  check_stream(s);
  if (s == nullptr) return slot().legacy_stream;
  if (s == hipStreamPerThread) {
    stream& own = slot().streams_of_threads[std::this_thread::get_id()];
    own.device = current_device();
    return own;
  }
  return *reinterpret_cast<stream*>(s);
}

void context::finish_all(int device) {
  if (gpu_if_built(device) != nullptr) pending.wait_for_all(device);
}

void context::finish(hipStream_t s) {
  stream& of = stream_of(s);
  if (gpu_if_built(of.device) != nullptr) pending.wait_for(of);
}

void context::finish_what_lives() {
  for (const auto& s : devices_)
    if (s->gpu && !s->gpu->failed()) finish_all(s->number);
}
void context::finish_what_lives(hipStream_t s) {
  const device* const d = gpu_if_built(stream_of(s).device);
  if (d != nullptr && !d->failed()) finish(s);
}

bool context::wants_calls(const char* name) {
  if (config_ == nullptr && name[0] == '_') return false;  // the program's code is registered: too early for errors
  const models::check_config& c = config().machine.check;
  return c.memory || c.streams;
}

void context::note_failure(const char* name, const failure& e) {
  const auto* of_memory = dynamic_cast<const memory_failure*>(&e);
  device* const d = of_memory == nullptr ? nullptr : gpu_if_built();
  memory_check* const m = d == nullptr ? nullptr : d->checks().memory();
  if (m != nullptr)
    m->misused(of_memory->misuse(), fmt::format("{}: {}", name, e.what()), of_memory->address(), of_memory->bytes());
}

event& context::event_of(hipEvent_t e) const {
  auto* found = reinterpret_cast<event*>(e);
  if (found == nullptr || events.count(found) == 0)
    throw failure(hipErrorInvalidHandle, fmt::format("{} is no event", static_cast<const void*>(e)));
  return *found;
}

void context::end_if_interrupted() {
  if (watch_) watch_->end_if_interrupted();
}

void context::check_alive(int device) {
  const hip::device* const d = gpu_if_built(device);
  if (d != nullptr && d->failed()) throw failure(d->failure_code());
}

void say(const char* name, const std::string& message) noexcept {
  static unsigned said = 0;
  if (said > most_messages) return;
  if (++said > most_messages)
    std::fprintf(stderr, "pwsvp: more than %u messages; further ones are not shown\n", most_messages);
  else
    std::fprintf(stderr, "pwsvp: %s: %s\n", name, message.c_str());
}

namespace {
// A program that has been interrupted does not go on. The destructors of its objects are called behind the lock's end.
struct end_of_call {
  context& c;
  std::vector<hipHostNodeParams>& destructors;
  ~end_of_call() {
    c.end_if_interrupted();
    destructors = c.known_graphs.objects.take_ended();
  }
};

hipError_t answer_locked(const char* name, const std::function<void(context&)>& body,
                         std::vector<hipHostNodeParams>& destructors) noexcept {
  try {
    context& c = context::instance();
    const std::lock_guard<std::recursive_mutex> one_at_a_time(c.lock);
    const end_of_call end{c, destructors};
    if (c.has_ended()) return hipErrorDeinitialized;
    if (!c.memory_missing().empty()) {
      say(name, fmt::format("this process has no copy of its parent's device memory: {} (hipErrorNotInitialized)",
                            c.memory_missing()));
      return hipErrorNotInitialized;
    }
    const host_call_scope here(name, c.wants_calls(name));
    try {
      body(c);
      return hipSuccess;
    } catch (const failure& e) {
      if (*e.what() != '\0') say(name, fmt::format("{} ({})", e.what(), error_name(e.code())));
      c.note_failure(name, e);
      return e.code();
    } catch (const std::bad_alloc&) {
      say(name, "the host's memory is exhausted (hipErrorOutOfMemory)");
      return hipErrorOutOfMemory;
    } catch (const std::exception& e) {
      say(name, fmt::format("{} (hipErrorUnknown)", e.what()));
      return hipErrorUnknown;
    }
  } catch (...) {  // the message itself found no memory
    return hipErrorUnknown;
  }
}

hipError_t answer(const char* name, const std::function<void(context&)>& body) noexcept {
  std::vector<hipHostNodeParams> destructors;
  const hipError_t code = answer_locked(name, body, destructors);
  for (const hipHostNodeParams& d : destructors) d.fn(d.userData);
  return code;
}

}  // namespace

void call_unanswered(const char* name, const std::function<void(context&)>& body) noexcept {
  static_cast<void>(answer(name, body));
}

hipError_t call(const char* name, const std::function<void(context&)>& body) noexcept {
  const hipError_t code = answer(name, body);
  if (code != hipSuccess && code != hipErrorNotReady) this_thread().last_error = code;
  return code;
}

hipError_t last_error(bool reset) {
  hipError_t& last = this_thread().last_error;
  return reset ? std::exchange(last, hipSuccess) : last;
}

void note_unsupported(const char* name) noexcept {
  this_thread().last_error = hipErrorNotSupported;
  try {
    context& c = context::instance();
    const std::lock_guard<std::recursive_mutex> one_at_a_time(c.lock);
    static std::unordered_set<std::string> named;
    if (named.insert(name).second) say(name, "not supported by this platform (hipErrorNotSupported)");
  } catch (...) {  // no memory for the name: the code says it too
  }
}

void check_device(int device) {
  const int count = context::instance().device_count();
  if (count == 0) throw failure(hipErrorNoDevice, "there is no device");
  if (device < 0 || device >= count)
    throw failure(hipErrorInvalidDevice,
                  fmt::format("there is no device {}; there {}", device,
                              count == 1 ? "is device 0" : fmt::format("are devices 0 to {}", count - 1)));
}

}  // namespace pws::hip
