// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/finding_report.h"

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

report_part<whole_site> site_part() {
  using s = whole_site;
  const auto of_site = [](auto member) { return [member](const s& of) { return of.site.*member; }; };
  const auto described = [](auto member) { return [member](const s& of) { return of.described.*member; }; };
  const auto of_kernel = [](const s& of) { return !of.described.kernel.empty(); };
  const auto at_pc = [=](const s& of) { return of_kernel(of) && of.site.pc != 0; };
  return report_part<s>()
      .value("who", "kernel or host", [=](auto& of) { return of_kernel(of) ? "kernel" : "host"; })
      .text("does", "what the host does there: the call, or the operation of a stream, and where it is in the program",
            [=](auto& of) { return of_kernel(of) ? "" : of.host; })
      .text("kernel", "its name", described(&described_site::kernel))
      .value("launch", "number of the launch, from 1", of_site(&check::site::launch))
      .where(of_kernel)
      .value("workgroup", "x, y, z", described(&described_site::workgroup))
      .where(of_kernel)
      .value("wavefront", "in the workgroup", of_site(&check::site::wave))
      .where(of_kernel)
      .value("context", "which executed it", described(&described_site::context))
      .where(of_kernel)
      .value("pc", "device address of the instruction", of_site(&check::site::pc))
      .where(at_pc)
      .value("offset", "bytes from the kernel's entry", "of the instruction", described(&described_site::offset))
      .where(at_pc)
      .text("instruction", "disassembled", described(&described_site::instruction))
      .where([](const s& of) { return of.site.pc != 0; })
      .text("source", "file and line, where the program has line tables", described(&described_site::source))
      .where(of_kernel)
      .value("lanes", "work-items of the wavefront that are concerned",
             [](auto& of) { return lanes_text(of.site.lanes); })
      .where([=](const s& of) { return of_kernel(of) && of.site.lanes != 0; });
}

report_part<described_finding> memory_part() {
  using f = described_finding;
  const auto found = [](auto member) { return [member](const f& of) { return of.found.*member; }; };
  return report_part<f>()
      .value("space", "global, lds or scratch", found(&check::finding::space))
      .value("address", "of the first byte; in LDS and scratch an offset", found(&check::finding::address))
      .value("bytes", "bytes", "concerned", found(&check::finding::bytes))
      .text("allocation", "which piece of device memory it is in", &f::memory);
}

report_part<described_finding> finding_part() {
  using f = described_finding;
  const auto found = [](auto member) { return [member](const f& of) { return of.found.*member; }; };
  return report_part<f>()
      .value("check", "which check has found it", found(&check::finding::check))
      .value("rule", "what is wrong, as a name", found(&check::finding::rule))
      .value("what", "what is wrong, in words", found(&check::finding::what))
      .text("mend", "what would mend it", found(&check::finding::mend))
      .value("count", "findings", "at this place; all else is of the first one", &f::count)
      .part("here", site_part(),
            [](auto& of) {
              return whole_site{of.found.here, of.here, of.found.host_here, ""};
            })
      .part("other",
            site_part().value("is", "what the other instruction is in this finding", [](auto& of) { return of.is; }),
            [](auto& of) {
              return whole_site{*of.found.other, of.other, of.found.host_other, of.found.other_is};
            })
      .where([](const f& of) { return of.found.other.has_value(); })
      .group("memory", memory_part())
      .where([](const f& of) { return of.found.space != check::memory_space::none; });
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

std::string text(const described_finding& d, const std::string& margin) {
  const check::finding& f = d.found;
  std::string all =
      fmt::format("{}{:<13}{} ({} time{})", margin, name_of(f.check), f.what, d.count, d.count == 1 ? "" : "s");
  const auto row = [&](const std::string& label, const std::string& words) {
    if (!words.empty()) all += fmt::format("\n{}  {:<10} {}", margin, label, words);
  };
  row("here", code_text(f.here, d.here, f.host_here));
  if (!d.here.kernel.empty()) row("", wavefront_text(f.here, d.here));
  if (f.other) {
    row(f.other_is, code_text(*f.other, d.other, f.host_other));
    if (!d.other.kernel.empty()) row("", wavefront_text(*f.other, d.other));
  }
  row("memory", memory_text(d));
  row("mend", f.mend);
  return all;
}

void print_findings(std::ostream& out, const check_results& r) {
  for (const described_finding& d : r.findings) fmt::print(out, "{}\n", text(d, "  "));
  if (r.not_listed != 0) fmt::print(out, "  and {} more findings that are not listed\n", r.not_listed);
}

const report_part<check_results>& findings_part() {
  using r = check_results;
  static const report_part<r> all =
      report_part<r>()
          .value("on", "the checks of machine.check that were on", &r::on)
          .value("places", "places in the code", "at which something was found", &r::places)
          .value("count", "findings", "at all of them", &r::count)
          .value("not_listed", "places in the code", "beyond those that are listed", &r::not_listed)
          .list("findings", finding_part(), &r::findings);
  return all;
}

}  // namespace pws::platform
