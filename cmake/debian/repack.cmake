# Adds to a package's control files what CPack cannot write. CPack runs this last, on the packed package.

cmake_policy(VERSION 3.21)

function(strew_run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/repacked)
  file(REMOVE_RECURSE ${root})
  strew_run(dpkg-deb --raw-extract ${package} ${root})

  # A library calls ldconfig by a trigger; CPack writes scripts that call it instead.
  if(EXISTS ${root}/DEBIAN/shlibs)
    file(REMOVE ${root}/DEBIAN/postinst ${root}/DEBIAN/postrm)
    file(WRITE ${root}/DEBIAN/triggers "activate-noawait ldconfig\n")
  endif()
  # Libraries of several architectures can be installed beside one another.
  if(package MATCHES "/lib[^/]*$")
    file(READ ${root}/DEBIAN/control control)
    file(WRITE ${root}/DEBIAN/control "Multi-Arch: same\n${control}")
  endif()
  strew_run(dpkg-deb --root-owner-group -Z${CPACK_DEBIAN_COMPRESSION_TYPE} --build ${root} ${package})
endforeach()
