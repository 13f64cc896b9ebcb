// Included in front of every OpenCL C program: functions that OpenCL C has and this machine does not. Clang refuses a
// program that calls one, with the place of the call.
#pragma once

#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 120
// Clang makes printf a call that writes into a buffer which nobody reads.
int printf(__constant const char* format, ...)
    __attribute__((format(printf, 1, 2), unavailable("printf of OpenCL C is not there; HIP's is")));
#endif
// SPDX-License-Identifier: Apache-2.0
