# Brings the files of a package in line with Debian's policy. CPack runs this once, after it has installed each
# component in a folder of its own, and before it packs them.

cmake_policy(VERSION 3.21)

function(strew_run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The package's changelog has one entry: the project's own changelog, beside the headers, lists the changes.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if that is set
set(changelog "strew (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Package of strew ${CPACK_PACKAGE_VERSION}, made by its own build.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  string(TOUPPER ${component} COMPONENT)
  set(documents ${root}/share/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${documents})

  # The licence is in the file copyright, which names Debian's own copy of it.
  file(REMOVE ${documents}/LICENSE)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${documents})
  file(WRITE ${documents}/changelog.Debian "${changelog}")
  if(EXISTS ${documents}/CHANGELOG.md)
    file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
  endif()
  file(GLOB compressed ${documents}/changelog* ${root}/share/man/man*/*)
  strew_run(gzip -9n ${compressed})

  # Packages are never moved, and pkg-config prints no flags for folders in /usr.
  file(GLOB_RECURSE described ${root}/lib/*.pc)
  foreach(file IN LISTS described)
    file(READ ${file} text)
    string(REGEX REPLACE "^prefix=[^\n]*" "prefix=${CPACK_PACKAGING_INSTALL_PREFIX}" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()

  # Strips like dh_strip. An archive keeps the names for the linker.
  file(GLOB_RECURSE archives ${root}/lib/*.a)
  file(GLOB_RECURSE linked ${root}/lib/*.so.*.* ${root}/bin/*)
  foreach(file IN LISTS archives linked)
    set(which --strip-unneeded)
    if(file IN_LIST archives)
      set(which --strip-debug --enable-deterministic-archives)
    endif()
    strew_run(${CPACK_STREW_STRIP} ${which} --remove-section=.comment --remove-section=.note ${file})
  endforeach()

  # Files have the permissions of the person who checked out the sources.
  strew_run(chmod -R u=rwX,go=rX ${root})
endforeach()
