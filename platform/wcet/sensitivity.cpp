// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/error.h"
#include "platform/config/machine_schema.h"
#include "platform/wcet/bound_launches.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/wcet_analysis.h"
#include "sw/wcet/checked.h"

namespace pws::platform {

namespace {

std::string decimal(int128 value) {
  return fmt::format("{}", static_cast<int64_t>(value));
}

// Values of a key to try on one side: a tenth away, at least one; and where rules of the machine refuse that (a power
// of two), half or double.
std::vector<int128> values_beside(const field& f, int128 value, int direction) {
  std::vector<int128> out;
  if (!f.choices.empty()) {
    std::set<int128> all;
    for (const std::string& c : f.choices) all.insert(std::stoll(c));
    const auto at = all.find(value);
    if (at == all.end()) return {};
    if (direction < 0 && at != all.begin()) out.push_back(*std::prev(at));
    if (direction > 0 && std::next(at) != all.end()) out.push_back(*std::next(at));
    return out;
  }
  const int128 step = std::max<int128>(1, (value + 5) / 10);
  for (const int128 to : {value + direction * step, direction < 0 ? value / 2 : value * 2})
    if (to != value && (f.min == f.max || (to >= f.min && to <= f.max)) &&
        std::find(out.begin(), out.end(), to) == out.end())
      out.push_back(to);
  return out;
}

class inquiry {
 public:
  inquiry(const wcet_program& p, const run_config& config, const compiled_program& program, wcet::scheme scheme,
          const machine_with_keys& other_machine)
      : config_(config), program_(program), other_machine_(other_machine), fields_(machine_fields(config.machine)) {
    out_.scheme = scheme;
    for (const auto& r : p.launches) {
      launches_.emplace_back(*r, scheme);
      out_.bound = wcet::checked_sum(out_.bound, launches_.back().now(), sum_name);
    }
    own_ = models::provisioned(config.machine);
    own_.fidelity = models::fidelity::timing;
  }

  bound_sensitivity take() {
    for (const field& f : fields_) {
      if (f.kind != field_kind::integer) continue;
      if (f.default_text.empty())  // it is not set
        out_.without.push_back("machine." + f.path);
      else
        try_key(f);
    }
    try_marks();
    try_loops();
    try_accesses();
    try_splits();
    find_best();
    return std::move(out_);
  }

 private:
  static constexpr const char* sum_name = "the sum of the launches' bounds";

  // The sum over all launches of f(launch).
  template <class F>
  changed_bound sum(F f) {
    changed_bound all{uint64_t{0}, ""};
    for (what_if& l : launches_) {
      const changed_bound one = f(l);
      if (!one.cycles) return one;
      all.cycles = wcet::checked_sum(*all.cycles, *one.cycles, sum_name);
    }
    return all;
  }

  changed_bound on(const models::machine_config& given) {
    models::machine_config machine = models::provisioned(given);
    machine.fidelity = models::fidelity::timing;
    return tried([&] {
      changes_times_ = changes_times_ || !launches_.front().has_times_of(machine);
      if (std::all_of(launches_.begin(), launches_.end(),
                      [&](const what_if& l) { return l.differs_in_times_only(machine); }))
        return sum([&](what_if& l) { return l.on(machine); });
      return changed_bound{sum_of_bounds(config_, program_.image, machine, out_.scheme), ""};
    });
  }

  void weigh(tried_change& c, double value, double to) const {
    if (c.bound.cycles && value != 0 && out_.bound != 0)
      c.elasticity = static_cast<double>(out_.difference(c)) / static_cast<double>(out_.bound) / ((to - value) / value);
  }

  void add(tried_change c, double value, double to) {
    weigh(c, value, to);
    out_.tried.push_back(std::move(c));
  }

  // The nearest value of a key on one side that the machine's rules allow. `keys`: that get it together.
  std::optional<tried_change> beside(const field& f, const std::string& name, const std::vector<std::string>& keys,
                                     int direction) {
    const int128 value = std::stoll(f.default_text);
    tried_change c;
    c.name = name;
    c.unit = f.unit;
    c.value = decimal(value);
    for (const int128 v : values_beside(f, value, direction)) {
      c.to = decimal(v);
      std::optional<models::machine_config> machine;
      c.bound = tried([&] {
        machine = other_machine_(keys, c.to);
        return changed_bound{};
      });
      if (!machine) continue;  // the rules refuse it
      c.bound = on(*machine);
      c.words = fmt::format("{} of {} instead of {}", name, c.to, c.value);
      weigh(c, static_cast<double>(value), static_cast<double>(v));
      return c;
    }
    return c.to.empty() ? std::nullopt : std::optional(c);
  }

  std::vector<tried_change> on_both_sides(const field& f, const std::string& name,
                                          const std::vector<std::string>& keys) {
    std::vector<tried_change> both;
    for (const int direction : {-1, 1})
      if (auto c = beside(f, name, keys, direction)) both.push_back(std::move(*c));
    return both;
  }

  void try_key(const field& f) {
    if (tried_together_.count(f.path) != 0) return;
    const auto is_refused = [](const tried_change& c) { return !c.bound.cycles; };
    std::string name = "machine." + f.path;
    std::vector<tried_change> both = on_both_sides(f, name, {f.path});
    // Such as the length of a line, which all caches have alike.
    if (const std::vector<std::string> keys = keys_alike(f);
        keys.size() > 1 && std::all_of(both.begin(), both.end(), is_refused)) {
      std::vector<tried_change> together =
          on_both_sides(f, fmt::format("every {} of machine", last_part(f.path)), keys);
      if (!std::all_of(together.begin(), together.end(), is_refused)) {
        both = std::move(together);
        tried_together_.insert(keys.begin(), keys.end());
      }
    }
    const bool moves =
        std::any_of(both.begin(), both.end(), [&](const tried_change& c) { return c.bound.cycles != out_.bound; });
    if (moves || changes_times_)
      std::move(both.begin(), both.end(), std::back_inserter(out_.tried));
    else
      out_.without.push_back(name);
    changes_times_ = false;
  }

  static std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

  // The keys of that name that have its value, with itself.
  std::vector<std::string> keys_alike(const field& f) const {
    std::vector<std::string> out;
    for (const field& o : fields_)
      if (o.kind == f.kind && o.default_text == f.default_text && last_part(o.path) == last_part(f.path))
        out.push_back(o.path);
    return out;
  }

  // What all launches have of one kind, by name, with its largest number, in the order in which it is first there.
  template <class List, class Number>
  std::vector<std::pair<std::string, uint64_t>> all_of(List list, Number number) {
    std::vector<std::pair<std::string, uint64_t>> out;
    for (const what_if& l : launches_)
      for (const auto& one : (l.*list)()) {
        const auto known = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.first == one.name; });
        if (known == out.end())
          out.emplace_back(one.name, one.*number);
        else
          known->second = std::max(known->second, one.*number);
      }
    return out;
  }

  void try_marks() {
    for (const auto& [name, bound] : all_of(&what_if::marks, &what_if::mark::bound))
      for (const int more : {-1, 1}) {
        if (more < 0 && bound == 0) continue;
        const std::string mark = name;
        const uint64_t to = bound + static_cast<uint64_t>(more);
        tried_change c{changed_thing::mark,
                       name,
                       "iterations",
                       fmt::format("{}", bound),
                       fmt::format("{}", to),
                       sum([&](what_if& l) { return l.with_mark(mark, more); }),
                       {},
                       ""};
        c.words = fmt::format("a bound of {} instead of {} for the loop with {}", to, bound, name);
        add(std::move(c), static_cast<double>(bound), static_cast<double>(to));
      }
  }

  void try_loops() {
    for (const auto& [name, passes] : all_of(&what_if::loops, &what_if::loop::passes)) {
      if (passes < 2) {
        add({changed_thing::loop,
             name,
             "passes",
             fmt::format("{}", passes),
             "",
             {std::nullopt, "it goes round once"},
             {},
             ""},
            0, 0);
        continue;
      }
      const std::string loop = name;
      tried_change c{changed_thing::loop,
                     name,
                     "passes",
                     fmt::format("{}", passes),
                     fmt::format("{}", passes - 1),
                     sum([&](what_if& l) { return l.with_fewer_passes(loop); }),
                     {},
                     ""};
      c.words = fmt::format("{} passes instead of {} of the {}", passes - 1, passes, name);
      add(std::move(c), static_cast<double>(passes), static_cast<double>(passes - 1));
    }
  }

  // From the line that could save most on. Behind the third best of them no line needs to be tried that cannot be
  // better.
  void try_accesses() {
    std::vector<what_if::line_accesses> all;
    for (const what_if& l : launches_)
      for (what_if::line_accesses& one : l.scattered()) {
        const auto known = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.place == one.place; });
        if (known == all.end())
          all.push_back(std::move(one));
        else
          known->at_most += std::min(one.at_most, UINT64_MAX - known->at_most);
      }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.at_most > b.at_most; });
    std::vector<uint64_t> saved;  // the largest first
    for (const what_if::line_accesses& a : all) {
      if (saved.size() >= most_changes && saved[most_changes - 1] >= a.at_most) break;
      tried_change c{changed_thing::accesses,
                     a.name,
                     "",
                     a.now,
                     a.better,
                     sum([&](what_if& l) { return l.with_accesses_side_by_side(a.place); }),
                     {},
                     ""};
      c.words = fmt::format("the data of {} side by side: {} at a time instead of {}", a.name, a.better, a.now);
      if (c.bound.cycles) saved.push_back(out_.bound - std::min(out_.bound, *c.bound.cycles));
      std::sort(saved.rbegin(), saved.rend());
      out_.tried.push_back(std::move(c));
    }
  }

  // Other choices of branches to split, which the program is compiled for anew.
  void try_splits() {
    const bool splits = models::traits_of(own_.divergence).bound == models::divergence_bound::parallel_sides &&
                        own_.spsimd_per_simd != 0 && out_.scheme == wcet::scheme::pws;
    if (!splits || std::filesystem::path(config_.program.source).extension() != ".hip") return;
    for (const auto& choice : enumerators(pwscc::split_choice{})) {
      if (choice.value == config_.program.split) continue;
      run_config other = config_;
      other.program.split = choice.value;
      tried_change c{changed_thing::program,
                     "program.split",
                     "",
                     std::string(name_of(config_.program.split)),
                     std::string(choice.name),
                     {},
                     {},
                     ""};
      c.bound = tried([&] {
        const compiled_program compiled = compile_for_launches(other, assembly_text::wanted);
        return changed_bound{sum_of_bounds(other, compiled.image, own_, out_.scheme), ""};
      });
      c.words = fmt::format("program.split: {} instead of {}", c.to, c.value);
      out_.tried.push_back(std::move(c));
    }
  }

  void find_best() {
    std::vector<size_t> lower;
    for (size_t k = 0; k < out_.tried.size(); ++k)
      if (const auto& cycles = out_.tried[k].bound.cycles; cycles && *cycles < out_.bound) lower.push_back(k);
    std::stable_sort(lower.begin(), lower.end(),
                     [&](size_t a, size_t b) { return *out_.tried[a].bound.cycles < *out_.tried[b].bound.cycles; });
    std::set<std::string> named;
    for (const size_t k : lower)
      if (out_.best.size() < most_changes && named.insert(out_.tried[k].name).second) out_.best.push_back(k);
  }

  static constexpr size_t most_changes = 3;

  const run_config& config_;
  const compiled_program& program_;
  const machine_with_keys& other_machine_;
  std::vector<field> fields_;             // keys of the machine, with its values
  std::set<std::string> tried_together_;  // keys of it
  models::machine_config own_;            // as provisioned
  bool changes_times_ = false;            // a machine that was asked about has other times
  std::vector<what_if> launches_;
  bound_sensitivity out_;
};

}  // namespace

bound_sensitivity sensitivity_of(const wcet_program& p, const run_config& config, const compiled_program& program,
                                 wcet::scheme scheme, const machine_with_keys& other_machine) {
  return inquiry(p, config, program, scheme, other_machine).take();
}

}  // namespace pws::platform
