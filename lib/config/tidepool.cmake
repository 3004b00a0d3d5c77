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
#
#   tidepool_sbom(TARGET fw)
#
# behind it writes what FW is made of beside it, whenever it was linked:
# FW.spdx.json and FW.cdx.json, as tidepool.py sbom tells of. MAP fw.map is for who
# has the linker write a map of its own.
#
# The table of a library target, STATIC, OBJECT or INTERFACE, has a name: it makes
# NAME_pools.h and .c, and that of the executable includes it.
cmake_policy(VERSION 3.20...3.25)

# off, fast, poison or full: how much the library checks. See tp_level.h.
set(TIDEPOOL_CHECKS "fast" CACHE STRING "What the library checks")
# A folder of port/, or the path of one; empty: what CMake compiles for.
set(TIDEPOOL_PORT "" CACHE STRING "What knows the CPU")

# On: a build for qemu/soak, with what qemu/telemetry tells it. Needs a checkout.
option(TIDEPOOL_SOAK "Build firmware that qemu/soak can run" OFF)

# On: at each load and store the application asks whether the memory is its own.
# That code is what tidepool_pools() is called for, and what links
# tidepool::sanitize; never the library, or what starts the firmware up.
option(TIDEPOOL_SANITIZE "Ask the pools at each load and store" OFF)

# primask or none: in place of what [build] of the tables says. Empty: that.
set(TIDEPOOL_LOCK "" CACHE STRING "The lock of rows that name none")

# So many events are kept, a power of two: lib/check/tp_events.h. 0: none.
set(TIDEPOOL_EVENTS 0 CACHE STRING "Keep so many of the last events")

# On: a firmware links only the functions and variables it uses. Off: for a
# linker script that does not KEEP() its vectors, or lists .text without .text.*
option(TIDEPOOL_GC_SECTIONS "Leave out of firmware what it does not use" ON)

# On: no path of this machine is in debug information or __FILE__, so the same source
# gives the same ELF file in any folder. Debuggers then look from the project's.
option(TIDEPOOL_REPRODUCIBLE "Name source files from the project's folder" OFF)

# Makes the target of [SOURCE...].
function(tidepool_library)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "Tidepool is C: name it, as in project(firmware C CXX)")
  endif()
  add_library(tidepool_headers INTERFACE)
  add_library(tidepool::headers ALIAS tidepool_headers)
  add_library(tidepool INTERFACE)
  add_library(tidepool::tidepool ALIAS tidepool)
  target_link_libraries(tidepool INTERFACE tidepool_headers)
  tidepool_level(level)
  tidepool_port(port)
  file(GLOB port_sources ${port}/*.c)
  cmake_path(SET lib NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  target_sources(tidepool INTERFACE ${ARGN} ${port_sources})
  target_compile_definitions(tidepool_headers INTERFACE TP_CHECKS=${level})
  if("c_std_11" IN_LIST CMAKE_C_COMPILE_FEATURES)  # Zephyr has its own say.
    target_compile_features(tidepool_headers INTERFACE c_std_11)
  endif()
  target_include_directories(tidepool_headers INTERFACE ${lib} ${port})
  tidepool_mpu()
  if(TIDEPOOL_SOAK)
    tidepool_soak()
  endif()
  tidepool_sanitize()
  tidepool_events()
  if(TIDEPOOL_REPRODUCIBLE)
    tidepool_reproducible()
  endif()
  if(TIDEPOOL_GC_SECTIONS AND CMAKE_CROSSCOMPILING)
    target_compile_options(tidepool_headers INTERFACE
      -ffunction-sections -fdata-sections)
    target_link_options(tidepool INTERFACE -Wl,--gc-sections)
  endif()
endfunction()

# Makes the target of what programs the MPU, for firmware that asks for it.
function(tidepool_mpu)
  cmake_path(SET mpu NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../port/mpu)
  add_library(tidepool_mpu INTERFACE)
  add_library(tidepool::mpu ALIAS tidepool_mpu)
  target_sources(tidepool_mpu INTERFACE ${mpu}/tp_mpu.c ${mpu}/tp_mpu_sample.c)
  target_include_directories(tidepool_mpu INTERFACE ${mpu})
  target_link_libraries(tidepool_mpu INTERFACE tidepool_headers)
endfunction()

# Adds what a firmware tells qemu/soak, and the library's hooks for it.
function(tidepool_soak)
  cmake_path(SET qemu NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../qemu)
  file(GLOB telemetry ${qemu}/telemetry/*.c)
  if(NOT telemetry)
    message(FATAL_ERROR "TIDEPOOL_SOAK needs a checkout of Tidepool: there is no "
                        "${qemu}/telemetry")
  endif()
  set(semihost semihost_host.c)
  if(CMAKE_CROSSCOMPILING)
    set(semihost semihost.c)
  endif()
  target_sources(tidepool INTERFACE ${telemetry} ${qemu}/${semihost})
  target_include_directories(tidepool_headers INTERFACE ${qemu}/telemetry)
  target_compile_definitions(tidepool_headers INTERFACE TIDEPOOL_SOAK=1)
endfunction()

# Gives the folders names that are the same everywhere, and what they lead to if they
# are links. Of several that fit, the compilers take the last, and one fits whatever
# begins as it does: sorted upwards without their names, each stands behind its
# beginnings. By GCC, -flto writes the folder that the linker ran in.
function(tidepool_reproducible)
  cmake_path(SET root NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../lib)
  cmake_path(GET root PARENT_PATH root)
  string(ASCII 1 low)
  set(folders)
  foreach(folder ${CMAKE_SOURCE_DIR}=. ${CMAKE_BINARY_DIR}=build ${root}=tidepool)
    string(REGEX MATCH "^(.*)=([^=]*)$" parts ${folder})
    file(REAL_PATH ${CMAKE_MATCH_1} real)
    list(APPEND folders ${CMAKE_MATCH_1}${low}${CMAKE_MATCH_2}
         ${real}${low}${CMAKE_MATCH_2})
  endforeach()
  list(SORT folders)
  list(TRANSFORM folders REPLACE ${low} "=")
  foreach(folder ${folders})
    target_compile_options(tidepool_headers INTERFACE
      $<$<COMPILE_LANGUAGE:C,CXX,ASM>:-ffile-prefix-map=${folder}>)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_link_options(tidepool INTERFACE -ffile-prefix-map=${folder})
    endif()
  endforeach()
endfunction()

# Makes the target of the compiler's checks. A file of flags is one word to CMake,
# which would take every second "-mllvm" for a repetition.
function(tidepool_sanitize)
  add_library(tidepool_checks INTERFACE)
  add_library(tidepool::sanitize ALIAS tidepool_checks)
  if(NOT TIDEPOOL_SANITIZE)
    return()
  endif()
  set(flags ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sanitize_gnu.flags)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    set(flags ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sanitize_clang.flags)
  endif()
  target_compile_options(tidepool_checks INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:@${flags}>)
  target_link_options(tidepool_checks INTERFACE
    @${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sanitize_link.flags)
  target_compile_definitions(tidepool_headers INTERFACE TIDEPOOL_SANITIZE=1)
endfunction()

# Has the last events kept.
function(tidepool_events)
  if(TIDEPOOL_EVENTS EQUAL 0)
    return()
  endif()
  if(NOT TIDEPOOL_EVENTS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "TIDEPOOL_EVENTS is \"${TIDEPOOL_EVENTS}\": it must be 0 or a "
                        "power of two")
  endif()
  target_compile_definitions(tidepool_headers INTERFACE
    TIDEPOOL_EVENTS=${TIDEPOOL_EVENTS})
endfunction()

# [target] is application code, but for these sources and the library's.
function(tidepool_sanitized target)
  if(NOT TIDEPOOL_SANITIZE)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_link_libraries(${target} ${scope} tidepool::sanitize)
  get_target_property(library tidepool INTERFACE_SOURCES)
  list(FILTER library EXCLUDE REGEX "tp_plant[a-z_]*[.]c$")
  set_property(SOURCE ${library} ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY
               COMPILE_OPTIONS -fno-sanitize=kernel-address)
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
    set(trouble "Tidepool has no port for \"${cpu}\": set TIDEPOOL_PORT to")
    if(TIDEPOOL_PORT)
      set(trouble "TIDEPOOL_PORT is \"${TIDEPOOL_PORT}\": it must be")
    endif()
    message(FATAL_ERROR "${trouble} a folder with a tp_port.h")
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
  set(lock ${TIDEPOOL_LOCK})
  list(TRANSFORM lock PREPEND --lock=)
  set(${result} ${python}
      ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tidepool.py generate ${config}
      --out ${out} ${lock} PARENT_SCOPE)
endfunction()

# Has what is linked into an executable written down beside it. Ninja links in the
# folder of the whole build, and knows itself what objects were compiled of.
function(tidepool_sbom)
  cmake_parse_arguments(arg "" "TARGET;MAP" "" ${ARGN})
  if(NOT arg_TARGET OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tidepool_sbom(TARGET fw [MAP fw.map])")
  endif()
  get_target_property(config ${arg_TARGET} TIDEPOOL_CONFIG)
  get_target_property(type ${arg_TARGET} TYPE)
  if(NOT config OR NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "tidepool_sbom(TARGET ${arg_TARGET}): it must be an "
                        "executable that tidepool_pools() was called for before")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  set(built --folder ${folder} --build ${CMAKE_BINARY_DIR})
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set(folder ${CMAKE_BINARY_DIR})
    set(built --folder ${folder} --ninja ${CMAKE_MAKE_PROGRAM})
  endif()
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_pools/link.map)
  get_property(is_multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(is_multi)
    cmake_path(REPLACE_FILENAME map "link-$<CONFIG>.map")
  endif()
  if(arg_MAP)
    get_filename_component(map "${arg_MAP}" ABSOLUTE
                           BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  else()  # By a short name, as a comma or a % of a folder's name is the linker's.
    set(option ${map})
    cmake_path(IS_PREFIX folder ${map} is_below)
    if(is_below)
      file(RELATIVE_PATH option ${folder} ${map})
    endif()
    target_link_options(${arg_TARGET} PRIVATE -Wl,-Map=${option})
  endif()
  get_property(python GLOBAL PROPERTY tidepool_python)
  add_custom_command(TARGET ${arg_TARGET} POST_BUILD
    COMMAND ${python} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tidepool.py sbom ${config}
            $<TARGET_FILE:${arg_TARGET}> --map ${map} ${built}
    COMMENT "Writing what ${arg_TARGET} is made of"
    VERBATIM)
endfunction()

# Has [source] compiled as C++20 where [config] names a type of C++.
function(tidepool_language config source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${config})
  file(STRINGS ${config} classes ENCODING UTF-8 REGEX
       "^[^#]*[\"'][^\"'#]*::")
  if(classes)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "CXX" IN_LIST languages)
      message(FATAL_ERROR "${config} names types of C++: "
                          "name it too, as in project(firmware C CXX)")
    endif()
    set_property(GLOBAL APPEND PROPERTY tidepool_classes ${source})
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR}
                   CALL tidepool_classes_in ${CMAKE_SOURCE_DIR})
  endif()
endfunction()

# A property of a source is one of a directory: that of an INTERFACE library's is
# of whichever links it, so they are set in all, when all are known.
function(tidepool_classes_in directory)
  get_property(sources GLOBAL PROPERTY tidepool_classes)
  set_property(SOURCE ${sources} DIRECTORY ${directory} PROPERTY LANGUAGE CXX)
  set_property(SOURCE ${sources} DIRECTORY ${directory} APPEND PROPERTY
               COMPILE_OPTIONS -std=gnu++20)
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder ${folders})
    tidepool_classes_in(${folder})
  endforeach()
endfunction()

# Sets [result] to the names of the files that are generated from [config]: of a
# library those that its table's name makes.
function(tidepool_files result target config)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set(${result} tp_pools.h tp_pools.c tp_pools.ld PARENT_SCOPE)
    return()
  endif()
  tidepool_generator(list ${config} .)
  execute_process(COMMAND ${list} --list OUTPUT_VARIABLE files
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Refuses what tidepool_pools() cannot give a table.
function(tidepool_target target)
  set(call "tidepool_pools(TARGET ${target})")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${call}: there is no such target: call it behind "
                        "add_executable() or add_library()")
  endif()
  get_target_property(folder ${target} BINARY_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_BINARY_DIR)  # Rules are a folder's.
    message(FATAL_ERROR "${call}: call it in the CMakeLists.txt that makes "
                        "${target}")
  endif()
  get_target_property(config ${target} TIDEPOOL_CONFIG)
  if(config)
    message(FATAL_ERROR "${call}: ${config}: its table is that one already: a "
                        "table has others joined by include = [\"net/pools.toml\"]")
  endif()
endfunction()

function(tidepool_pools)
  cmake_parse_arguments(arg "" "TARGET;CONFIG" "" ${ARGN})
  if(NOT arg_TARGET OR NOT arg_CONFIG OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tidepool_pools(TARGET fw CONFIG pools.toml)")
  endif()
  tidepool_target(${arg_TARGET})
  get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
  get_filename_component(headers "${config}" DIRECTORY)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_pools)
  set_property(TARGET ${arg_TARGET} PROPERTY TIDEPOOL_CONFIG ${config})
  tidepool_generator(generate ${config} ${out})
  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL "EXECUTABLE")
    list(APPEND generate --image)
  endif()
  tidepool_files(files ${arg_TARGET} ${config})
  list(TRANSFORM files PREPEND ${out}/)
  file(GLOB generator CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tidepool.py
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/generator/*.py
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tidepool_version.h)
  add_custom_command(
    OUTPUT ${files}
    COMMAND ${generate} --depfile ${out}/tables.d
    DEPENDS ${config} ${generator}
    DEPFILE ${out}/tables.d
    COMMENT "Generating the pools of ${arg_TARGET}"
    VERBATIM)
  set(source ${files})
  list(FILTER source INCLUDE REGEX "[.]c$")
  tidepool_language(${config} ${source})
  if("${out}/tp_pools.ld" IN_LIST files)
    tidepool_image(${arg_TARGET} ${out} ${headers} ${files})
  else()
    tidepool_part(${arg_TARGET} ${out} ${headers} ${files})
  endif()
  tidepool_sanitized(${arg_TARGET} ${source})
  tidepool_apart(${arg_TARGET} ${source})
endfunction()

# The library's sources and these are compiled one by one by CMAKE_UNITY_BUILD, too:
# their static functions have names that other files give theirs.
function(tidepool_apart target)
  foreach(library tidepool tidepool_mpu)
    if(TARGET ${library})  # An ESP-IDF component is a library of its own.
      get_target_property(sources ${library} INTERFACE_SOURCES)
      list(APPEND ARGN ${sources})
    endif()
  endforeach()
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY
               SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# The table of what is linked: with it comes the library.
function(tidepool_image target out headers)
  target_sources(${target} PRIVATE ${ARGN})
  target_include_directories(${target} PRIVATE ${out} ${headers})
  target_link_options(${target} PRIVATE -L${out})
  tidepool_without_script(${target} PRIVATE "")
  set_property(TARGET ${target} APPEND PROPERTY
               LINK_DEPENDS ${out}/tp_pools.ld)
  # Who has compiled the library already names the target in TIDEPOOL_LIBRARY.
  if(NOT TIDEPOOL_LIBRARY)
    set(TIDEPOOL_LIBRARY tidepool::tidepool)
  endif()
  target_link_libraries(${target} PRIVATE ${TIDEPOOL_LIBRARY})
endfunction()

# The table of a part of it: who links that part includes the table in its own.
function(tidepool_part target out headers)
  get_target_property(type ${target} TYPE)
  set(sources PRIVATE)
  set(usage PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(sources INTERFACE)
    set(usage INTERFACE)
  endif()
  target_sources(${target} ${sources} ${ARGN})
  add_custom_target(${target}_pools DEPENDS ${ARGN})
  add_dependencies(${target} ${target}_pools)
  target_include_directories(${target} ${usage} ${out} ${headers})
  target_link_libraries(${target} ${usage} tidepool::headers)
  list(GET ARGN 0 header)
  get_filename_component(name ${header} NAME_WE)
  string(REGEX REPLACE "_pools$" "" name ${name})
  tidepool_without_script(${target} INTERFACE
                          _of_a_pools_toml_that_includes_${name})
endfunction()

# A program of this machine has no linker script that could INCLUDE tp_pools.ld,
# which sorts what lies in a bank: chunks are taken in the order of addresses.
function(tidepool_without_script target scope of)
  if(CMAKE_CROSSCOMPILING OR APPLE)
    return()
  endif()
  set(wanted tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld)
  target_link_options(${target} ${scope} -Wl,--defsym=${wanted}${of}=0
                      -Wl,--sort-section=name)
endfunction()
