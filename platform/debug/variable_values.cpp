// SPDX-License-Identifier: Apache-2.0
// What variables hold.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "platform/config/values/element_type.h"
#include "platform/debug/variable_memory.h"

namespace pws::platform::debug {

using place_state = loader::value_place::state;
using piece_kind = loader::value_piece::what;
using loader::type_kind;
using loader::variable_type;

namespace {

constexpr uint64_t bits_of_byte = 8;
constexpr const char* left_out = "<optimized out>";

// The bytes of an object; nothing where the compiler has left some of them out. Throws input_error.
std::optional<std::vector<uint8_t>> bytes_of(const typed_object& o, uint64_t bytes, const scene& s) {
  std::vector<uint8_t> all(bytes);
  uint64_t at = 0;    // where the piece begins
  uint64_t done = 0;  // bytes that are known
  for (const loader::value_piece& p : o.place->pieces) {
    const uint64_t begin = std::max(at, o.begin), end = std::min(at + p.bytes, o.begin + bytes);
    at += p.bytes;
    if (begin >= end) continue;
    const uint64_t in_piece = begin - (at - p.bytes), size = end - begin;
    if (p.kind == piece_kind::absent) return {};
    if (p.kind == piece_kind::memory) {
      read_variable(s, p.space, p.address + in_piece, &all[begin - o.begin], size);
    } else {
      if (in_piece + size > p.content.size()) return {};
      std::copy_n(p.content.begin() + static_cast<std::ptrdiff_t>(in_piece), size,
                  all.begin() + static_cast<std::ptrdiff_t>(begin - o.begin));
    }
    done += size;
  }
  if (done != bytes) return {};
  return all;
}

// The type of a number of a run file with the same bits; none: it is no number.
std::optional<element_type> number_type(const variable_type& t) {
  using e = element_type;
  const bool is_signed = t.is_signed;
  if (t.kind == type_kind::real) return t.bytes == 2 ? e::f16 : t.bytes == 4 ? e::f32 : e::f64;
  if (t.kind == type_kind::pointer || t.kind == type_kind::reference) return t.bytes == 4 ? e::u32 : e::u64;
  if (!loader::is_integer(t.kind)) return {};
  switch (t.bytes) {
    case 1:
      return is_signed ? e::i8 : e::u8;
    case 2:
      return is_signed ? e::i16 : e::u16;
    case 4:
      return is_signed ? e::i32 : e::u32;
    case 8:
      return is_signed ? e::i64 : e::u64;
    default:
      return {};
  }
}

// A number's bits, zero-extended; those of a field extended by its sign.
std::optional<uint64_t> bits_of(const typed_object& o, const scene& s) {
  const uint64_t bytes = o.bits == 0 ? o.type->bytes : (o.bit + o.bits + bits_of_byte - 1) / bits_of_byte;
  const auto raw = bytes_of(o, bytes, s);
  if (!raw) return {};
  // A field may be in nine bytes.
  uint64_t bits = 0;
  std::memcpy(&bits, raw->data(), std::min<size_t>(raw->size(), sizeof bits));
  if (o.bits == 0) return bits;
  bits >>= o.bit;
  if (raw->size() > sizeof bits) bits |= uint64_t{raw->back()} << (sizeof bits * bits_of_byte - o.bit);
  const unsigned unused = 64 - o.bits;
  return o.type->is_signed ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused)
                           : bits << unused >> unused;
}

// A field's sign reaches over the whole number; the others' ends with the type.
int64_t integer_of(const typed_object& o, uint64_t bits) {
  return o.bits != 0 ? static_cast<int64_t>(bits) : static_cast<int64_t>(integer_value(*number_type(*o.type), bits));
}

std::string text_of_character(int64_t n) {
  return n >= ' ' && n < 0x7f ? fmt::format("{} '{}'", n, static_cast<char>(n)) : fmt::format("{}", n);
}

std::string text_of_number(const typed_object& o, uint64_t bits) {
  const variable_type& t = *o.type;
  if (t.kind == type_kind::real) return platform::text_of(*number_type(t), bits);
  if (t.kind == type_kind::pointer) return fmt::format("{:#x}", bits);
  const int64_t n = integer_of(o, bits);
  if (t.kind == type_kind::boolean && (n == 0 || n == 1)) return n == 1 ? "true" : "false";
  if (t.kind == type_kind::character) return text_of_character(n);
  for (const loader::type_enumerator& e : t.enumerators)
    if (e.value == n) return e.name;
  return !t.is_signed && n < 0 ? fmt::format("{}", static_cast<uint64_t>(n)) : fmt::format("{}", n);
}

// Writes values of all types, up to a number of numbers.
class writer {
 public:
  // `throws`: where nothing of it can be read.
  writer(const scene& s, bool throws) : s_(s), throws_(throws) {}

  std::string text(const typed_object& o, unsigned depth = 0) {
    constexpr unsigned deepest = 16;
    if (depth > deepest || left_ == 0) return "...";
    const variable_type& t = *o.type;
    try {
      if (t.kind == type_kind::structure || loader::has_elements(t.kind)) return text_of_parts(o, depth);
      --left_;
      if (!number_type(t)) return fmt::format("<of type {}>", t.name);
      const auto bits = bits_of(o, s_);
      if (!bits) return left_out;
      if (t.kind != type_kind::reference) return text_of_number(o, *bits);
      if (t.of == nullptr) return fmt::format("@{:#x}", *bits);
      return fmt::format("@{:#x}: {}", *bits, text(object_at(t, *bits), depth + 1));
    } catch (const input_error& e) {
      if (depth == 0 && throws_) throw;
      return fmt::format("<{}>", e.what());
    }
  }

 private:
  std::string text_of_parts(const typed_object& o, unsigned depth) {
    const uint64_t count = count_of_parts(o);
    const bool has_names = o.type->kind == type_kind::structure;
    std::string all, latest;
    uint64_t same = 0;  // as `latest`, one after the other
    const auto put = [&] {
      constexpr uint64_t least_repeats = 10;
      if (same == 0) return;
      const uint64_t times = same < least_repeats ? same : 1;
      for (uint64_t k = 0; k < times; ++k) all += (all.empty() ? "" : ", ") + latest;
      if (same >= least_repeats) all += fmt::format(" <repeats {} times>", same);
    };
    const std::vector<object_part> members = has_names ? parts_of(o, 0, count, s_) : std::vector<object_part>{};
    uint64_t k = 0;
    for (; k < count && left_ != 0; ++k) {
      const object_part p = has_names ? members[k] : parts_of(o, k, k + 1, s_).front();
      const unsigned before = left_;
      std::string now =
          has_names ? fmt::format("{} = {}", p.name.substr(1), text(p.object, depth + 1)) : text(p.object, depth + 1);
      if (same != 0 && now == latest && !has_names) {
        ++same;
        left_ = before;  // it takes no room
        if (k > most_looked_at) break;
        continue;
      }
      put();
      latest = std::move(now);
      same = 1;
    }
    put();
    return fmt::format("{{{}{}}}", all, k < count ? ", ..." : "");
  }

  static constexpr uint64_t most_looked_at = 10'000;
  const scene& s_;
  const bool throws_;
  unsigned left_ = 200;
};

[[noreturn]] void refuse(const std::string& why) {
  throw input_error(why);
}

void want_place(const typed_object& o, const scene& s) {
  if (const std::string why = missing_text(o, s); !why.empty()) refuse("it is " + why);
}

typed_object in_memory(const variable_type& type, loader::memory_space space, uint64_t address) {
  auto place = std::make_shared<loader::value_place>();
  place->what = place_state::found;
  loader::value_piece p;
  p.kind = piece_kind::memory;
  p.bytes = ~uint64_t{0} >> 1;  // an element may be anywhere behind it
  p.space = space;
  p.address = address;
  place->pieces.push_back(std::move(p));
  return {&type, std::move(place)};
}

// The piece that all of it is in, and where it begins there; nullptr: there is no such one.
const loader::value_piece* whole_piece(const typed_object& o, uint64_t& begin) {
  uint64_t at = 0;
  for (const loader::value_piece& p : o.place->pieces) {
    if (o.begin >= at && o.begin - at < p.bytes) {
      begin = o.begin - at;
      return p.bytes - begin >= o.type->bytes ? &p : nullptr;
    }
    at += p.bytes;
  }
  return nullptr;
}

}  // namespace

std::string missing_text(const typed_object& o, const scene& s) {
  switch (o.place->what) {
    case place_state::found:
      return "";
    case place_state::optimised_out:
      return left_out;
    case place_state::not_yet:
      return "<not stored yet: the function begins here>";
    case place_state::no_register:
      return s.frame.is_caller ? "<not known: in a register of the caller>" : "<not known: its frame is not there>";
    case place_state::no_lds_offset:
      return "<in LDS, the compiler does not say where>";
    case place_state::not_understood:
      break;
  }
  return "<in a place that is not understood>";
}

std::string text_of(const typed_object& o, const scene& s) {
  const std::string missing = missing_text(o, s);
  return missing.empty() ? writer(s, false).text(o) : missing;
}

std::string text_or_error(const typed_object& o, const scene& s) {
  const std::string missing = missing_text(o, s);
  return missing.empty() ? writer(s, true).text(o) : missing;
}

typed_object object_at(const variable_type& pointer, uint64_t address) {
  return in_memory(*pointer.of, pointer.leads_to, address);
}

typed_object without_reference(typed_object o, const scene& s) {
  constexpr unsigned deepest = 16;
  for (unsigned depth = 0; o.type->kind == type_kind::reference && depth < deepest; ++depth) {
    want_place(o, s);
    const auto bits = bits_of(o, s);
    if (!bits) refuse(fmt::format("it is {}", left_out));
    if (o.type->of == nullptr) refuse("what it refers to is not known");
    o = object_at(*o.type, *bits);
  }
  return o;
}

value value_of(const typed_object& reference, const scene& s) {
  const typed_object o = without_reference(reference, s);
  want_place(o, s);
  const variable_type& t = *o.type;
  if (loader::has_elements(t.kind)) refuse(fmt::format("`{}` is no number: [N] behind it is an element", t.name));
  if (t.kind == type_kind::structure) refuse(fmt::format("`{}` is no number: .NAME behind it is a member", t.name));
  if (!number_type(t)) refuse(fmt::format("`{}` is no number", t.name));
  const auto bits = bits_of(o, s);
  if (!bits) refuse(fmt::format("it is {}", left_out));
  if (t.kind == type_kind::real) return {true, 0, real_value(*number_type(t), *bits)};
  return {false, t.kind == type_kind::pointer ? static_cast<int64_t>(*bits) : integer_of(o, *bits), 0};
}

typed_object pointed_to(const typed_object& reference, const scene& s) {
  const typed_object o = without_reference(reference, s);
  if (loader::has_elements(o.type->kind)) return element_of(o, 0, s);
  if (o.type->kind != type_kind::pointer) refuse(fmt::format("`{}` is no pointer", o.type->name));
  want_place(o, s);
  if (o.type->of == nullptr) refuse(fmt::format("what a `{}` leads to has no type", o.type->name));
  const auto bits = bits_of(o, s);
  if (!bits) refuse(fmt::format("the pointer is {}", left_out));
  return object_at(*o.type, *bits);
}

typed_object element_of(const typed_object& reference, int64_t index, const scene& s) {
  const typed_object o = without_reference(reference, s);
  const variable_type& t = *o.type;
  if (t.kind != type_kind::pointer && !loader::has_elements(t.kind))
    refuse(fmt::format("`{}` has no elements", t.name));
  if (t.of == nullptr || t.of->bytes == 0)
    refuse(fmt::format("how large the elements of `{}` are is not known", t.name));
  if (t.kind == type_kind::pointer) {
    typed_object first = pointed_to(o, s);
    uint64_t address = first.place->pieces.front().address + static_cast<uint64_t>(index) * t.of->bytes;
    return in_memory(*t.of, first.place->pieces.front().space, address);
  }
  if (index < 0 || (t.count != 0 && static_cast<uint64_t>(index) >= t.count))
    refuse(t.count == 0 ? "an index is no negative number"
                        : fmt::format("`{}` has elements 0 to {}", t.name, t.count - 1));
  typed_object element = o;
  element.type = t.of;
  element.begin += static_cast<uint64_t>(index) * t.of->bytes;
  return element;
}

typed_object moved(const typed_object& o, int64_t bytes) {
  uint64_t begin = 0;
  const loader::value_piece* const p = whole_piece(o, begin);
  if (p != nullptr && p->kind == piece_kind::memory)
    return in_memory(*o.type, p->space, p->address + begin + static_cast<uint64_t>(bytes));
  typed_object there = o;
  there.begin += static_cast<uint64_t>(bytes);
  return there;
}

namespace {

typed_object with_member(const typed_object& o, const loader::type_member& m) {
  typed_object part = o;
  part.type = m.type;
  part.begin += m.bit / bits_of_byte;
  part.bit = m.bits == 0 ? 0 : static_cast<unsigned>(m.bit % bits_of_byte);
  part.bits = m.bits;
  return part;
}

}  // namespace

typed_object member_of(const typed_object& reference, const std::string& name, const scene& s) {
  const typed_object o = without_reference(reference, s);
  if (o.type->kind != type_kind::structure) refuse(fmt::format("`{}` has no members", o.type->name));
  std::string names;
  for (const loader::type_member& m : named_members(*o.type)) {
    if (m.name == name) return with_member(o, m);
    names += (names.empty() ? "" : ", ") + m.name;
  }
  refuse(fmt::format("`{}` has no member {}; there are: {}", o.type->name, name, names.empty() ? "none" : names));
}

memory_place memory_of(const typed_object& reference, const scene& s) {
  const typed_object o = without_reference(reference, s);
  uint64_t begin = 0;
  const loader::value_piece* const p = whole_piece(o, begin);
  if (o.bits != 0 || o.type->bytes == 0 || p == nullptr || p->kind != piece_kind::memory) return {};
  const space_address at = resolved(s.at, p->space, p->address + begin);
  if (at.space == loader::memory_space::of_lane) return {};
  return {at.space == loader::memory_space::lds, at.address, o.type->bytes};
}

bool has_address(const typed_object& o) {
  uint64_t begin = 0;
  const loader::value_piece* const p = whole_piece(o, begin);
  return o.bits == 0 && p != nullptr && p->kind == piece_kind::memory;
}

uint64_t address_of(const typed_object& reference, const scene& s) {
  const typed_object o = without_reference(reference, s);
  want_place(o, s);
  uint64_t begin = 0;
  const loader::value_piece* const p = whole_piece(o, begin);
  if (o.bits != 0) refuse("a bit field has no address");
  if (p == nullptr || p->kind != piece_kind::memory) refuse("it has no address: it is in registers");
  return flat_address(s.at, p->space, p->address + begin);
}

uint64_t count_of_parts(const typed_object& o) {
  const variable_type& t = *o.type;
  if (t.kind == type_kind::structure) return named_members(t).size();
  if (loader::has_elements(t.kind)) return t.of == nullptr || t.of->bytes == 0 ? 0 : t.count;
  return t.kind == type_kind::pointer && t.of != nullptr && t.of->kind != type_kind::unknown ? 1 : 0;
}

std::vector<object_part> parts_of(const typed_object& o, uint64_t begin, uint64_t end, const scene& s) {
  std::vector<object_part> all;
  const variable_type& t = *o.type;
  if (t.kind == type_kind::structure) {
    const std::vector<loader::type_member> members = named_members(t);
    for (uint64_t k = begin; k < std::min<uint64_t>(end, members.size()); ++k)
      all.push_back({"." + members[k].name, with_member(o, members[k])});
  } else if (loader::has_elements(t.kind)) {
    for (uint64_t k = begin; k < std::min(end, count_of_parts(o)); ++k)
      all.push_back({fmt::format("[{}]", k), element_of(o, static_cast<int64_t>(k), s)});
  } else if (begin == 0 && end != 0 && count_of_parts(o) == 1) {
    all.push_back({"[0]", pointed_to(o, s)});
  }
  return all;
}

}  // namespace pws::platform::debug
