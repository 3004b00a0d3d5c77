# SPDX-License-Identifier: MIT
# mps2-an505: Cortex-M33, its secure side. See linker/README.md. mps2-an521 is the
# same with a second one.
set(TIDEPOOL_MACHINE mps2-an505)
set(TIDEPOOL_MACHINE_OF_TWO mps2-an521)
set(TIDEPOOL_CPU -mcpu=cortex-m33+nodsp -mfloat-abi=soft -mthumb)
set(TIDEPOOL_CLOCK_HZ 20000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x50200000)
set(TIDEPOOL_BOARD_TESTS bench)
