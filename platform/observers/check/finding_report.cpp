// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/check/finding_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <optional>

#include "models/check/lanes_text.h"

namespace pws::platform {

namespace {
using check::lanes_text;

std::string code_text(const check::site& s, const described_site& d, const std::string& by_host) {
  if (d.kernel.empty()) return by_host.empty() ? "the host" : by_host;
  std::string text = d.source.empty() ? "" : d.source + ", ";
  text += fmt::format("kernel {}", d.kernel);
  if (s.pc != 0) {
    text += fmt::format(" {} {:#x}", d.offset < 0 ? '-' : '+', d.offset < 0 ? -d.offset : d.offset);
    if (!d.instruction.empty()) text += ": " + d.instruction;
  }
  return text;
}

std::string wavefront_text(const check::site& s, const described_site& d) {
  std::string text = fmt::format("launch {}, workgroup ({},{},{}), wavefront {} ({})", s.launch, d.workgroup[0],
                                 d.workgroup[1], d.workgroup[2], s.wave, d.context);
  if (s.lanes != 0) text += ", lanes " + lanes_text(s.lanes);
  return text;
}

std::string memory_text(const described_finding& d) {
  const check::finding& f = d.found;
  switch (f.space) {
    case check::memory_space::global:
      return fmt::format("{} bytes at {:#x}{}{}", f.bytes, f.address, d.memory.empty() ? "" : ", ", d.memory);
    case check::memory_space::lds:
      return fmt::format("{} bytes at offset {:#x} of the workgroup's LDS", f.bytes, f.address);
    case check::memory_space::scratch:
      return fmt::format("{} bytes at offset {:#x} of the work-item's scratch", f.bytes, f.address);
    default:
      return "";
  }
}

// A site and what is known of it.
struct whole_site {
  const check::site& site;
  const described_site& described;
  const std::string& host;  // what the host does there
  std::string is;           // what it is in the finding, of the other one
};

std::optional<std::string> said(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

report_part<whole_site> site_part() {
  using s = whole_site;
  const auto of_kernel = [](auto get) {
    return
        [get](const s& of) { return of.described.kernel.empty() ? std::nullopt : std::optional(std::invoke(get, of)); };
  };
  const auto at_pc = [](auto get) {
    return [get](const s& of) {
      return of.described.kernel.empty() || of.site.pc == 0 ? std::nullopt : std::optional(std::invoke(get, of));
    };
  };
  const auto text_of_kernel = [](auto get) {
    return [get](const s& of) { return of.described.kernel.empty() ? std::nullopt : said(std::invoke(get, of)); };
  };
  return report_part<s>()
      .value(
          "who", [](const s& of) { return of.described.kernel.empty() ? "host" : "kernel"; }, "", "kernel or host")
      .value(
          "does", [](const s& of) { return of.described.kernel.empty() ? said(of.host) : std::nullopt; }, "",
          "what the host does there: the call, or the operation of a stream, and where it is in the program")
      .value(
          "kernel", [](const s& of) { return said(of.described.kernel); }, "", "its name")
      .value("launch", of_kernel([](const s& of) { return of.site.launch; }), "", "number of the launch, from 1")
      .value("workgroup", of_kernel([](const s& of) { return of.described.workgroup; }), "", "x, y, z")
      .value("wavefront", of_kernel([](const s& of) { return of.site.wave; }), "", "in the workgroup")
      .value("context", of_kernel([](const s& of) { return of.described.context; }), "", "which executed it")
      .value("pc", at_pc([](const s& of) { return of.site.pc; }), "", "device address of the instruction")
      .value("offset", at_pc([](const s& of) { return of.described.offset; }), "bytes from the kernel's entry",
             "of the instruction")
      .value(
          "instruction", [](const s& of) { return of.site.pc == 0 ? std::nullopt : said(of.described.instruction); },
          "", "disassembled")
      .value("source", text_of_kernel([](const s& of) { return of.described.source; }), "",
             "file and line, where the program has line tables")
      .value("lanes",
             text_of_kernel([](const s& of) { return of.site.lanes == 0 ? std::string() : lanes_text(of.site.lanes); }),
             "", "work-items of the wavefront that are concerned");
}

report_part<described_finding> memory_part() {
  using f = described_finding;
  return report_part<f>()
      .value(
          "space", [](const f& d) { return name_of(d.found.space); }, "", "global, lds or scratch")
      .value(
          "address", [](const f& d) { return d.found.address; }, "", "of the first byte; in LDS and scratch an offset")
      .value(
          "bytes", [](const f& d) { return d.found.bytes; }, "bytes", "concerned")
      .value(
          "allocation", [](const f& d) { return said(d.memory); }, "", "which piece of device memory it is in");
}

report_part<described_finding> finding_part() {
  using f = described_finding;
  return report_part<f>()
      .value(
          "check", [](const f& d) { return name_of(d.found.check); }, "", "which check has found it")
      .value(
          "rule", [](const f& d) { return d.found.rule; }, "", "what is wrong, as a name")
      .value(
          "what", [](const f& d) { return d.found.what; }, "", "what is wrong, in words")
      .value(
          "mend", [](const f& d) { return said(d.found.mend); }, "", "what would mend it")
      .value("count", &f::count, "findings", "at this place; all else is of the first one")
      .part(
          "here",
          [](const f& d) {
            return whole_site{d.found.here, d.here, d.found.host_here, ""};
          },
          site_part())
      .part(
          "other",
          [](const f& d) {
            return d.found.other
                       ? std::optional(whole_site{*d.found.other, d.other, d.found.host_other, d.found.other_is})
                       : std::nullopt;
          },
          site_part().value(
              "is", [](const whole_site& of) { return of.is; }, "", "what the other instruction is in this finding"))
      .part(
          "memory", [](const f& d) { return d.found.space == check::memory_space::none ? nullptr : &d; },
          memory_part());
}

}  // namespace

std::string text(const check_results& r, uint64_t not_run) {
  const std::string on = fmt::format("{}", fmt::join(r.on, ", "));
  const std::string left = not_run == 0   ? ""
                           : not_run == 1 ? "; a launch did not run to its end"
                                          : fmt::format("; {} launches did not run to their end", not_run);
  if (r.clean()) return fmt::format("{}: nothing found{}{}", on, not_run == 0 ? "" : " in what ran", left);
  return fmt::format("{}: {} finding{}, {} time{}{}", on, r.places(), r.places() == 1 ? "" : "s", r.count,
                     r.count == 1 ? "" : "s", left);
}

void print_findings(std::ostream& out, const check_results& r) {
  const auto row = [&](const std::string& label, const std::string& text) {
    if (!text.empty()) fmt::print(out, "    {:<11}{}\n", label, text);
  };
  for (const described_finding& d : r.findings) {
    const check::finding& f = d.found;
    fmt::print(out, "  {:<13}{} ({} time{})\n", name_of(f.check), f.what, d.count, d.count == 1 ? "" : "s");
    row("here", code_text(f.here, d.here, f.host_here));
    if (!d.here.kernel.empty()) row("", wavefront_text(f.here, d.here));
    if (f.other) {
      row(f.other_is, code_text(*f.other, d.other, f.host_other));
      if (!d.other.kernel.empty()) row("", wavefront_text(*f.other, d.other));
    }
    row("memory", memory_text(d));
    row("mend", f.mend);
  }
  if (r.not_listed != 0) fmt::print(out, "  and {} more findings that are not listed\n", r.not_listed);
}

const report_part<check_results>& findings_part() {
  using r = check_results;
  static const report_part<r> all =
      report_part<r>()
          .value("on", &r::on, "", "the checks of machine.check that were on")
          .value("places", &r::places, "places in the code", "at which something was found")
          .value("count", &r::count, "findings", "at all of them")
          .value("not_listed", &r::not_listed, "places in the code", "beyond those that are listed")
          .list("findings", &r::findings, finding_part());
  return all;
}

}  // namespace pws::platform
