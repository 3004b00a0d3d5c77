# SPDX-License-Identifier: MIT
# What a firmware's CMake gets from Tidepool, the same in a checkout and in an
# installed package: the target tidepool::tidepool and
#
#   tidepool_pools(TARGET fw CONFIG pools.toml)
#
# which generates tp_pools.h, .c and .ld from CONFIG, compiles them into TARGET
# and lets its linker script INCLUDE tp_pools.ld. The headers that CONFIG names
# are looked for beside it, too. Editing CONFIG regenerates, recompiles and
# relinks; an error in it stops the build with its line. Where CONFIG names a
# class, tp_pools.c is compiled as C++20, by any CMAKE_CXX_STANDARD for the rest.
cmake_policy(VERSION 3.20...3.25)

# off, fast, poison or full: how much the library checks. See tp_level.h.
set(TIDEPOOL_CHECKS "fast" CACHE STRING "What the library checks")
# A folder of port/, or the path of one; empty: what CMake compiles for.
set(TIDEPOOL_PORT "" CACHE STRING "What knows the CPU")

# On: a firmware links only the functions and variables it uses. Off: for a
# linker script that does not KEEP() its vectors, or lists .text without .text.*
option(TIDEPOOL_GC_SECTIONS "Leave out of firmware what it does not use" ON)

# Makes the target of [SOURCE...].
function(tidepool_library)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "Tidepool is C: name it, as in project(firmware C CXX)")
  endif()
  add_library(tidepool INTERFACE)
  add_library(tidepool::tidepool ALIAS tidepool)
  tidepool_level(level)
  tidepool_port(port)
  file(GLOB port_sources ${port}/*.c)
  cmake_path(SET lib NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  target_sources(tidepool INTERFACE ${ARGN} ${port_sources})
  target_compile_definitions(tidepool INTERFACE TP_CHECKS=${level})
  target_compile_features(tidepool INTERFACE c_std_11)
  target_include_directories(tidepool INTERFACE ${lib} ${port})
  if(TIDEPOOL_GC_SECTIONS AND CMAKE_CROSSCOMPILING)
    target_compile_options(tidepool INTERFACE
      -ffunction-sections -fdata-sections)
    target_link_options(tidepool INTERFACE -Wl,--gc-sections)
  endif()
endfunction()

# Sets [result] to the number that TIDEPOOL_CHECKS names.
function(tidepool_level result)
  set(levels off fast poison full)
  list(FIND levels "${TIDEPOOL_CHECKS}" level)
  if(level LESS 0)
    message(FATAL_ERROR "TIDEPOOL_CHECKS is \"${TIDEPOOL_CHECKS}\": "
                        "it must be off, fast, poison or full")
  endif()
  set(${result} ${level} PARENT_SCOPE)
endfunction()

# Sets [result] to the folder of the port.
function(tidepool_port result)
  cmake_path(SET ports NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../port)
  tidepool_cpu(cpu)
  if(TIDEPOOL_PORT)
    cmake_path(ABSOLUTE_PATH TIDEPOOL_PORT BASE_DIRECTORY ${ports}
               OUTPUT_VARIABLE port)
  elseif(NOT CMAKE_CROSSCOMPILING)
    set(port ${ports}/host)
  elseif(cpu MATCHES "^(arm|cortex|thumb)")
    set(port ${ports}/cortex_m)
  elseif(cpu MATCHES "^riscv")
    set(port ${ports}/riscv)
  endif()
  if(NOT EXISTS "${port}/tp_port.h")
    message(FATAL_ERROR "Tidepool has no port for \"${TIDEPOOL_PORT}${cpu}\": "
                        "set TIDEPOOL_PORT to a folder with a tp_port.h")
  endif()
  set(${result} ${port} PARENT_SCOPE)
endfunction()

# Sets [result] to what is compiled for: as the toolchain file says or, since
# not all do, as the compiler does.
function(tidepool_cpu result)
  set(cpu "${CMAKE_SYSTEM_PROCESSOR}")
  if(NOT cpu)
    set(cpu "${CMAKE_C_COMPILER_TARGET}")
  endif()
  if(NOT cpu)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -dumpmachine
                    OUTPUT_VARIABLE cpu OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  string(TOLOWER "${cpu}" cpu)
  set(${result} ${cpu} PARENT_SCOPE)
endfunction()

# Sets [result] to the command that generates from [config] into [out].
function(tidepool_generator result config out)
  get_property(python GLOBAL PROPERTY tidepool_python)
  if(NOT python)  # Looking for it takes as long as all else.
    find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)
    set(python ${Python3_EXECUTABLE})
    set_property(GLOBAL PROPERTY tidepool_python ${python})
  endif()
  set(${result} ${python}
      ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tidepool.py generate ${config}
      --out ${out} PARENT_SCOPE)
endfunction()

# Has [source] compiled as C++20 where [config] names a type of C++.
function(tidepool_language config source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${config})
  file(STRINGS ${config} classes REGEX "^[^#]*[\"'][^\"'#]*::")
  if(classes)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "CXX" IN_LIST languages)
      message(FATAL_ERROR "${config} names types of C++: "
                          "name it too, as in project(firmware C CXX)")
    endif()
    set_source_files_properties(${source} PROPERTIES
                                LANGUAGE CXX COMPILE_OPTIONS -std=gnu++20)
  endif()
endfunction()

function(tidepool_pools)
  cmake_parse_arguments(arg "" "TARGET;CONFIG" "" ${ARGN})
  if(NOT arg_TARGET OR NOT arg_CONFIG OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tidepool_pools(TARGET fw CONFIG pools.toml)")
  endif()
  get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
  get_filename_component(headers "${config}" DIRECTORY)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_pools)
  tidepool_generator(generate ${config} ${out})
  file(GLOB generator CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tidepool.py
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/generator/*.py)
  add_custom_command(
    OUTPUT ${out}/tp_pools.h ${out}/tp_pools.c ${out}/tp_pools.ld
    COMMAND ${generate}
    DEPENDS ${config} ${generator}
    COMMENT "Generating the pools of ${arg_TARGET}"
    VERBATIM)
  tidepool_language(${config} ${out}/tp_pools.c)
  target_sources(${arg_TARGET} PRIVATE ${out}/tp_pools.c ${out}/tp_pools.h)
  target_include_directories(${arg_TARGET} PRIVATE ${out} ${headers})
  target_link_options(${arg_TARGET} PRIVATE -L${out})
  set_property(TARGET ${arg_TARGET} APPEND PROPERTY
               LINK_DEPENDS ${out}/tp_pools.ld)
  # Who has compiled the library already names the target in TIDEPOOL_LIBRARY.
  if(NOT TIDEPOOL_LIBRARY)
    set(TIDEPOOL_LIBRARY tidepool::tidepool)
  endif()
  target_link_libraries(${arg_TARGET} PRIVATE ${TIDEPOOL_LIBRARY})
endfunction()
