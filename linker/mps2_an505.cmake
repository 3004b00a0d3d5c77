# SPDX-License-Identifier: MIT
# mps2-an505: Cortex-M33, its secure side. See linker/README.md.
set(TIDEPOOL_MACHINE mps2-an505)
set(TIDEPOOL_CPU -mcpu=cortex-m33+nodsp -mfloat-abi=soft -mthumb)
set(TIDEPOOL_CLOCK_HZ 20000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x50200000)
set(TIDEPOOL_BOARD_TESTS bench)
