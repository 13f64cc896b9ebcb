#include "platform/hip/context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <unordered_set>

#include "base/error.h"

namespace pws::platform::hip {

namespace {
constexpr int exit_fail = 1, exit_bad_input = 2;
constexpr unsigned most_messages = 200;  // a program that polls with a wrong argument must not fill the disk

thread_local hipError_t last = hipSuccess;

// When the library goes, after the program's own destructors, which may still free their memory.
struct at_exit {
  ~at_exit() {
    device* d = context::instance().gpu_if_built();
    if (d == nullptr) return;
    const std::lock_guard<std::recursive_mutex> one_at_a_time(context::instance().lock);
    try {
      context::instance().finish_all();  // of a program that did not wait
    } catch (const failure& e) {
      if (*e.what() != '\0') say("exit", fmt::format("{} ({})", e.what(), error_name(e.code())));
    } catch (const std::exception& e) {
      say("HIP runtime", e.what());
    }
    context::instance().end_if_interrupted();
    try {
      d->finish();
    } catch (const input_error& e) {
      say("exec", e.what());
      end_with(exit_bad_input);
    } catch (const std::exception& e) {
      say("HIP runtime", e.what());
    }
    const std::string problem = d->without_guarantee();
    if (!problem.empty()) std::fprintf(stderr, "pwsvp: exec --wcet: %s\n", problem.c_str());
    if (!problem.empty() || d->has_findings()) end_with(exit_fail);
  }
  // Where the program itself has nothing to complain about.
  static void end_with(int code) {
    if (exit_status != 0) return;
    std::cout.flush();
    std::fflush(nullptr);
    _exit(code);
  }
  static inline int exit_status = 0;  // that the program ends with
} at_exit_hook;

// Registered by code of the program's, it comes before the destructors of the libraries.
void note_exit_status() {
  on_exit([](int status, void*) { at_exit::exit_status = status; }, nullptr);
}

// A list of devices, by number or as GPU-UUID. What is not there ends it; an empty one says nothing.
bool shows_device(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return true;
  const std::string list(text);
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string one = list.substr(begin, end - begin);
    if (one == "0" || one == device_uuid) return true;
    if (!one.empty()) return false;
    begin = end + 1;
  }
  return false;
}
}  // namespace

context::context()
    : visible_(shows_device("ROCR_VISIBLE_DEVICES") && shows_device("HIP_VISIBLE_DEVICES") &&
               shows_device("CUDA_VISIBLE_DEVICES")) {}

context& context::instance() {
  // Never destroyed: the program's destructors and other threads may call until the process ends.
  static context* const c = new context;
  return *c;
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

device& context::gpu() {
  if (!visible_) throw failure(hipErrorNoDevice, "the environment (..._VISIBLE_DEVICES) hides the only device");
  if (device_) return *device_;
  quiet_systemc();
  build({});
  note_exit_status();
  watch_ = std::make_unique<interrupt_watch>(*device_, lock);
  return *device_;
}

void context::build(device_past past) {
  try {
    device_ = std::make_unique<device>(config(), std::move(past));
  } catch (const input_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::exit(exit_bad_input);
  }
  device_->gpu.on_forgiven([](const std::string& text) { say("warning", text); });
}

void context::check_stream(hipStream_t s) const {
  if (s == nullptr || s == hipStreamPerThread) return;
  if (streams.count(reinterpret_cast<const stream*>(s)) == 0)
    throw failure(hipErrorInvalidHandle, fmt::format("{} is no stream", static_cast<const void*>(s)));
}

stream& context::stream_of(hipStream_t s) {
  check_stream(s);
  if (s == nullptr) return legacy_stream;
  if (s == hipStreamPerThread) return streams_of_threads_[std::this_thread::get_id()];
  return *reinterpret_cast<stream*>(s);
}

void context::finish_all() {
  if (pending.is_used()) pending.wait_for_all();
  check_alive();
}

void context::finish(hipStream_t s) {
  if (pending.is_used() && device_ != nullptr) pending.wait_for(stream_of(s));
  check_alive();
}

void context::finish_what_lives() {
  if (device_ != nullptr && !device_->failed()) finish_all();
}
void context::finish_what_lives(hipStream_t s) {
  if (device_ != nullptr && !device_->failed()) finish(s);
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

void context::check_alive() {
  if (device_ && device_->failed()) throw failure(device_->failure_code());
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
// A program that has been interrupted does not go on.
struct end_of_call {
  context& c;
  ~end_of_call() { c.end_if_interrupted(); }
};

hipError_t answer(const char* name, const std::function<void(context&)>& body) noexcept {
  try {
    context& c = context::instance();
    const std::lock_guard<std::recursive_mutex> one_at_a_time(c.lock);
    const end_of_call end{c};
    try {
      body(c);
      return hipSuccess;
    } catch (const failure& e) {
      if (*e.what() != '\0') say(name, fmt::format("{} ({})", e.what(), error_name(e.code())));
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

}  // namespace

void call_unanswered(const char* name, const std::function<void(context&)>& body) noexcept {
  static_cast<void>(answer(name, body));
}

hipError_t call(const char* name, const std::function<void(context&)>& body) noexcept {
  const hipError_t code = answer(name, body);
  if (code != hipSuccess && code != hipErrorNotReady) last = code;
  return code;
}

hipError_t last_error(bool reset) {
  const hipError_t code = last;
  if (reset) last = hipSuccess;
  return code;
}

void note_unsupported(const char* name) noexcept {
  last = hipErrorNotSupported;
  try {
    context& c = context::instance();
    const std::lock_guard<std::recursive_mutex> one_at_a_time(c.lock);
    static std::unordered_set<std::string> named;
    if (named.insert(name).second) say(name, "not supported by this platform (hipErrorNotSupported)");
  } catch (...) {  // no memory for the name: the code says it too
  }
}

}  // namespace pws::platform::hip
