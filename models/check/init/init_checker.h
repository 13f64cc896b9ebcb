// SPDX-License-Identifier: Apache-2.0
// Finds values that are used before anything has been written to where they come from: registers, LDS, scratch, device
// memory. As memory checkers of other machines do, it follows values: a copy of something undefined is no mistake, and
// arithmetic with it makes the result undefined. A use is: a branch or EXEC, an address, a lane's number, M0, a jump, a
// hardware register, and what the host reads.
//
// Told of each instruction before it is executed, and of each memory access after it. Knows no machine.
#pragma once

#include <cstdint>
#include <string>

#include "models/check/finding.h"
#include "models/check/init/memory_shadow.h"
#include "models/check/init/origin_table.h"
#include "models/check/init/register_shadow.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::check::init {

struct rule_sources;
struct known;

class init_checker {
 public:
  // Device memory is [memory_begin, memory_begin + memory_bytes).
  init_checker(finding_sink& sink, uint64_t memory_begin, uint64_t memory_bytes)
      : sink_(sink), memory_(memory_begin, memory_bytes) {}

  // What the host, or whoever reaches memory beside the instructions, has done.
  memory_shadow& memory() { return memory_; }
  void host_reads(uint64_t address, uint64_t bytes);

  // `s` is as the instruction finds it, but for the PC. Memory instructions: their uses; all others altogether.
  void executes(context& c, const isa::wave_state& s, const isa::inst& i);
  // Called after executes() for each memory instruction: `s` is as the instruction has left it.
  void accessed(context& c, const isa::wave_state& s, const isa::inst& i, const isa::memory_access& a);

 private:
  // Rules of one instruction's kind.
  void scalar_alu(context& c, const isa::wave_state& s, const isa::inst& i);
  struct vector_inputs;
  struct lane_result;
  vector_inputs inputs_of(const context& c, const isa::wave_state& s, const isa::inst& i) const;
  known source_in(const context& c, const isa::wave_state& s, const isa::inst& i, const vector_inputs& in, unsigned k,
                  unsigned lane) const;
  lane_result result_in(const context& c, const isa::wave_state& s, const isa::inst& i, const vector_inputs& in,
                        unsigned lane, int first) const;
  void vector_alu(context& c, const isa::wave_state& s, const isa::inst& i);
  void write_lane(context& c, const isa::wave_state& s, const isa::inst& i);
  void read_lane(context& c, const isa::wave_state& s, const isa::inst& i);
  void exchange(context& c, const isa::wave_state& s, const isa::inst& i);
  bool all_defined(const context& c, const isa::inst& i, uint64_t lanes) const;
  bool define_results(context& c, const isa::inst& i, uint64_t lanes);

  // Uses; what has been reported counts as defined from then on.
  void check_branch(context& c, const isa::wave_state& s, const isa::inst& i);
  void check_addresses(context& c, const isa::wave_state& s, const isa::inst& i);
  void use_scalar(context& c, const isa::wave_state& s, const isa::inst& i, const isa::operand& o, uint64_t looked_at,
                  const char* rule, const char* as);
  void use_vector(context& c, const isa::wave_state& s, const isa::inst& i, unsigned r, uint64_t lanes);
  void use_mask(context& c, const isa::inst& i, uint64_t lanes, origin from);
  void report(const context& c, const isa::inst& i, const char* rule, uint64_t lanes, std::string what, origin from);

  // Operands.
  known scalar_source(const context& c, const isa::wave_state& s, const isa::operand& o) const;
  origin scalar_origin(context& c, const isa::inst& i, const isa::operand& o);
  origin vector_origin(context& c, const isa::inst& i, unsigned r);
  origin source_origin(context& c, const isa::inst& i);
  void set_scalar(context& c, const isa::inst& i, const isa::operand& o, uint64_t bits, origin from);
  void set_mask(context& c, const isa::inst& i, const isa::operand& o, uint64_t lanes, origin from);

  // Accesses.
  void scalar_access(context& c, const isa::inst& i, const isa::memory_access& a);
  void load(context& c, const isa::wave_state& s, const isa::inst& i, const isa::memory_access& a);
  void load_image(context& c, const isa::inst& i, const isa::memory_access& a, uint64_t active);
  void store(context& c, const isa::wave_state& s, const isa::inst& i, const isa::memory_access& a);
  void atomic(context& c, const isa::wave_state& s, const isa::inst& i, const isa::memory_access& a);
  void load_bytes(context& c, const isa::wave_state& s, uint64_t address, bool in_lds, uint32_t bytes, uint8_t* bits);
  void store_bytes(context& c, const isa::wave_state& s, uint64_t address, bool in_lds, uint32_t bytes,
                   const uint8_t* bits, origin from);
  bool memory_defined(const isa::memory_access& a, uint64_t lanes) const;
  bool define_lds(context& c, const isa::memory_access& a, uint64_t lanes);
  bool lds_defined(const context& c, const isa::memory_access& a, uint64_t lanes) const;
  origin memory_origin(context& c, const isa::inst& i, uint64_t address, bool in_lds);
  site at(const context& c, const isa::inst& i, uint64_t lanes) const;

  finding_sink& sink_;
  memory_shadow memory_;
  origin_table origins_;
};

}  // namespace pws::check::init
