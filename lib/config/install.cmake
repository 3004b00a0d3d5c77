# SPDX-License-Identifier: MIT
# What is installed: sources, ports, generator and these CMake functions, under
# share/ because none of it depends on a machine. Any prefix, movable later.
include(CMakePackageConfigHelpers)

set(tp_share share/tidepool)
list(TRANSFORM tp_sources REPLACE "^${tp_lib}/" "lib/"
     OUTPUT_VARIABLE tp_relative)
string(REPLACE ";" "\n  " TIDEPOOL_SOURCES "${tp_relative}")
list(TRANSFORM tp_relative PREPEND "\${root}/" OUTPUT_VARIABLE tp_rooted)
string(REPLACE ";" " " TIDEPOOL_PC_SOURCES "${tp_rooted}")

configure_file(lib/config/tidepool-config.cmake.in tidepool-config.cmake @ONLY)
configure_file(lib/config/tidepool.pc.in tidepool.pc @ONLY)
write_basic_package_version_file(tidepool-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)

install(DIRECTORY lib port DESTINATION ${tp_share} FILES_MATCHING
  PATTERN "*.[ch]" PATTERN "tidepool.py" PATTERN "tidepool.cmake")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tidepool-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tidepool-config-version.cmake LICENSE
  DESTINATION ${tp_share})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tidepool.pc
  DESTINATION share/pkgconfig)
