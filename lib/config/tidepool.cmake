# SPDX-License-Identifier: MIT
# tidepool_pools(TARGET fw CONFIG pools.toml)
#
# Generates tp_pools.h, .c and .ld from CONFIG, compiles them into TARGET and
# lets its linker script INCLUDE tp_pools.ld. Editing CONFIG regenerates,
# recompiles and relinks; an error in it stops the build with its line.
set(TIDEPOOL_GENERATOR ${CMAKE_CURRENT_LIST_DIR}/tidepool.py)
find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)

function(tidepool_pools)
  cmake_parse_arguments(arg "" "TARGET;CONFIG" "" ${ARGN})
  if(NOT arg_TARGET OR NOT arg_CONFIG OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tidepool_pools(TARGET fw CONFIG pools.toml)")
  endif()
  get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_pools)
  add_custom_command(
    OUTPUT ${out}/tp_pools.h ${out}/tp_pools.c ${out}/tp_pools.ld
    COMMAND ${Python3_EXECUTABLE} ${TIDEPOOL_GENERATOR} generate ${config}
            --out ${out}
    DEPENDS ${config} ${TIDEPOOL_GENERATOR}
    COMMENT "Generating the pools of ${arg_TARGET}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${out}/tp_pools.c ${out}/tp_pools.h)
  target_include_directories(${arg_TARGET} PRIVATE ${out})
  target_link_options(${arg_TARGET} PRIVATE -L${out})
  set_property(TARGET ${arg_TARGET} APPEND PROPERTY
               LINK_DEPENDS ${out}/tp_pools.ld)
  target_link_libraries(${arg_TARGET} PRIVATE tidepool::tidepool)
endfunction()
