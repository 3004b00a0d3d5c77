# SPDX-License-Identifier: MIT
# mps2-an500: Cortex-M7. See linker/README.md.
set(TIDEPOOL_MACHINE mps2-an500)
set(TIDEPOOL_CPU -mcpu=cortex-m7 -mthumb)
set(TIDEPOOL_CLOCK_HZ 25000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x40004000)
set(TIDEPOOL_BOARD_TESTS bench)
