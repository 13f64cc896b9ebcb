# SPDX-License-Identifier: Apache-2.0
# Lane loops are written for the vectoriser. No floating-point traps and no errno, which it needs to know (rounding mode and
# denormals are run-time state, and no expression here relies on either being fixed at compile time); whole 512-bit
# registers where the machine has them: masks are packed with 512-bit loads, which stall on narrower stores just before.
set(PWS_VECTOR_SOURCES rows/rows_vop1.cpp rows/rows_vop2.cpp rows/rows_vop3.cpp rows/rows_vopc.cpp
    rows/rows_lane_access.cpp vector/vector_operands.cpp)
set(PWS_VECTOR_OPTIONS
  "-fno-trapping-math;-fno-math-errno;$<$<NOT:$<CONFIG:Debug>>:-O3>;$<$<CXX_COMPILER_ID:GNU>:-mprefer-vector-width=512>")
