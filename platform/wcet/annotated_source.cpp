// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/output/annotated_page.h"
#include "base/output/callgrind_file.h"
#include "base/ratio.h"
#include "models/isa/code/decode.h"
#include "platform/wcet/path_costs.h"
#include "platform/wcet/wcet_report.h"
#include "sw/loader/line_table.h"

namespace pws::platform {

namespace {

using wcet::scheme;

// What lines of one launch say.
class launch_listing {
 public:
  explicit launch_listing(const wcet_result& r)
      : result_(r),
        code_(*r.analysed),
        bound_(r.of(*r.explained)),
        costs_(costs_of(code_, bound_.wavefront)),
        lines_(costs_by_line(code_, costs_)) {
    for (const source_cost& l : lines_) {
      has_parts_ = has_parts_ || l.cost.executions != l.cost.by_all_parts;
      has_other_ = has_other_ || l.cost.other != 0;
    }
  }

  annotated_listing listing(const std::string& id) const {
    annotated_listing out;
    out.heads = "<th style=\"width:80px\">executions</th>";
    if (has_parts_) out.heads += "<th style=\"width:80px\">by all parts</th>";
    for (const char* part : {"cycles", "issue", "memory", "wait"})
      out.heads += fmt::format("<th style=\"width:80px\">{}</th>", part);
    if (has_other_) out.heads += "<th style=\"width:80px\">other</th>";
    out.heads += "<th class=\"w\" style=\"width:330px\">addresses</th>";
    out.columns = 7 + has_parts_ + has_other_;
    out.id = id;
    out.without_lines = {
        "The analysis takes lines from the assembly that pwscc puts into its code objects. Code of "
        "other compilers has none, nor has code without debug information."};
    for (const source_cost& l : lines_) out.files[l.file][l.line] = line(l);
    return out;
  }

  std::string summary() const {
    path_cost sum;
    for (const source_cost& l : lines_) sum += l.cost;
    const uint64_t e_wf = bound_.wavefront.cycles;
    const auto part = [&](uint64_t cycles) { return fmt::format("{} ({:.1f} %)", cycles, percent(cycles, e_wf)); };
    std::string text = fmt::format(
        "<p>{}: E_kernel is {} cycles: D_S x (d + {}E_WF), with D_S = {}, d = {} and E_WF = {}{}. Of E_WF, issue takes "
        "{}, "
        "memory and LDS slots {}, waiting for data {}",
        name_of(*result_.explained), bound_.e_kernel,
        *result_.explained == scheme::dws ? fmt::format("{} x ", bound_.wavefront.swfs + 1) : "", bound_.d_s, bound_.d,
        e_wf, bound_.d_s > 1 && bound_.wavefront.swfs != 0 ? ", and one E_WF more" : "", part(sum.issue),
        part(sum.memory), part(sum.wait));
    if (sum.other != 0)
      text += result_.measured() != nullptr
                  ? fmt::format("; measured blocks {}: a block's time is at its first instruction", part(sum.other))
                  : fmt::format("; delays by wavefronts that end before a barrier {}", part(sum.other));
    if (bound_.wavefront.barriers.factor != 1)
      text += fmt::format("; E_WF is {} times the longest path", bound_.wavefront.barriers.factor);
    text += ".</p>\n";
    if (!bound_.wavefront.path.is_path)
      text += fmt::format("<p>The path is too large to find in whole numbers: executions are an approximation.{}</p>\n",
                          costs_.scaled ? " Cycles are scaled down so that they add up to E_WF." : "");
    if (costs_.rest != 0) text += fmt::format("<p>{} cycles of E_WF are of no line.</p>\n", costs_.rest);
    return text;
  }

  void add_to(std::vector<callgrind_cost>& all) const {
    const cfg::source_place begin = code_.place(0);
    callgrind_cost c;
    c.object = result_.source;
    c.function = result_.kernel;
    c.outer_file = begin.line == 0 ? "" : begin.file;
    for (size_t i = 0; i < costs_.instructions.size(); ++i) {
      const path_cost& cost = costs_.instructions[i];
      if (cost.executions == 0 && cost.cycles() == 0) continue;
      const cfg::source_place at = code_.place(i);
      c.file = at.line == 0 ? "" : at.file;
      c.line = at.line;
      c.offset = result_.offset_of(i);
      c.costs = {cost.cycles(), cost.executions, cost.issue, cost.memory, cost.wait, cost.other};
      all.push_back(c);
    }
    if (costs_.rest == 0) return;
    c.file.clear();
    c.line = 0;
    c.offset = 0;
    c.costs = {costs_.rest, 0, 0, 0, 0, costs_.rest};
    all.push_back(c);
  }

 private:
  double share(const path_cost& c) const {
    return bound_.wavefront.cycles == 0 ? 0 : percent(c.cycles(), bound_.wavefront.cycles);
  }

  std::string figures(const path_cost& c, const std::vector<std::string>& accesses) const {
    std::string out = share_cell(share(c)) + fmt::format("<td>{}</td>", c.executions);
    if (has_parts_) out += fmt::format("<td>{}</td>", c.by_all_parts);
    out += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td>", c.cycles(), c.issue, c.memory, c.wait);
    if (has_other_) out += fmt::format("<td>{}</td>", c.other);
    std::string text;
    for (const std::string& a : accesses) text += (text.empty() ? "" : "; ") + a;
    return out + "<td class=\"w\">" + html_escaped(text) + "</td>";
  }

  annotated_line line(const source_cost& l) const {
    annotated_line out;
    out.weight = l.cost.cycles();
    out.share = share(l.cost);
    out.place = loader::text(loader::source_line{l.file, l.line, 0});
    out.note = note(l);
    out.figures = figures(l.cost, access_texts(code_, l.instructions));
    for (const size_t i : l.instructions) {
      const std::string access = access_text(code_, i);
      out.instructions.push_back(
          {fmt::format("+{:#x}: {}", result_.offset_of(i), isa::disassemble(result_.code.instructions[i])),
           figures(costs_.instructions[i], access.empty() ? std::vector<std::string>() : std::vector{access})});
    }
    return out;
  }

  std::string note(const source_cost& l) const {
    std::vector<std::string> notes;
    if (l.cost.executions == 0)
      notes.push_back(l.cost.by_all_parts == 0
                          ? "not on the worst path"
                          : "not on the chain of parts that ends last: only its memory and LDS slots count");
    for (const wcet::bounded_loop& b : code_.loops())
      if (l.line != 0 && b.place.line == l.line && b.place.file == l.file)
        if (const std::string text = "loop: " + limits_text(result_, b);
            std::find(notes.begin(), notes.end(), text) == notes.end())
          notes.push_back(text);
    return fmt::format("{}", fmt::join(notes, "; "));
  }

  const wcet_result& result_;
  const wcet::analysed_kernel& code_;
  const scheme_bound& bound_;
  path_costs costs_;
  std::vector<source_cost> lines_;
  bool has_parts_ = false, has_other_ = false;
};

}  // namespace

scheme scheme_to_explain(const wcet_result& r, std::optional<scheme> chosen) {
  const scheme_bound* const own = r.configured();
  return chosen ? *chosen : own != nullptr ? own->wavefront.of_scheme : scheme::pws;
}

std::string annotated_html(const wcet_program& p) {
  std::string body;
  for (size_t k = 0; k < p.launches.size(); ++k) {
    const wcet_result& r = *p.launches[k];
    const launch_listing launch(r);
    const std::string number = p.launches.size() == 1 ? "" : fmt::format("launch {} of {}: ", k + 1, p.launches.size());
    body += fmt::format("<h1>{}{}</h1>\n", html_escaped(number), html_escaped(r.kernel)) + launch.summary() +
            annotated_sources(launch.listing(fmt::format("k{}", k)));
  }
  return annotated_page(
      "Worst case by source line",
      "<p>What the longest execution of one wavefront, E_WF, consists of. Cycles of all lines add up to it. Executions "
      "are those of the line's instruction that has most, on the longest path. A click on a heading of a first table "
      "sorts it, one on a line's number shows its instructions. Lines in grey have no code.</p>\n",
      body);
}

std::string annotated_callgrind(const wcet_program& p) {
  std::vector<callgrind_cost> all;
  for (const auto& r : p.launches) launch_listing(*r).add_to(all);
  return callgrind_file({{"Cycles", "of E_WF, the worst case of a wavefront"},
                         {"Executions", "on the worst path"},
                         {"Issue", "cycles of issue slots and latency"},
                         {"Memory", "cycles of memory and LDS slots"},
                         {"Wait", "cycles until data are there"},
                         {"Other", "cycles of measured blocks, and of waiting for others"}},
                        all);
}

}  // namespace pws::platform
