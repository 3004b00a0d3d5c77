# SPDX-License-Identifier: MIT
# A user's toolchain file for one RISC-V core.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET riscv32-unknown-elf)
set(CMAKE_C_FLAGS_INIT "-march=rv32imc_zicsr -ffreestanding")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
