// Search of protein sequences with a profile hidden Markov model: the best path of each sequence through the model
// (Viterbi) and its score, a sum of whole log-odds. The model has a match, an insert and a delete state for each
// position; a path may begin and end at any position, pass through the model several times, and leave residues before,
// between and behind these domains.
//
// Sizes:      150 sequences of 15 to 60 residues, 24 positions; 1100 of 20 to 120, 40; 5000 of 25 to 160, 64. Most
//             have one or two pieces of the model's own sequence with some residues changed, lost or inserted
// Kernels:    align  transitions: those of each position i32[8]; emission i32[positions][20]: log-odds of a match's
//                    residues (inserted residues count 0); residues u8[all sequences'], offset u32[sequences + 1] into
//                    these; rows i32[positions][3][sequences]: match, insert and delete of the last residue's row, used
//                    in here only; origin u8[longest][positions][sequences]: where the states of a residue's row come
//                    from; special u32[longest][sequences]: the same for the states outside the model; score
//                    i32[sequences]
//             trace  offset, origin and special as above; path u32[all residues]: 0 outside, otherwise position from 1,
//                    in the lowest bits inserted (1) and first of a domain (2); domains u32[sequences]. One work-item
//                    per sequence, blocks of 64
// Divergence: trace: going back, a work-item is outside the model or inside (marked); there it is at a match, which
//             begins a domain or comes from one of three states, or at an insert or a delete, which have sides too.
//             align: maxima compile to selects. Sequences of different lengths in both
// Rounding:   integers, equal bit for bit; of equally good paths the first origin wins, in the order begin, match,
//             insert, delete, and staying outside before a domain
#include <algorithm>
#include <array>

#include "program.h"

namespace {

constexpr uint32_t block = 64;
constexpr uint32_t alphabet = 20;
constexpr uint32_t most_positions = 64, most_residues = 160;
// The most steps of a path: each residue, the domain that may begin there, and the deletes in front of it.
constexpr uint32_t most_steps = most_residues * (most_positions + 2);

// Scores are thousandths of bits. A state without a path has one from which no transition leads back to a real score,
// and which does not overflow.
constexpr int32_t impossible = -100000000;
constexpr int32_t residue_outside = -10;  // to stay before, between or behind domains
constexpr int32_t to_model = -5000;       // from there
constexpr int32_t domain_ends = -1000;    // and back, to go on either way
constexpr int32_t path_ends = -5000;      // behind the last domain, to the path's end

// Into a position from the one before, within it, and from and to the states outside.
struct transitions {
  int32_t match_match, insert_match, delete_match, match_delete, delete_delete;
  int32_t match_insert, insert_insert;
  int32_t begin_match;  // leaving the model is free
};

struct database {
  const uint8_t* residues;
  const uint32_t* offset;
  uint32_t sequences;
};

// Where a state comes from: bits 0 and 1 for match, 2 for insert, 3 for delete; a state of the model otherwise.
enum origin : uint8_t { from_begin, from_match, from_insert, from_delete, insert_stays = 4, delete_stays = 8 };
// The states outside: does a domain end here, behind the last one or between two; does one precede the next begin? The
// position where it ends from bit 3 on.
enum : uint32_t { ends_last = 1, ends_between = 2, begins_between = 4 };

// Bounded by more than a wavefront: for workgroups of one wavefront the compiler leaves barriers out, and the machines
// that cut wavefronts need this one.
__global__ __launch_bounds__(block + 1) void align(const transitions* model, const int32_t* emission, uint32_t positions,
                                               database d, int32_t* rows, uint8_t* origins, uint32_t* special,
                                               int32_t* score) {
  __shared__ int32_t local[most_positions * alphabet];
#pragma unroll 1
  for (uint32_t k = threadIdx.x; k < positions * alphabet; k += block) {
    PWS_LOOP_BOUND(most_positions * alphabet / block);
    local[k] = emission[k];
  }
  __syncthreads();
  const uint32_t own = blockIdx.x * block + threadIdx.x, count = d.sequences;
  if (own >= count) return;
#pragma unroll 1
  for (uint32_t k = 0; k < positions; ++k) {
    PWS_LOOP_BOUND(most_positions);
    for (uint32_t state = 0; state < 3; ++state) rows[(3 * k + state) * count + own] = impossible;
  }
  const uint32_t start = d.offset[own], length = d.offset[own + 1] - start;
  int32_t before = 0, between = impossible, behind = impossible, begin = to_model;
#pragma unroll 1
  for (uint32_t i = 0; i < length; ++i) {
    PWS_LOOP_BOUND(most_residues);
    const uint32_t residue = d.residues[start + i];
    // States of the position to the left: first those of the row before, then this row's.
    int32_t left_match = impossible, left_insert = impossible, left_delete = impossible;
    int32_t match = impossible, deleted = impossible;
    int32_t end = impossible;
    uint32_t end_position = 0;
#pragma unroll 1
    for (uint32_t k = 0; k < positions; ++k) {
      PWS_LOOP_BOUND(most_positions);
      const transitions& t = model[k];
      int32_t* const row = rows + 3 * k * count + own;
      const int32_t above_match = row[0], above_insert = row[count], above_delete = row[2 * count];

      deleted += t.delete_delete;
      uint32_t from = delete_stays;
      if (match + t.match_delete >= deleted) {
        deleted = match + t.match_delete;
        from = 0;
      }
      uint32_t match_from = from_begin;
      match = begin + t.begin_match;
      if (left_match + t.match_match > match) {
        match = left_match + t.match_match;
        match_from = from_match;
      }
      if (left_insert + t.insert_match > match) {
        match = left_insert + t.insert_match;
        match_from = from_insert;
      }
      if (left_delete + t.delete_match > match) {
        match = left_delete + t.delete_match;
        match_from = from_delete;
      }
      match += local[k * alphabet + residue];
      int32_t insert = above_match + t.match_insert;
      if (above_insert + t.insert_insert > insert) {
        insert = above_insert + t.insert_insert;
        from |= insert_stays;
      }
      if (match > end) {
        end = match;
        end_position = k;
      }
      row[0] = match;
      row[count] = insert;
      row[2 * count] = deleted;
      origins[(i * positions + k) * count + own] = static_cast<uint8_t>(from | match_from);
      left_match = above_match;
      left_insert = above_insert;
      left_delete = above_delete;
    }

    uint32_t code = end_position << 3;
    before += residue_outside;
    between += residue_outside;
    behind += residue_outside;
    end += domain_ends;
    if (end > behind) {
      behind = end;
      code |= ends_last;
    }
    if (end > between) {
      between = end;
      code |= ends_between;
    }
    if (between > before) code |= begins_between;
    begin = max(before, between) + to_model;
    special[i * count + own] = code;
  }
  score[own] = behind + path_ends;
}

__global__ __launch_bounds__(block) void trace(database d, uint32_t positions, const uint8_t* origins,
                                               const uint32_t* special, uint32_t* path, uint32_t* domains) {
  const uint32_t own = blockIdx.x * block + threadIdx.x, count = d.sequences;
  if (own >= count) return;
  enum : uint32_t { before, between, behind, match, insert, deleted } state = behind;
  const uint32_t start = d.offset[own];
  uint32_t left = d.offset[own + 1] - start, k = 0, passed = 0;
#pragma unroll 1
  while (left > 0) {
    PWS_LOOP_BOUND(most_steps);
    PWS_SPLIT();
    if (state < match) {
      const uint32_t code = special[(left - 1) * count + own];
      if ((code & (state == behind ? ends_last : state == between ? ends_between : 0)) != 0) {
        k = code >> 3;
        state = match;
        ++passed;
      } else {
        --left;
        path[start + left] = 0;
      }
    } else {
      const uint32_t from = origins[((left - 1) * positions + k) * count + own];
      if (state > match) {
        const bool inserted = state == insert;
        if (inserted) {
          --left;
          path[start + left] = (k + 1) << 2 | 1;
        } else {
          --k;
        }
        if ((from & (inserted ? insert_stays : delete_stays)) == 0) state = match;
      } else {
        const uint32_t origin = from & 3;
        --left;
        path[start + left] = (k + 1) << 2 | (origin == from_begin ? 2 : 0);
        if (origin != from_begin) {
          state = origin == from_match ? match : origin == from_insert ? insert : deleted;
          --k;
        } else {
          state = left > 0 && (special[(left - 1) * count + own] & begins_between) != 0 ? between : before;
        }
      }
    }
  }
  domains[own] = passed;
}

struct profile {
  std::vector<uint8_t> consensus;
  std::vector<transitions> transition;
  std::vector<int32_t> emission;
};

// A position likes its own residue, tolerates four others and hardly has the rest.
profile random_profile(program::random_source& random, uint32_t positions) {
  const auto between = [&](int32_t low, int32_t high) {
    return low + static_cast<int32_t>(random.below(static_cast<uint32_t>(high - low)));
  };
  profile p;
  for (uint32_t k = 0; k < positions; ++k) {
    p.consensus.push_back(static_cast<uint8_t>(random.below(alphabet)));
    transitions t;
    t.match_match = between(-150, -10);
    t.match_insert = between(-7000, -4000);
    t.match_delete = between(-7000, -4000);
    t.insert_match = between(-1500, -500);
    t.insert_insert = between(-1500, -500);
    t.delete_match = between(-1500, -500);
    t.delete_delete = between(-1500, -500);
    t.begin_match = between(-6000, -4000);
    p.transition.push_back(t);
    const size_t row = p.emission.size();
    for (uint32_t a = 0; a < alphabet; ++a) p.emission.push_back(between(-4000, -1000));
    for (uint32_t a = 0; a < 4; ++a) p.emission[row + random.below(alphabet)] = between(-500, 1000);
    p.emission[row + p.consensus.back()] = between(2000, 4500);
  }
  return p;
}

// A piece of the consensus; of 16 of its residues about one each is changed, lost and preceded by others.
void add_domain(program::random_source& random, const profile& p, std::vector<uint8_t>& residues) {
  const uint32_t positions = static_cast<uint32_t>(p.consensus.size());
  const uint32_t first = random.below(positions / 2), last = first + random.below(positions - first);
  for (uint32_t k = first; k <= last; ++k) {
    const uint32_t kind = random.below(16);
    if (kind == 0) continue;
    if (kind == 1) residues.insert(residues.end(), 1 + random.below(3), static_cast<uint8_t>(random.below(alphabet)));
    residues.push_back(kind == 2 ? static_cast<uint8_t>(random.below(alphabet)) : p.consensus[k]);
  }
}

struct sequences {
  std::vector<uint8_t> residues;
  std::vector<uint32_t> offset{0};
};

sequences random_sequences(program::random_source& random, const profile& p, uint32_t count, uint32_t shortest,
                           uint32_t longest) {
  sequences s;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t length = shortest + random.below(longest - shortest + 1);
    std::vector<uint8_t> own;
    for (uint32_t left = random.below(4); left > 0; --left) {
      for (uint32_t others = random.below(12); others > 0; --others)
        own.push_back(static_cast<uint8_t>(random.below(alphabet)));
      if (left > 1) add_domain(random, p, own);
    }
    while (own.size() < length) own.push_back(static_cast<uint8_t>(random.below(alphabet)));
    s.residues.insert(s.residues.end(), own.begin(), own.begin() + length);
    s.offset.push_back(static_cast<uint32_t>(s.residues.size()));
  }
  return s;
}

struct alignment {
  int32_t score = 0;
  uint32_t domains = 0;
  std::vector<uint32_t> path;
};

// All rows are kept, and the path is found again from the scores: of the origins that explain one, the first.
alignment best_path(const profile& p, const uint8_t* residues, uint32_t length) {
  struct cell {
    int32_t match, insert, deleted;
  };
  struct outside {
    int32_t before, between, behind, begin, end;
  };
  const uint32_t positions = static_cast<uint32_t>(p.consensus.size());
  const cell nothing{impossible, impossible, impossible};
  // Position 0 is before the first one.
  std::vector<std::vector<cell>> row(length + 1, std::vector<cell>(positions + 1, nothing));
  std::vector<outside> out(length + 1, {0, impossible, impossible, to_model, impossible});
  const auto into_match = [&](uint32_t i, uint32_t k) {
    const transitions& t = p.transition[k - 1];
    const cell& from = row[i - 1][k - 1];
    return std::array<int32_t, 4>{out[i - 1].begin + t.begin_match, from.match + t.match_match,
                                  from.insert + t.insert_match, from.deleted + t.delete_match};
  };
  const auto into_insert = [&](uint32_t i, uint32_t k) {
    const transitions& t = p.transition[k - 1];
    return std::array<int32_t, 2>{row[i - 1][k].match + t.match_insert, row[i - 1][k].insert + t.insert_insert};
  };
  const auto into_delete = [&](uint32_t i, uint32_t k) {
    const transitions& t = p.transition[k - 1];
    return std::array<int32_t, 2>{row[i][k - 1].match + t.match_delete, row[i][k - 1].deleted + t.delete_delete};
  };
  const auto best = [](const auto& candidates) {
    return static_cast<uint32_t>(std::max_element(candidates.begin(), candidates.end()) - candidates.begin());
  };
  for (uint32_t i = 1; i <= length; ++i) {
    outside& o = out[i];
    for (uint32_t k = 1; k <= positions; ++k) {
      const auto match = into_match(i, k);
      const auto insert = into_insert(i, k), deleted = into_delete(i, k);
      row[i][k] = {match[best(match)] + p.emission[(k - 1) * alphabet + residues[i - 1]], insert[best(insert)],
                   deleted[best(deleted)]};
      o.end = std::max(o.end, row[i][k].match);
    }
    o.before = out[i - 1].before + residue_outside;
    o.between = std::max(out[i - 1].between + residue_outside, o.end + domain_ends);
    o.behind = std::max(out[i - 1].behind + residue_outside, o.end + domain_ends);
    o.begin = std::max(o.before, o.between) + to_model;
  }

  alignment a;
  a.score = out[length].behind + path_ends;
  a.path.resize(length);
  enum { before, between, behind, match, insert, deleted } state = behind;
  for (uint32_t i = length, k = 0; i > 0;) {
    const outside& o = out[i];
    switch (state) {
      case before:
        a.path[--i] = 0;
        break;
      case between:
      case behind:
        if ((state == between ? out[i - 1].between < o.between - residue_outside
                              : out[i - 1].behind < o.behind - residue_outside)) {
          k = 1;
          while (row[i][k].match != o.end) ++k;
          state = match;
          ++a.domains;
        } else {
          a.path[--i] = 0;
        }
        break;
      case match: {
        const uint32_t from = best(into_match(i, k));
        a.path[--i] = 4 * k + (from == 0 ? 2 : 0);
        if (from == 0) {
          state = out[i].between > out[i].before ? between : before;
        } else {
          state = from == 1 ? match : from == 2 ? insert : deleted;
          --k;
        }
        break;
      }
      case insert:
        if (best(into_insert(i, k)) == 0) state = match;
        a.path[--i] = 4 * k + 1;
        break;
      case deleted:
        if (best(into_delete(i, k)) == 0) state = match;
        --k;
        break;
    }
  }
  return a;
}

// The score of a path, without any choice between states.
int32_t score_of(const profile& p, const uint8_t* residues, const uint32_t* path, uint32_t length) {
  int32_t score = path_ends;
  uint32_t place = 0;  // as in the path, of the residue before
  for (uint32_t i = 0; i < length; ++i) {
    const uint32_t k = path[i] >> 2, last = place >> 2;
    const bool first = (path[i] & 2) != 0, inserted = (path[i] & 1) != 0, after_insert = (place & 1) != 0;
    if (last != 0 && (k == 0 || first)) score += domain_ends;
    place = path[i];
    if (k == 0) {
      score += residue_outside;
      continue;
    }
    const transitions& t = p.transition[k - 1];
    if (inserted) {
      score += after_insert ? t.insert_insert : t.match_insert;
      continue;
    }
    score += p.emission[(k - 1) * alphabet + residues[i]];
    if (first)
      score += to_model + t.begin_match;
    else if (last + 1 == k)
      score += after_insert ? t.insert_match : t.match_match;
    else
      score += t.delete_match;
    for (uint32_t skipped = first ? k : last + 1; skipped < k; ++skipped)
      score += skipped == last + 1 ? p.transition[skipped - 1].match_delete : p.transition[skipped - 1].delete_delete;
  }
  return score + (place != 0 ? domain_ends : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t count = o.pick(150u, 1100u, 5000u), positions = o.pick(24u, 40u, most_positions);
  const uint32_t shortest = o.pick(15u, 20u, 25u), longest = o.pick(60u, 120u, most_residues);
  std::printf("profile_hmm (%s): %u sequences of %u to %u residues, %u positions, seed %u\n", o.size_name(), count,
              shortest, longest, positions, o.seed);
  program::random_source random(o.seed);
  const profile p = random_profile(random, positions);
  const sequences s = random_sequences(random, p, count, shortest, longest);
  const size_t residues = s.residues.size();

  program::device_array<transitions> transition(p.transition);
  program::device_array<int32_t> emission(p.emission), rows(size_t{3} * positions * count), device_score(count);
  program::device_array<uint8_t> device_residues(s.residues), origins(size_t{longest} * positions * count);
  program::device_array<uint32_t> offset(s.offset), special(size_t{longest} * count), device_path(residues);
  program::device_array<uint32_t> device_domains(count);
  const database d{device_residues.get(), offset.get(), count};
  const uint32_t groups = program::blocks_of(count, block);
  align<<<groups, block>>>(transition.get(), emission.get(), positions, d, rows.get(), origins.get(), special.get(),
                           device_score.get());
  PROGRAM_LAUNCHED();
  trace<<<groups, block>>>(d, positions, origins.get(), special.get(), device_path.get(), device_domains.get());
  PROGRAM_LAUNCHED();
  const std::vector<int32_t> score = device_score.download();
  const std::vector<uint32_t> path = device_path.download();

  std::vector<int32_t> expected_score, path_score;
  std::vector<uint32_t> expected_path, expected_domains;
  uint32_t domains = 0, inserted = 0, several = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t start = s.offset[k], length = s.offset[k + 1] - start;
    const alignment a = best_path(p, &s.residues[start], length);
    expected_score.push_back(a.score);
    expected_domains.push_back(a.domains);
    expected_path.insert(expected_path.end(), a.path.begin(), a.path.end());
    path_score.push_back(score_of(p, &s.residues[start], &path[start], length));
    domains += a.domains;
    several += a.domains > 1;
    for (const uint32_t code : a.path) inserted += code & 1;
  }
  std::printf("%u domains, %u sequences with more than one, %u residues inserted\n", domains, several, inserted);
  program::verdict verdict;
  verdict.equal("score", score, expected_score);
  verdict.equal("domains", device_domains.download(), expected_domains);
  verdict.equal("path", path, expected_path);
  verdict.equal("score of the path", path_score, score);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
