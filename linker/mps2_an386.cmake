# SPDX-License-Identifier: MIT
# mps2-an386: Cortex-M4F. See linker/README.md.
set(TIDEPOOL_MACHINE mps2-an386)
set(TIDEPOOL_CPU -mcpu=cortex-m4 -mthumb)
set(TIDEPOOL_CLOCK_HZ 25000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x40004000)
set(TIDEPOOL_BOARD_TESTS bench)
