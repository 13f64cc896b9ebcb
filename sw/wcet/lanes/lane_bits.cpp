// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_bits.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/isa/integer.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::wcet {

namespace {

using isa::operand;
using isa::operand_kind;
using kind = lane_word::kind;

constexpr lane_word no_bits{kind::zero, 0}, all_bits{kind::ones, 1};

bool is_scalar_pair(const operand& o) {
  return o.kind == operand_kind::scalar && o.dwords == 2;
}

// Finds the first element at `place` or behind it, in a list sorted by place.
template <typename places>
auto first_from(places& all, uint32_t place) {
  return std::lower_bound(all.begin(), all.end(), place, [](const auto& p, uint32_t of) { return p.first < of; });
}

}  // namespace

lane_bits::lane_bits(bool active) {
  write(isa::exec_lo, {kind::other, active ? 1u : 0u});
}

uint32_t lane_bits::lane_place(unsigned vgpr, uint64_t lane) {
  return static_cast<uint32_t>(256 + vgpr * isa::wave_size + lane % isa::wave_size);
}

const lane_bits::half* lane_bits::find(uint32_t place) const {
  const auto at = first_from(places_, place);
  return at == places_.end() || at->first != place ? nullptr : &at->second;
}

void lane_bits::put(uint32_t place, const half& h) {
  const auto at = first_from(places_, place);
  if (at == places_.end() || at->first != place)
    places_.insert(at, {place, h});
  else
    at->second = h;
}

void lane_bits::erase(uint32_t first, uint32_t end) {
  places_.erase(first_from(places_, first), first_from(places_, end));
}

std::optional<lane_word> lane_bits::known(uint32_t pair) const {
  const half *low = find(pair), *high = find(pair + 1);
  if (low == nullptr || high == nullptr || !(low->of == high->of)) return std::nullopt;
  const bool alike = low->of.whole != kind::other;
  if (!alike && (low->which != 0 || high->which != 1)) return std::nullopt;
  return low->of;
}

lane_word lane_bits::exec() const {
  return *known(isa::exec_lo);
}

lane_word lane_bits::read(const operand& o) {
  if (o.kind == operand_kind::constant) {
    if (o.value == 0) return no_bits;
    if (o.value == ~uint64_t{0}) return all_bits;
    return fresh();
  }
  if (!is_scalar_pair(o)) return fresh();
  if (const auto m = known(o.index)) return *m;
  const lane_word m = fresh();
  write(o.index, m);
  return m;
}

void lane_bits::write(uint32_t pair, const lane_word& m) {
  put(pair, {m, 0});
  put(pair + 1, {m, static_cast<uint8_t>(m.whole == kind::other ? 1 : 0)});
}

lane_word lane_bits::negated(lane_word m) {
  if (m.whole == kind::zero) return all_bits;
  if (m.whole == kind::ones) return no_bits;
  m.bit ^= 1;
  return m;
}

lane_word lane_bits::both(const lane_word& a, const lane_word& b) {
  if (a.whole == kind::zero || b.whole == kind::zero) return no_bits;
  if (a.whole == kind::ones) return b;
  if (b.whole == kind::ones) return a;
  if (a.bit == 0 || b.bit == 0 || a.bit == (b.bit ^ 1)) return {kind::other, 0};
  if (a.bit == 1 || a.bit == b.bit) return {kind::other, b.bit};
  if (b.bit == 1) return {kind::other, a.bit};
  return fresh();
}

lane_word lane_bits::differ(const lane_word& a, const lane_word& b) {
  if (a.whole == kind::zero) return b;
  if (b.whole == kind::zero) return a;
  if (a.whole == kind::ones) return negated(b);
  if (b.whole == kind::ones) return negated(a);
  if (a.bit <= 1) return {kind::other, b.bit ^ a.bit};
  if (b.bit <= 1) return {kind::other, a.bit ^ b.bit};
  if (a.bit == b.bit) return {kind::other, 0};
  if (a.bit == (b.bit ^ 1)) return {kind::other, 1};
  return fresh();
}

void lane_bits::substitute(uint32_t literal, bool value) {
  const auto replace = [&](lane_word& m) {
    if (m.whole != kind::other || (m.bit | 1) != (literal | 1)) return;
    m.bit = static_cast<uint32_t>(value) ^ (m.bit & 1) ^ (literal & 1);
  };
  for (auto& [place, h] : places_) replace(h.of);
  if (scc_) replace(*scc_);
}

// Who reads EXEC sees the lanes of its own part of the wavefront alone: not all bits are 1 where that was written.
void lane_bits::write_exec(const lane_word& m, std::vector<lane_bits>& others) {
  write(isa::exec_lo, m.whole == kind::ones ? lane_word{kind::other, 1} : m);
  if (m.literal() <= 1) return;
  others.push_back(*this);
  others.back().substitute(m.bit, false);
  substitute(m.bit, true);
}

// A word and the state that names it, for isa::logic.
struct lane_bits::word {
  lane_bits* in;
  lane_word of;
  word operator&(const word& o) const { return {in, in->both(of, o.of)}; }
  word operator|(const word& o) const { return {in, in->either(of, o.of)}; }
  word operator^(const word& o) const { return {in, in->differ(of, o.of)}; }
  word operator~() const { return {in, negated(of)}; }
};

// The result of a logical instruction on pairs; nothing: it is no such instruction.
std::optional<lane_word> lane_bits::combined(const isa::inst& i) {
  if (!is_mask_logic(i)) return std::nullopt;
  const isa::operand_list list = isa::operands_of(i);
  const word a{this, read(list.value(0).from)};
  return isa::logic<word>(operation_of(i), a, list.values() > 1 ? word{this, read(list.value(1).from)} : a).of;
}

void lane_bits::forget(const isa::inst& i) {
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const isa::inst::run& r = i.writes[k];
    if (r.is_vgpr)
      erase(lane_place(r.first, 0), lane_place(r.first, 0) + r.count * isa::wave_size);
    else
      erase(r.first, r.first + r.count);
  }
  // A register that M0 names: of a vector instruction any vector register, else any scalar one.
  if (i.relative_index) erase(i.unit == isa::unit::salu ? 0 : lane_place(0, 0), ~uint32_t{0});
  if (i.writes_scc) scc_.reset();
}

void lane_bits::execute(const isa::inst& i, std::vector<lane_bits>& others) {
  // Each part of a split wavefront follows its own work-items, whose bits stay as they are.
  if (i.unit == isa::unit::split || i.unit == isa::unit::merge) return;
  const lane_word exec_before = exec();
  const auto set = [&](const lane_word& value, const operand& to) {
    if (to.index == isa::exec_lo)
      write_exec(value, others);
    else
      write(to.index, value);
  };
  if (const auto value = combined(i)) {
    const lane_word result = *value;
    if (i.writes_scc) scc_ = result;
    if (!is_saveexec(i)) return set(result, i.dst);
    write(i.dst.index, exec_before);
    return write_exec(result, others);
  }
  if (is_scalar(i, isa::operation::select, isa::data_type::b64)) {
    const lane_word yes = read(i.src[0]), no = read(i.src[1]);
    const bool is_no = scc_ && scc_->whole == kind::zero, is_yes = scc_ && scc_->literal() == 1;
    if (!is_no && !is_yes) {
      lane_bits other = *this;
      if (other.scc_ && other.scc_->literal() > 1) other.substitute(other.scc_->bit, false);
      other.scc_ = no_bits;
      const lane_word chosen = other.read(i.src[1]);
      if (i.dst.index == isa::exec_lo)
        other.write_exec(chosen, others);
      else
        other.write(i.dst.index, chosen);
      others.push_back(other);
      scc_ = all_bits;
    }
    return set(is_no ? no : yes, i.dst);
  }
  if (i.native == isa::format::vopc && is_scalar_pair(i.dst)) {
    // 0 for work-items that are not active. v_cmpx writes EXEC too.
    const lane_word result = exec_before.literal() == 0 ? lane_word{kind::other, 0} : fresh();
    write(i.dst.index, result);
    if (i.writes_exec) write_exec(result, others);
    return;
  }
  const auto copy = [&](uint32_t to, std::optional<half> from) {
    if (to == isa::exec_lo || to == isa::exec_hi)
      write_exec(fresh(), others);
    else if (from)
      put(to, *from);
    else
      erase(to, to + 1);
  };
  const auto half_of = [&](const operand& o) -> std::optional<half> {
    if (o.kind == operand_kind::constant) {
      if ((o.value & 0xffffffffu) == 0) return half{no_bits, 0};
      if ((o.value & 0xffffffffu) == 0xffffffffu) return half{all_bits, 0};
      return std::nullopt;
    }
    const half* found = o.kind == operand_kind::scalar ? find(o.index) : nullptr;
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  if (is_scalar(i, isa::operation::move, isa::data_type::b32) && i.dst.kind == operand_kind::scalar)
    return copy(i.dst.index, half_of(i.src[0]));
  if (operation_of(i) == isa::operation::write_lane && i.src[1].kind == operand_kind::constant)
    return copy(lane_place(i.dst.index, i.src[1].value), half_of(i.src[0]));
  if (operation_of(i) == isa::operation::read_lane && i.src[0].kind == operand_kind::vgpr &&
      i.src[1].kind == operand_kind::constant) {
    const half* found = find(lane_place(i.src[0].index, i.src[1].value));
    return copy(i.dst.index, found == nullptr ? std::nullopt : std::optional(*found));
  }
  forget(i);
  // A carry, as a comparison's result.
  if (is_scalar_pair(i.sdst)) return set(exec_before.literal() == 0 ? lane_word{kind::other, 0} : fresh(), i.sdst);
  if (!known(isa::exec_lo)) write_exec(fresh(), others);
}

bool lane_bits::suppose(const isa::inst& compare, bool set, bool alike) {
  if (!is_scalar_pair(compare.dst)) {
    scc_ = set ? all_bits : no_bits;
    return true;
  }
  const auto result = known(compare.dst.index);
  if (!result) return true;
  if (result->literal() <= 1 && (result->literal() == 1) != set) return false;
  if (result->literal() > 1) substitute(result->bit, set);
  // Bits of work-items that are not active are 0.
  if (alike && compare.dst.index != isa::exec_lo && !compare.writes_exec)
    write(compare.dst.index, set ? exec() : no_bits);
  return true;
}

std::optional<lane_bits> lane_bits::after_branch(const isa::inst& branch, bool taken) const {
  using condition = isa::branch_condition;
  const condition c = branch_condition_of(branch);
  std::optional<lane_word> tested;
  if (tests_exec(branch)) tested = exec();
  if (tests_vcc(branch)) tested = known(isa::vcc_lo);
  if (tests_scc(branch)) tested = scc_;
  if (!tested) return *this;
  const bool if_not_zero = c == condition::exec_nonzero || c == condition::vcc_nonzero || c == condition::scc_one;
  const bool not_zero = taken == if_not_zero;
  if (not_zero && tested->whole == kind::zero) return std::nullopt;
  if (!not_zero && tested->literal() == 1) return std::nullopt;
  lane_bits out = *this;
  if (!not_zero && tested->literal() > 1) out.substitute(tested->bit, false);
  return out;
}

bool lane_bits::holds(const isa::wave_state& w, unsigned lane) const {
  if (active() != ((w.active() >> lane & 1) != 0)) return false;
  std::map<uint32_t, bool> value_of;  // of variables
  const auto is = [&](uint32_t literal, bool value) {
    if (literal <= 1) return (literal == 1) == value;
    return value_of.emplace(literal >> 1, value != ((literal & 1) != 0)).first->second ==
           (value != ((literal & 1) != 0));
  };
  for (const auto& [place, h] : places_) {
    const uint32_t p = place;
    const uint32_t v = p < isa::exec_lo ? w.scalar[p]
                       : p < isa::scalar_count
                           ? static_cast<uint32_t>(w.active() >> (p == isa::exec_lo ? 0 : 32))
                           : w.vgpr[(p - lane_place(0, 0)) / isa::wave_size].lane[p % isa::wave_size];
    if (h.of.whole == kind::zero && v != 0) return false;
    if (h.of.whole == kind::ones && v != ~uint32_t{0}) return false;
    if (h.of.whole == kind::other && h.which == lane / 32 && !is(h.of.bit, (v >> lane % 32 & 1) != 0)) return false;
  }
  if (!scc_ || w.scc) return !scc_ || scc_->whole != kind::zero;
  return scc_->whole != kind::ones && is(scc_->literal(), false);
}

size_t lane_bits::lost(const lane_bits& a, const lane_bits& b) {
  constexpr size_t all_known = 1000;
  size_t n = 0;
  const auto lose = [&](const half& h) { n += h.of.whole != kind::other ? all_known : 1; };
  auto in_b = b.places_.begin();
  for (const auto& [place, h] : a.places_) {
    for (; in_b != b.places_.end() && in_b->first < place; ++in_b) lose(in_b->second);
    const bool in_both = in_b != b.places_.end() && in_b->first == place;
    if (in_both && in_b->second == h) {
      ++in_b;
      continue;
    }
    lose(h);
    if (in_both) lose((in_b++)->second);
  }
  for (; in_b != b.places_.end(); ++in_b) lose(in_b->second);
  return n;
}

lane_bits lane_bits::common(const lane_bits& a, const lane_bits& b) {
  lane_bits out = a;
  out.places_.clear();
  out.variables_ = 0;
  // A variable for each two literals, of a and of b, that stand in the same place.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> variable;
  const auto joined = [&](const lane_word& m, const lane_word& n) {
    if (m.whole == n.whole && m.whole != kind::other) return m;
    const uint32_t x = m.literal(), y = n.literal();
    if (x == y && x <= 1) return lane_word{kind::other, x};
    const uint32_t negated = x & 1;
    const auto [found, is_new] = variable.emplace(std::make_pair(x ^ negated, y ^ negated), 0);
    if (is_new) found->second = 2 * ++out.variables_;
    return lane_word{kind::other, found->second ^ negated};
  };
  for (const auto& [place, h] : a.places_) {
    const half* other = b.find(place);
    if (other == nullptr) continue;
    const half& o = *other;
    // All bits alike are both halves.
    const uint8_t which = h.of.whole == kind::other ? h.which : o.which;
    if (h.of.whole == kind::other && o.of.whole == kind::other && h.which != o.which) continue;
    const lane_word m = joined(h.of, o.of);
    if (m.whole == kind::other && h.of.whole != kind::other && o.of.whole != kind::other) continue;
    out.places_.emplace_back(place, half{m, which});
  }
  out.scc_ = a.scc_ && b.scc_ ? std::optional(joined(*a.scc_, *b.scc_)) : std::nullopt;
  out.write(isa::exec_lo, a.exec() == b.exec() ? a.exec() : lane_word{kind::other, a.exec().literal()});
  return out;
}

void lane_bits::reduce(const cfg::scalar_set& live) {
  const auto drop = [&](const auto& is_dropped) {
    places_.erase(std::remove_if(places_.begin(), places_.end(), is_dropped), places_.end());
  };
  drop([&](const auto& p) {
    const bool scalar = p.first < isa::scalar_count, exec = p.first == isa::exec_lo || p.first == isa::exec_hi;
    return scalar && !exec && !live.test(p.first);
  });
  if (!live.test(cfg::scc_bit)) scc_.reset();
  // A name that is used once says nothing.
  std::map<uint32_t, std::set<uint32_t>> users;
  const auto variable = [](const lane_word& m) { return m.literal() >> 1; };
  for (const auto& [place, h] : places_) users[variable(h.of)].insert(place - h.which);
  if (scc_) users[variable(*scc_)].insert(~0u);
  if (scc_ && variable(*scc_) != 0 && users[variable(*scc_)].size() < 2) scc_.reset();
  drop([&](const auto& p) {
    const uint32_t v = variable(p.second.of);
    return v != 0 && users[v].size() < 2;
  });
  std::map<uint32_t, uint32_t> renamed;
  const auto rename = [&](lane_word& m) {
    const uint32_t v = variable(m);
    if (v == 0) return;
    const auto [found, is_new] = renamed.emplace(v, 0);
    // The first use of a name is not negated.
    if (is_new) found->second = 2 * static_cast<uint32_t>(renamed.size()) + (m.bit & 1);
    m.bit = found->second ^ (m.bit & 1);
  };
  for (auto& [place, h] : places_) rename(h.of);
  if (scc_) rename(*scc_);
  variables_ = static_cast<uint32_t>(renamed.size());
}

}  // namespace pws::wcet
