// What a HIP program tells pwscc and the WCET analysis. Statements; under every other compiler, and in host code, they
// are nothing.
//
//   PWS_SPLIT();         the next if, switch or loop in the control flow is to be a split point; other statements may
//                        stand between
//   PWS_LOOP_BOUND(n);   first in the body of a for, while or do: each work-item executes the body at most n times each
//                        time it reaches the loop; n is a positive integral constant expression, template parameters
//                        included
//
// pwscc's part in the compiler (sw/pwscc/plugin) finds them as calls, which it takes out: what is left are names of
// branches in the line tables, and anchors of loops (docs/wcet.md) and branches, which are no instructions. Records of
// them are in a section of their own. They cannot stand in constexpr functions.
#ifndef PWS_H
#define PWS_H

#if defined(__PWSCC__) && defined(__HIP_DEVICE_COMPILE__)

// The compiler's plugin takes out calls to these. Nobody defines them.
extern "C" __attribute__((device)) void __pws_split(const void* mark);
extern "C" __attribute__((device)) void __pws_loop_bound(unsigned long long bound, unsigned line, const char* file);

// Kind, line and bound (of a split: its number in the source), then the file's name. A statement expression: a loop
// around it would be code at -O0.
// clang-format off
#define PWS_MARK_(pws_kind, pws_bound, pws_use)                                                          \
  __extension__({                                                                                        \
    struct pws_mark_record {                                                                             \
      unsigned kind, line;                                                                               \
      unsigned long long bound;                                                                          \
      char file[sizeof(__FILE__)];                                                                       \
    };                                                                                                   \
    __attribute__((used, section(".pws.marks"))) static const pws_mark_record pws_mark = {               \
        pws_kind, __LINE__, pws_bound, __FILE__};                                                        \
    pws_use;                                                                                             \
  })
#define PWS_SPLIT() PWS_MARK_(0, __COUNTER__ + 1, __pws_split(&pws_mark))
#define PWS_LOOP_BOUND(pws_n)                                                                            \
  __extension__({                                                                                        \
    static_assert((pws_n) > 0, "PWS_LOOP_BOUND: the bound is not a positive number");                    \
    static_assert(static_cast<unsigned long long>(pws_n) <= 9007199254740992ull,                         \
                  "PWS_LOOP_BOUND: the bound is beyond 2^53");                                           \
    enum : unsigned long long { pws_bound_value = (pws_n) };                                             \
    PWS_MARK_(1, pws_bound_value, __pws_loop_bound(pws_bound_value, __LINE__, __FILE__));                \
  })
// clang-format on

#else

#define PWS_SPLIT() static_cast<void>(0)
#define PWS_LOOP_BOUND(pws_n) static_cast<void>(sizeof(pws_n))

#endif

#endif
// SPDX-License-Identifier: Apache-2.0
