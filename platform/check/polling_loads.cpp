#include "platform/check/polling_loads.h"

#include <algorithm>

#include "base/error.h"
#include "models/check/waits/register_set.h"
#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

using check::register_set;
using isa::inst;

constexpr unsigned longest_way = 256;  // instructions of a way, and as many ways

const inst::run mask_of_lanes{isa::exec_lo, 2, false};  // EXEC is followed by itself

bool meets(const inst::run& a, const inst::run& b) {
  return check::common_of(a, b).count != 0;
}
bool meets(const register_set& s, const inst::run& r) {
  register_set one;
  one.add(r);
  return one.meets(s);
}

void take_out(register_set& s, const inst::run& r) {
  register_set gone;
  gone.add(r);
  for (size_t k = 0; k < s.words.size(); ++k) s.words[k] &= ~gone.words[k];
}

bool writes_a_lane(const inst& i) {
  return std::string_view(i.row->mnemonic) == "v_writelane_b32";
}

bool is_memory(const inst& i) {
  return i.unit == isa::unit::vector_memory || i.unit == isa::unit::lds || i.unit == isa::unit::scalar_memory;
}
bool is_load(const inst& i) {
  return is_memory(i) && i.dst.kind != isa::operand_kind::none && i.src[1].kind == isa::operand_kind::none;
}

// What depends on the loaded value. Memory is one place: who stores it makes later loads depend on it.
struct dependents {
  register_set registers;
  bool scc = false, exec = false, memory = false;

  bool has_source_of(const inst& i) const {
    if ((i.reads_scc && scc) || (memory && is_load(i) && i.unit == isa::unit::vector_memory)) return true;
    return std::any_of(i.reads, i.reads + i.n_reads, [&](const inst::run& r) { return meets(registers, r); });
  }
  bool decide(const inst& branch) const {
    if (isa::tests_scc(branch)) return scc;
    if (isa::tests_exec(branch)) return exec;
    return has_source_of(branch);
  }
  void pass(const inst& i) {
    // A mask that EXEC goes to or comes from is one of those who have seen the value.
    const bool depends = has_source_of(i) || (exec && i.unit == isa::unit::salu && i.reads_exec);
    for (unsigned k = 0; k < i.n_writes; ++k) {
      if (depends && !meets(mask_of_lanes, i.writes[k]))
        registers.add(i.writes[k]);
      else if (!writes_a_lane(i))
        take_out(registers, i.writes[k]);
    }
    if (i.writes_scc) scc = depends;
    if (i.writes_exec) exec = depends;
  }
};

class search {
 public:
  search(isa::program& code, const inst& load) : code_(code), load_(load) {}

  bool finds() { return finds_loop() || finds_loop_behind(); }

 private:
  bool finds_loop() { return finds_way(false); }
  // Compilers take the first test out of a loop: a load of the same place, whose value says whether the loop is
  // entered.
  bool finds_loop_behind() { return finds_way(true); }

  bool finds_way(bool to_loop_behind) {
    to_loop_behind_ = to_loop_behind;
    ways_ = 0;
    dependents d;
    for (unsigned k = 0; k < load_.n_writes; ++k) d.registers.add(load_.writes[k]);
    way_.assign(1, load_.pc);
    return goes_on(load_.pc + load_.bytes(), d, false);
  }

  // From `pc` on, where `decided`: a branch that depends on the value has been passed.
  bool goes_on(uint64_t pc, dependents d, bool decided) {
    const size_t before = way_.size();
    while (way_.size() < longest_way && ways_ < longest_way) {
      if (pc == load_.pc) {
        const bool is = !to_loop_behind_ && decided && address_stays();
        way_.resize(before);
        return is;
      }
      const inst i = code_.at(pc);
      if (to_loop_behind_ && decided && loads_the_same(i) && search(code_, i).finds_loop()) {
        way_.resize(before);
        return true;
      }
      if (std::find(way_.begin(), way_.end(), pc) != way_.end()) break;  // a loop without the load
      if (tells(i, d)) break;
      way_.push_back(pc);
      pc = i.pc + i.bytes();
      if (isa::is_conditional_branch(i)) {
        const bool here = decided || d.decide(i);
        ++ways_;
        if (to_loop_behind_ && here && !decided) {  // into the loop or past it
          const bool one = goes_on(i.target, d, true), other = goes_on(pc, d, true);
          way_.resize(before);
          return one != other;
        }
        if (goes_on(i.target, d, here)) return true;
        decided = here;
      } else if (i.row->mnemonic == std::string_view("s_branch")) {
        pc = i.target;
      } else {
        d.pass(i);
      }
    }
    way_.resize(before);
    return false;
  }

  // Whether others may hear of something here, or the way ends.
  static bool tells(const inst& i, dependents& d) {
    if (i.unit == isa::unit::end || i.unit == isa::unit::barrier || i.unit == isa::unit::message ||
        i.unit == isa::unit::split || i.unit == isa::unit::merge || isa::is_indirect_jump(i) || isa::is_call(i))
      return true;
    if (!is_memory(i) || is_load(i)) return false;
    if (i.unit == isa::unit::scalar_memory) return i.src[1].kind != isa::operand_kind::none;
    if (i.unit == isa::unit::lds) return i.src[1].kind != isa::operand_kind::none;
    if (i.src[1].kind == isa::operand_kind::none) return false;
    if (isa::is_vector_memory_atomic(i)) return true;
    inst::run data;
    data.first = i.src[1].index;
    data.count = i.src[1].dwords;
    data.is_vgpr = true;
    const bool the_value = meets(d.registers, data);
    d.memory |= the_value;
    return !the_value && i.native != isa::format::mubuf;
  }

  // Whether this is the load once more, with the address that it had on this way.
  bool loads_the_same(const inst& i) {
    if (i.row != load_.row || load_.src[0].kind != isa::operand_kind::vgpr || i.src[0].kind != load_.src[0].kind ||
        i.src[0].index != load_.src[0].index || i.offset0 != load_.offset0 || i.offset1 != load_.offset1)
      return false;
    return std::none_of(way_.begin(), way_.end(), [&](uint64_t pc) {
      const inst passed = code_.at(pc);
      return std::any_of(passed.writes, passed.writes + passed.n_writes,
                         [&](const inst::run& r) { return meets(r, lower_half_of_address()); });
    });
  }
  inst::run lower_half_of_address() const {
    inst::run address;
    address.first = load_.src[0].index;
    address.count = 1;
    address.is_vgpr = true;
    return address;
  }

  // Registers whose values may be others in the next iteration: those that are read before they are written, and what
  // is made of them. Scratch counts as kept, unless the way stores there.
  bool address_stays() {
    register_set written, carried, changing;
    for (const uint64_t pc : way_) {
      const inst i = code_.at(pc);
      for (unsigned k = 0; k < i.n_reads; ++k) {
        register_set r;
        r.add(i.reads[k]);
        for (size_t w = 0; w < r.words.size(); ++w) carried.words[w] |= r.words[w] & ~written.words[w];
      }
      for (unsigned k = 0; k < i.n_writes; ++k) written.add(i.writes[k]);
    }
    take_out(written, mask_of_lanes);
    for (size_t w = 0; w < written.words.size(); ++w) changing.words[w] = written.words[w] & carried.words[w];
    for (int pass = 0; pass < 2; ++pass)
      for (const uint64_t pc : way_) {
        const inst i = code_.at(pc);
        const bool changes = is_load(i) ? !is_kept_in_scratch(i)
                                        : std::any_of(i.reads, i.reads + i.n_reads,
                                                      [&](const inst::run& r) { return meets(changing, r); });
        for (unsigned k = 0; k < i.n_writes; ++k) {
          if (changes && !meets(mask_of_lanes, i.writes[k]))
            changing.add(i.writes[k]);
          else if (pass != 0 && !writes_a_lane(i))
            take_out(changing, i.writes[k]);
        }
      }
    return load_.src[0].kind == isa::operand_kind::vgpr && !meets(changing, lower_half_of_address());
  }

  bool is_kept_in_scratch(const inst& load) {
    if (load.native != isa::format::mubuf || load.src[0].kind == isa::operand_kind::vgpr) return false;
    return std::none_of(way_.begin(), way_.end(), [&](uint64_t pc) {
      const inst i = code_.at(pc);
      return i.native == isa::format::mubuf && !is_load(i) && i.src[1].kind != isa::operand_kind::none &&
             (i.src[0].kind == isa::operand_kind::vgpr ||
              (i.offset0 < load.offset0 + 4u * load.dst.dwords && load.offset0 < i.offset0 + 4u * i.src[1].dwords));
    });
  }

  isa::program& code_;
  const inst load_;
  bool to_loop_behind_ = false;
  std::vector<uint64_t> way_;
  unsigned ways_ = 0;
};

}  // namespace

bool is_poll(isa::program& code, const isa::inst& load) {
  if (load.lds_bit) return false;
  try {
    return search(code, load).finds();
  } catch (const program_error&) {  // no code any more
    return false;
  }
}

}  // namespace pws::platform
