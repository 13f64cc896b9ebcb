// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "platform/machine/interruption.h"

namespace pws::platform {

namespace {

constexpr double ps_in_us = 1e6, ps_in_ns = 1e3;

report_part<soc_gpu_result> gpu_part() {
  using g = soc_gpu_result;
  return report_part<g>()
      .value("kernels", "kernels", "that are complete", &g::kernels)
      .value("workgroups", "workgroups", "that have ended", &g::workgroups)
      .value("busy_cycles", "cycles", "of the GPU's clock with a kernel in execution; timing fidelity", &g::busy_cycles)
      .text("fault", "that has halted it in the end", &g::fault);
}

report_part<task_result> task_part() {
  using t = task_result;
  // Where no task has ended there is no time.
  const auto ns = [](const t& of, double ps) { return of.count == 0 ? std::nullopt : std::optional(ps / ps_in_ns); };
  return report_part<t>()
      .value("name", "that the firmware gives it", &t::name)
      .value("count", "tasks", "of this name that have ended", &t::count)
      .value("shortest", "ns", "response time", [ns](auto& of) { return ns(of, static_cast<double>(of.shortest_ps)); })
      .value("longest", "ns", "response time", [ns](auto& of) { return ns(of, static_cast<double>(of.longest_ps)); })
      .value("mean", "ns", "response time", [ns](auto& of) { return ns(of, of.mean_ps()); })
      .value("deadline", "ns", "that the firmware has given last", &t::deadline_ns)
      .value("misses", "tasks", "whose response time was above their deadline", &t::misses)
      .value("bound", "ns", "of the response time, that the firmware has given last", &t::bound_ns)
      .value("above_bound", "tasks", "whose response time was above their bound", &t::above_bound)
      .value("open", "tasks", "that had not ended when the run did", &t::open);
}

// "20 times, 8.60 to 8.86 us; deadline 10.5 us, 0 missed; bound 10.433 us"
std::string task_text(const task_result& t) {
  const auto us = [](double ps) { return fmt::format("{:.6g}", ps / ps_in_us); };
  std::string text = fmt::format("{} times", t.count);
  if (t.count != 0)
    text += fmt::format(", {} to {} us", us(static_cast<double>(t.shortest_ps)), us(static_cast<double>(t.longest_ps)));
  if (t.deadline_ns)
    text += fmt::format("; deadline {} us, {} missed", us(static_cast<double>(*t.deadline_ns) * ps_in_ns), t.misses);
  if (t.bound_ns) {
    text += fmt::format("; bound {} us", us(static_cast<double>(*t.bound_ns) * ps_in_ns));
    if (t.above_bound != 0) text += fmt::format(", {} ABOVE IT", t.above_bound);
  }
  return t.open == 0 ? text : text + fmt::format("; {} not ended", t.open);
}

}  // namespace

void print(std::ostream& out, const soc_result& r) {
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<13}{}\n", label, text); };
  fmt::print(out, "{} on {}\n", r.firmware, r.file);
  row("time", fmt::format("{:.6g} us, of which {:.6g} us waiting for interrupts",
                          static_cast<double>(r.time_ps) / ps_in_us, static_cast<double>(r.waited_ps) / ps_in_us));
  row("processor", fmt::format("{} instructions, {} traps, {} interrupts", r.instructions, r.traps, r.interrupts));
  row("serial port", fmt::format("{} bytes sent, {} received", r.sent, r.received));
  for (size_t k = 0; k < r.gpus.size(); ++k) {
    const soc_gpu_result& g = r.gpus[k];
    row(fmt::format("gpu {}", k).c_str(),
        fmt::format("{} kernels, {} workgroups, {} cycles busy", g.kernels, g.workgroups, g.busy_cycles));
    if (!g.fault.empty()) row("", "halted: " + g.fault);
  }
  for (const task_result& t : r.tasks) row("task", t.name + ": " + task_text(t));
  for (const std::string& w : r.warnings) row("warning", w);
  if (r.code) row("ended with", std::to_string(*r.code));
  if (!r.error.empty()) row("error", r.error);
  fmt::print(out, "{}\n", r.pass() ? "PASS" : "FAIL");
}

const report_part<soc_result>& soc_part() {
  using r = soc_result;
  static const report_part<r> all =
      report_part<r>()
          .value("system", "the file that describes it", &r::file)
          .value("firmware", "the program", &r::firmware)
          .value("pass", "the firmware has ended with 0", [](auto& of) { return of.pass(); })
          .value("code", "that the firmware has ended with", &r::code)
          .text("error", "why the run ended otherwise", &r::error)
          .value("warnings", "what of the configuration does nothing, and which key to set", &r::warnings)
          .value("time", "us", "simulated", [](auto& of) { return static_cast<double>(of.time_ps) / ps_in_us; })
          .value("waited", "us", "of the simulated time, by the processor for interrupts",
                 [](auto& of) { return static_cast<double>(of.waited_ps) / ps_in_us; })
          .value("cycles", "cycles", "of the processor's clock", &r::cycles)
          .value("instructions", "instructions", "executed by the processor", &r::instructions)
          .value("traps", "events", "exceptions that the processor has taken", &r::traps)
          .value("interrupts", "events", "that the processor has taken", &r::interrupts)
          .value("sent", "bytes", "by the serial port", &r::sent)
          .value("received", "bytes", "that were read from the serial port", &r::received)
          .text("input", "what the serial port receives from: a file, standard input, a terminal or nothing", &r::input)
          .list("gpus", gpu_part(), &r::gpus)
          .list("tasks", task_part(), &r::tasks)
          .part("", inputs_part(), &r::inputs);
  return all;
}

}  // namespace pws::platform
