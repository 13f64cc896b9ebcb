// SPDX-License-Identifier: Apache-2.0
#include "models/check/frames/frame_accesses.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::operand_kind;
using isa::operation;

constexpr unsigned frame_register = 33;  // s33: the frame, in bytes of the whole wavefront
constexpr uint64_t to_bytes_of_lane = 6;
constexpr unsigned most_passes = 8;

// What is known of a value.
struct tag {
  enum class is : uint8_t {
    unknown,
    some_constant,  // or what may be an address of something else
    frame,          // the work-item's frame itself
    scalar,         // a scalar register's value, as the high half of an address begins
    address         // of the object
  };
  is what = is::unknown;
  uint32_t object = 0;
  bool operator==(const tag& o) const { return what == o.what && object == o.object; }
  bool operator!=(const tag& o) const { return !(*this == o); }
};
using is = tag::is;

class walk {
 public:
  walk(const std::vector<isa::inst>& function, const std::vector<frame_object>& objects)
      : function_(function), objects_(objects) {
    for (const isa::inst& i : function_)
      if (i.unit == isa::unit::branch) targets_.insert(i.target);
    nothing_at_0_ = std::none_of(objects_.begin(), objects_.end(), [](const frame_object& o) { return o.offset == 0; });
  }

  // What a spill slot holds is what all stores to it store, which may itself come from slots: the second pass knows
  // what the first one has found, until nothing changes any more.
  std::vector<frame_access> accesses() {
    for (unsigned pass = 0; pass < most_passes; ++pass) {
      stored_.clear();
      found_.clear();
      once();
      if (stored_ == slots_) return found_;
      slots_ = stored_;
    }
    return {};
  }

 private:
  void once() {
    forget();
    first_block_ = true;
    base_ = base::unknown;
    for (const isa::inst& i : function_) {
      if (targets_.count(i.pc) != 0) {
        forget();
        first_block_ = false;
      }
      step(i);
    }
  }

  void forget() {
    vgprs_.fill({});
    scalars_.clear();
    previous_frame_.reset();
  }

  tag of(const isa::operand& o) const { return o.kind == operand_kind::vgpr ? vgprs_[o.index & 0xff] : tag{}; }

  std::optional<uint32_t> constant(const isa::operand& o) const {
    if (o.kind == operand_kind::constant) return static_cast<uint32_t>(o.value);
    const auto at = o.kind == operand_kind::scalar ? scalars_.find(o.index) : scalars_.end();
    return at == scalars_.end() ? std::nullopt : std::optional(at->second);
  }

  // Where exactly one object begins. An object at the frame's beginning is indistinguishable from the frame.
  tag address_of(uint64_t offset) const {
    tag found{is::some_constant, 0};
    if (offset == 0 || !first_block_) return found;
    unsigned n = 0;
    for (uint32_t k = 0; k < objects_.size(); ++k) {
      if (objects_[k].offset != offset) continue;
      found = {is::address, k};
      ++n;
    }
    return n == 1 ? found : tag{is::some_constant, 0};
  }

  tag moved(const isa::operand& from) const {
    if (from.kind == operand_kind::vgpr) return of(from);
    if (from.kind == operand_kind::constant)
      return base_ == base::zero ? address_of(static_cast<uint32_t>(from.value)) : tag{is::some_constant, 0};
    return constant(from) ? tag{is::some_constant, 0} : tag{is::scalar, 0};
  }

  // The frame register, shifted, and right behind it the variable's place.
  bool is_place(const isa::inst& i) const {
    if (operation_of(i) != operation::add || base_ != base::frame || !nothing_at_0_) return false;
    const isa::operand& frame = i.src[1];
    return of(frame).what == is::frame && frame.index == i.dst.index && constant(i.src[0]).has_value() &&
           previous_frame_ == i.dst.index;
  }

  // What a sum is; with `minus` a difference, the first minus the second.
  static tag sum(tag a, tag b, bool minus) {
    if (a.what == is::unknown && b.what == is::unknown) return {};
    if (a.what == is::scalar || b.what == is::scalar) {
      const bool other = a.what != b.what && a.what != is::unknown && b.what != is::unknown;
      return {other ? is::some_constant : is::scalar, 0};
    }
    if (b.what == is::unknown) return a.what == is::frame ? tag{is::some_constant, 0} : a;
    if (a.what == is::unknown && !minus) return b.what == is::frame ? tag{is::some_constant, 0} : b;
    return {is::some_constant, 0};
  }

  tag result(const isa::inst& i) const {
    const isa::meaning& m = i.row->means;
    if (!isa::has_plain_operands(i) || (m.of != isa::data_type::u32 && m.of != isa::data_type::b32)) return {};
    const tag a = of(i.src[m.reversed ? 1 : 0]), b = of(i.src[m.reversed ? 0 : 1]);
    switch (m.does) {
      case operation::move:
        return moved(i.src[0]);
      case operation::shift_right:
        if (base_ == base::frame && i.src[1].kind == operand_kind::scalar && i.src[1].index == frame_register &&
            i.src[0].kind == operand_kind::constant && i.src[0].value == to_bytes_of_lane)
          return {is::frame, 0};
        return {};
      case operation::add:
        return is_place(i) ? address_of(*constant(i.src[0])) : sum(a, b, false);
      case operation::add_carry:
      case operation::bit_or:
        return sum(a, b, false);
      case operation::subtract:
      case operation::subtract_borrow:
        return sum(a, b, true);
      default:
        return {};
    }
  }

  static bool is_buffer(const isa::inst& i, operation o) {  // of whole dwords
    return i.native == isa::format::mubuf && operation_of(i) == o && bytes_of(data_type_of(i)) >= 4;
  }
  bool is_slot(const isa::inst& i) const {
    return !i.offen && !i.idxen && !i.lds_bit && i.src[3].kind == operand_kind::scalar &&
           i.src[3].index == frame_register;
  }
  bool in_an_object(uint64_t offset) const {
    return std::any_of(objects_.begin(), objects_.end(),
                       [&](const frame_object& o) { return offset + 4 > o.offset && offset < o.offset + o.bytes; });
  }

  void spill(const isa::inst& i) {
    for (unsigned k = 0; k < i.src[1].dwords; ++k) {
      const uint64_t at = i.offset0 + 4u * k;
      const tag t = in_an_object(at) ? tag{} : vgprs_[(i.src[1].index + k) & 0xff];
      const auto [slot, is_new] = stored_.try_emplace(at, t);
      if (!is_new && slot->second != t) slot->second = {};
    }
  }

  void write(const isa::inst& i) {
    const bool one = i.dst.kind == operand_kind::vgpr && i.dst.dwords == 1 && !i.is_memory();
    const tag t = one ? result(i) : tag{};
    std::array<tag, 4> loaded{};
    const bool reload = is_buffer(i, operation::load) && is_slot(i) && i.dst.dwords <= loaded.size();
    for (unsigned k = 0; reload && k < i.dst.dwords; ++k)
      if (const auto at = slots_.find(i.offset0 + 4u * k); at != slots_.end()) loaded[k] = at->second;
    const bool moves = isa::is_scalar(i) && operation_of(i) == operation::move && i.dst.dwords == 1;
    const std::optional<uint32_t> value = moves ? constant(isa::operands_of(i).value(0).from) : std::nullopt;
    for (unsigned n = 0; n < i.n_writes; ++n)
      for (unsigned r = i.writes[n].first; r < unsigned{i.writes[n].first} + i.writes[n].count; ++r) {
        if (i.writes[n].is_vgpr)
          vgprs_[r & 0xff] = {};
        else
          scalars_.erase(static_cast<uint16_t>(r));
      }
    if (one) vgprs_[i.dst.index & 0xff] = t;
    for (unsigned k = 0; reload && k < i.dst.dwords; ++k) vgprs_[(i.dst.index + k) & 0xff] = loaded[k];
    if (value) scalars_[i.dst.index] = *value;
    // A constant for a sum may be made between the two instructions of a place.
    if (one && t.what == is::frame)
      previous_frame_ = i.dst.index;
    else if (!value)
      previous_frame_.reset();
  }

  // Where the function says what its frame register is.
  void frame_is_set(const isa::inst& i) {
    if (i.dst.kind != operand_kind::scalar || i.dst.index != frame_register || !first_block_ ||
        !isa::is_scalar(i, operation::move, isa::data_type::b32))
      return;
    if (i.src[0].kind == operand_kind::constant && i.src[0].value == 0) base_ = base::zero;
    if (i.src[0].kind == operand_kind::scalar && i.src[0].index == frame_register - 1) base_ = base::frame;
  }

  void step(const isa::inst& i) {
    if (i.native == isa::format::flat && i.src[0].kind == operand_kind::vgpr) {
      const tag low = vgprs_[i.src[0].index & 0xff], high = vgprs_[(i.src[0].index + 1u) & 0xff];
      if (low.what == is::address && high.what == is::scalar) found_.push_back({i.pc, low.object});
    }
    if (is_buffer(i, operation::store) && is_slot(i)) spill(i);
    write(i);
    frame_is_set(i);
    if (i.relative_index || i.writes_exec || i.unit == isa::unit::split || i.unit == isa::unit::merge) forget();
    if (i.unit == isa::unit::branch) {
      first_block_ = false;
      if (i.target == 0) forget();  // a call: the registers are the other function's
    }
  }

  const std::vector<isa::inst>& function_;
  const std::vector<frame_object>& objects_;
  std::set<uint64_t> targets_;
  bool nothing_at_0_ = false;

  enum class base : uint8_t { unknown, zero, frame };
  base base_ = base::unknown;
  bool first_block_ = true;
  std::array<tag, 256> vgprs_{};
  std::map<uint16_t, uint32_t> scalars_;  // those that hold a known constant
  std::optional<uint16_t> previous_frame_;
  std::map<uint64_t, tag> slots_, stored_;  // by offset in the frame
  std::vector<frame_access> found_;
};

}  // namespace

std::vector<frame_access> frame_accesses(const std::vector<isa::inst>& function,
                                         const std::vector<frame_object>& objects) {
  return walk(function, objects).accesses();
}

}  // namespace pws::check
