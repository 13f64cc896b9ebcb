// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/captures.h"

#include <algorithm>

#include "hip_runtime/context.h"
#include "hip_runtime/this_thread.h"

namespace pws::hip {

namespace {
bool is_legacy(hipStream_t s) {
  return s == nullptr;
}

[[noreturn]] void spoil(capture& c, hipError_t code, const char* why) {
  c.valid = false;
  throw failure(code, why);
}

// Nodes that come before one of these, and these themselves.
std::set<const graph_node*> all_before(const std::vector<graph_node*>& nodes) {
  std::set<const graph_node*> found;
  std::vector<const graph_node*> todo(nodes.begin(), nodes.end());
  while (!todo.empty()) {
    const graph_node* n = todo.back();
    todo.pop_back();
    if (!found.insert(n).second) continue;
    todo.insert(todo.end(), n->before.begin(), n->before.end());
  }
  return found;
}
}  // namespace

void capture::add(hipStream_t s, stream_work work) {
  std::vector<graph_node*>& end = ends[s];
  end = {&result->add(std::move(work), end)};
}

void captures::begin(hipStream_t s, hipStreamCaptureMode mode) {
  require(s != nullptr && s != hipStreamPerThread, hipErrorStreamCaptureUnsupported,
          "default streams cannot be captured");
  require(mode == hipStreamCaptureModeGlobal || mode == hipStreamCaptureModeThreadLocal ||
              mode == hipStreamCaptureModeRelaxed,
          hipErrorInvalidValue, "no such mode");
  require(of(s) == nullptr, hipErrorIllegalState, "the stream is being captured already");
  auto c = std::make_shared<capture>();
  c->id = next_id_++;
  c->mode = mode;
  c->thread = std::this_thread::get_id();
  c->origin = s;
  c->result = std::make_shared<graph>(known_);
  c->ends[s];
  going_on_[s] = std::move(c);
}

std::shared_ptr<graph> captures::end(hipStream_t s) {
  const auto at = going_on_.find(s);
  require(at != going_on_.end(), hipErrorIllegalState, "the stream is not being captured");
  const std::shared_ptr<capture> c = at->second;
  require(c->origin == s, hipErrorStreamCaptureUnmatched, "the capture was begun in another stream");
  require(c->mode == hipStreamCaptureModeRelaxed || c->thread == std::this_thread::get_id(),
          hipErrorStreamCaptureWrongThread, "the capture was begun by another thread");
  for (const auto& [key, end] : c->ends) going_on_.erase(key);
  require(c->valid, hipErrorStreamCaptureInvalidated, "something that cannot be captured was tried meanwhile");
  const std::set<const graph_node*> joined = all_before(c->ends.at(s));
  for (const auto& [key, end] : c->ends)
    for (const graph_node* n : end)
      require(joined.count(n) != 0, hipErrorStreamCaptureUnjoined,
              "a stream that takes part has operations that the first one has not waited for");
  return c->result;
}

capture* captures::of(hipStream_t s) const {
  const auto at = going_on_.find(s);
  return at == going_on_.end() ? nullptr : at->second.get();
}

capture* captures::takes(hipStream_t s) const {
  if (going_on_.empty()) return nullptr;
  if (is_legacy(s)) {
    for (const auto& [key, c] : going_on_)
      if (reinterpret_cast<const stream*>(key)->blocking())
        spoil(*c, hipErrorStreamCaptureImplicit,
              "the legacy default stream would wait for a stream that is being captured");
    return nullptr;
  }
  capture* c = of(s);
  if (c != nullptr && !c->valid)
    throw failure(hipErrorStreamCaptureInvalidated, "something that cannot be captured was tried before");
  return c;
}

hipStreamCaptureStatus captures::status(hipStream_t s) const {
  const capture* c = of(s);
  return c == nullptr ? hipStreamCaptureStatusNone
         : c->valid   ? hipStreamCaptureStatusActive
                      : hipStreamCaptureStatusInvalidated;
}

bool captures::is_making(const graph& g) const {
  return std::any_of(going_on_.begin(), going_on_.end(), [&](const auto& x) { return x.second->result.get() == &g; });
}

void captures::refuse_in(hipStream_t s, const char* why) const {
  if (capture* c = takes(s)) spoil(*c, hipErrorStreamCaptureUnsupported, why);
}

void captures::refuse_device_wait() const {
  for (const auto& [key, c] : going_on_)
    spoil(*c, hipErrorStreamCaptureUnsupported, "nobody can wait for the device while a stream is being captured");
}

void captures::refuse_unsafe_call() const {
  const hipStreamCaptureMode mode_of_thread = this_thread().capture_mode;
  if (going_on_.empty() || mode_of_thread == hipStreamCaptureModeRelaxed) return;
  for (const auto& [key, c] : going_on_) {
    const bool own = c->thread == std::this_thread::get_id();
    const bool forbids = c->mode == hipStreamCaptureModeGlobal ? own || mode_of_thread == hipStreamCaptureModeGlobal
                                                               : c->mode == hipStreamCaptureModeThreadLocal && own;
    if (forbids) spoil(*c, hipErrorStreamCaptureUnsupported, "not while a stream is being captured in this mode");
  }
}

void captures::record(event& e, hipStream_t s, capture& by) const {
  e.last.reset();
  e.captured.emplace();
  e.captured->by = going_on_.at(s);
  e.captured->after = by.ends.at(s);
}

bool captures::wait(hipStream_t s, const event& e) {
  capture* mine = takes(s);
  if (!e.captured) {
    if (mine != nullptr && e.last != nullptr)
      spoil(*mine, hipErrorStreamCaptureIsolation, "a captured stream cannot wait for what is not captured");
    return mine != nullptr;
  }
  const std::shared_ptr<capture> by = e.captured->by.lock();
  require(by != nullptr && of(by->origin) == by.get(), hipErrorCapturedEvent, "the event's capture has ended");
  if (mine != nullptr && mine != by.get()) {
    by->valid = false;
    spoil(*mine, hipErrorStreamCaptureMerge, "two captures would become one");
  }
  require(!is_legacy(s) && s != hipStreamPerThread, hipErrorStreamCaptureImplicit,
          "a default stream cannot take part in a capture");
  going_on_[s] = by;
  std::vector<graph_node*>& end = by->ends[s];
  for (graph_node* n : e.captured->after)
    if (std::find(end.begin(), end.end(), n) == end.end()) end.push_back(n);
  return true;
}

void captures::refuse(const event& e) {
  if (!e.captured) return;
  if (const std::shared_ptr<capture> by = e.captured->by.lock()) by->valid = false;
  throw failure(hipErrorCapturedEvent, "the event was last recorded in a stream that was being captured");
}

void captures::stream_destroyed(hipStream_t s) {
  const auto at = going_on_.find(s);
  if (at == going_on_.end()) return;
  const std::shared_ptr<capture> c = at->second;
  c->valid = false;
  if (c->origin != s) {
    c->ends.erase(s);
    going_on_.erase(s);
    return;
  }
  for (const auto& [key, end] : c->ends) going_on_.erase(key);  // nobody can end it any more
}

hipStreamCaptureMode captures::exchange_mode(hipStreamCaptureMode mode) {
  return std::exchange(this_thread().capture_mode, mode);
}

}  // namespace pws::hip
