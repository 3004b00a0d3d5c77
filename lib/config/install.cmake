# SPDX-License-Identifier: MIT
# What is installed: sources, ports, generator and these CMake functions, under
# share/ because none of it depends on a machine. Any prefix, movable later.
# Every list of sources in it is made from the one in CMakeLists.txt.
include(CMakePackageConfigHelpers)

set(tp_share share/tidepool)
list(TRANSFORM tp_sources REPLACE "^${tp_lib}/" "lib/"
     OUTPUT_VARIABLE tp_relative)
string(REPLACE ";" "\n  " TIDEPOOL_SOURCES "${tp_relative}")
list(TRANSFORM tp_relative PREPEND "\${root}/" OUTPUT_VARIABLE tp_rooted)
string(REPLACE ";" " " TIDEPOOL_PC_SOURCES "${tp_rooted}")
list(TRANSFORM tp_relative REPLACE "(.+)"
     "<file category=\"source\" name=\"\\1\"/>" OUTPUT_VARIABLE tp_files)
string(REPLACE ";" "\n        " TIDEPOOL_PDSC_SOURCES "${tp_files}")

configure_file(port/cmsis-pack/Tidepool.Tidepool.pdsc.in
  Tidepool.Tidepool.pdsc @ONLY)
configure_file(lib/config/tidepool-config.cmake.in tidepool-config.cmake @ONLY)
configure_file(lib/config/tidepool.pc.in tidepool.pc @ONLY)
write_basic_package_version_file(tidepool-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)

set(tp_shipped FILES_MATCHING
  PATTERN "*.[ch]" PATTERN "*.hpp" PATTERN "tidepool.py" PATTERN "generator/*.py"
  PATTERN "decoder/*.py" PATTERN "sbom/*.py" PATTERN "tidepool.cmake"
  PATTERN "tidepool.mk" PATTERN "sanitize_*.flags")
install(DIRECTORY lib DESTINATION ${tp_share} ${tp_shipped})
install(DIRECTORY port/cache port/cores port/cortex_m port/host port/mpu port/posix port/riscv
  port/wait DESTINATION ${tp_share}/port ${tp_shipped})
install(FILES port/gdb/tidepool_gdb.py DESTINATION ${tp_share}/port/gdb)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tidepool-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tidepool-config-version.cmake LICENSE
  DESTINATION ${tp_share})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tidepool.pc
  DESTINATION share/pkgconfig)

# Packages whose manifest lies at their root:
# cmake --install BUILD --component platformio --prefix DIR
foreach(package platformio cmsis-pack)
  install(DIRECTORY lib DESTINATION . COMPONENT ${package} EXCLUDE_FROM_ALL
    ${tp_shipped})
  install(DIRECTORY port/cortex_m port/mpu DESTINATION port COMPONENT ${package}
    EXCLUDE_FROM_ALL ${tp_shipped})
  install(FILES LICENSE README.md DESTINATION . COMPONENT ${package}
    EXCLUDE_FROM_ALL)
endforeach()
install(FILES port/platformio/library.json port/platformio/tidepool_pools.py
  DESTINATION . COMPONENT platformio EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/Tidepool.Tidepool.pdsc
  port/cmsis-pack/Tidepool.scvd DESTINATION . COMPONENT cmsis-pack EXCLUDE_FROM_ALL)
