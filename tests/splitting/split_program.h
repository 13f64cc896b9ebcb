// SPDX-License-Identifier: Apache-2.0
// Random structured kernels in gfx803 assembly, with split and merge placed as the compiler pass places them: between
// the write of EXEC and the branch of an if/else, and behind its reconvergence point.
//
// Every kernel takes (out, mode, value, mul, add). A work-item's hash, which its branches test, is
// (id * mul + add) >> 16, or `value` in every work-item if mode is 1. A work-item has 32 bytes at out + 32 * id: 16 to
// work with, 16 for the results.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace pws::test {

struct program_options {
  unsigned depth = 4;       // nesting
  unsigned statements = 3;  // per block, at most
  bool loops = true, memory = true, lds = true, barriers = true;
  bool booleans = true;             // lane masks that live over a merge, carried in a vector register
  unsigned split_percent = 70;      // of the if/else
  bool early_ends = false;          // a side of an if/else may end with s_endpgm ...
  unsigned early_end_percent = 25;  // ... if some of its work-items have a value that not all have
  // Sides of a split are inside so many more splits at times, in which all work-items are on one side.
  unsigned open_splits = 0;
  // Lines of others, in place of some of the arithmetic. They may write v4 to v7, v28 and all above, s90 to s99, VCC,
  // and M0 with numbers beyond every size of LDS. They may split and merge.
  std::function<std::string()> more;
};

// clang's assembler does not know them.
const std::string split_exec = "  .long 0xbf147f7e\n";  // split exec_lo, exec_hi
const std::string merge = "  .long 0xbf150000\n";

constexpr uint32_t bytes_per_work_item = 32;
constexpr uint32_t largest_workgroup = 256;

inline uint32_t hash_of(uint32_t id, uint32_t mul, uint32_t add) {
  return (id * mul + add) >> 16;
}

// if (hash & bit) then_side else other_side, splitting: then_side is the left one. `depth`, up to 35, chooses the
// scalar registers.
std::string split_on(uint32_t bit, unsigned depth, const std::string& then_side, const std::string& other_side);

// The lines that many times.
std::string repeated(const std::string& lines, unsigned times);

// A whole assembly file from kernels k0, k1, ...
class assembly_file {
 public:
  explicit assembly_file(unsigned vgprs = 32) : vgprs_(vgprs) {}  // vector registers of each kernel

  // A random program.
  void add_program(uint64_t seed, const program_options& options);

  // A tree of splits with arithmetic in its leaves, run four times; result 0 of each work-item is the cycles of the
  // last run, by s_memtime. Inner node at depth d tests bit d of the hash.
  struct tree {
    struct leaf {
      uint32_t path = 0, bits = 0;  // reached by the hashes with (hash & bits) == path
      uint32_t valu = 0;            // vector instructions
    };
    std::vector<leaf> leaves;
    const leaf& reached_by(uint32_t hash) const;
  };
  tree add_tree(uint64_t seed, unsigned depth);

  // A kernel with this body between the common beginning (v2 = hash, v[8:9] = address of the work-item's bytes) and
  // s_endpgm.
  void add_kernel(const std::string& body);
  // A kernel of this code, s_endpgm included, with the same parameters. At its beginning s[0:1] is the address of the
  // parameters and s2 the workgroup; with scratch, which a work-item has so many bytes of, s[0:3] its resource, s[4:5]
  // the address, s6 the workgroup and s7 the wavefront's place in scratch.
  void add_bare_kernel(const std::string& code, uint32_t scratch_bytes = 0);

  unsigned kernels() const { return kernels_; }
  std::string text() const;

 private:
  class writer;
  const unsigned vgprs_;
  unsigned kernels_ = 0;
  std::string code_, descriptors_, metadata_;
};

}  // namespace pws::test
