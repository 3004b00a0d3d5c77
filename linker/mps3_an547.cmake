# SPDX-License-Identifier: MIT
# mps3-an547: Cortex-M55, its secure side. See linker/README.md.
set(TIDEPOOL_MACHINE mps3-an547)
set(TIDEPOOL_CPU -mcpu=cortex-m55+nomve -mfloat-abi=soft -mthumb)
set(TIDEPOOL_CLOCK_HZ 32000000)
set(TIDEPOOL_DEVICES cmsdk)
set(TIDEPOOL_UART 0x59303000)
set(TIDEPOOL_BOARD_TESTS bench)
