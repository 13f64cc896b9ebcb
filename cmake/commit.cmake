# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=DIR -D OUTPUT=FILE -P commit.cmake: the commit that DIR is at, as a macro in FILE, which is written only when that
# changes. "+changes" behind it: files that git knows are different. "unknown": DIR is no clone of its own.
cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${head})
    # No lock is taken: other git commands may run meanwhile.
    execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes COMMAND_ERROR_IS_FATAL ANY)
    if(changes)
      string(APPEND commit "+changes")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define PWS_COMMIT \"@commit@\"\n" @ONLY)
