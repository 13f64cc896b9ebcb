// SPDX-License-Identifier: Apache-2.0
#include "models/check/polls/polls.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "models/check/polls/code_state.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::inst;

// Instructions of a way: loops are mostly short, and ways that leave them go on for long.
constexpr unsigned lengths[] = {128, 256, 512, 1024};
constexpr unsigned most_looked_at = 4096;         // of all ways of such a length together
constexpr unsigned longest_to_loop_behind = 256;  // the loop comes soon behind its first test
constexpr unsigned longest_function = 1u << 16;   // instructions
constexpr unsigned most_returns = 4;              // to callers of the load's own function

// Who has called whom on the way so far.
struct call_stack {
  std::vector<uint64_t> returned;  // to callers of the function that the way began in
  std::vector<uint64_t> called;    // where those that go on will return to

  void call(uint64_t returns_to) { called.push_back(returns_to); }
  void return_to(uint64_t pc) {
    if (!called.empty() && called.back() == pc)
      called.pop_back();
    else
      returned.push_back(pc);
  }
  // In the function and for the caller that the way began in.
  bool is_back() const { return std::equal(called.begin(), called.end(), returned.rbegin(), returned.rend()); }
  bool operator==(const call_stack& o) const { return returned == o.returned && called == o.called; }
};

class search {
 public:
  search(isa::program& code, const inst& load, const register_reader* read, std::vector<register_place>& asked)
      : code_(code), load_(load), read_(read), asked_(asked) {}

  bool finds() { return finds_loop() || finds_way(true); }
  bool finds_loop() { return finds_way(false); }

 private:
  struct step {
    uint64_t pc;
    call_stack calls;
  };
  struct place_in_code {
    uint64_t pc = 0;
    call_stack calls;
    code_state state;
    bool decided = false;  // a branch that depends on the value_id has been passed
  };

  // To the loop that the load is in, or to one behind it: compilers take the first test out of a loop.
  bool finds_way(bool to_loop_behind) {
    to_loop_behind_ = to_loop_behind;
    if (!to_loop_behind) find_those_that_lead_back();
    for (const unsigned length : lengths) {
      if (to_loop_behind && length > longest_to_loop_behind) return false;
      longest_way_ = length;
      looked_at_ = 0;
      cut_off_ = false;
      way_.clear();
      code_state state(values_);
      state.first_round(true);
      place_ = state.place_of(load_);
      state.pass_loaded(load_);
      if (goes_on({load_.pc + load_.bytes(), {}, state, false})) return true;
      if (!cut_off_) return false;  // these were all
    }
    return false;
  }

  // The instructions of the load's function from which a way goes to the load, or to a return.
  void find_those_that_lead_back() {
    std::unordered_map<uint64_t, std::vector<uint64_t>> before;  // each, from where one comes to it
    std::vector<uint64_t> open{load_.pc + load_.bytes()}, back{load_.pc};
    before[open.back()];
    for (unsigned n = 0; !open.empty() && n < longest_function; ++n) {
      const uint64_t pc = open.back();
      open.pop_back();
      if (pc == load_.pc) continue;
      const inst* there = decoded(pc);
      if (there == nullptr) continue;
      const inst& i = *there;
      const bool returns = isa::operation_of(i) == isa::operation::set_pc;
      if (returns) back.push_back(pc);
      if (returns || i.unit == isa::unit::end || i.unit == isa::unit::barrier) continue;
      const auto leads_to = [&](uint64_t next) {
        const auto [at, is_new] = before.try_emplace(next);
        at->second.push_back(pc);
        if (is_new) open.push_back(next);
      };
      if (isa::branch_condition_of(i) != isa::branch_condition::none) leads_to(i.target);
      if (isa::branch_condition_of(i) != isa::branch_condition::always) leads_to(pc + i.bytes());
    }
    leads_back_.clear();
    while (!back.empty()) {
      const uint64_t pc = back.back();
      back.pop_back();
      if (!leads_back_.insert(pc).second) continue;
      if (const auto at = before.find(pc); at != before.end())
        back.insert(back.end(), at->second.begin(), at->second.end());
    }
  }

  // nullptr: no code, as behind a call that does not return.
  const inst* decoded(uint64_t pc) {
    try {
      return &code_.at(pc);
    } catch (const program_error&) {
      return nullptr;
    }
  }

  bool goes_on(place_in_code at) {
    const size_t before = way_.size();
    const bool found = follow(at);
    way_.resize(before);
    return found;
  }

  bool follow(place_in_code& at) {
    while (way_.size() < longest_way_ && ++looked_at_ < most_looked_at) {
      if (at.pc == load_.pc && at.calls.is_back()) return !to_loop_behind_ && at.state.is_on() && waits(at.state);
      const inst i = code_.at(at.pc);
      if (to_loop_behind_ && at.decided && loads_the_same(i, at.state) &&
          search(code_, i, nullptr, asked_).finds_loop())
        return true;
      const bool passed =
          std::any_of(way_.begin(), way_.end(), [&](const step& s) { return s.pc == at.pc && s.calls == at.calls; });
      if (passed || at.state.may_release(i)) return false;  // a loop without the load
      way_.push_back({at.pc, at.calls});
      at.pc = i.pc + i.bytes();
      if (isa::is_conditional_branch(i)) {
        const bool here = at.decided || at.state.decides(i);
        place_in_code taken = at;
        taken.pc = i.target;
        taken.decided = here;
        const bool can_be_taken = taken.state.assume_branch(i, true), can_be_passed = at.state.assume_branch(i, false);
        if (to_loop_behind_ && here && !at.decided) {  // into the loop or past it
          at.decided = true;
          return (can_be_taken && goes_on(taken)) != (can_be_passed && goes_on(at));
        }
        if (can_be_taken && goes_on(taken)) return true;
        if (!can_be_passed) return false;
        at.decided = here;
      } else if (isa::is_indirect_jump(i)) {
        if (!jumps(i, at)) return false;
      } else if (i.unit == isa::unit::branch) {
        if (isa::branch_condition_of(i) != isa::branch_condition::always) return false;
        at.pc = i.target;
      } else {
        at.state.pass(i);
      }
    }
    cut_off_ = true;
    return false;
  }

  // A call or a return, if it can be told where to.
  bool jumps(const inst& i, place_in_code& at) {
    const auto low = content(at.state.of(i.src[0], 0)), high = content(at.state.of(i.src[0], 1));
    if (!low || !high) return false;
    const uint64_t returns_to = at.pc;
    at.pc = *low | uint64_t{*high} << 32;
    at.state.pass(i);
    if (isa::is_call(i))
      at.calls.call(returns_to);
    else
      at.calls.return_to(at.pc);
    return at.calls.returned.size() <= most_returns;
  }

  // What a value is when the load is executed.
  std::optional<uint32_t> content(value_id v) {
    using kind = value_table::kind;
    const value_table::node n = values_[v];
    if (const auto known = values_.known(v)) return known;
    if (read_ == nullptr) return std::nullopt;
    register_place p;
    if (n.is == kind::scalar) {
      p.number = static_cast<uint16_t>(n.a);
    } else if (n.is == kind::lane && values_[n.a].is == kind::vector) {
      p = {true, static_cast<uint16_t>(values_[n.a].a), static_cast<uint8_t>(n.b)};
    } else {
      return std::nullopt;
    }
    if (std::find(asked_.begin(), asked_.end(), p) == asked_.end()) asked_.push_back(p);
    return (*read_)(p);
  }

  // Whether this is the load once more, with the address that it had.
  bool loads_the_same(const inst& i, code_state& state) const {
    if (i.row != load_.row || i.src[0].kind != isa::operand_kind::vgpr || load_.src[0].kind != i.src[0].kind)
      return false;
    if ((i.row->flags & isa::double_access) != 0 && (i.offset0 != load_.offset0 || i.offset1 != load_.offset1))
      return false;
    code_state here = state;
    return here.is_on() && here.place_of(i) == place_;
  }

  // The way once more, and again: the first time may have begun with an address of a variable in a register, of which
  // nothing is known. Whether nobody is told anything, the value decides, and the address stays the same.
  bool waits(code_state& state) {
    if (load_.src[0].kind != isa::operand_kind::vgpr) return false;
    state.first_round(false);
    bool decided = false;
    if (!passes(state, decided) || !decided) return false;
    const value_id once = state.address_of(load_);
    return passes(state, decided) && state.address_of(load_) == once;
  }
  bool passes(code_state& state, bool& decided) {
    state.pass_loaded(load_);
    for (const step& s : way_) {
      const inst& i = code_.at(s.pc);
      if (state.may_release(i)) return false;
      if (isa::is_conditional_branch(i))
        decided = decided || state.decides(i);
      else if (isa::branch_condition_of(i) == isa::branch_condition::none)
        state.pass(i);
    }
    return true;
  }

  isa::program& code_;
  const inst load_;
  const register_reader* read_;
  std::vector<register_place>& asked_;
  value_table values_;
  value_id place_ = 0;
  bool to_loop_behind_ = false;
  std::vector<step> way_;
  std::unordered_set<uint64_t> leads_back_;
  unsigned longest_way_ = 0, looked_at_ = 0;
  bool cut_off_ = false;  // there are longer ways
};

}  // namespace

bool is_poll(isa::program& code, const inst& load, const register_reader& read, std::vector<register_place>& asked) {
  if (load.lds_bit) return false;
  try {
    return search(code, load, &read, asked).finds();
  } catch (const program_error&) {  // no code any more
    return false;
  }
}

}  // namespace pws::check
