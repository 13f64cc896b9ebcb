// flags: --hip-version -mcode-object-version=5
// The same with code object version 5, where the heap is the runtime's and not the code object's.
#include "device_malloc.hip"
// SPDX-License-Identifier: Apache-2.0
