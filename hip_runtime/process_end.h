// SPDX-License-Identifier: Apache-2.0
// The runtime at the process's end. Programs call it there too: in destructors of global objects, from other threads.
// Which of their own objects are gone by then only they know; nothing of this library goes. Its static objects,
// and those of the platform that it is made of, are never destroyed: what the linker calls in place of __cxa_atexit
// registers no destructor (process_end.cpp, and --wrap in CMakeLists.txt).
#pragma once

namespace pws::hip {

// Calls `function` at the process's end: where a destructor of this library's would be called, that is behind those of
// the program and of libraries that were loaded later.
void call_at_exit(void (*function)());

}  // namespace pws::hip
