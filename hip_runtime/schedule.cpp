// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "hip_runtime/stream_work.h"

namespace pws::hip {

namespace {

constexpr size_t most_items = 1024;  // then whoever puts one in waits
constexpr size_t most_queues = 128;  // then streams share them
constexpr int least_urgent = 1;      // as HIP counts: smaller ones go first

// The program's own memory, of which the runtime knows nothing: it may be anything once the call has returned.
bool is_pageable(const memory& m, const void* pointer) {
  return !m.is_device_address(reinterpret_cast<uint64_t>(pointer)) && m.find_registered(pointer) == nullptr;
}

struct pageable_sides {
  const memory& m;

  template <class T>
  bool operator()(const T&) const {
    return false;
  }
  bool operator()(const copy_work& w) const { return w.bytes != 0 && (is_pageable(m, w.to) || is_pageable(m, w.from)); }
  bool operator()(const box_copy_work& w) const {
    const hipMemcpy3DParms& p = w.parameters;
    return (p.srcArray == nullptr && is_pageable(m, p.srcPtr.ptr)) ||
           (p.dstArray == nullptr && is_pageable(m, p.dstPtr.ptr));
  }
  bool operator()(const variable_copy_work& w) const { return is_pageable(m, w.to == nullptr ? w.from : w.to); }
};

}  // namespace

bool schedule::is_legacy(const stream& s) const {
  return &s == &context_.slot(s.device).legacy_stream;
}

device& schedule::gpu_of(const stream& s) {
  return context_.gpu(s.device);
}

// ---- putting in

schedule::item& schedule::add(stream& s, maybe_branch in) {
  run_until([this] { return items_.size() < most_items; });
  item& i = items_.emplace_back();
  i.in = &s;
  if (const device* const gpu = context_.gpu_if_built(s.device)) i.put = gpu->now();
  i.with = context_.order.now(std::move(in));
  return i;
}

void schedule::put(stream& s, stream_work work, maybe_branch in) {
  if (auto* l = std::get_if<kernel_launch>(&work)) return put_launch(s, std::move(*l), std::move(in));
  check(context_, s, work);
  const memory& m = *gpu_of(s).memory;
  bool waits = has_work() && std::visit(pageable_sides{m}, work);
  std::vector<uint8_t> source;
  if (auto* w = std::get_if<copy_work>(&work); w != nullptr && waits && !is_pageable(m, w->to)) {
    const auto* from = static_cast<const uint8_t*>(w->from);
    source.assign(from, from + w->bytes);
    w->from = source.data();  // which stay where they are when the vector is moved
    waits = false;
  }
  item& i = add(s, std::move(in));
  i.work = std::move(work);
  i.source = std::move(source);
  do_what_is_ready();
  if (waits) wait_for(s);
}

// Registered memory is copied to the device for each launch and back behind it: none runs beside another then, and the
// program waits for each.
void schedule::put_launch(stream& s, kernel_launch l, maybe_branch in) {
  device& gpu = gpu_of(s);
  const kernel_function& f = context_.modules.kernel(l.function, *gpu.runtime);
  const bool registered = gpu.memory->has_registered();
  launch_record record = gpu.announce(l, f, s.cus);
  item& i = add(s, std::move(in));
  i.alone = registered || !gpu.has_several_queues() || record.fidelity == models::fidelity::functional ||
            l.together != launch_together::no;
  i.work = std::move(l);
  i.launch = std::make_unique<launch_record>(std::move(record));
  if (registered)
    wait_for(s);
  else
    do_what_is_ready();
}

std::shared_ptr<recording> schedule::put_record(stream& s, maybe_branch in) {
  auto r = std::make_shared<recording>();
  r->device = s.device;
  add(s, std::move(in)).recorded = r;
  do_what_is_ready();
  return r;
}

void schedule::put_wait(stream& s, std::shared_ptr<recording> event, maybe_branch in) {
  add(s, std::move(in)).waits_for = std::move(event);
  do_what_is_ready();
}

void schedule::put_attempt(stream& s, std::function<bool()> attempt) {
  add(s).attempt = std::move(attempt);
  do_what_is_ready();
}

void schedule::put_call(stream& s, std::function<void(hipError_t)> function, bool hears_of_failure, maybe_branch in) {
  item& i = add(s, std::move(in));
  i.call = std::move(function);
  i.hears_of_failure = hears_of_failure;
  do_what_is_ready();
}

// ---- doing

// Each in its turn, so that what becomes ready by an earlier one is seen. False: there is nothing on the machine that
// could make more of it ready.
bool schedule::do_what_is_ready() {
  bool again = true;
  while (again) {
    again = false;
    waiting_.clear();
    passed_.assign(static_cast<size_t>(context_.device_count()), {});
    bool waits_for_value = false;  // which what is put in later may write
    for (auto at = items_.begin(); at != items_.end() && !again;) {
      stream& s = *at->in;
      passed& p = passed_[static_cast<size_t>(s.device)];
      const bool behind = std::find(waiting_.begin(), waiting_.end(), &s) != waiting_.end() ||
                          (is_legacy(s) ? p.blocking : s.blocking() && p.legacy);
      outcome o = outcome::not_done;
      if (!behind && !at->started) {
        try {
          o = attempt(*at);
        } catch (...) {
          items_.erase(at);
          if (gpu_of(s).failed()) drop_all(s.device);
          throw;
        }
      }
      if (o == outcome::not_done) {
        waiting_.push_back(&s);
        waits_for_value = waits_for_value || at->attempt != nullptr;
        p.legacy = p.legacy || is_legacy(s);
        p.blocking = p.blocking || s.blocking();
        ++at;
        continue;
      }
      at = items_.erase(at);
      again = o == outcome::called || waits_for_value;  // without the lock anything may have happened
    }
  }
  return std::any_of(items_.begin(), items_.end(), [](const item& i) { return i.launch != nullptr && i.started; });
}

schedule::outcome schedule::attempt(item& i) {
  bool& keeps_machine_free = passed_[static_cast<size_t>(i.in->device)].keeps_machine_free;
  stream_order& order = context_.order;
  if (i.waits_for != nullptr) {
    if (!i.waits_for->done) return outcome::not_done;
    order.pass(*i.in, i.with, &i.waits_for->clock);
    return outcome::done;
  }
  if (i.recorded != nullptr) {
    i.recorded->clock = order.pass(*i.in, i.with);
    i.recorded->done = true;
    i.recorded->at = gpu_of(*i.in).time_of_what_was_put(i.put);
    return outcome::done;
  }
  if (i.attempt) {
    if (!i.attempt()) return outcome::not_done;
    order.saw_value(*i.in, i.with);
    return outcome::done;
  }
  if (i.call) {
    order.host_learns(order.pass(*i.in, i.with));  // whom the function tells is not seen
    call(i, hipSuccess);
    return outcome::called;
  }
  if (i.launch == nullptr) {
    if (std::holds_alternative<nothing_work>(i.work))
      order.pass(*i.in, i.with);
    else
      order.in_turn(*i.in, i.with, i.work, [&](check::operation_id) { perform(context_, *i.in, i.work); });
    return outcome::done;
  }
  device& gpu = gpu_of(*i.in);
  auto& launch = std::get<kernel_launch>(i.work);
  launch_record& record = *i.launch;
  if (i.alone) {
    keeps_machine_free = true;
    if (gpu.busy()) return outcome::not_done;
    order.in_turn(*i.in, i.with, i.work, [&](check::operation_id o) {
      order.is_launch(o, record.number);
      gpu.run_alone(launch, std::move(record));
    });
    keeps_machine_free = false;
    return outcome::done;
  }
  const uint32_t queue = queue_of(*i.in);
  if (keeps_machine_free || gpu.has_launch(queue)) return outcome::not_done;
  i.operation = order.begin(*i.in, i.with, i.work);
  order.is_launch(i.operation, record.number);
  order.set_current(0);  // the machine says what it touches
  gpu.begin(launch, std::move(record), queue);
  i.started = true;
  return outcome::not_done;
}

// Without the lock: the function may wait for other threads of the program.
void schedule::call(item& i, hipError_t status) {
  i.started = true;
  const auto mine = callers_.insert(std::this_thread::get_id());
  context_.lock.unlock();
  i.call(status);
  context_.lock.lock();
  callers_.erase(mine);
}

// A launch has failed: nothing more is done there.
void schedule::drop_all(int device) {
  for (auto at = items_.begin(); at != items_.end();) {
    if (at->in->device != device || (at->call && at->started)) {  // whoever calls it takes it out
      ++at;
      continue;
    }
    items taken;
    taken.splice(taken.begin(), items_, at++);
    item& i = taken.front();
    if (i.recorded != nullptr) i.recorded->done = true;
    if (!i.call || !i.hears_of_failure) continue;
    call(i, context_.gpu(device).failure_code());
    at = items_.begin();
  }
}

// Lets a machine run until one launch is complete: that of the launch which was put in first.
bool schedule::run_once() {
  const auto first =
      std::find_if(items_.begin(), items_.end(), [](const item& i) { return i.launch != nullptr && i.started; });
  if (first == items_.end()) return false;
  const int device = first->in->device;
  std::vector<uint32_t> queues;
  try {
    queues = context_.gpu(device).run_to_next_completion();
  } catch (const failure&) {
    drop_all(device);
    throw;
  }
  items_.remove_if([&](const item& i) {
    const bool over = i.launch != nullptr && i.started && i.in->device == device &&
                      std::find(queues.begin(), queues.end(), *i.in->queue) != queues.end();
    if (over) context_.order.end(*i.in, i.with, i.operation);
    return over;
  });
  return true;
}

template <class F>
void schedule::run_until(F done) {
  while (!done()) {
    do_what_is_ready();
    if (done()) return;
    if (run_once()) continue;
    // Only a function of the host's can be under way, or another thread write what is waited for.
    const bool waits = std::any_of(items_.begin(), items_.end(), [](const item& i) { return i.attempt != nullptr; });
    if (waits && ends_) {
      items_.clear();
      return;
    }
    if (!waits && (callers_.empty() || callers_.count(std::this_thread::get_id()) != 0))
      throw failure(hipErrorIllegalState, "a function that a stream calls waits for that stream");
    context_.lock.unlock();
    std::this_thread::yield();
    context_.lock.lock();
  }
}

// ---- waiting

bool schedule::has_work(const stream& s) const {
  return std::any_of(items_.begin(), items_.end(), [&](const item& i) { return i.in == &s; });
}

void schedule::wait_for(stream& s) {
  const auto end = std::make_shared<recording>();  // others may put more in meanwhile
  end->device = s.device;
  add(s).recorded = end;
  wait_for(*end);
}

void schedule::wait_for(const recording& r) {
  run_until([&] { return r.done; });
  context_.check_alive(r.device);
  context_.order.host_learns(r.clock);
}

void schedule::wait_for_all(int device) {
  run_until([this, device] {
    return std::none_of(items_.begin(), items_.end(), [device](const item& i) { return i.in->device == device; });
  });
  context_.check_alive(device);
  context_.order.host_waited_for_all(device);
}

bool schedule::is_done(stream& s) {
  do_what_is_ready();
  if (has_work(s) && run_once()) do_what_is_ready();
  context_.check_alive(s.device);
  if (has_work(s)) return false;
  context_.order.host_waited(s);
  return true;
}

bool schedule::is_done(const recording& r) {
  if (!r.done) do_what_is_ready();
  if (!r.done && run_once()) do_what_is_ready();
  if (r.done) context_.order.host_learns(r.clock);
  return r.done;
}

// ---- AQL queues

// One of its own as long as there are some, or must be; then one of the same priority and compute units.
uint32_t schedule::queue_of(stream& s) {
  if (s.queue) return *s.queue;
  known_queue* best = nullptr;
  for (known_queue& q : queues_)
    if (q.device == s.device && q.priority == s.priority && q.cus == s.cus &&
        (best == nullptr || q.streams < best->streams))
      best = &q;
  if (best == nullptr || (best->streams != 0 && queues_.size() < most_queues)) {
    try {
      const auto urgency = static_cast<uint64_t>(least_urgent - s.priority);
      queues_.push_back({s.device, s.priority, s.cus, gpu_of(s).runtime->add_queue(urgency, s.cus), 0});
    } catch (const input_error& e) {
      throw failure(hipErrorOutOfMemory, e.what());
    }
    best = &queues_.back();
  }
  ++best->streams;
  s.queue = best->number;
  return best->number;
}

void schedule::forget(const stream& s) {
  context_.order.forget(s);
  for (known_queue& q : queues_)
    if (s.queue && q.device == s.device && q.number == *s.queue) --q.streams;
}

}  // namespace pws::hip
