# SPDX-License-Identifier: MIT
# mps2-an385: Cortex-M3, the reference. See linker/README.md.
set(TIDEPOOL_MACHINE mps2-an385)
set(TIDEPOOL_CPU -mcpu=cortex-m3 -mthumb)
set(TIDEPOOL_CLOCK_HZ 25000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x40004000)
set(TIDEPOOL_BOARD_TESTS unit audit sweep bench)
