# vcpkg's functions for a port, as far as strew's uses them: cmake -DPORT=... -DWORK=... -DVCPKG_LIBRARY_LINKAGE=... -P
# vcpkg.cmake
set(CURRENT_PACKAGES_DIR ${WORK}/packages)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile out)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FILENAME;SHA512" "URLS")
  file(DOWNLOAD ${ARG_URLS} ${WORK}/${ARG_FILENAME} EXPECTED_HASH SHA512=${ARG_SHA512})
  set(${out} ${WORK}/${ARG_FILENAME} PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT ${ARG_ARCHIVE} DESTINATION ${WORK}/source)
  file(GLOB folder ${WORK}/source/*)
  set(${out} ${folder} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "SOURCE_PATH" "OPTIONS")
  string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)
  run(${CMAKE_COMMAND} -G Ninja -S ${ARG_SOURCE_PATH} -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=${shared}
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib ${ARG_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${CMAKE_COMMAND} --install ${WORK}/build)
endfunction()

# The files for find_package move, and count the folders above them anew.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "CONFIG_PATH" "")
  file(MAKE_DIRECTORY ${CURRENT_PACKAGES_DIR}/share)
  file(RENAME ${CURRENT_PACKAGES_DIR}/${ARG_CONFIG_PATH} ${CURRENT_PACKAGES_DIR}/share/strew)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/share/strew/*.cmake)
  set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "${up}${up}${up}" "${up}${up}" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" "FILE_LIST")
  configure_file(${ARG_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/strew/copyright COPYONLY)
endfunction()

include(${PORT})
