# SPDX-License-Identifier: MIT
# Toolchain: Clang and lld for bare-metal Cortex-M. The core comes from the
# board.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET arm-none-eabi)
endforeach()
# Packages of sources, as ours, lie outside any root; programs run here.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX_C .elf)
