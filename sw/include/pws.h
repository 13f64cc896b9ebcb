// What a HIP program tells pwscc and the WCET analysis. Statements; under every other compiler, and in host code, they
// are nothing.
//
//   PWS_SPLIT();         the if (or switch) that follows is to be a split point
//   PWS_LOOP_BOUND(n);   the loop that follows, or whose body begins with it, runs at most n times each time it is
//                        reached; n is a positive integral constant expression, template parameters included
//
// pwscc finds them as data in a section of their own: no instruction of the program changes. They cannot stand in
// constexpr functions.
#ifndef PWS_H
#define PWS_H

#if defined(__PWSCC__) && defined(__HIP_DEVICE_COMPILE__)

// Kind, line and bound, then the file's name. A statement expression: a loop around it would be code at -O0.
// clang-format off
#define PWS_MARK_(pws_kind, pws_bound)                                                                   \
  __extension__({                                                                                        \
    struct pws_mark_record {                                                                             \
      unsigned kind, line;                                                                               \
      unsigned long long bound;                                                                          \
      char file[sizeof(__FILE__)];                                                                       \
    };                                                                                                   \
    __attribute__((used, section(".pws.marks"))) static const pws_mark_record pws_mark = {               \
        pws_kind, __LINE__, pws_bound, __FILE__};                                                        \
    static_cast<void>(0);                                                                                \
  })
#define PWS_SPLIT() PWS_MARK_(0, 0)
#define PWS_LOOP_BOUND(pws_n)                                                                            \
  __extension__({                                                                                        \
    static_assert((pws_n) > 0, "PWS_LOOP_BOUND: the bound is not a positive number");                    \
    PWS_MARK_(1, static_cast<unsigned long long>(pws_n));                                                \
  })
// clang-format on

#else

#define PWS_SPLIT() static_cast<void>(0)
#define PWS_LOOP_BOUND(pws_n) static_cast<void>(sizeof(pws_n))

#endif

#endif
