// SPDX-License-Identifier: Apache-2.0
// What expressions are worth on a machine that stands still.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "models/isa/wave_state.h"
#include "platform/debug/expression_node.h"
#include "platform/debug/variables.h"

namespace pws::platform::debug {

namespace {

value integer(uint64_t v) {
  return {false, static_cast<int64_t>(v), 0};
}
value real(double v) {
  return {true, 0, v};
}
double as_real(const value& v) {
  return v.real ? v.number : static_cast<double>(v.integer);
}

const models::wf_context& context_of(const scene& s) {
  if (!s.at) throw input_error("no path is selected: nothing runs now");
  return *s.at.context;
}
const machine_view& machine_of(const scene& s) {
  if (s.machine == nullptr) throw input_error("there is no machine");
  return *s.machine;
}
int64_t index_of(const expression::node& n, const scene& s) {
  const value v = n.evaluate(s);
  if (v.real) throw input_error("an index is a whole number");
  return v.integer;
}
int lane_of(int64_t n) {
  if (n < 0 || n >= isa::wave_size)
    throw input_error(fmt::format("there is no lane {}: a wavefront has lanes 0 to {}", n, isa::wave_size - 1));
  return static_cast<int>(n);
}
int selected_lane(const scene& s) {
  if (s.lane < 0) throw input_error("no lane is selected: a vector register is v2[LANE], or `lane N` selects one");
  return s.lane;
}

const buffer_place& buffer_named(const scene& s, const std::string& name) {
  const auto& all = machine_of(s).buffers();
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  if (machine_of(s).numbers().count(name) != 0) throw input_error(fmt::format("{} is a number, and no buffer", name));
  std::string names;
  for (const auto& [other, place] : all) names += (names.empty() ? "" : ", ") + other;
  throw input_error(
      fmt::format("there is no register or buffer {}; buffers are: {}", name, names.empty() ? "none" : names));
}

memory_place element_place(const scene& s, const std::string& name, int64_t k) {
  const buffer_place& b = buffer_named(s, name);
  const uint64_t size = size_of(b.type), count = (b.end - b.begin) / size;
  if (k < 0 || static_cast<uint64_t>(k) >= count)
    throw input_error(fmt::format("{} has elements 0 to {}", name, count - 1));
  return {false, b.begin + size * static_cast<uint64_t>(k), size};
}

// The variable of the source that a name means; none: it means an argument.
std::optional<typed_object> variable_meant(const scene& s, const std::string& name, uint64_t bound) {
  const std::optional<found_variable> v = find_variable(s, name, bound);
  const bool is_argument =
      s.machine != nullptr && (s.machine->buffers().count(name) != 0 || s.machine->numbers().count(name) != 0);
  if (!v) return is_argument ? std::nullopt : global_named(s, name);
  const bool is_known = v->object.place->what == loader::value_place::state::found;
  if (is_known && v->object.place->is_of_lane && s.lane < 0)
    throw input_error(fmt::format("no lane is selected: each has a {} of its own, and `lane N` selects one", name));
  if (v->is_of_kernel && is_argument) {
    if (!is_known) return std::nullopt;
    // As long as it is the buffer's address, it has the buffer's type and ends.
    const auto buffer = s.machine->buffers().find(name);
    if (buffer != s.machine->buffers().end() && v->object.type->kind == loader::type_kind::pointer &&
        static_cast<uint64_t>(value_of(v->object, s).integer) == buffer->second.begin)
      return std::nullopt;
  }
  return v->object;
}

// A variable that can be read.
const typed_object& known(const typed_object& o, const std::string& name, const scene& s) {
  if (const std::string why = missing_text(o, s); !why.empty())
    throw input_error(fmt::format("{} is {}", name.empty() ? "it" : name, why));
  return o;
}

// So many elements of the object's type, in bytes.
int64_t in_elements(int64_t count, const typed_object& o) {
  return static_cast<int64_t>(static_cast<uint64_t>(count) * o.type->bytes);
}

// A number, or a buffer's address.
value argument_value(const scene& s, const std::string& name) {
  const auto& all = machine_of(s).numbers();
  const auto n = all.find(name);
  if (n == all.end()) return integer(buffer_named(s, name).begin);
  const auto [type, bits] = n->second;
  if (is_real(type)) return real(real_value(type, bits));
  return integer(static_cast<uint64_t>(integer_value(type, bits)));
}

constexpr uint64_t word = sizeof(uint32_t);

uint64_t word_at(const scene& s, const memory_place& p) {
  uint32_t bits = 0;
  if (p.lds) {
    context_of(s);
    machine_of(s).read_lds(s.at, p.begin, &bits, word);
  } else {
    machine_of(s).read(p.begin, &bits, word);
  }
  return bits;
}

value of_reals(const std::string& op, double a, double b) {
  if (op == "+") return real(a + b);
  if (op == "-") return real(a - b);
  if (op == "*") return real(a * b);
  if (op == "/") return real(a / b);
  if (op == "<") return integer(a < b);
  if (op == ">") return integer(a > b);
  if (op == "<=") return integer(a <= b);
  if (op == ">=") return integer(a >= b);
  if (op == "==") return integer(a == b);
  if (op == "!=") return integer(a != b);
  throw input_error(fmt::format("{} is for whole numbers", op));
}

value quotient(const std::string& op, int64_t a, int64_t b) {
  if (b == 0) throw input_error("division by 0");
  if (b == -1) return op == "/" ? integer(0 - static_cast<uint64_t>(a)) : integer(0);  // the smallest number wraps
  return integer(static_cast<uint64_t>(op == "/" ? a / b : a % b));
}

value of_integers(const std::string& op, int64_t left, int64_t right) {
  const auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
  if (op == "+") return integer(a + b);
  if (op == "-") return integer(a - b);
  if (op == "*") return integer(a * b);
  if (op == "/" || op == "%") return quotient(op, left, right);
  if (op == "&") return integer(a & b);
  if (op == "|") return integer(a | b);
  if (op == "^") return integer(a ^ b);
  if (op == "<<") return integer(b > 63 ? 0 : a << b);
  if (op == ">>") return integer(b > 63 ? 0 : a >> b);
  if (op == "<") return integer(left < right);
  if (op == ">") return integer(left > right);
  if (op == "<=") return integer(left <= right);
  if (op == ">=") return integer(left >= right);
  return integer(op == "==" ? a == b : a != b);
}

}  // namespace

std::string text_of(const value& v) {
  if (v.real) return fmt::format("{}", v.number);
  return v.integer > 0xffff ? fmt::format("{} ({:#x})", v.integer, static_cast<uint64_t>(v.integer))
                            : fmt::format("{}", v.integer);
}

value expression::node::scalar_value(const scene& s) const {
  const isa::wave_state& w = context_of(s).state;
  const auto count = what == kind::scalar_pair ? 2u : 1u;
  if (static_cast<uint32_t>(number) + count > std::min<uint32_t>(w.n_sgprs, isa::sgpr_limit))
    throw input_error(fmt::format("s{} is not among the {} scalar registers of the kernel", number + int(count) - 1,
                                  std::min<uint32_t>(w.n_sgprs, isa::sgpr_limit)));
  const auto n = static_cast<unsigned>(number);
  return integer(count == 2 ? w.scalar64(n) : w.scalar[n]);
}

value expression::node::vector_value(const scene& s) const {
  const isa::wave_state& w = context_of(s).state;
  const int lane = a ? lane_of(index_of(*a, s)) : selected_lane(s);
  if (static_cast<uint32_t>(number) >= w.n_vgprs || w.vgpr == nullptr)
    throw input_error(fmt::format("v{} is not among the {} vector registers of the kernel", number, w.n_vgprs));
  return integer(w.vgpr[number].lane[lane]);
}

value expression::node::special_value(const scene& s) const {
  const auto which = static_cast<debug::special>(number);
  const auto bits = [&](uint64_t mask) {
    if (!a) return integer(mask);
    return integer(mask >> lane_of(index_of(*a, s)) & 1);
  };
  using e = debug::special;
  if (which == e::cycle) return integer(s.cycle);
  const models::wf_context& c = context_of(s);
  const models::workgroup& g = c.group->launch;
  switch (which) {
    case e::vcc:
      return bits(c.state.vcc());
    case e::exec:
      return bits(c.state.scalar64(isa::exec_lo));
    case e::spm:
      return bits(c.state.split_mask);
    case e::active:
      return bits(c.state.active());
    case e::scc:
      return integer(c.state.scc);
    case e::m0:
      return integer(c.state.scalar[isa::m0]);
    case e::pc:
      return integer(machine_of(s).pc_of(s.at));
    case e::mode:
      return integer(c.state.mode);
    case e::lane:
      return integer(static_cast<uint64_t>(selected_lane(s)));
    case e::workitem:
      return integer(uint64_t{isa::wave_size} * c.wave_in_group + static_cast<uint64_t>(selected_lane(s)));
    case e::wavefront:
      return integer(machine_of(s).wavefront_number(c));
    case e::workgroup:
      return integer(g.number());
    case e::workgroup_x:
    case e::workgroup_y:
    case e::workgroup_z:
      return integer(g.id[static_cast<size_t>(which) - static_cast<size_t>(e::workgroup_x)]);
    case e::cycle:
      break;
  }
  return {};
}

value expression::node::element_value(const scene& s) const {
  if (const auto o = object(s)) return value_of(*o, s);
  const memory_place p = element_place(s, name, index_of(*a, s));
  uint8_t raw[sizeof(uint64_t)] = {};
  machine_of(s).read(p.begin, raw, p.bytes);
  const element_type type = buffer_named(s, name).type;
  const uint64_t bits = load_element(type, raw);
  if (is_real(type)) return real(real_value(type, bits));
  return integer(static_cast<uint64_t>(integer_value(type, bits)));
}

std::optional<typed_object> expression::node::object(const scene& s) const {
  switch (what) {
    case kind::buffer:
      return variable_meant(s, name, bound);
    case kind::element: {
      const auto whole = variable_meant(s, name, bound);
      if (!whole) return std::nullopt;
      return element_of(known(*whole, name, s), index_of(*a, s), s);
    }
    case kind::index:
      // What has a name or is a part of that has ends; an address and a number do not.
      if (const auto o = a->object(s)) return element_of(known(*o, a->name, s), index_of(*b, s), s);
      if (const auto p = a->as_pointer(s)) return moved(p->to, in_elements(index_of(*b, s), p->to));
      return element_of(a->whole(s), index_of(*b, s), s);
    case kind::member:
      return member_of(a->whole(s), name, s);
    case kind::arrow:
      if (const auto p = a->as_pointer(s)) return member_of(p->to, name, s);
      return member_of(pointed_to(a->whole(s), s), name, s);
    case kind::memory:
      if (const auto p = a->as_pointer(s)) return p->to;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// What has parts.
typed_object expression::node::whole(const scene& s) const {
  const auto o = object(s);
  if (o) return known(*o, name, s);
  evaluate(s);  // which says what is wrong with it, if something is
  throw input_error("it has no parts: it is no variable of the source");
}

// As in C: a pointer, an array, an address, and these with so many elements more or less.
std::optional<expression::node::pointer> expression::node::as_pointer(const scene& s) const {
  if (what == kind::address) {
    const auto of = a->object(s);
    if (!of) return std::nullopt;
    return pointer{*of, address_of(*of, s)};
  }
  if (what == kind::binary && (name == "+" || name == "-")) {
    auto to = a->as_pointer(s);
    const bool is_left = to.has_value();
    if (!to && name == "+") to = b->as_pointer(s);
    if (!to || (is_left && b->as_pointer(s))) return std::nullopt;
    const auto count = static_cast<uint64_t>(index_of(is_left ? *b : *a, s));
    const int64_t bytes = in_elements(static_cast<int64_t>(name == "-" ? 0 - count : count), to->to);
    return pointer{moved(to->to, bytes), to->address + static_cast<uint64_t>(bytes)};
  }
  if (what == kind::unary || what == kind::binary) return std::nullopt;
  auto of = object(s);
  if (!of) return std::nullopt;
  of = without_reference(*of, s);
  if (of->type->kind == loader::type_kind::array && has_address(*of))
    return pointer{element_of(*of, 0, s), address_of(*of, s)};
  if (of->type->kind != loader::type_kind::pointer || of->type->of == nullptr) return std::nullopt;
  const auto address = static_cast<uint64_t>(value_of(*of, s).integer);
  return pointer{pointed_to(*of, s), address};
}

bool expression::node::uses_lane(const scene& s) const {
  if (what == kind::vector && !a) return true;
  const auto which = static_cast<debug::special>(number);
  if (what == kind::special && (which == debug::special::lane || which == debug::special::workitem)) return true;
  if (what == kind::buffer || what == kind::element)
    if (const auto v = find_variable(s, name, bound); v && v->object.place->is_of_lane) return true;
  return (a && a->uses_lane(s)) || (b && b->uses_lane(s));
}

std::string expression::node::address_text(const scene& s) const {
  const auto p = what == kind::address ? as_pointer(s) : std::nullopt;
  if (!p) return "";
  const memory_place at = memory_of(p->to, s);
  return fmt::format("{:#x}{}", p->address, at.lds ? " in LDS" : at.bytes == 0 ? " in private memory" : "");
}

value expression::node::binary_value(const scene& s) const {
  if (name == "&&" || name == "||") {
    const value left = a->evaluate(s);
    if (left.is_true() == (name == "||")) return integer(left.is_true());
    return integer(b->evaluate(s).is_true());
  }
  if (name == "+" || name == "-") {
    if (const auto p = as_pointer(s)) return integer(p->address);
    const auto from = a->as_pointer(s), to = b->as_pointer(s);
    if (from && to && from->to.type->bytes != 0)
      return integer(static_cast<uint64_t>(static_cast<int64_t>(from->address - to->address) /
                                           static_cast<int64_t>(from->to.type->bytes)));
  }
  const value left = a->evaluate(s), right = b->evaluate(s);
  if (left.real || right.real) return of_reals(name, as_real(left), as_real(right));
  return of_integers(name, left.integer, right.integer);
}

value expression::node::evaluate(const scene& s) const {
  switch (what) {
    case kind::number:
      return constant;
    case kind::scalar:
    case kind::scalar_pair:
      return scalar_value(s);
    case kind::vector:
      return vector_value(s);
    case kind::special:
      return special_value(s);
    case kind::buffer:
      if (const auto o = object(s)) return value_of(known(*o, name, s), s);
      return argument_value(s, name);
    case kind::element:
      return element_value(s);
    case kind::index:
    case kind::member:
    case kind::arrow:
      return value_of(*object(s), s);
    case kind::address: {
      if (const auto p = as_pointer(s)) return integer(p->address);
      const memory_place p = a->place(s);
      if (p.bytes == 0) throw input_error("it has no address");
      return integer(p.begin);
    }
    case kind::memory:
      if (const auto o = object(s)) return value_of(*o, s);
      return integer(word_at(s, place(s)));
    case kind::lds:
      return integer(word_at(s, place(s)));
    case kind::binary:
      return binary_value(s);
    case kind::unary:
      break;
  }
  const value v = a->evaluate(s);
  if (name == "!") return integer(!v.is_true());
  if (name == "-") return v.real ? real(-v.number) : integer(0 - static_cast<uint64_t>(v.integer));
  if (v.real) throw input_error("~ is for whole numbers");
  return integer(~static_cast<uint64_t>(v.integer));
}

memory_place expression::node::place(const scene& s) const {
  if (const auto o = object(s)) return memory_of(*o, s);
  switch (what) {
    case kind::buffer: {
      if (machine_of(s).numbers().count(name) != 0) return {};
      const buffer_place& whole = buffer_named(s, name);
      return {false, whole.begin, whole.end - whole.begin};
    }
    case kind::element:
      return element_place(s, name, index_of(*a, s));
    case kind::lds:
      return {true, static_cast<uint64_t>(index_of(*a, s)), word};
    case kind::memory:
      return {false, static_cast<uint64_t>(index_of(*a, s)), word};
    default:
      return {};
  }
}

}  // namespace pws::platform::debug
