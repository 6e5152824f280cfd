vcpkg_download_distfile(archive
  URLS "@URL@/strew-@VERSION@.tar.gz"
  FILENAME "strew-@VERSION@.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS
    -DSTREW_PTHREADPOOL=OFF
    -DSTREW_BUILD_TOOLS=OFF
    -DSTREW_BUILD_TESTS=OFF
    -DSTREW_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/strew)
vcpkg_fixup_pkgconfig()

# A port has one library: the static one or the shared one, as the triplet says.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(other shared)
  file(GLOB others "${CURRENT_PACKAGES_DIR}/lib/*.so*" "${CURRENT_PACKAGES_DIR}/lib/*.dylib"
    "${CURRENT_PACKAGES_DIR}/debug/lib/*.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/*.dylib")
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin")
else()
  set(other static)
  file(GLOB others "${CURRENT_PACKAGES_DIR}/lib/*strew.a" "${CURRENT_PACKAGES_DIR}/lib/strew_static.lib"
    "${CURRENT_PACKAGES_DIR}/debug/lib/*strew.a" "${CURRENT_PACKAGES_DIR}/debug/lib/strew_static.lib")
endif()
file(GLOB exports "${CURRENT_PACKAGES_DIR}/share/strew/strew-${other}*.cmake")
file(REMOVE ${others} ${exports})
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
