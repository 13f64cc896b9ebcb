// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/variable_place.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace pws::loader {

namespace {

using state = value_place::state;
using piece = value_piece::what;

// Registers by their DWARF number ("User Guide for AMDGPU Backend", "Register Identifier"), for wavefronts of 64.
constexpr uint64_t exec_64 = 17, vcc_64 = 768;
constexpr uint64_t first_scalar = 32, scalars = 64;              // s0 to s63
constexpr uint64_t first_high_scalar = 1088, high_scalars = 42;  // s64 on
constexpr uint64_t first_vector = 2560, vectors = 256;
// Address spaces as DWARF numbers them: private memory, LDS.
constexpr uint64_t space_of_lane = 1, space_of_lds = 2;

constexpr unsigned lanes_of_wavefront = 64;
constexpr uint64_t register_bytes = sizeof(uint32_t);

std::optional<unsigned> scalar_in(uint64_t reg) {
  if (reg >= first_scalar && reg < first_scalar + scalars) return static_cast<unsigned>(reg - first_scalar);
  if (reg >= first_high_scalar && reg < first_high_scalar + high_scalars)
    return static_cast<unsigned>(scalars + reg - first_high_scalar);
  return {};
}

// What stops an evaluation.
struct cannot {
  state why;
};

// A value on the stack, and what it is if it is an address.
struct entry {
  uint64_t bits = 0;
  memory_space space = memory_space::global;
};

class evaluator {
 public:
  evaluator(Dwarf_Attribute& of, uint64_t bytes, const location_context& c) : of_(of), bytes_(bytes), c_(c) {}

  value_place run(const Dwarf_Op* ops, size_t n) {
    try {
      for (size_t k = 0; k < n; ++k) step(ops[k], k + 1 == n || ends_part(ops[k + 1]));
      if (place_.pieces.empty() || has_part()) end_part(bytes_ - std::min(bytes_, placed_));
      place_.what = state::found;
      const auto is_absent = [](const value_piece& p) { return p.kind == piece::absent; };
      if (std::all_of(place_.pieces.begin(), place_.pieces.end(), is_absent)) place_.what = state::optimised_out;
    } catch (const cannot& c) {
      place_.what = c.why;
      place_.pieces.clear();
    }
    return std::move(place_);
  }

 private:
  static bool ends_part(const Dwarf_Op& op) { return op.atom == DW_OP_piece || op.atom == DW_OP_bit_piece; }
  bool has_part() const { return register_ || content_ || !stack_.empty(); }

  void push(uint64_t bits, memory_space space = memory_space::global) {
    constexpr size_t deepest = 256;
    if (stack_.size() >= deepest) throw cannot{state::not_understood};
    stack_.push_back({bits, space});
  }
  entry pop() {
    if (stack_.empty()) throw cannot{state::not_understood};
    const entry e = stack_.back();
    stack_.pop_back();
    return e;
  }

  // The 32 bits of a register, or the 64 of EXEC and VCC.
  std::vector<uint8_t> bytes_of(uint64_t reg) {
    uint64_t bits = 0;
    uint64_t size = register_bytes;
    if (const auto scalar = scalar_in(reg)) {
      const auto v = c_.machine.scalar(*scalar);
      if (!v) throw cannot{state::no_register};
      bits = *v;
    } else if (reg >= first_vector && reg < first_vector + vectors) {
      place_.is_of_lane = true;
      const auto v = c_.machine.vector(static_cast<unsigned>(reg - first_vector));
      if (!v) throw cannot{state::no_register};
      bits = *v;
    } else if (reg == exec_64 || reg == vcc_64) {
      const auto v = reg == exec_64 ? c_.machine.exec() : c_.machine.vcc();
      if (!v) throw cannot{state::no_register};
      bits = *v;
      size = sizeof bits;
    } else {
      throw cannot{state::not_understood};
    }
    std::vector<uint8_t> bytes(size);
    std::memcpy(bytes.data(), &bits, size);
    return bytes;
  }
  uint64_t value_of(uint64_t reg) {
    uint64_t bits = 0;
    const std::vector<uint8_t> bytes = bytes_of(reg);
    std::memcpy(&bits, bytes.data(), bytes.size());
    return bits;
  }

  // The register of a frame counts the bytes of all lanes.
  uint64_t begin_of_frame(uint64_t reg) {
    const auto scalar = scalar_in(reg);
    if (!scalar) throw cannot{state::not_understood};
    const auto v = c_.machine.frame_register(*scalar);
    if (!v) throw cannot{state::no_register};
    return *v / lanes_of_wavefront;
  }

  // A 32-bit address in a register is of an array of the function's, in private memory or, if the compiler has moved
  // it, in LDS.
  memory_space space_of_arrays() const {
    if (c_.machine.private_bytes() == 0) return memory_space::lds;
    return c_.machine.lds_bytes() == 0 ? memory_space::of_lane : memory_space::not_flat;
  }

  uint64_t address_in(const Dwarf_Op& op) {
    Dwarf_Attribute attribute;
    Dwarf_Addr address = 0;
    if (op.atom == DW_OP_addr) return op.number;
    if (dwarf_getlocation_attr(&of_, &op, &attribute) != 0 || dwarf_formaddr(&attribute, &address) != 0)
      throw cannot{state::not_understood};
    return address;
  }

  void dereference(uint64_t bytes) {
    const entry at = pop();
    uint64_t bits = 0;
    if (bytes == 0 || bytes > sizeof bits) throw cannot{state::not_understood};
    if (at.space == memory_space::of_lane) place_.is_of_lane = true;
    const memory_space space = at.space == memory_space::not_flat ? space_of_arrays() : at.space;
    if (space == memory_space::not_flat || !c_.machine.read(space, at.bits, &bits, bytes))
      throw cannot{state::not_understood};
    push(bits, bytes == sizeof bits ? memory_space::flat : memory_space::not_flat);
  }

  // To a base type: its size and sign are what is left of the value.
  void convert(const Dwarf_Op& op) {
    if (op.number == 0) return;
    Dwarf_Die type;
    Dwarf_Attribute attribute;
    Dwarf_Word bytes = 0, encoding = 0;
    if (dwarf_getlocation_die(&of_, &op, &type) != 0 || dwarf_attr(&type, DW_AT_byte_size, &attribute) == nullptr ||
        dwarf_formudata(&attribute, &bytes) != 0 || dwarf_attr(&type, DW_AT_encoding, &attribute) == nullptr ||
        dwarf_formudata(&attribute, &encoding) != 0 || bytes == 0 || bytes > sizeof(uint64_t))
      throw cannot{state::not_understood};
    constexpr unsigned in_byte = 8, most = 64;
    auto bits = static_cast<unsigned>(bytes * in_byte);
    // clang has types of other sizes than whole bytes, such as DW_ATE_unsigned_1; only their names say so.
    const char* const name = dwarf_diename(&type);
    const std::string text = name == nullptr ? "" : name;
    if (const size_t digits = text.rfind('_'); text.rfind("DW_ATE_", 0) == 0 && digits + 3 >= text.size()) {
      unsigned n = 0;
      for (const char ch : text.substr(digits + 1)) n = ch >= '0' && ch <= '9' ? 10 * n + unsigned(ch - '0') : most;
      if (n != 0 && n < bits) bits = n;
    }
    const bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    if (!is_signed && encoding != DW_ATE_unsigned && encoding != DW_ATE_unsigned_char && encoding != DW_ATE_boolean)
      throw cannot{state::not_understood};
    entry& top = top_entry();
    if (bits == most) return;
    const unsigned unused = most - bits;
    top.bits = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(top.bits << unused) >> unused)
                         : top.bits << unused >> unused;
  }

  entry& top_entry() {
    if (stack_.empty()) throw cannot{state::not_understood};
    return stack_.back();
  }

  bool arithmetic(const Dwarf_Op& op) {
    constexpr uint64_t widest_shift = 63;
    const auto binary = [&](auto f) {
      const entry b = pop(), a = pop();
      // An address and a number make an address.
      push(f(a.bits, b.bits), a.space == memory_space::global ? b.space : a.space);
      return true;
    };
    const auto as_signed = [](uint64_t v) { return static_cast<int64_t>(v); };
    const auto compare = [&](auto f) {
      return binary([&](uint64_t a, uint64_t b) -> uint64_t { return f(as_signed(a), as_signed(b)) ? 1 : 0; });
    };
    const auto wants_divisor = [](uint64_t b) {
      if (b == 0) throw cannot{state::not_understood};
    };
    switch (op.atom) {
      case DW_OP_plus:
        return binary([](uint64_t a, uint64_t b) { return a + b; });
      case DW_OP_minus:
        return binary([](uint64_t a, uint64_t b) { return a - b; });
      case DW_OP_mul:
        return binary([](uint64_t a, uint64_t b) { return a * b; });
      case DW_OP_div:
        return binary([&](uint64_t a, uint64_t b) {
          wants_divisor(b);
          return b == ~uint64_t{0} ? 0 - a : static_cast<uint64_t>(as_signed(a) / as_signed(b));
        });
      case DW_OP_mod:
        return binary([&](uint64_t a, uint64_t b) {
          wants_divisor(b);
          return a % b;
        });
      case DW_OP_and:
        return binary([](uint64_t a, uint64_t b) { return a & b; });
      case DW_OP_or:
        return binary([](uint64_t a, uint64_t b) { return a | b; });
      case DW_OP_xor:
        return binary([](uint64_t a, uint64_t b) { return a ^ b; });
      case DW_OP_shl:
        return binary([](uint64_t a, uint64_t b) { return b > widest_shift ? 0 : a << b; });
      case DW_OP_shr:
        return binary([](uint64_t a, uint64_t b) { return b > widest_shift ? 0 : a >> b; });
      case DW_OP_shra:
        return binary(
            [&](uint64_t a, uint64_t b) { return static_cast<uint64_t>(as_signed(a) >> std::min(b, widest_shift)); });
      case DW_OP_eq:
        return compare([](int64_t a, int64_t b) { return a == b; });
      case DW_OP_ne:
        return compare([](int64_t a, int64_t b) { return a != b; });
      case DW_OP_lt:
        return compare([](int64_t a, int64_t b) { return a < b; });
      case DW_OP_le:
        return compare([](int64_t a, int64_t b) { return a <= b; });
      case DW_OP_gt:
        return compare([](int64_t a, int64_t b) { return a > b; });
      case DW_OP_ge:
        return compare([](int64_t a, int64_t b) { return a >= b; });
      case DW_OP_neg:
        top_entry().bits = 0 - top_entry().bits;
        return true;
      case DW_OP_not:
        top_entry().bits = ~top_entry().bits;
        return true;
      case DW_OP_abs:
        if (as_signed(top_entry().bits) < 0) top_entry().bits = 0 - top_entry().bits;
        return true;
      case DW_OP_plus_uconst:
        top_entry().bits += op.number;
        return true;
      default:
        return false;
    }
  }

  bool constant(const Dwarf_Op& op) {
    if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31) {
      push(op.atom - DW_OP_lit0);
      return true;
    }
    switch (op.atom) {
      case DW_OP_const1u:
      case DW_OP_const1s:
      case DW_OP_const2u:
      case DW_OP_const2s:
      case DW_OP_const4u:
      case DW_OP_const4s:
      case DW_OP_const8u:
      case DW_OP_const8s:
      case DW_OP_constu:
      case DW_OP_consts:
        push(op.number);
        return true;
      case DW_OP_addr:
      case DW_OP_addrx: {
        // The code object's own, and the compiler's 0 for what is in LDS.
        push(address_in(op));
        of_object_ = true;
        return true;
      }
      default:
        return false;
    }
  }

  bool stack(const Dwarf_Op& op) {
    switch (op.atom) {
      case DW_OP_dup:
        pick(0);
        return true;
      case DW_OP_over:
        pick(1);
        return true;
      case DW_OP_pick:
        pick(op.number);
        return true;
      case DW_OP_drop:
        pop();
        return true;
      case DW_OP_swap: {
        const entry b = pop(), a = pop();
        stack_.push_back(b);
        stack_.push_back(a);
        return true;
      }
      case DW_OP_rot: {
        const entry c = pop(), b = pop(), a = pop();
        for (const entry& e : {c, a, b}) stack_.push_back(e);
        return true;
      }
      case DW_OP_nop:
        return true;
      default:
        return false;
    }
  }
  void pick(uint64_t n) {
    if (n >= stack_.size()) throw cannot{state::not_understood};
    const entry e = stack_[stack_.size() - 1 - n];
    push(e.bits, e.space);
  }

  // clang's way to say of an address in which space it is.
  void in_space() {
    const entry at = pop(), space = pop();
    if (space.bits == space_of_lane) {
      push(at.bits, memory_space::of_lane);
    } else if (space.bits == space_of_lds) {
      uint64_t offset = at.bits;
      if (of_object_ && offset == 0) {
        const auto known = c_.lds_offset();
        if (!known) throw cannot{state::no_lds_offset};
        offset = *known;
      }
      push(offset, memory_space::lds);
    } else {
      throw cannot{state::not_understood};
    }
    of_object_ = false;
  }

  void step(const Dwarf_Op& op, bool is_last_of_part) {
    if (constant(op) || arithmetic(op) || stack(op)) return;
    switch (op.atom) {
      case DW_OP_regx:
        register_ = op.number;
        break;
      case DW_OP_bregx:
        // As an address it is one in the frame, or of an array.
        if (c_.frame_register == op.number)
          push(begin_of_frame(op.number) + op.number2, memory_space::of_lane);
        else
          push(value_of(op.number) + op.number2, memory_space::not_flat);
        break;
      case DW_OP_fbreg:
        if (!c_.frame_register) throw cannot{state::not_understood};
        push(begin_of_frame(*c_.frame_register) + op.number, memory_space::of_lane);
        break;
      case DW_OP_deref:
        dereference(sizeof(uint64_t));
        break;
      case DW_OP_deref_size:
        dereference(op.number);
        break;
      case DW_OP_xderef:
        if (!is_last_of_part) throw cannot{state::not_understood};
        in_space();
        break;
      case DW_OP_convert:
      case DW_OP_GNU_convert:
        convert(op);
        break;
      case DW_OP_stack_value: {
        const uint64_t bits = pop().bits;
        content_.emplace(sizeof bits);
        std::memcpy(content_->data(), &bits, sizeof bits);
        break;
      }
      case DW_OP_implicit_value: {
        Dwarf_Block block;
        if (dwarf_getlocation_implicit_value(&of_, &op, &block) != 0 || block.length > largest_object)
          throw cannot{state::not_understood};
        content_.emplace(block.data, block.data + block.length);
        break;
      }
      case DW_OP_piece:
        end_part(op.number);
        break;
      case DW_OP_entry_value:
      case DW_OP_GNU_entry_value:
      case DW_OP_implicit_pointer:
      case DW_OP_GNU_implicit_pointer:
        throw cannot{state::optimised_out};
      default:
        throw cannot{state::not_understood};
    }
  }

  void end_part(uint64_t bytes) {
    constexpr size_t most_pieces = 1000;
    if (bytes > largest_object || place_.pieces.size() >= most_pieces) throw cannot{state::not_understood};
    value_piece p;
    p.bytes = bytes;
    if (register_) content_ = bytes_of(*register_);
    if (content_) {
      p.kind = piece::bits;
      p.content = std::move(*content_);
      if (p.content.size() > bytes) p.content.resize(bytes);
    } else if (!stack_.empty()) {
      const entry at = pop();
      p.kind = piece::memory;
      p.space = at.space == memory_space::not_flat ? space_of_arrays() : at.space;
      p.address = at.bits + (p.space == memory_space::global && of_object_ ? c_.machine.base() : 0);
      if (p.space == memory_space::of_lane) place_.is_of_lane = true;
      if (p.space == memory_space::not_flat) throw cannot{state::not_understood};
    }
    placed_ += bytes;
    place_.pieces.push_back(std::move(p));
    register_.reset();
    content_.reset();
    stack_.clear();
    of_object_ = false;
  }

  Dwarf_Attribute& of_;
  const uint64_t bytes_;
  const location_context& c_;
  std::vector<entry> stack_;
  std::optional<uint64_t> register_;             // the part is this register
  std::optional<std::vector<uint8_t>> content_;  // the part is these bytes
  bool of_object_ = false;                       // an address of the code object is on the stack
  uint64_t placed_ = 0;                          // bytes of the pieces
  value_place place_;
};

// The operations that are for `offset`; their number, 0: there are none here, -1: the attribute is no location.
int operations_at(Dwarf_Attribute& location, uint64_t offset, Dwarf_Op*& ops, size_t& n) {
  n = 0;
  return dwarf_getlocation_addr(&location, offset, &ops, &n, 1);
}

}  // namespace

value_place place_by(Dwarf_Attribute& location, uint64_t offset, uint64_t bytes, const location_context& c) {
  Dwarf_Op* ops = nullptr;
  size_t n = 0;
  const int found = operations_at(location, offset, ops, n);
  value_place p;
  if (found < 0) p.what = state::not_understood;
  if (found <= 0 || n == 0) return p;
  return evaluator(location, bytes, c).run(ops, n);
}

value_place constant_place(Dwarf_Attribute& value, uint64_t bytes) {
  value_place p;
  value_piece part;
  part.kind = piece::bits;
  part.bytes = bytes;
  Dwarf_Block block;
  Dwarf_Sword number = 0;
  if (dwarf_formblock(&value, &block) == 0 && block.length <= largest_object) {
    part.content.assign(block.data, block.data + block.length);
  } else if (dwarf_formsdata(&value, &number) == 0) {
    part.content.resize(sizeof number);
    std::memcpy(part.content.data(), &number, sizeof number);
  } else {
    p.what = state::not_understood;
    return p;
  }
  if (part.content.size() > bytes) part.content.resize(bytes);
  p.what = state::found;
  p.pieces.push_back(std::move(part));
  return p;
}

bool is_in_lds(Dwarf_Attribute& location) {
  Dwarf_Op* ops = nullptr;
  size_t n = 0;
  if (dwarf_whatform(&location) != DW_FORM_exprloc || operations_at(location, 0, ops, n) <= 0) return false;
  constexpr size_t address_in_a_space = 4;  // DW_OP_addr, the space, DW_OP_swap, DW_OP_xderef
  return n == address_in_a_space && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx) &&
         ops[1].atom == DW_OP_lit0 + space_of_lds && ops[3].atom == DW_OP_xderef;
}

std::optional<uint64_t> frame_register_of(Dwarf_Attribute& base) {
  Dwarf_Op* ops = nullptr;
  size_t n = 0;
  if (dwarf_whatform(&base) != DW_FORM_exprloc || operations_at(base, 0, ops, n) <= 0 || n != 1 ||
      ops[0].atom != DW_OP_regx)
    return {};
  return ops[0].number;
}

bool is_of_frame(Dwarf_Attribute& location) {
  Dwarf_Op* ops = nullptr;
  size_t n = 0;
  if (dwarf_whatform(&location) != DW_FORM_exprloc || operations_at(location, 0, ops, n) <= 0) return false;
  return n != 0 && ops[0].atom == DW_OP_fbreg;
}

}  // namespace pws::loader
