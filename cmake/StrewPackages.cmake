# Debian packages, one for each installed component: `cmake --workflow --preset package` builds them.

set(strew_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(STREW_PACKAGE_MAINTAINER "strew maintainers <strew@users.noreply.github.com>" CACHE STRING
  "Who answers for packages made of this build")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}) # project() is told none
set(CPACK_PACKAGE_CONTACT ${STREW_PACKAGE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has one of its own, the first line of its description
set(CPACK_COMPONENTS_ALL runtime development)
if(STREW_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Older than the first package of this version that a distribution may make itself.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0strew1)
set(strew_debian_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE strew)

# strew_debian_package(COMPONENT NAME SECTION DEPENDS SYNOPSIS LINE...): the fields of its control file. DEPENDS lists
# dependencies that no shared library shows.
function(strew_debian_package component name section depends synopsis)
  string(TOUPPER ${component} COMPONENT)
  list(JOIN ARGN "\n" description)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION "${synopsis}\n${description}" PARENT_SCOPE)
endfunction()

set(strew_about
  "strew implements the operators of OpenVINO and ONNX that address tensors"
  "through indices (GatherND, GatherElements, ScatterND, ScatterElements):"
  "exact for every type of element, with every index checked, and with the"
  "same bits on every instruction set and for any number of threads."
  "")
strew_debian_package(runtime libstrew${strew_soversion} libs "" "tensor scatter and gather kernels - shared library"
  ${strew_about} "." "This package has the shared library.")
strew_debian_package(development libstrew-dev libdevel "libstrew${strew_soversion} (= ${strew_debian_version})"
  "tensor scatter and gather kernels - development files"
  ${strew_about} "." "This package has the headers, the static library, and what CMake and"
  "pkg-config look for.")
strew_debian_package(tools strew-tools science ""
  "tensor scatter and gather kernels - command line"
  ${strew_about} "." "This package has the command line, strew, which runs the operators on"
  "NumPy's .npy files.")

# The control file shlibs, for packages that link the library.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# Finish files that have another form in Debian's packages, and set fields that CPack cannot.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/finish.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/repack.cmake)
set(CPACK_STREW_STRIP ${CMAKE_STRIP})
include(CPack)
