# Installs three components: runtime (the shared library), development (headers, the static library, files for build
# systems, documents) and tools (the command line).

include(CMakePackageConfigHelpers)
set(strew_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/strew)

# Each library has a set of its own, so that either can be installed without the other.
foreach(type IN LISTS strew_types)
  install(TARGETS strew_${type} EXPORT strew_${type}
    RUNTIME COMPONENT runtime
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
  install(EXPORT strew_${type} NAMESPACE strew:: FILE strew-${type}.cmake DESTINATION ${strew_cmake_dir}
    COMPONENT development)
endforeach()
install(DIRECTORY include/strew TYPE INCLUDE COMPONENT development)
install(FILES LICENSE TYPE DOC COMPONENT development)
install(FILES README.md CHANGELOG.md TYPE DOC COMPONENT development)
install(DIRECTORY docs examples TYPE DOC COMPONENT development
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.c" PATTERN "*.cpp" PATTERN expected EXCLUDE)

configure_package_config_file(cmake/strewConfig.cmake.in strewConfig.cmake INSTALL_DESTINATION ${strew_cmake_dir})
configure_file(cmake/strewConfigVersion.cmake.in strewConfigVersion.cmake @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/strewConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/strewConfigVersion.cmake
  DESTINATION ${strew_cmake_dir} COMPONENT development)

# The folders are relative to the file itself, so that it stays right wherever the tree is moved.
set(strew_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(strew_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /${strew_pkgconfig_dir} /)
  set(strew_pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
  set(strew_pc_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(strew_pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
set(strew_pc_cflags "")
if(STREW_SYMBOL_PREFIX)
  set(strew_pc_cflags " -DSTREW_PREFIX=${STREW_SYMBOL_PREFIX}")
endif()
configure_file(cmake/strew.pc.in strew.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/strew.pc DESTINATION ${strew_pkgconfig_dir} COMPONENT development)
