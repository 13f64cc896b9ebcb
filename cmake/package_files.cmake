# SPDX-License-Identifier: Apache-2.0
# Run by cpack -G DEB when both packages' files are laid out: what only Debian's packages have. Changelogs by Debian's names, and static
# libraries without debugging symbols.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(gzip gzip REQUIRED)
find_program(strip strip REQUIRED)
find_program(date date REQUIRED)
execute_process(COMMAND ${date} -u -R -d ${CPACK_PWS_VERSION_DATE} OUTPUT_VARIABLE when OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT IS_DIRECTORY ${root}/usr)
    message(FATAL_ERROR "${root}: where has cpack laid out ${package}?")
  endif()
  set(changelog ${root}/usr/share/doc/${package}/changelog.Debian)
  file(WRITE ${changelog} "pwsvp (${CPACK_PWS_PACKAGE_VERSION}) ${CPACK_PWS_SUITE}; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. What has changed: /usr/share/doc/pwsvp/CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${when}
")
  execute_process(COMMAND ${gzip} -9n ${changelog} COMMAND_ERROR_IS_FATAL ANY)
  # The project's own, by the name that Debian's tools look for.
  if(EXISTS ${root}/usr/share/doc/${package}/CHANGELOG.md)
    file(COPY_FILE ${root}/usr/share/doc/${package}/CHANGELOG.md ${root}/usr/share/doc/${package}/changelog)
    execute_process(COMMAND ${gzip} -9n ${root}/usr/share/doc/${package}/changelog COMMAND_ERROR_IS_FATAL ANY)
  endif()
  # Python's extension, which is installed as a file.
  file(GLOB_RECURSE extensions ${root}/*.cpython-*.so)
  foreach(extension IN LISTS extensions)
    execute_process(COMMAND ${strip} --strip-unneeded --remove-section=.comment --remove-section=.note ${extension} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB_RECURSE archives ${root}/*.a)
  foreach(archive IN LISTS archives)
    execute_process(COMMAND ${strip} --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${archive}
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
