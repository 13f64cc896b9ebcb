// SPDX-License-Identifier: Apache-2.0
// What the check calls defined does not depend on what it calls undefined: each encoding of each row is executed twice,
// with other bits wherever something is undefined, and all that is said to be defined must come out the same.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/error.h"
#include "models/isa/predicates.h"
#include "tests/check/init_fixture.h"
#include "tests/isa/encodings.h"

namespace pws::check::test::init_soundness_test {
namespace {

using isa::test::memory_bench;

// Scalars whose change would lead elsewhere: EXEC and, in memory instructions, addresses are set by hand.
bool may_be_undefined(unsigned r) {
  return r < isa::exec_lo && r != isa::m0;
}

// Few bits, many, or all.
uint32_t some_bits(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return 1u << (random() % 32);
    case 1:
      return random() & random() & random();
    case 2:
      return 0xffu << (8 * (random() % 4));
    default:
      return ~0u;
  }
}

struct twins {
  init_bench a;
  memory_bench b;
  twins(unsigned seed, std::mt19937& random, const isa::inst& i) : a(seed), b(a.machine) {
    prepare(random, i);
    isa::wave_state& other = b.state;
    for (unsigned r = 0; r < memory_bench::n_vgprs; ++r) {
      if (is_address(i, r) || random() % 2 == 0) continue;
      for (unsigned l = 0; l < 64; ++l) {
        if (random() % 3 != 0) continue;
        const uint32_t bits = some_bits(random);
        a.vectors.set(r, l, bits, 0);
        other.vgpr[r].lane[l] ^= bits & static_cast<uint32_t>(random());
      }
    }
    for (unsigned r = 0; r < isa::exec_lo; ++r) {
      if (!may_be_undefined(r) || i.is_memory() || random() % 3 != 0) continue;
      const uint32_t bits = some_bits(random);
      a.known.scalars.bits[r] = bits;
      other.scalar[r] ^= bits & static_cast<uint32_t>(random());
    }
    if (random() % 4 == 0) {
      a.known.scalars.scc = true;
      other.scc = random() % 2 != 0;
    }
    if (i.unit == isa::unit::lds) undefine_lds(random);
    if (i.unit == isa::unit::vector_memory) undefine_memory(random);
  }

  static bool is_address(const isa::inst& i, unsigned r) {
    const isa::operand& o = i.src[0];
    return i.is_memory() && o.kind == isa::operand_kind::vgpr && r >= o.index && r < o.index + unsigned{o.dwords};
  }

 private:
  // Values that occur, EXEC with some lanes, addresses that are valid.
  void prepare(std::mt19937& random, const isa::inst& i) {
    isa::wave_state& s = a.machine.state;
    for (unsigned r = 0; r < isa::exec_lo; ++r)
      if (r != isa::m0) s.scalar[r] = random() % 2 != 0 ? static_cast<uint32_t>(random()) : random() % 5;
    const auto& masks = isa::test::lane_masks();
    s.set_scalar64(isa::exec_lo, masks[random() % masks.size()]);
    s.scalar[isa::m0] = i.is_memory() ? 0x2000 : 1;
    s.mode = 0xf0;
    s.scc = random() % 2 != 0;
    if (i.native == isa::format::ds && i.src[0].kind == isa::operand_kind::vgpr)
      for (uint32_t& lane : s.vgpr[i.src[0].index].lane) lane = random() % 0x80 * 16;
    if (i.native == isa::format::flat)
      for (int l = 0; l < 64; ++l) a.machine.set_address(i.src[0].index, l, memory_bench::data + random() % 0x100 * 16);
    for (unsigned r = 0; r < memory_bench::n_vgprs; ++r)
      for (unsigned l = 0; l < 64; ++l) b.vgprs[r].lane[l] = a.machine.vgprs[r].lane[l];
    isa::wave_state copy = s;
    copy.vgpr = b.state.vgpr;
    copy.lds = b.state.lds;
    copy.memory = b.state.memory;
    b.state = copy;
  }
  void undefine_lds(std::mt19937& random) {
    for (unsigned k = 0; k < memory_bench::lds_bytes; ++k) {
      if (random() % 3 != 0) continue;
      const auto bits = static_cast<uint8_t>(some_bits(random));
      a.lds.store(k, 1, &bits, 0);
      b.lds[k] ^= static_cast<uint8_t>(bits & random());
    }
  }
  void undefine_memory(std::mt19937& random) {
    for (uint64_t k = 0; k < 0x2000; ++k) {
      if (random() % 3 != 0) continue;
      const auto bits = static_cast<uint8_t>(some_bits(random));
      a.checker.memory().store(memory_bench::data + k, 1, &bits, 0);
      *b.host(memory_bench::data + k) ^= static_cast<uint8_t>(bits & random());
    }
  }
};

std::string difference(twins& t) {
  const isa::wave_state &x = t.a.machine.state, &y = t.b.state;
  for (unsigned r = 0; r < memory_bench::n_vgprs; ++r)
    for (unsigned l = 0; l < 64; ++l)
      if (const uint32_t wrong = (x.vgpr[r].lane[l] ^ y.vgpr[r].lane[l]) & ~t.a.vectors.bits(r, l); wrong != 0)
        return "v" + std::to_string(r) + " lane " + std::to_string(l) + " bits " + std::to_string(wrong);
  for (unsigned r = 0; r < isa::scalar_count; ++r)
    if (((x.scalar[r] ^ y.scalar[r]) & ~t.a.known.scalars.bits[r]) != 0) return "scalar " + std::to_string(r);
  if (x.scc != y.scc && !t.a.known.scalars.scc) return "scc";
  for (unsigned k = 0; k < memory_bench::lds_bytes; ++k) {
    if (t.a.machine.lds[k] == t.b.lds[k]) continue;
    uint8_t bits = 0;
    t.a.lds.load(k, 1, &bits);
    if (((t.a.machine.lds[k] ^ t.b.lds[k]) & ~bits) != 0) return "lds " + std::to_string(k);
  }
  for (uint64_t at = memory_bench::data; at < memory_bench::data + memory_bench::data_bytes; ++at) {
    if (*t.a.machine.host(at) == *t.b.host(at)) continue;
    uint8_t bits = 0;
    t.a.checker.memory().load(at, 1, &bits);
    if (((*t.a.machine.host(at) ^ *t.b.host(at)) & ~bits) != 0) return "memory " + std::to_string(at);
  }
  return "";
}

bool told_apart(const isa::inst& i) {
  switch (i.unit) {
    case isa::unit::salu:
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
    case isa::unit::lds:
      return true;
    case isa::unit::vector_memory:
      return i.native == isa::format::flat;
    default:
      return false;
  }
}

// Both operands of ds_*_src2 are in LDS, and the second one's place is not told.
bool is_limitation(const isa::inst& i) {
  return isa::operation_of(i) == isa::operation::atomic_from_lds;
}

TEST(init_soundness, what_is_defined_does_not_depend_on_what_is_not) {
  std::mt19937 random(20240611);
  unsigned compared = 0, failures = 0;
  std::map<const isa::opcode_row*, unsigned> done;
  for (const isa::test::encoding& e : isa::test::all_encodings()) {
    if (e.row->exec == nullptr || done[e.row] >= 12) continue;
    isa::inst i;
    try {
      i = isa::decode(e.code.data(), static_cast<unsigned>(e.code.size()), 0x1000);
    } catch (const program_error&) {
      continue;
    }
    if (!told_apart(i) || is_limitation(i) || i.vgpr_end > memory_bench::n_vgprs) continue;
    ++done[e.row];
    for (unsigned seed = 1; seed < 4; ++seed) {
      twins t(seed, random, i);
      try {
        t.a.execute(i);
        t.b.execute(i);
      } catch (const program_error&) {
        continue;
      }
      if (!t.a.found.all.empty()) continue;  // a use: what comes of it is not told
      ++compared;
      const std::string d = difference(t);
      if (d.empty()) continue;
      ADD_FAILURE() << isa::disassemble(i) << ": " << d;
      if (++failures > 30) return;
    }
  }
  EXPECT_GT(compared, 3000u);
}

}  // namespace
}  // namespace pws::check::test::init_soundness_test
