// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/stream_order.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hip_runtime/context.h"
#include "sw/loader/names.h"

namespace pws::hip {

namespace {
// "copy of 64 bytes"
struct work_text {
  context& c;

  std::string operator()(const kernel_launch& w) const {
    const char* const name = c.modules.kernel_name(w.function);
    return fmt::format("kernel {}", name == nullptr ? "?" : loader::demangle(name));
  }
  std::string operator()(const copy_work& w) const { return fmt::format("copy of {} bytes", w.bytes); }
  std::string operator()(const box_copy_work& w) const {
    const hipExtent& e = w.parameters.extent;
    return fmt::format("copy of {} x {} x {}", e.width, e.height, e.depth);
  }
  std::string operator()(const variable_copy_work& w) const {
    return fmt::format("copy of {} bytes {} a variable", w.bytes, w.to == nullptr ? "to" : "from");
  }
  std::string operator()(const fill_work& w) const {
    const hipMemsetParams& p = w.parameters;
    return fmt::format("fill of {} bytes", p.width * p.elementSize * p.height);
  }
  template <class T>
  std::string operator()(const T&) const {
    return "operation";
  }
};
}  // namespace

bool stream_order::is_on() {
  return context_.config().machine.check.streams;
}

check::stream_operations& stream_order::operations() {
  return context_.gpu().checks().streams()->operations();
}

put_with stream_order::now(maybe_branch in) {
  if (!is_on()) return {};
  return {host_, std::move(in), current_call()};
}

// ---- order

stream_order::sequence& stream_order::of(const stream& s) {
  const auto [at, is_new] = sequences_.try_emplace(&s);
  if (is_new) at->second.number = operations().add_sequence();
  return at->second;
}

// What the stream's next operation comes after: the legacy default stream waits for all blocking ones, and they for it.
check::vector_clock stream_order::front_of(const stream& s) {
  check::vector_clock front = of(s).done;
  const stream& legacy = context_.slot(s.device).legacy_stream;
  if (&s != &legacy) {
    if (s.blocking()) front.learn(of(legacy).done);
    return front;
  }
  for (const auto& [other, x] : sequences_)
    if (other->device == s.device && other->blocking()) front.learn(x.done);
  return front;
}

check::vector_clock stream_order::before(const stream& s, const put_with& with) {
  check::vector_clock b = with.known;
  if (!with.in) {
    b.learn(front_of(s));
    return b;
  }
  branch::launch& l = *with.in->of;
  if (!l.entry) l.entry = front_of(s);
  b.learn(*l.entry);
  for (const size_t n : with.in->before) b.learn(l.done[n]);
  return b;
}

void stream_order::done(const stream& s, const put_with& with, const check::vector_clock& clock) {
  of(s).done.learn(clock);
  if (!with.in) return;
  std::vector<check::vector_clock>& all = with.in->of->done;
  if (all.size() <= with.in->number) all.resize(with.in->number + 1);
  all[with.in->number] = clock;
}

check::operation_id stream_order::begin(const stream& s, const put_with& with, const stream_work& w) {
  if (!is_on()) return 0;
  sequence& own = of(s);
  uint32_t number = own.number;
  if (with.in) {
    const auto [at, is_new] = own.of_branches.try_emplace(with.in->number);
    if (is_new) at->second = operations().add_sequence();
    number = at->second;
  }
  uint64_t place = with.call.place() * 31 + w.index();
  if (const auto* kernel = std::get_if<kernel_launch>(&w)) place += reinterpret_cast<uint64_t>(kernel->function);
  current_ = operations().begins(number, before(s, with), describe(s, with, w), place);
  return current_;
}

void stream_order::end(const stream& s, const put_with& with, check::operation_id o) {
  if (o == 0) return;
  if (current_ == o) current_ = 0;
  done(s, with, operations().clock_of(o));
  try {
    operations().ends(o);
  } catch (const program_error&) {  // there is no instruction to stop at, and the log has it
  }
}

void stream_order::cancel(check::operation_id o) {
  if (current_ == o) current_ = 0;
  if (o != 0) operations().cancel(o);
}

void stream_order::is_launch(check::operation_id o, uint64_t launch) {
  if (o != 0) context_.gpu().checks().streams()->is_operation(launch, o);
}

check::vector_clock stream_order::pass(const stream& s, const put_with& with, const check::vector_clock* behind) {
  if (!is_on()) return {};
  check::vector_clock clock = before(s, with);
  if (behind != nullptr) clock.learn(*behind);
  done(s, with, clock);
  return clock;
}

void stream_order::saw_value(const stream& s, const put_with& with) {
  if (!is_on()) return;
  check::vector_clock all;
  for (const auto& [other, x] : sequences_) all.learn(x.done);
  pass(s, with, &all);
}

void stream_order::touched(uint64_t address, uint64_t bytes, bool written) {
  if (current_ != 0)
    operations().touches(current_, written ? check::touch::written : check::touch::read, address, bytes);
}

void stream_order::freed(const stream& s, uint64_t address, uint64_t bytes) {
  if (!is_on()) return;
  const put_with with = now();
  const check::operation_id o = begin(s, with, nothing_work{});
  touched(address, bytes, true);
  end(s, with, o);
}

// ---- the host

// Without operations that were put in earlier, all that comes is put in by who knows this.
void stream_order::tidy() {
  if (!context_.pending.has_work()) operations().forget_covered(host_);
}

void stream_order::host_learns(const check::vector_clock& clock) {
  if (!is_on()) return;
  host_.learn(clock);
  tidy();
}

void stream_order::host_waited(const stream& s) {
  if (is_on()) host_learns(front_of(s));
}

void stream_order::host_waited_for_all(int device) {
  if (!is_on()) return;
  for (const auto& [s, x] : sequences_)
    if (s->device == device) host_.learn(x.done);
  tidy();
}

void stream_order::forget(const stream& s) {
  sequences_.erase(&s);
}

// ---- words

std::string stream_order::describe(const stream& s, const put_with& with, const stream_work& w) {
  const std::string in = &s == &context_.slot(s.device).legacy_stream ? "the default stream"
                         : s.number == 0                              ? "a thread's default stream"
                                                                      : fmt::format("stream {}", s.number);
  const std::string by = text(with.call);
  return fmt::format("{} in {}{}{}", std::visit(work_text{context_}, w), in, with.in ? ", of a graph" : "",
                     by.empty() ? "" : " (" + by + ")");
}

}  // namespace pws::hip
