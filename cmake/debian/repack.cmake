# What CPack cannot say of a package, said in its control files, once it is packed: CPack runs this last.

cmake_policy(VERSION 3.21)

function(strew_run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/repacked)
  file(REMOVE_RECURSE ${root})
  strew_run(dpkg-deb --raw-extract ${package} ${root})

  # A library that is installed tells ldconfig by a trigger, where CPack writes scripts that call it.
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
