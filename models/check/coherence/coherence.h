// SPDX-License-Identifier: Apache-2.0
// Coherence: loads that on hardware could get an old value from a cache. Nothing keeps the caches of a GCN3 GPU
// coherent but the program (GCN3 ISA 8.1, "GLC Bit Explained"; LLVM's "AMDGPU backend", memory model of gfx6 to gfx9).
// Whatever a cache has loaded may still be there until the cache is invalidated: what it may have evicted is not
// counted on.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/check/finding.h"
#include "models/check/shadow/byte_shadow.h"

namespace pws::check {

struct cached_access {
  enum class kind : uint8_t {
    load,
    past_cache,  // a load with glc
    store,
    atomic,  // in L2; takes the line out of the own vector cache
  };
  kind does = kind::load;
  bool scalar = false;  // through the scalar cache; else the vector L1
  uint32_t bytes = 0;   // per lane
  uint64_t pc = 0;
  uint64_t mask = 0;
  const uint64_t* address = nullptr;  // of 64
};

class coherence {
 public:
  // A vector, a scalar and an instruction cache for each compute unit.
  coherence(finding_sink& sink, uint32_t n_cu) : sink_(sink), cus_(n_cu) {}

  // All caches are invalid and all stores are done.
  void launch_begins();
  // Also reports scalar stores that were never written back.
  void launch_ended();
  // Who accesses: a number for access(). `where` without pc and lanes.
  uint32_t path_started(const site& where);
  void access(uint32_t path, const cached_access& a);
  void host_wrote(uint64_t address, uint64_t bytes);
  // The program's code, which stores should not touch.
  void code_at(uint64_t begin, uint64_t end);
  // `path` is about to execute these bytes.
  void fetched(uint32_t path, uint64_t pc, uint32_t bytes) {
    if (!written_code_.empty()) fetch_written(path, pc, bytes);
  }

  // buffer_wbinvl1, s_dcache_inv, s_icache_inv, s_dcache_wb of a wavefront in that compute unit.
  void vector_invalidated(uint32_t cu) { cus_[cu].vector_from = next_time(); }
  void scalar_invalidated(uint32_t cu) { cus_[cu].scalar_from = next_time(); }
  void instructions_invalidated(uint32_t cu) { cus_[cu].code_from = next_time(); }
  void scalar_written_back(uint32_t cu);

  static constexpr uint64_t line_bytes = 64;

 private:
  // The last write of a byte or dword.
  struct cell {
    uint32_t time = 0;
    uint32_t path = 0;  // 0: the host
    uint32_t place = 0;
    uint32_t parts = 0;
    cell part(unsigned) const {
      cell c = *this;
      c.parts = 0;
      return c;
    }
  };
  // cell::place: the instruction's number, its lane, and
  static constexpr uint32_t by_scalar_store = 1;

  static constexpr uint32_t lines_per_page = 64;
  struct page {
    std::vector<uint32_t> vector_fill, scalar_fill;  // since when the line may be there; [cu][line]
    uint32_t last_write[lines_per_page] = {};
  };
  struct caches {  // lines filled before these times are not there
    uint32_t vector_from = 1, scalar_from = 1, code_from = 1;
    uint32_t written_back = 0;  // scalar stores up to this time are in memory
    std::vector<site> unwritten;
  };
  struct meeting {
    std::string_view rule;
    uint32_t path, place;
    uint64_t lanes, other_lanes, address;
    uint32_t bytes;
  };

  page& page_of(uint64_t line);
  void load(uint32_t path, const cached_access& a);
  void write(uint32_t path, const cached_access& a);
  void look(const site& me, const cached_access& a, uint32_t lane, uint64_t address, uint32_t bytes, uint32_t filled);
  void note(std::string_view rule, const cell& c, uint32_t lane, uint64_t address, uint32_t bytes);
  void report(const site& me, const cached_access& a);
  void fetch_written(uint32_t path, uint64_t pc, uint32_t bytes);
  uint32_t next_time();
  uint32_t number_of(uint64_t pc);

  finding_sink& sink_;
  std::vector<caches> cus_;
  uint32_t now_ = 1;
  bool scalar_stores_ = false;  // in this launch
  std::vector<site> paths_{site{}};
  byte_shadow<cell> bytes_;
  std::unordered_map<uint64_t, page> pages_;
  uint64_t last_page_number_ = ~uint64_t{0};
  page* last_page_ = nullptr;
  uint64_t code_begin_ = 0, code_end_ = 0;
  std::unordered_set<uint64_t> written_code_;  // dwords, by address / 4
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<uint64_t> pcs_;
  uint64_t last_pc_ = ~uint64_t{0};
  uint32_t last_number_ = 0;
  std::vector<meeting> found_;
};

}  // namespace pws::check
