// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/inlined_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/cfg/scalar_set.h"

namespace pws::cfg {

namespace {

constexpr size_t most_instructions = 200000;
constexpr uint32_t s_branch = 0xbf820000;

// What is known as a number before an instruction.
struct constants {
  std::array<std::optional<uint32_t>, scc_bit + 1> scalars;
  std::map<std::pair<unsigned, unsigned>, uint32_t> lanes;  // by vector register and lane
  bool indexed = false;                                     // lanes are not followed

  // True if less is known than before.
  bool join(const constants& o) {
    bool changed = o.indexed && !indexed;
    indexed = indexed || o.indexed;
    for (size_t r = 0; r < scalars.size(); ++r)
      if (scalars[r] && scalars[r] != o.scalars[r]) {
        scalars[r].reset();
        changed = true;
      }
    for (auto l = lanes.begin(); l != lanes.end();) {
      const auto other = o.lanes.find(l->first);
      const bool same = other != o.lanes.end() && other->second == l->second;
      changed = changed || !same;
      l = same ? std::next(l) : lanes.erase(l);
    }
    return changed;
  }
  std::optional<uint32_t> value(const isa::operand& o, unsigned word = 0) const {
    if (o.kind == isa::operand_kind::constant) return static_cast<uint32_t>(o.value >> (32 * word));
    if (o.kind == isa::operand_kind::scalar && o.index + word < isa::exec_lo) return scalars[o.index + word];
    return std::nullopt;
  }
  std::optional<uint64_t> pair(const isa::operand& o) const {
    const auto low = value(o), high = value(o, 1);
    if (o.kind != isa::operand_kind::scalar || !low || !high) return std::nullopt;
    return uint64_t{*high} << 32 | *low;
  }
  void set_pair(const isa::operand& o, uint64_t value) {
    if (o.kind != isa::operand_kind::scalar || o.index + 1u >= isa::exec_lo) return;
    scalars[o.index] = static_cast<uint32_t>(value);
    scalars[o.index + 1] = static_cast<uint32_t>(value >> 32);
  }

  void execute(const isa::inst& i, uint64_t address) {
    indexed = indexed || (isa::operands_of(i).mode_written & isa::mode_indexing) != 0;
    if (indexed) lanes.clear();
    const isa::operation does = i.row->means.does;
    const bool scalar = i.dst.kind == isa::operand_kind::scalar && i.dst.index + i.dst.dwords <= isa::exec_lo;
    const bool vector = i.dst.kind == isa::operand_kind::vgpr && !i.relative_index;
    const bool sum = i.unit == isa::unit::salu && scalar && i.dst.dwords == 1 && i.native == isa::format::sop2;
    if (does == isa::operation::get_pc) {
      forget(i);
      set_pair(i.dst, address + i.bytes());
    } else if (does == isa::operation::move && is_scalar(i) && scalar && !i.relative_index && i.dst.dwords <= 2) {
      const std::optional<uint32_t> low = value(i.src[0]), high = value(i.src[0], 1);
      forget(i);
      scalars[i.dst.index] = low;
      if (i.dst.dwords == 2) scalars[i.dst.index + 1] = high;
    } else if (sum && (does == isa::operation::add || does == isa::operation::add_carry)) {
      const std::optional<uint64_t> result = sum_of(i);
      forget(i);
      if (!result) return;
      scalars[i.dst.index] = static_cast<uint32_t>(*result);
      if (i.row->means.of == isa::data_type::u32) scalars[scc_bit] = static_cast<uint32_t>(*result >> 32);
    } else if (does == isa::operation::write_lane && vector) {
      write_lane(i.dst.index, value(i.src[0]), value(i.src[1]));
    } else if (does == isa::operation::read_lane && scalar && i.dst.dwords == 1) {
      const std::optional<uint32_t> read = lane_of(i.src[0], value(i.src[1]));
      forget(i);
      scalars[i.dst.index] = read;
    } else {
      forget(i);
    }
  }

 private:
  std::optional<uint64_t> sum_of(const isa::inst& i) const {
    const std::optional<uint32_t> a = value(i.src[0]), b = value(i.src[1]);
    const std::optional<uint32_t> carry =
        i.row->means.does == isa::operation::add ? std::optional<uint32_t>(0) : scalars[scc_bit];
    if (!a || !b || !carry) return std::nullopt;
    return uint64_t{*a} + *b + *carry;
  }
  std::optional<uint32_t> lane_of(const isa::operand& o, std::optional<uint32_t> lane) const {
    if (o.kind != isa::operand_kind::vgpr || !lane) return std::nullopt;
    const auto kept = lanes.find({o.index, *lane % 64});
    return kept == lanes.end() ? std::nullopt : std::optional<uint32_t>(kept->second);
  }
  // The other lanes of the register stay.
  void write_lane(unsigned vgpr, std::optional<uint32_t> word, std::optional<uint32_t> lane) {
    if (!lane)
      forget_vectors(vgpr, vgpr + 1);
    else if (word && !indexed)
      lanes[{vgpr, *lane % 64}] = *word;
    else
      lanes.erase({vgpr, *lane % 64});
  }
  void forget_vectors(unsigned first, unsigned end) {
    lanes.erase(lanes.lower_bound({first, 0}), lanes.lower_bound({end, 0}));
  }
  void forget(const isa::inst& i) {
    if (i.relative_index) {
      scalars = {};
      lanes.clear();
    }
    const scalar_set written = scalars_written(i);
    if (written.any())
      for (size_t r = 0; r < scalars.size(); ++r)
        if (written[r]) scalars[r].reset();
    for (unsigned w = 0; w < i.n_writes; ++w)
      if (i.writes[w].is_vgpr) forget_vectors(i.writes[w].first, i.writes[w].first + i.writes[w].count);
  }
};

class inliner {
 public:
  inliner(const function_code& kernel, const std::function<isa::inst(uint64_t)>& decode,
          const std::function<std::string(uint64_t)>& place)
      : decode_(decode), place_(place) {
    out_.code = kernel;
    out_.own = kernel.instructions.size();
    for (const isa::inst& i : kernel.instructions) add(i.pc, 0);
    instances_.push_back({kernel.begin(), 0, 0, 0, 0});
  }

  inlined_code result() {
    do follow_constants();
    while (resolve());
    check();
    mark_indexed_vectors(out_.code);  // what one function switches on is on in the others
    return std::move(out_);
  }

 private:
  struct instance {
    uint64_t function = 0;
    size_t caller = 0;                        // instance
    uint64_t returns_to = 0, goes_on_at = 0;  // the address, and that of the instruction among the copies
    uint16_t link = 0;                        // the register pair that has it
  };
  struct jump {
    isa::inst original;
    uint64_t target = 0;  // where it was found to go
    bool is_return = false;
    bool is_end = false;  // to a function that does not return
  };

  void add(uint64_t address, size_t number) {
    out_.address.push_back(address);
    instance_of_.push_back(number);
  }
  const isa::inst& at(size_t k) const { return out_.code.instructions[k]; }
  const isa::inst& original(size_t k) const {
    const auto j = jumps_.find(k);
    return j == jumps_.end() ? at(k) : j->second.original;
  }
  [[noreturn]] void refuse(size_t k, const std::string& problem) const {
    const uint64_t begin = instances_.front().function, a = out_.address[k];
    throw input_error(fmt::format("{}{}{}0x{:x}: {}: {}", place_(a), out_.code.name, a < begin ? "-" : "+",
                                  a < begin ? begin - a : a - begin, isa::disassemble(original(k)), problem));
  }

  // From the entry on, along calls and returns that are known. A second time, from those that were not known before:
  // what arrives anywhere stays, and less is known there if something else arrives too.
  void follow_constants() {
    const auto& code = out_.code;
    std::vector<bool> leader(code.instructions.size() + 1, false);
    for (size_t k = 0; k < code.instructions.size(); ++k) {
      if (at(k).unit != isa::unit::branch) continue;
      leader[k + 1] = true;
      if (const size_t to = code.at(at(k).target); at(k).target != 0 && to < leader.size()) leader[to] = true;
    }
    std::vector<size_t> work;
    const auto arrive = [&](size_t k, const constants& c) {
      if (k >= code.instructions.size()) return;
      const auto [here, added] = before_.try_emplace(k, c);
      if (added || here->second.join(c)) work.push_back(k);
    };
    if (before_.empty()) arrive(0, {});
    for (const size_t k : resolved_) work.push_back(std::prev(before_.upper_bound(k))->first);
    resolved_.clear();
    while (!work.empty()) {
      size_t k = work.back();
      work.pop_back();
      constants c = before_.at(k);
      for (;; ++k) {
        const isa::inst& i = at(k);
        if (is_indirect_jump(original(k))) known_[k] = c.pair(original(k).src[0]);
        if (const auto j = jumps_.find(k); j != jumps_.end()) {
          if (j->second.is_end) break;
          c.execute(i, out_.address[k]);
          if (!j->second.is_return && is_call(j->second.original))
            c.set_pair(j->second.original.dst, out_.address[k] + j->second.original.bytes());
          arrive(code.at(i.target), c);
          break;
        }
        if (is_indirect_jump(i) || ends_function(i)) break;
        c.execute(i, out_.address[k]);
        if (i.unit == isa::unit::branch) {
          arrive(code.at(i.target), c);
          if (branch_condition_of(i) != isa::branch_condition::always) arrive(k + 1, c);
          break;
        }
        if (k + 1 >= code.instructions.size()) break;
        if (leader[k + 1]) {
          arrive(k + 1, c);
          break;
        }
      }
    }
  }

  // Calls and returns that have been reached and were not known yet; true if there were any.
  bool resolve() {
    for (const auto& [k, target] : known_) {
      if (jumps_.count(k) != 0) continue;
      const isa::inst i = at(k);
      const size_t here = instance_of_[k];
      if (is_call(i)) {
        if (!target) continue;  // refused at the end, if it stays so
        if (ends_in_trap(*target)) {
          end(k, *target);
          resolved_.push_back(k);
          continue;
        }
        const size_t callee = instantiate(k, *target, out_.address[k] + i.bytes(), i.pc + i.bytes(), i.dst.index);
        branch(k, *target, entry_of_[callee], false);
      } else {
        if (here == 0) refuse(k, "the kernel goes on where a register says");
        const instance& f = instances_[here];
        const bool returns = target ? *target == f.returns_to : i.src[0].index == f.link;
        if (returns) {
          branch(k, f.returns_to, f.goes_on_at, true);
        } else {  // the last call of a function may be a jump
          if (!target) refuse(k, "the target of this jump is not known");
          const size_t callee = instantiate(k, *target, f.returns_to, f.goes_on_at, f.link);
          branch(k, *target, entry_of_[callee], false);
        }
      }
      resolved_.push_back(k);
    }
    return !resolved_.empty();
  }

  // What was found with some of the paths has to hold with all.
  void check() const {
    for (const auto& [k, target] : known_) {
      const auto j = jumps_.find(k);
      if (j == jumps_.end()) refuse(k, "the target of this call is not known: it comes from no constant address");
      if (target ? *target == j->second.target
                 : j->second.is_return && j->second.original.src[0].index == instances_[instance_of_[k]].link)
        continue;
      refuse(k, "not every path gives this jump the same target");
    }
  }

  // All of its ways end at an s_trap: a failed assert. What it takes until then is no part of a bound, as the program
  // has failed. One that ends the program at an s_endpgm has not, and one that never ends has no bound.
  bool ends_in_trap(uint64_t function) const {
    bool traps = false;
    std::set<uint64_t> found;
    std::vector<uint64_t> open{function};
    while (!open.empty()) {
      const uint64_t pc = open.back();
      open.pop_back();
      if (!found.insert(pc).second) continue;
      if (found.size() > most_instructions) return false;
      try {
        const isa::inst i = decode_(pc);
        if (operation_of(i) == isa::operation::set_pc || i.unit == isa::unit::end) return false;
        traps = traps || operation_of(i) == isa::operation::trap;
        if (i.unit == isa::unit::branch && i.target != 0) open.push_back(i.target);
        if (!ends_function(i) && branch_condition_of(i) != isa::branch_condition::always)
          open.push_back(pc + i.bytes());
      } catch (const std::exception&) {  // said where it is copied
        return false;
      }
    }
    return traps;
  }
  // The program ends there.
  void end(size_t k, uint64_t target) {
    constexpr uint32_t s_endpgm = 0xbf810000;
    const isa::inst before = at(k);
    if (before.dwords != 1) refuse(k, "a jump with a literal");
    jumps_[k] = {before, target, false, true};
    out_.code.instructions[k] = isa::decode(&s_endpgm, 1, before.pc);
  }

  void branch(size_t k, uint64_t target, uint64_t to, bool is_return) {
    const isa::inst before = at(k);
    if (before.dwords != 1) refuse(k, "a jump with a literal");
    jumps_[k] = {before, target, is_return, false};
    isa::inst b = isa::decode(&s_branch, 1, before.pc);
    b.target = to;
    if (is_call(before)) {
      b.n_writes = 1;
      b.writes[0] = {before.dst.index, 2, false};
    }
    out_.code.instructions[k] = b;
  }

  // A copy of the function for the call at k.
  size_t instantiate(size_t k, uint64_t function, uint64_t returns_to, uint64_t goes_on_at, uint16_t link) {
    for (size_t n = instance_of_[k];; n = instances_[n].caller) {
      if (instances_[n].function == function) refuse(k, "a recursive call: how deep it goes has no bound");
      if (n == 0) break;
    }
    std::map<uint64_t, isa::inst> found;
    std::vector<uint64_t> open{function};
    while (!open.empty()) {
      const uint64_t pc = open.back();
      open.pop_back();
      if (found.count(pc) != 0) continue;
      isa::inst i;
      try {
        i = decode_(pc);
      } catch (const std::exception& e) {
        refuse(k, fmt::format("the function that it calls has no code at 0x{:x}: {}", pc, e.what()));
      }
      if (out_.code.instructions.size() + found.size() > most_instructions)
        refuse(k, fmt::format("the kernel with a copy of each function for each call has more than {} instructions",
                              most_instructions));
      found[pc] = i;
      if (i.unit == isa::unit::branch && i.target != 0) open.push_back(i.target);
      if (!ends_function(i) && branch_condition_of(i) != isa::branch_condition::always) open.push_back(pc + i.bytes());
    }
    const uint64_t lowest = found.begin()->first;
    const uint64_t begin = (out_.code.end() + 255) / 256 * 256 + lowest % 256;
    const size_t number = instances_.size();
    instances_.push_back({function, instance_of_[k], returns_to, goes_on_at, link});
    entry_of_[number] = function - lowest + begin;
    inlined_code::copy copy{function, k, out_.code.instructions.size(), 0};
    for (auto& [pc, i] : found) {
      i.pc = pc - lowest + begin;
      if (i.unit == isa::unit::branch && i.target != 0) i.target = i.target - lowest + begin;
      out_.code.instructions.push_back(i);
      add(pc, number);
    }
    copy.end = out_.code.instructions.size();
    out_.copies.push_back(copy);
    return number;
  }

  const std::function<isa::inst(uint64_t)>& decode_;
  const std::function<std::string(uint64_t)>& place_;
  inlined_code out_;
  std::vector<instance> instances_;  // the kernel, then one per copy
  std::vector<size_t> instance_of_;  // by instruction
  std::map<size_t, uint64_t> entry_of_;
  std::map<size_t, jump> jumps_;  // calls and returns that have become branches
  std::map<size_t, constants> before_;
  std::vector<size_t> resolved_;                     // jumps that have become branches since constants were followed
  std::map<size_t, std::optional<uint64_t>> known_;  // by jump that is reached: where its register pair points to
};

}  // namespace

inlined_code inline_calls(const function_code& kernel, const std::function<isa::inst(uint64_t)>& decode,
                          const std::function<std::string(uint64_t)>& place) {
  return inliner(kernel, decode, place).result();
}

}  // namespace pws::cfg
