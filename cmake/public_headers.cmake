# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=DIR -D OUTPUT=DIR -D LIST=FILE -P public_headers.cmake: the headers that LIST names, one a line, as users include them:
# <pwsvp/models/...>. In the project they include each other by their path from its root, which begins with names too common for
# /usr/include.
file(STRINGS ${LIST} headers)
foreach(header IN LISTS headers)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"(base|models|platform|rtl|sw)/" "#include \"pwsvp/\\1/" text "${text}")
  file(WRITE ${OUTPUT}/pwsvp/${header} "${text}")
endforeach()
