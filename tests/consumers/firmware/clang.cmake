# SPDX-License-Identifier: MIT
# A user's toolchain file for Clang and lld.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_AR arm-none-eabi-ar)  # llvm-ar may be that of another LLVM.
set(CMAKE_RANLIB arm-none-eabi-ranlib)
set(CMAKE_C_COMPILER_TARGET thumbv7m-none-eabi)
set(CMAKE_C_FLAGS_INIT "-ffreestanding")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-19 -nostdlib")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
