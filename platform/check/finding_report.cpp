#include "platform/check/finding_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "models/check/lanes_text.h"
#include "platform/json/quantity.h"

namespace pws::platform {

namespace {
using check::lanes_text;
using nlohmann::ordered_json;

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

ordered_json site_json(const check::site& s, const described_site& d, const std::string& by_host) {
  ordered_json j;
  if (d.kernel.empty()) {
    j["who"] = "host";
    if (!by_host.empty()) j["does"] = by_host;
    return j;
  }
  j["who"] = "kernel";
  j["kernel"] = d.kernel;
  j["launch"] = s.launch;
  j["workgroup"] = d.workgroup;
  j["wavefront"] = s.wave;
  j["context"] = d.context;
  if (s.pc != 0) {
    j["pc"] = s.pc;
    j["offset"] = quantity(d.offset, "bytes from the kernel's entry");
    if (!d.instruction.empty()) j["instruction"] = d.instruction;
  }
  if (!d.source.empty()) j["source"] = d.source;
  if (s.lanes != 0) j["lanes"] = lanes_text(s.lanes);
  return j;
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

nlohmann::ordered_json to_json(const check_results& r) {
  ordered_json j = {{"on", r.on},
                    {"places", quantity(r.places(), "places in the code")},
                    {"count", quantity(r.count, "findings")},
                    {"not_listed", quantity(r.not_listed, "places in the code")}};
  j["findings"] = ordered_json::array();
  for (const described_finding& d : r.findings) {
    const check::finding& f = d.found;
    ordered_json one = {{"check", name_of(f.check)}, {"rule", f.rule}, {"what", f.what}};
    if (!f.mend.empty()) one["mend"] = f.mend;
    one["count"] = quantity(d.count, "findings");
    one["here"] = site_json(f.here, d.here, f.host_here);
    if (f.other) {
      one["other"] = site_json(*f.other, d.other, f.host_other);
      one["other"]["is"] = f.other_is;
    }
    if (f.space != check::memory_space::none) {
      one["memory"] = {{"space", name_of(f.space)}, {"address", f.address}, {"bytes", quantity(f.bytes, "bytes")}};
      if (!d.memory.empty()) one["memory"]["allocation"] = d.memory;
    }
    j["findings"].push_back(std::move(one));
  }
  return j;
}

}  // namespace pws::platform
