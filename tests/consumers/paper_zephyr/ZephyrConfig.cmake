# SPDX-License-Identifier: MIT
# Zephyr on paper: what a module and an application see of it, enough to link
# an image. The test sets what Kconfig would.
project(Zephyr-Kernel C)
set(CMAKE_C_COMPILE_FEATURES c_std_99)  # Of CSTD alone, as Zephyr has it.
add_library(app STATIC)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../paper_rtos)

set(snippets ${CMAKE_BINARY_DIR}/snippets-ram-sections.ld)
file(WRITE ${snippets} "")
function(zephyr_linker_sources location file)
  if(NOT location STREQUAL "RAM_SECTIONS")
    message(FATAL_ERROR "there is no ${location} on paper")
  endif()
  file(APPEND ${snippets} "#include \"${file}\"\n")
endfunction()

# A module is found by an absolute path, and has zephyr/module.yml there; as its
# key "cmake" says.
if(NOT IS_ABSOLUTE "${ZEPHYR_EXTRA_MODULES}" OR
   NOT EXISTS "${ZEPHYR_EXTRA_MODULES}/zephyr/module.yml")
  message(FATAL_ERROR "${ZEPHYR_EXTRA_MODULES} is not a valid zephyr module")
endif()
add_subdirectory(${ZEPHYR_EXTRA_MODULES} module)

# The linker script goes through the preprocessor, in the order of Zephyr's.
file(READ firmware.ld script)
string(REPLACE "INCLUDE tp_pools.ld" "#include \"${snippets}\"" script
       "${script}")
file(CONFIGURE OUTPUT linker.ld CONTENT "${script}" @ONLY)
add_custom_command(OUTPUT linker.cmd
  COMMAND ${CMAKE_C_COMPILER} -E -P -x assembler-with-cpp
          -MD -MF linker.d -MT linker.cmd linker.ld -o linker.cmd
  DEPENDS linker.ld ${snippets} DEPFILE linker.d)
add_custom_target(linker_script DEPENDS linker.cmd)
add_executable(firmware startup.c)
add_dependencies(firmware linker_script)
target_link_libraries(firmware PRIVATE app)
target_link_options(firmware PRIVATE -T ${CMAKE_BINARY_DIR}/linker.cmd)
set_target_properties(firmware PROPERTIES
  LINK_DEPENDS ${CMAKE_BINARY_DIR}/linker.cmd)
