// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/counted_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/isa/code/decode.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/cfg/liveness.h"
#include "sw/wcet/lanes/lane_walk.h"
#include "sw/wcet/loops/pass_count.h"
#include "sw/wcet/loops/recurrence.h"

namespace pws::wcet {

namespace {

using isa::operation;
using isa::relation;
using form = expression::form;

bool is_equality(relation r) {
  return r == relation::equal || r == relation::not_equal;
}
const char* text_of(relation r) {
  switch (r) {
    case relation::less:
      return "<";
    case relation::less_or_equal:
      return "<=";
    case relation::greater:
      return ">";
    case relation::greater_or_equal:
      return ">=";
    case relation::equal:
      return "==";
    default:
      return "!=";
  }
}

// As numbers of one sort: all of the sort if the words go round its end.
number_range as_numbers(const word_set& w, bool is_signed) {
  if (!is_signed)
    return w.wraps() ? number_range{0, UINT32_MAX} : number_range{w.start, wide_number{w.start} + w.width};
  const word_set turned = w + word_set::constant(uint32_t{1} << 31);
  if (turned.wraps()) return {INT32_MIN, INT32_MAX};
  const wide_number low = static_cast<int32_t>(w.start);
  return {low, low + w.width};
}
number_range as_numbers(const word_pair& w, bool is_signed) {
  const number_range high = as_numbers(w.high, is_signed);
  const bool one = high.is_one();
  const number_range low = as_numbers(w.low, false);
  const wide_number word = wide_number{1} << 32;
  return {high.low * word + (one ? low.low : 0), high.high * word + (one ? low.high : UINT32_MAX)};
}
// The numbers in both of two ranges, which both hold.
number_range both(const number_range& a, const number_range& b) {
  const number_range r{std::max(a.low, b.low), std::min(a.high, b.high)};
  return r.low <= r.high ? r : a;
}

std::string number_text(wide_number v) {
  if (v < 0) return "-" + number_text(-v);
  return v > UINT64_MAX ? "2^64 or more" : fmt::format("{}", static_cast<uint64_t>(v));
}
std::string range_text(const number_range& r) {
  return r.is_one() ? number_text(r.low) : number_text(r.low) + " to " + number_text(r.high);
}
std::string place_text(register_place place, unsigned dwords) {
  const char kind = place < isa::scalar_count ? 's' : 'v';
  const size_t n = place < isa::scalar_count ? place : place - isa::scalar_count;
  if (place == isa::vcc_lo) return "vcc";
  return dwords == 2 ? fmt::format("{}[{}:{}]", kind, n, n + 1) : fmt::format("{}{}", kind, n);
}

// What a compare's operand is in the pass k of its loop.
struct operand_facts {
  bool is_register = false;
  std::optional<register_place> of;  // the register that it is made of, as it was when the pass began
  expression now;                    // ... what has been made of it; a sum for 64 bits
  bool is_counter = false;           // `after` says what a pass makes of it
  expression after;
  bool stays = false;      // the same number in all passes
  number_range anywhere;   // in all passes
  number_range entering;   // what the register held when the loop was entered
  word_set entering_word;  // ... its lower half
  word_set word;           // the operand itself
};

class counter {
 public:
  counter(const cfg::flow_graph& graph, const cfg::loop_forest& forest, const value_ranges& ranges,
          const std::vector<std::optional<uint64_t>>& known)
      : graph_(graph), forest_(forest), ranges_(ranges), known_(known), live_(graph) {}

  std::vector<counted_loop> run() {
    const auto& loops = forest_.loops();
    std::vector<counted_loop> out(loops.size());
    ranges_of_.resize(loops.size());
    recurrences_.resize(loops.size());
    for (size_t l = 0; l < loops.size(); ++l) {  // outer ones first
      const size_t header = loops[l].header;
      if (work_items_may_return(graph_, loops[l], live_)) {
        out[l].text = "work-items that have left it may come back to it before it ends";
        continue;
      }
      recurrences_[l] = loop_recurrences(graph_, forest_, l, live_, ranges_);
      out[l] = count(l);
      std::optional<uint64_t> passes = out[l].passes;
      if (header < known_.size() && known_[header])
        passes = std::min(passes.value_or(*known_[header]), *known_[header]);
      if (passes && *passes != 0) note_ranges(l, *passes);
    }
    return out;
  }

 private:
  const isa::inst& at(size_t instruction) const { return graph_.code().instructions[instruction]; }
  const loop_recurrences& of_loop(size_t l) const { return recurrences_[l]; }

  counted_loop count(size_t l) {
    counted_loop best;
    const cfg::natural_loop& loop = forest_.loops()[l];
    if (!ranges_.is_entered(loop.header)) {
      best.text = "it begins with the kernel";
      if (loop.header == 0) return best;
      best.text = "no wavefront of this launch comes to it";
      best.passes = 0;
      return best;
    }
    best.text = "no compare alone decides whether it goes on";
    for (const size_t b : loop.blocks) {
      if (forest_.innermost(b) != l) continue;
      for (size_t k = graph_[b].first; k < graph_[b].end; ++k) {
        if (operation_of(at(k)) != operation::compare) continue;
        counted_loop found = decided_by(k, l);
        if (found.passes ? best.passes && *best.passes <= *found.passes : best.passes || found.clue <= best.clue)
          continue;
        best = std::move(found);
      }
    }
    return best;
  }

  // What supposing a result says; nothing: too many walks.
  std::optional<supposed_walks> suppose(size_t k, size_t l, supposed_compare::outcome o) const {
    const bool alike = ranges_.alike(k);
    for (const size_t states : {size_t{4}, size_t{64}}) {
      constexpr size_t most_nodes = 4000;
      const auto walks = walks_supposing(graph_, forest_.loops()[l], live_, {k, o, alike}, {most_nodes, states});
      if (walks && (!walks->goes_on || states == 64)) return walks;
    }
    return std::nullopt;
  }

  // `text` is empty if the compare does not decide the loop.
  counted_loop decided_by(size_t k, size_t l) {
    counted_loop out;
    out.decided_at = k;
    using outcome = supposed_compare::outcome;
    const auto without = suppose(k, l, outcome::none_comes);
    if (!without || without->goes_on) return out;
    const auto clear = suppose(k, l, outcome::clear), set = suppose(k, l, outcome::set);
    if (!clear || !set || (clear->goes_on && set->goes_on)) return out;
    if (!clear->goes_on && !set->goes_on) {
      out.passes = 1;
      out.text = "it never goes back";
      return out;
    }
    const bool goes_on_if = set->goes_on;
    const supposed_walks &staying = goes_on_if ? *set : *clear, &leaving = goes_on_if ? *clear : *set;
    const auto in_a_row = count_at(k, l, goes_on_if, out);
    if (!in_a_row) return out;
    out.passes = *in_a_row + 1;
    out.exactly = out.exactly && !staying.leaves && ranges_.surely_comes_to(forest_.loops()[l].header);
    for (const size_t b : forest_.loops()[l].blocks)
      if (forest_.innermost(b) == l && without->blocks.count(b) == 0 && leaving.blocks.count(b) == 0)
        out.limits.push_back({b, *in_a_row});
    return out;
  }

  // How often in a row the compare may have that result.
  std::optional<uint64_t> count_at(size_t k, size_t l, bool result, counted_loop& out) {
    const isa::inst& i = at(k);
    const isa::data_type type = data_type_of(i);
    const std::string name = isa::disassemble(i);
    const unsigned bytes = isa::bytes_of(type);
    if (!isa::is_integer(type) || (bytes != 4 && bytes != 8) || !isa::has_plain_operands(i) || i.relative_index ||
        i.neg != 0 || i.abs != 0) {
      out.text = fmt::format("{} compares no integers of 32 or 64 bits", name);
      out.clue = 1;
      return std::nullopt;
    }
    if (!of_loop(l).known()) {
      out.text = "there are too many ways through it";
      out.clue = 1;
      return std::nullopt;
    }
    counted_condition c;
    const relation says = i.row->means.compares;
    c.relation = result ? says : isa::opposite(says);
    c.bits = 8 * bytes;
    c.is_signed = isa::is_signed(type) && !is_equality(says);
    const operand_facts a = facts_of(k, 0, l, c), b = facts_of(k, 1, l, c);
    std::optional<uint64_t> least;
    for (const bool first : {true, false}) {
      const operand_facts &counts = first ? a : b, &limit = first ? b : a;
      if (!counts.is_register) continue;
      counted_condition now = c;
      if (!first) now.relation = isa::exchanged(now.relation);
      std::string text;
      const auto n = count_of(counts, limit, now, text);
      const unsigned clue = counts.is_counter && !counts.after.is_itself() ? 2 : 1;
      if (n ? !least || *n < *least : !least && clue > out.clue) {
        out.clue = clue;
        out.text = fmt::format("{}: {}", name, text);
        out.unknown_from = n ? std::nullopt : origin_of_unknown(k, first ? 0 : 1, counts, limit);
        out.exactly = n && now.kind != counted_condition::step_kind::clears_bits && now.first.is_one() &&
                      now.step.is_one() && now.ahead.is_one() && now.limit.is_one();
      }
      if (n) least = least ? std::min(*least, *n) : *n;
    }
    return least;
  }

  std::optional<uint64_t> count_of(const operand_facts& counts, const operand_facts& limit, counted_condition& c,
                                   std::string& text) const {
    using kind = counted_condition::step_kind;
    if (!counts.of) {
      text = "what it compares is not computed from registers of the pass before (it may come from memory)";
      return std::nullopt;
    }
    const unsigned dwords = c.bits / 32;
    const std::string name = place_text(*counts.of, dwords);
    if (!counts.is_counter || counts.after.of != *counts.of) {
      text = fmt::format("{} is not counted: what the next pass has in it is not {} and a known number", name, name);
      return std::nullopt;
    }
    c.first = counts.entering;
    c.limit = limit.anywhere;
    c.limit_stays = limit.stays;
    if (counts.now.is == form::sum) c.ahead = {counts.now.low, counts.now.high};
    switch (counts.after.is) {
      case form::sum:
        if (counts.now.is != form::sum) return std::nullopt;
        c.step = {counts.after.low, counts.after.high};
        break;
      case form::shifted_right:
      case form::shifted_sign:
        if (!counts.now.is_itself() && !(counts.now == counts.after)) return std::nullopt;
        // A negative number keeps its sign, and never comes to 0.
        if (counts.after.is == form::shifted_sign && as_numbers(counts.entering_word, true).low < 0) {
          text = fmt::format("{} is shifted and keeps its sign, and may begin below 0", name);
          return std::nullopt;
        }
        c.kind = kind::shifts;
        c.step = {counts.after.low, counts.after.low};
        c.ahead = {counts.now.is_itself() ? 0 : counts.after.low, 0};
        c.ahead.high = c.ahead.low;
        break;
      case form::product:
        if (!counts.now.is_itself() && !(counts.now == counts.after)) return std::nullopt;
        c.kind = kind::multiplies;
        c.step = {counts.after.low, counts.after.low};
        c.ahead = {0, 0};
        if (!counts.now.is_itself()) {
          c.first.low *= counts.after.low;
          c.first.high *= counts.after.low;
          if (c.first.high > wide_number{INT32_MAX}) return std::nullopt;
        }
        break;
      case form::fewer_bits:
        if (!counts.now.is_itself() && !(counts.now == counts.after)) return std::nullopt;
        c.kind = kind::clears_bits;
        c.step = {1, 1};
        break;
      default:
        return std::nullopt;
    }
    const word_set distance =
        limit.word - (counts.entering_word + word_set::constant(static_cast<uint32_t>(counts.now.low)));
    c.distance_zeros = distance.known == 0 ? 0 : std::min<unsigned>(distance.known, trailing_zeros(distance.residue));
    const auto n = most_in_a_row(c);
    // A range of nearly all numbers is what is left of one that is not known.
    constexpr uint64_t unknown_width = uint64_t{1} << 30;
    constexpr const char* unknown = ": of one of these next to nothing is known";
    const std::string what = fmt::format("{} begins with {}, {}, and is compared with {}", name, range_text(c.first),
                                         step_text(c), range_text(c.limit));
    if (const auto* found = std::get_if<uint64_t>(&n)) {
      if (*found >= unknown_width && !(c.first.is_one() && c.limit.is_one())) {
        text = what + unknown;
        return std::nullopt;
      }
      text = fmt::format("{}: it goes on while {} {}, {} times at most", what, text_of(c.relation), range_text(c.limit),
                         *found);
      return *found;
    }
    if (c.first.high - c.first.low >= unknown_width || c.limit.high - c.limit.low >= unknown_width) {
      text = what + unknown;
      return std::nullopt;
    }
    static constexpr const char* problems[] = {
        "which is no order of integers", "it does not come nearer to that in every pass",
        "it may go round the end of its numbers first", "it may step over that", "that may change from pass to pass"};
    text = fmt::format("{}: {}", what, problems[static_cast<size_t>(std::get<count_problem>(n))]);
    return std::nullopt;
  }
  // Where what is not known of the compare comes from: the counter, if it is none; else the limit, or where it begins.
  std::optional<size_t> origin_of_unknown(size_t k, unsigned counts_at, const operand_facts& counts,
                                          const operand_facts& limit) const {
    const isa::operand_list list = isa::operands_of(at(k));
    const auto operand = [&](unsigned n) { return place_of(list.value(n).from); };
    if (!counts.of) return written_before(k, operand(counts_at));
    if (!counts.is_counter) return written_before(k, counts.of);
    constexpr wide_number unknown_width = wide_number{1} << 30;
    if (limit.anywhere.high - limit.anywhere.low >= unknown_width) return written_before(k, operand(1 - counts_at));
    return std::nullopt;
  }
  // The nearest instruction that gives the register what it holds in front of `k`, through copies; on any way.
  std::optional<size_t> written_before(size_t k, std::optional<register_place> place) const {
    std::optional<size_t> found;
    for (unsigned copies = 0; place && copies < 8; ++copies) {
      const auto writer = nearest_write(found.value_or(k), *place);
      if (!writer) break;
      found = writer;
      const isa::inst& i = at(*writer);
      if (operation_of(i) != operation::move || i.dst.dwords != 1) break;
      place = place_of(i.src[0]);
    }
    return found;
  }
  std::optional<size_t> nearest_write(size_t k, register_place place) const {
    const auto writes = [&](size_t n) {
      const isa::inst& i = at(n);
      for (unsigned w = 0; w < i.n_writes; ++w) {
        const register_place first = i.writes[w].is_vgpr ? place_of_vector(i.writes[w].first) : i.writes[w].first;
        if (place >= first && place < first + i.writes[w].count) return true;
      }
      return false;
    };
    std::vector<bool> seen(graph_.size(), false);
    std::vector<std::pair<size_t, size_t>> pending{{graph_.block_of(k), k}};  // block, and where to begin
    for (size_t next = 0; next < pending.size(); ++next) {
      const auto [block, end] = pending[next];
      for (size_t n = end; n-- > graph_[block].first;)
        if (writes(n)) return n;
      for (const size_t from : graph_[block].predecessors) {
        if (seen[from]) continue;
        seen[from] = true;
        pending.emplace_back(from, graph_[from].end);
      }
    }
    return std::nullopt;
  }

  static std::string step_text(const counted_condition& c) {
    switch (c.kind) {
      case counted_condition::step_kind::adds:
        return fmt::format("changes by {}", range_text(c.step));
      case counted_condition::step_kind::multiplies:
        return fmt::format("is multiplied by {}", range_text(c.step));
      case counted_condition::step_kind::shifts:
        return fmt::format("is shifted right by {}", range_text(c.step));
      default:
        return "loses its lowest bit";
    }
  }

  operand_facts facts_of(size_t k, unsigned n, size_t l, const counted_condition& c) const {
    operand_facts f;
    const isa::operand_list list = isa::operands_of(at(k));
    const isa::operand& o = list.value(n).from;
    const bool is_wide = c.bits == 64;
    const word_pair now = ranges_.source(k, n).value_or(word_pair{word_set::any(), word_set::any()});
    f.word = now.low;
    f.anywhere = is_wide ? as_numbers(now, c.is_signed) : as_numbers(now.low, c.is_signed);
    const auto place = place_of(o);
    f.is_register = place.has_value();
    if (!place) {
      f.stays = o.kind == isa::operand_kind::constant;
      return f;
    }
    const loop_recurrences& r = of_loop(l);
    if (is_wide) {
      const auto sum = loop_recurrences::wide(r.at_compare(k, *place), r.at_compare(k, *place + 1));
      if (!sum) return f;
      f.of = sum->of;
      f.now = {form::sum, sum->of, sum->added, sum->added};
      const auto after = loop_recurrences::wide(r.after_pass(sum->of), r.after_pass(sum->of + 1));
      f.is_counter = after && after->of == sum->of;
      if (f.is_counter) f.after = {form::sum, sum->of, after->added, after->added};
      const word_set low = entering(l, sum->of);
      f.entering = as_numbers(word_pair{low, entering(l, sum->of + 1)}, c.is_signed);
      f.entering_word = low;
    } else {
      f.now = r.at_compare(k, *place);
      if (f.now.is == form::unknown || f.now.is == form::carry || f.now.is == form::high_of_sum) return f;
      f.of = f.now.of;
      f.after = r.after_pass(*f.of);
      f.is_counter = f.after.is != form::unknown && f.after.of == *f.of;
      f.entering_word = entering(l, *f.of);
      f.entering = as_numbers(f.entering_word, c.is_signed);
    }
    f.stays = f.is_counter && f.after.is_itself() && f.now.low == f.now.high;
    if (f.stays && f.now.is == form::sum) {
      const number_range then{f.entering.low + f.now.low, f.entering.high + f.now.high};
      const wide_number most = wide_number{1} << (c.is_signed ? c.bits - 1 : c.bits);
      if (then.high < most && then.low >= (c.is_signed ? -most : 0)) f.anywhere = both(f.anywhere, then);
    }
    return f;
  }

  // What the register may hold when the loop is entered, of any wavefront and in any pass of the loops around.
  word_set entering(size_t l, register_place place) const {
    const cfg::natural_loop& loop = forest_.loops()[l];
    const word_set known = ranges_.entering(loop.header, place);
    if (loop.parent == cfg::natural_loop::none || known.is_constant()) return known;
    // What is known of a pass of the outer loop is about work-items that are active at its header.
    if (work_items_join(loop.parent)) return known;
    const expression e = of_loop(loop.parent).at_entry_of(loop.header, place);
    if (e.is != form::sum) return known;
    word_set then = in_pass(loop.parent, e.of);
    if (e.high - e.low >= static_cast<int64_t>(circle) - 1 ||
        then.width + static_cast<uint64_t>(e.high - e.low) >= circle - 1)
      return known;
    then = then + (e.low == e.high ? word_set::constant(static_cast<uint32_t>(e.low))
                                   : word_set::range(static_cast<uint32_t>(e.low), static_cast<uint32_t>(e.high)));
    return then.width < known.width ? then : known;
  }
  bool work_items_join(size_t l) const {
    const auto [found, is_new] = joined_.emplace(l, true);
    if (is_new) found->second = work_items_may_join(graph_, forest_.loops()[l], live_);
    return found->second;
  }
  // ... at the beginning of any of its passes.
  word_set in_pass(size_t l, register_place place) const {
    const auto found = ranges_of_[l].find(place);
    if (found != ranges_of_[l].end()) return found->second;
    if (of_loop(l).after_pass(place).is_itself()) return entering(l, place);
    return word_set::any();
  }
  // In so many passes counters go so far.
  void note_ranges(size_t l, uint64_t passes) {
    for (register_place p = 0; p < of_loop(l).places(); ++p) {
      const expression e = of_loop(l).after_pass(p);
      if (e.is != form::sum || e.of != p || e.is_itself()) continue;
      const word_set first = entering(l, p);
      const wide_number times = static_cast<wide_number>(passes) - 1;
      const wide_number down = std::min<wide_number>(e.low * times, 0), up = std::max<wide_number>(e.high * times, 0);
      if (up - down + first.width >= static_cast<wide_number>(circle) - 1) continue;
      ranges_of_[l][p] = word_set::range(first.start + static_cast<uint32_t>(static_cast<int64_t>(down)),
                                         first.start + first.width + static_cast<uint32_t>(static_cast<int64_t>(up)));
    }
  }

  const cfg::flow_graph& graph_;
  const cfg::loop_forest& forest_;
  const value_ranges& ranges_;
  const std::vector<std::optional<uint64_t>>& known_;
  cfg::scalar_liveness live_;
  std::vector<loop_recurrences> recurrences_;                  // by loop
  std::vector<std::map<register_place, word_set>> ranges_of_;  // by loop: of counters when a pass begins
  mutable std::map<size_t, bool> joined_;                      // by loop, of those asked for
};

}  // namespace

std::vector<counted_loop> count_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                      const value_ranges& ranges, const std::vector<std::optional<uint64_t>>& known) {
  return counter(graph, forest, ranges, known).run();
}

}  // namespace pws::wcet
