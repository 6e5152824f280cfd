# Finds DLPack's header, which is the same for every target. Defines the target dlpack::dlpack. Its folder holds only
# this header: /usr/include would bring all other headers of this machine into a build for another.
find_path(Dlpack_INCLUDE_DIR dlpack/dlpack.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Dlpack REQUIRED_VARS Dlpack_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libdlpack-dev")
if(Dlpack_FOUND AND NOT TARGET dlpack::dlpack)
  set(dlpack ${CMAKE_BINARY_DIR}/dlpack)
  file(COPY ${Dlpack_INCLUDE_DIR}/dlpack DESTINATION ${dlpack})
  add_library(dlpack::dlpack INTERFACE IMPORTED)
  set_target_properties(dlpack::dlpack PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${dlpack})
endif()
mark_as_advanced(Dlpack_INCLUDE_DIR)
