// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_state.h"

#include <algorithm>

#include "base/popcount.h"

namespace pws::wcet {

namespace {

constexpr unsigned launched_mask = 0;
constexpr uint64_t all_lanes = ~uint64_t{0};

// Puts `now` in the place of what was there; whether that is something else.
template <class T>
bool put(T& there, const T& now) {
  if (there == now) return false;
  there = now;
  return true;
}
// What both say, if it is the same.
template <class T>
std::optional<T> agreed(const std::optional<T>& a, const std::optional<T>& b) {
  return a == b ? a : std::nullopt;
}

}  // namespace

scalar_word join(const scalar_word& a, const scalar_word& b) {
  return {join(a.value, b.value), join(a.relative, b.relative), join_buffers(a.buffers, b.buffers)};
}
scalar_word widen(const scalar_word& before, const scalar_word& now) {
  scalar_word w = join(before, now);
  w.value = widen(before.value, now.value);
  return w;
}

lane_state::lane_state(unsigned vgprs, uint64_t launched, uint64_t always) : always_launched_(always) {
  exec_.within.set(launched_mask);
  exec_.lanes = launched;
  if (launched == always) exec_number_ = exec_written_ = launched;
  exec_.rows.resize(vgprs);
  versions_.assign(vgprs, 0);
  saved_[launched_mask] = exec_;
}

// --- Scalar registers ------------------------------------------------------------------------------

void lane_state::set_scalar(unsigned index, const scalar_word& w) {
  s_[index] = {w.value, w.relative, 0};
  masks_[index] = nullptr;
  if (index > 0) masks_[index - 1] = nullptr;
}

void lane_state::forget_scalars() {
  s_.fill({});
  masks_.fill(nullptr);
  scc = word_set::range(0, 1);
  scc_carries = {};
}

// --- Masks -----------------------------------------------------------------------------------------

lane_mask lane_state::unknown_mask() const {
  lane_mask m;
  // Where all lanes were launched there are no others.
  if (always_launched_ == ~uint64_t{0}) m.within.set(launched_mask);
  return m;
}

lane_mask lane_state::exec() const {
  lane_mask m{exec_.within, true, exec_.lanes, std::make_shared<const lane_value>(lane_value::constant(1))};
  m.number = exec_number_;
  m.own_parts = parts_ == every_part ? 0 : parts_;
  m.is_in_part = exec_is_here_;
  if (open_splits_.empty())
    m.is = exec_is_here_;
  else if (is_own(exec_own_))
    m.is = exec_is_;
  return m;
}

lane_mask lane_state::mask(unsigned pair) const {
  if (pair == isa::exec_lo) return exec();
  lane_mask m = masks_[pair] ? *masks_[pair] : unknown_mask();
  if (!s_[pair].value.is_constant() || !s_[pair + 1].value.is_constant()) return m;
  m.number = m.lanes = s_[pair].value.start | uint64_t{s_[pair + 1].value.start} << 32;
  if (m.lanes == 0) {
    m.within.set();
    m.within_exec = true;
    m.own_parts = every_part;
  }
  if (exec_number_ && (m.lanes & ~*exec_number_) == 0) m.within_exec = true;
  std::array<uint32_t, lanes_per_wave> bits;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    // What is not in EXEC does not count: it may as well be like the rest.
    const bool counts = !exec_number_ || *exec_number_ == 0 || (*exec_number_ >> l & 1) != 0;
    bits[l] =
        static_cast<uint32_t>(m.lanes >> (counts ? l : static_cast<unsigned>(__builtin_ctzll(*exec_number_))) & 1);
  }
  m.bits = std::make_shared<const lane_value>(lane_value::of_lanes(bits));
  if ((m.lanes & ~always_launched_) == 0) m.within.set(launched_mask);
  return m;
}

void lane_state::set_mask(unsigned pair, const lane_mask& m, const word_set& low, const word_set& high) {
  if (pair == isa::exec_lo) return set_exec(m);
  // Bits that are known in the lanes of EXEC are all of a mask that has no others.
  std::optional<uint64_t> number = m.number;
  if (!number && m.within_exec && exec_number_ && m.bits && m.bits->is_known()) {
    number = 0;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if (m.bits->in_lane(l).start != 0) *number |= *exec_number_ & uint64_t{1} << l;
  }
  set_scalar(pair, number ? word_set::constant(static_cast<uint32_t>(*number)) : low);
  set_scalar(pair + 1, number ? word_set::constant(static_cast<uint32_t>(*number >> 32)) : high);
  masks_[pair] = std::make_shared<const lane_mask>(m);
}

void lane_state::forget_mask(unsigned number) {
  saved_.erase(number);
  exec_is_.reset(number);
  exec_is_here_.reset(number);
  for_each_scope([&](scope& s) {
    s.within.reset(number);
    s.apart.reset(number);
    s.same.reset(number);
    if (s.sides && (s.sides->first == number || s.sides->second == number)) s.sides = std::nullopt;
  });
  for (auto& m : masks_) {
    if (!m || !(m->within[number] || m->is_in_part[number])) continue;
    lane_mask changed = *m;
    changed.within.reset(number);
    changed.is.reset(number);
    changed.is_in_part.reset(number);
    m = std::make_shared<const lane_mask>(changed);
  }
}

void lane_state::save_exec(unsigned number) {
  forget_mask(number);
  saved_[number] = exec_;
  saved_[number].number = exec_number_;
  saved_[number].same = exec_is_here_;
  for (const auto& [outer, s] : saved_)
    if (exec_.within[outer]) saved_[number].apart |= s.apart;
  exec_.within.set(number);
  exec_is_here_.set(number);
  // Not so if a part has others' lanes in EXEC: but then nobody reads it, and the mask is forgotten before its merge.
  exec_is_.set(number);
  for (auto& m : masks_) {
    if (!m || !m->within_exec) continue;
    lane_mask changed = *m;
    changed.within.set(number);
    m = std::make_shared<const lane_mask>(changed);
  }
}

void lane_state::save_sides(unsigned whole, unsigned taken, unsigned rest) {
  save_exec(taken);
  forget_mask(rest);
  scope others = saved_.at(whole);
  others.within.set(whole);
  others.apart.set(taken);
  others.same.reset();
  others.sides = {whole, taken};
  if (others.number) {
    if (exec_number_)
      others.lanes = *others.number &= ~*exec_number_;
    else
      others.number = std::nullopt;
  }
  saved_[rest] = std::move(others);
  saved_[taken].apart.set(rest);
}

mask_set lane_state::all_names(const mask_set& some) const {
  mask_set all = some;
  for (const auto& [number, s] : saved_) {
    if (some[number]) all |= s.same;
    if ((some & s.same).any()) all.set(number);
  }
  return all;
}

bool lane_state::are_apart(const lane_mask& a, const lane_mask& b) const {
  for (const auto& [number, s] : saved_) {
    if (a.within[number] && (s.apart & b.within).any()) return true;
    if (b.within[number] && (s.apart & a.within).any()) return true;
  }
  return false;
}

mask_set lane_state::names_of(isa::operation op, const mask_set& a, const mask_set& b) const {
  mask_set names;
  const bool adds = op == isa::operation::bit_or, differs = op == isa::operation::bit_xor;
  const bool takes_away = differs || op == isa::operation::bit_andn2;
  for (const auto& [rest, s] : saved_) {
    if (!s.sides) continue;
    const auto [whole, taken] = *s.sides;
    if ((adds || differs) && ((a[rest] && b[taken]) || (a[taken] && b[rest]))) names.set(whole);
    if (takes_away && ((a[whole] && b[taken]) || (differs && a[taken] && b[whole]))) names.set(rest);
    if (takes_away && ((a[whole] && b[rest]) || (differs && a[rest] && b[whole]))) names.set(taken);
  }
  return names;
}

lane_mask lane_state::named(isa::operation op, const lane_mask& a, const lane_mask& b, lane_mask m) const {
  m.is |= names_of(op, a.is, b.is);
  m.is_in_part |= names_of(op, all_names(a.is_in_part), all_names(b.is_in_part));
  if (op == isa::operation::bit_andn2 && are_apart(a, b)) {
    m.is |= a.is;
    m.is_in_part |= a.is_in_part;
  }
  m.is_in_part = all_names(m.is_in_part | m.is);
  if (open_splits_.empty()) m.is = m.is_in_part;  // there are no other parts' lanes
  for (const auto& [number, s] : saved_) {
    if (!m.is[number]) continue;
    m.within.set(number);
    m.lanes &= s.lanes;
    if (!m.number) m.number = s.number;
  }
  return m;
}

void lane_state::exec_has_changed(bool narrowed) {
  for (auto& m : masks_) {
    if (!m || (!m->within_exec && !m->bits && !m->carry && !m->compared)) continue;
    lane_mask changed = *m;
    changed.within_exec = false;
    changed.carry = nullptr;
    if (!narrowed) {
      changed.bits = nullptr;
      changed.compared = nullptr;
    }
    m = std::make_shared<const lane_mask>(changed);
  }
}

// The one that is within most others itself, or has the fewest lanes.
const lane_state::scope* lane_state::innermost(const lane_mask& m, mask_set& within) const {
  const scope* best = nullptr;
  const std::optional<uint64_t> active = active_of(m.number);
  const auto has_it = [&](const scope& old) { return active && old.number && (*active & ~*old.number) == 0; };
  const auto is_further_in = [&](const scope& old) {
    if (best == nullptr || has_it(old) != has_it(*best)) return best == nullptr || has_it(old);
    return has_it(old) ? popcount(*old.number) <= popcount(*best->number) : old.within.count() >= best->within.count();
  };
  for (const auto& [number, old] : saved_) {
    if (!m.within[number] && !has_it(old)) continue;
    within.set(number);
    within |= old.within;
    if (is_further_in(old)) best = &old;
  }
  return best;
}

void lane_state::set_exec(const lane_mask& m) {
  exec_has_changed(m.within_exec);
  exec_own_ = m.own_parts;
  exec_is_ = m.is;
  exec_is_here_ = m.is_in_part | m.is;
  if (m.within_exec) {
    exec_.lanes &= m.lanes;
    for (const auto& [number, old] : saved_)
      if (m.within[number]) exec_.within.set(number);
    know_exec(m.number);
    if (m.compared && m.compared->version == versions_[m.compared->row])
      exec_.rows[m.compared->row].v = restricted(exec_.rows[m.compared->row].v, m.compared->in);
    return;
  }
  mask_set within;
  const scope* best = innermost(m, within);
  exec_.within = within;
  if (best != nullptr) {
    exec_.rows = best->rows;
    exec_.lanes = m.lanes & best->lanes;
  } else {  // lanes that were never launched may be among them
    std::fill(exec_.rows.begin(), exec_.rows.end(), vector_word{});
    exec_.lanes = m.lanes;
  }
  know_exec(m.number);
  for (unsigned row = 0; row < vgprs(); ++row) {
    if ((exec_.lanes & ~exec_.rows[row].about) != 0) exec_.forget(row);
    exec_.rows[row].about = all_lanes;
  }
}

// What is read where that has been written; nothing: not known. Lanes that were never launched execute as others do.
std::optional<uint64_t> lane_state::active_of(const std::optional<uint64_t>& written) const {
  if (!written || !split_mask_) return std::nullopt;
  return *written & *split_mask_;
}

void lane_state::know_exec(const std::optional<uint64_t>& number) {
  exec_written_ = number;
  exec_number_ = active_of(number);
  if (exec_number_)
    exec_.lanes &= *exec_number_;
  else if (number)
    exec_.lanes &= *number;
}

// --- Vector registers ------------------------------------------------------------------------------

void lane_state::scope::forget_beside(unsigned row) {
  rows[row].buffers = 0;
  rows[row].wide = nullptr;
  rows[row].wide_cover = nullptr;
  if (row == 0) return;
  rows[row - 1].wide = nullptr;
  rows[row - 1].wide_cover = nullptr;
}

void lane_state::scope::forget(unsigned row) {
  rows[row].v = lane_value::unknown();
  rows[row].about = all_lanes;
  forget_beside(row);
}

void lane_state::scope::set(unsigned row, const lane_value& value, uint64_t about_lanes) {
  const bool says_nothing = value.is_unknown() || (about_lanes & lanes) == 0;
  rows[row].v = says_nothing ? lane_value::unknown() : value;
  rows[row].about = says_nothing || (lanes & ~about_lanes) == 0 ? all_lanes : about_lanes;
}

uint64_t lane_state::scope::known(unsigned row) const {
  return rows[row].v.is_unknown() ? 0 : rows[row].about;
}

// One set of bases is for all lanes of a value. So where a part of the lanes gets a number that may be any, the value
// stays and is no longer about them; and where nothing was known it is about the part alone.
void lane_state::scope::write(unsigned row, const lane_value& now, const std::optional<uint64_t>& by) {
  forget_beside(row);
  if (!by) return set(row, mixed(rows[row].v, now), rows[row].about);
  add(row, now, *by);
}

void lane_state::scope::add(unsigned row, const lane_value& now, uint64_t by) {
  const uint64_t before = known(row);
  const bool says_less = now.is_unknown() || (now.base() == word_set::any() && rows[row].v.base() != word_set::any());
  const bool keeps = says_less && (before & lanes & ~by) != 0;
  if (keeps) return set(row, rows[row].v, before & ~by);
  const uint64_t after = before | by;
  set(row, replaced(rows[row].v, now, by, after & lanes), after);
}

void lane_state::set_vector(unsigned row, const lane_value& v) {
  ++versions_[row];
  exec_.rows[row].v = v;
  exec_.forget_beside(row);
  for (auto& [number, old] : saved_) {
    if ((old.apart & exec_.within).any()) continue;
    if (exec_number_ && (*exec_number_ & old.lanes) == 0) continue;
    old.write(row, v, exec_number_);
  }
}

void lane_state::set_wide(unsigned row, const wide_offsets& offsets) {
  exec_.rows[row].wide = std::make_shared<const wide_offsets>(offsets);
}

// Where a low half surely does not wrap around between lanes, the halves say it themselves.
std::shared_ptr<const wide_offsets> lane_state::wide_in(const scope& s, unsigned row) {
  if (row + 1 >= s.rows.size() || s.rows[row].about != all_lanes || s.rows[row + 1].about != all_lanes) return nullptr;
  if (s.rows[row].wide) return s.rows[row].wide;
  const lane_value& low = s.rows[row].v;
  if (!low.relation().uniform() || !s.rows[row + 1].v.is_uniform()) return nullptr;
  wide_offsets offsets;
  int64_t least = 0, most = 0;
  for (unsigned l = 0; l < lanes_per_wave; ++l) {
    offsets[l] = static_cast<int32_t>(low.offset(l));
    least = std::min(least, offsets[l]);
    most = std::max(most, offsets[l]);
  }
  const uint64_t first = low.base().start + static_cast<uint32_t>(least);
  if (most != least &&
      first % (uint64_t{1} << 32) + low.base().width + static_cast<uint64_t>(most - least) >= uint64_t{1} << 32)
    return nullptr;
  return std::make_shared<const wide_offsets>(offsets);
}

void lane_state::set_wide_cover(unsigned row, const lane_cover& c) {
  exec_.rows[row].wide_cover = c.empty() ? nullptr : std::make_shared<const lane_cover>(c);
}

// Low halves in arcs that do not pass 2^32, each with one of so many high halves.
lane_cover lane_state::wide_cover_in(const scope& s, unsigned row) {
  if (row + 1 >= s.rows.size() || s.rows[row].about != all_lanes || s.rows[row + 1].about != all_lanes) return {};
  lane_cover c;
  if (s.rows[row].wide_cover) c.add(*s.rows[row].wide_cover);
  const uint32_t highs = s.rows[row + 1].v.cover().points();
  if (highs == 0) return c;
  const lane_cover low = cut_open(s.rows[row].v);
  for (const cover_size& l : low.sizes()) c.add({l.arcs * highs, l.total * highs});
  return c;
}

void lane_state::begin_block() {
  for (auto& m : masks_) {
    if (!m || (!m->carry && !m->compared)) continue;
    lane_mask changed = *m;
    changed.carry = nullptr;
    changed.compared = nullptr;
    m = std::make_shared<const lane_mask>(changed);
  }
}

void lane_state::set_initial(unsigned row, const lane_value& v) {
  for_each_scope([&](scope& s) {
    s.rows[row].v = v;
    s.rows[row].about = all_lanes;
  });
}

void lane_state::forget_vector(unsigned row) {
  ++versions_[row];
  for_each_scope([&](scope& s) { s.forget(row); });
}

void lane_state::forget_vectors() {
  for (unsigned row = 0; row < vgprs(); ++row) forget_vector(row);
}

// --- Paths -----------------------------------------------------------------------------------------

void lane_state::drop_masks(const cfg::scalar_set& live, const mask_set& kept) {
  mask_set used = kept;
  used.set(launched_mask);
  for (unsigned k = 0; k + 1 < masks_.size(); ++k) {
    if (!masks_[k]) continue;
    if (!live[k] && !live[k + 1])
      masks_[k] = nullptr;
    else
      used |= masks_[k]->within | masks_[k]->is_in_part;
  }
  // At its merge a part says which mask it comes with.
  if (!open_splits_.empty()) used |= exec_is_here_;
  // The other side of a branch stays as it was as long as this one is known to be this one.
  mask_set sides;
  for (const auto& [number, s] : saved_)
    if (used[number]) sides |= s.apart;
  used |= sides;
  for (unsigned number = 0; number < max_masks; ++number)
    if (!used[number] && saved_.count(number) != 0) forget_mask(number);
}

// Before the halves are joined and do no longer say it.
bool lane_state::join_wide_covers(scope& a, const scope& b, bool widening) {
  bool changed = false;
  for (unsigned row = 0; row + 1 < a.rows.size(); ++row) {
    auto& known = a.rows[row].wide_cover;
    if (known == b.rows[row].wide_cover) continue;
    const lane_cover in_b = wide_cover_in(b, row);
    lane_cover both;
    if (!widening)
      both = join(wide_cover_in(a, row), in_b);
    else if (known)
      both = widen(*known, in_b);
    if (known ? both == *known : both.empty()) continue;
    known = both.empty() ? nullptr : std::make_shared<const lane_cover>(both);
    changed = true;
  }
  return changed;
}

bool lane_state::join_scopes(scope& a, const scope& b, bool widening) {
  bool changed = put(a.within, a.within & b.within);
  changed |= put(a.apart, a.apart & b.apart);
  changed |= put(a.same, a.same & b.same);
  changed |= put(a.lanes, a.lanes | b.lanes);
  changed |= put(a.number, agreed(a.number, b.number));
  changed |= put(a.sides, agreed(a.sides, b.sides));
  changed |= join_wide_covers(a, b, widening);
  for (unsigned row = 0; row + 1 < a.rows.size(); ++row) {
    auto& known = a.rows[row].wide;
    if (!known && !b.rows[row].wide) continue;
    const auto in_a = wide_in(a, row), in_b = wide_in(b, row);
    const bool same = in_a && in_b && *in_a == *in_b;
    changed |= known && !same;
    if (!known || !same) known = same ? in_a : nullptr;
  }
  for (unsigned row = 0; row < a.rows.size(); ++row) {
    vector_word& mine = a.rows[row];
    const vector_word& others = b.rows[row];
    changed |= put(mine.buffers, join_buffers(mine.buffers, others.buffers));
    if (mine.v.is_same_as(others.v) && mine.about == others.about) continue;
    const uint64_t about = mine.about & others.about;
    const lane_value other = elsewhere_like(others.v, mine.v, a.lanes & about);
    const lane_value j = widening ? widen(mine.v, other) : join(mine.v, other);
    if (j == mine.v && about == mine.about) continue;
    const vector_word before = mine;
    a.set(row, j, about);
    changed |= mine.v != before.v || mine.about != before.about;
  }
  return changed;
}

bool lane_state::join_scalars(const lane_state& o, bool widening) {
  bool changed = false;
  for (unsigned k = 0; k < s_.size(); ++k) {
    if (!masks_[k] && !o.masks_[k]) continue;
    lane_mask m = join(mask(k), o.mask(k));
    // The bits of a number are what mask() makes of it, by the EXEC of either way: there is no end to joining these.
    const auto is_same_number = [&](unsigned r) { return s_[r].value.is_constant() && s_[r].value == o.s_[r].value; };
    if (is_same_number(k) && is_same_number(k + 1)) m.bits = nullptr;
    // mask() may make others of them each time.
    const auto has_bits = [](const std::shared_ptr<const lane_mask>& of) { return of && of->bits; };
    if (widening && m.bits && !(has_bits(masks_[k]) && *masks_[k]->bits == *m.bits)) m.bits = nullptr;
    if (masks_[k] && *masks_[k] == m) continue;
    masks_[k] = std::make_shared<const lane_mask>(m);
    changed = true;
  }
  for (unsigned k = 0; k < s_.size(); ++k)
    changed |= put(s_[k], widening ? widen(s_[k], o.s_[k]) : join(s_[k], o.s_[k]));
  changed |= put(scc, join(scc, o.scc));
  changed |= put(scc_carries, join(scc_carries, o.scc_carries));
  return changed;
}

bool lane_state::join_splits(const lane_state& o) {
  bool changed = put(exec_number_, agreed(exec_number_, o.exec_number_));
  changed |= put(exec_written_, agreed(exec_written_, o.exec_written_));
  changed |= put(split_mask_, agreed(split_mask_, o.split_mask_));
  changed |= put(parts_, parts_ == o.parts_ ? parts_ : every_part);
  changed |= put(exec_own_, std::min(exec_own_, o.exec_own_));
  changed |= put(exec_is_, exec_is_ & o.exec_is_);
  changed |= put(exec_is_here_, exec_is_here_ & o.exec_is_here_);
  if (open_splits_.size() > o.open_splits_.size()) {  // splits that do not nest
    open_splits_.resize(o.open_splits_.size());
    changed = true;
  }
  for (size_t k = 0; k < open_splits_.size(); ++k)
    changed |= put(open_splits_[k], agreed(open_splits_[k], o.open_splits_[k]));
  return changed;
}

bool lane_state::join_with(const lane_state& o, bool widening) {
  bool changed = false;
  std::vector<unsigned> lost;
  for (const auto& [number, old] : saved_)
    if (o.saved_.count(number) == 0) lost.push_back(number);
  for (const unsigned number : lost) {
    forget_mask(number);
    changed = true;
  }
  changed |= join_scalars(o, widening);
  changed |= join_splits(o);
  changed |= join_scopes(exec_, o.exec_, widening);
  for (auto& [number, old] : saved_) changed |= join_scopes(old, o.saved_.at(number), widening);
  return changed;
}

}  // namespace pws::wcet
