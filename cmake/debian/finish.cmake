# What Debian's policy asks of the files of a package. CPack runs this once, between installing the components, each
# in a folder of its own, and packing them.

cmake_policy(VERSION 3.21)

function(strew_run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The changelog of the package is one entry: the project's own, beside the headers, tells what changed.
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

  # Here the licence is in the file copyright, which names Debian's own copy of it.
  file(REMOVE ${documents}/LICENSE)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${documents})
  file(WRITE ${documents}/changelog.Debian "${changelog}")
  if(EXISTS ${documents}/CHANGELOG.md)
    file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
  endif()
  file(GLOB compressed ${documents}/changelog* ${root}/share/man/man*/*)
  strew_run(gzip -9n ${compressed})

  # Nobody moves what is installed from a package, and of /usr itself pkg-config tells no folders.
  file(GLOB_RECURSE described ${root}/lib/*.pc)
  foreach(file IN LISTS described)
    file(READ ${file} text)
    string(REGEX REPLACE "^prefix=[^\n]*" "prefix=${CPACK_PACKAGING_INSTALL_PREFIX}" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()

  # As dh_strip does. An archive keeps the names that it is linked by.
  file(GLOB_RECURSE archives ${root}/lib/*.a)
  file(GLOB_RECURSE linked ${root}/lib/*.so.*.* ${root}/bin/*)
  foreach(file IN LISTS archives linked)
    set(which --strip-unneeded)
    if(file IN_LIST archives)
      set(which --strip-debug --enable-deterministic-archives)
    endif()
    strew_run(${CPACK_STREW_STRIP} ${which} --remove-section=.comment --remove-section=.note ${file})
  endforeach()

  # Files that the sources have with the permissions of whoever checked them out.
  strew_run(chmod -R u=rwX,go=rX ${root})
endforeach()
