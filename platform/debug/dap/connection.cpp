// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/error.h"

namespace pws::platform::debug::dap {

using nlohmann::json;

namespace {
constexpr int print_interval_ms = 200;  // how long printed text may wait for something else to be sent
}

connection::connection() : in_(STDIN_FILENO), printed_(STDOUT_FILENO), complained_(STDERR_FILENO) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  begin_reading();
}

connection::connection(const lent_streams& s, const json& state)
    : in_(s.in), printed_(STDOUT_FILENO, s.out), complained_(STDERR_FILENO, s.err) {
  for (const int d : {s.in, s.out, s.err}) fcntl(d, F_SETFD, FD_CLOEXEC);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  take(state);
  begin_reading();
}

connection::~connection() {
  try {
    end_reading();
    std::cout.flush();
    std::fflush(stdout);
    send_printed();
  } catch (const std::exception&) {
    // What is left to say is lost, as is the client.
  }
}

void connection::begin_reading() {
  if (pipe2(wake_, O_CLOEXEC) != 0) throw input_error("there is no pipe left");
  // Signals are for the thread in which the machine runs.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::make_unique<std::thread>([this] { read_all(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void connection::end_reading() {
  [[maybe_unused]] const auto written = ::write(wake_[1], "", 1);
  thread_->join();
  for (int& end : wake_) close(std::exchange(end, -1));
}

// The locks are the same ones in the copy, which opens them when it is woken.
void connection::copying() {
  arriving_.lock();
  sending_.lock();
  calling_.lock();
}

void connection::copied() {
  calling_.unlock();
  sending_.unlock();
  arriving_.unlock();
}

json connection::sent() const {
  return {{"seq", seq_}, {"printed", printed_.taken()}, {"complained", complained_.taken()}};
}

void connection::when_sent(std::function<void(const json&)> call) {
  const std::lock_guard lock(sending_);
  sent_ = std::move(call);
}

json connection::after_crash(json state, const json& sent) {
  state["arrivals"] = json::array();  // which the program has taken
  state["reader"] = message_reader().state();
  if (sent.is_object()) state.update(sent);
  return state;
}

json connection::state() {
  std::cout.flush();
  std::fflush(stdout);
  end_reading();
  json arrivals = json::array();
  for (const arrival& a : arrivals_) arrivals.push_back({a.what, a.message, a.problem});
  json j = sent();
  j["arrivals"] = arrivals;
  j["reader"] = reader_.state();
  j["broken"] = broken_;
  return j;
}

void connection::take_state(const json& j) {
  copied();
  static_cast<void>(thread_.release());  // it runs in the process of which this is a copy, and not here
  for (int& end : wake_) close(std::exchange(end, -1));
  take(j);
  begin_reading();
}

void connection::take(const json& j) {
  arrivals_.clear();
  for (const json& a : j["arrivals"]) arrivals_.push_back({a[0], a[1], a[2]});
  reader_.take_state(j["reader"]);
  seq_ = j["seq"];
  broken_ = j["broken"];
  printed_.set_taken(j["printed"]);
  complained_.set_taken(j["complained"]);
}

lent_streams connection::lend() {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), in = fcntl(STDIN_FILENO, F_DUPFD, 3);
  if (nothing < 0 || in < 0 || dup2(nothing, STDIN_FILENO) < 0)
    throw input_error(fmt::format("the client's stream cannot be handed over: {}", std::strerror(errno)));
  close(nothing);
  for (const int d : {printed_.before(), complained_.before()}) fcntl(d, F_SETFD, 0);
  return {in, printed_.before(), complained_.before()};
}

void connection::take_again(const lent_streams& s, const json& state) {
  dup2(s.in, STDIN_FILENO);
  close(s.in);
  for (const int d : {s.out, s.err}) fcntl(d, F_SETFD, FD_CLOEXEC);
  take(state);
  begin_reading();
}

void connection::read_all() {
  for (;;) {
    pollfd wait[] = {{in_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    const int ready = poll(wait, 2, print_interval_ms);
    if (wait[1].revents != 0) return;
    if (ready <= 0) {
      const std::lock_guard lock(sending_);
      send_printed();
      continue;
    }
    char bytes[1 << 14];
    const ssize_t n = read(in_, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    bool any = false;
    {
      const std::lock_guard lock(arriving_);
      const size_t before = arrivals_.size();
      if (n > 0)
        reader_.put(bytes, static_cast<size_t>(n), arrivals_);
      else
        reader_.end(arrivals_);
      any = arrivals_.size() != before;
    }
    if (any) {
      arrived_.notify_one();
      const std::lock_guard lock(calling_);
      if (call_) call_();
    }
    if (n <= 0) return;
  }
}

std::optional<arrival> connection::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(arriving_);
  if (!arrived_.wait_for(lock, patience, [this] { return !arrivals_.empty(); })) return std::nullopt;
  arrival a = std::move(arrivals_.front());
  // Who asks again after the end is told of it again.
  if (a.what != arrival::kind::closed) arrivals_.pop_front();
  return a;
}

bool connection::has_next() {
  const std::lock_guard lock(arriving_);
  return !arrivals_.empty();
}

bool connection::is_another_protocol() {
  const std::lock_guard lock(arriving_);
  return reader_.is_another_protocol();
}

void connection::when_something_comes(std::function<void()> call) {
  const std::lock_guard lock(calling_);
  call_ = std::move(call);
}

void connection::write(nlohmann::json message) {
  message["seq"] = ++seq_;
  // What a program prints need not be UTF-8.
  const std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string text = fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
  for (size_t at = 0; at < text.size() && !broken_;) {
    const ssize_t n = ::write(printed_.before(), text.data() + at, text.size() - at);
    if (n > 0) at += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) broken_ = true;
  }
  if (sent_) sent_(sent());
}

void connection::send_printed() {
  const std::string out = printed_.take(), err = complained_.take();
  if (!out.empty())
    write({{"type", "event"}, {"event", "output"}, {"body", {{"category", "stdout"}, {"output", out}}}});
  if (err.empty()) return;
  write({{"type", "event"}, {"event", "output"}, {"body", {{"category", "stderr"}, {"output", err}}}});
  [[maybe_unused]] const auto written = ::write(complained_.before(), err.data(), err.size());
}

void connection::send(const char* type, nlohmann::json fields) {
  std::cout.flush();
  std::fflush(stdout);
  const std::lock_guard lock(sending_);
  send_printed();
  fields["type"] = type;
  write(std::move(fields));
}

void connection::send_event(const char* name, nlohmann::json body) {
  send("event", {{"event", name}, {"body", std::move(body)}});
}

}  // namespace pws::platform::debug::dap
