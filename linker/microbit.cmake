# SPDX-License-Identifier: MIT
# microbit: Cortex-M0, the small end; QEMU gives it a SysTick, which the real one has not. See linker/README.md.
set(TIDEPOOL_MACHINE microbit)
set(TIDEPOOL_CPU -mcpu=cortex-m0 -mthumb)
set(TIDEPOOL_CLOCK_HZ 16000000)
set(TIDEPOOL_DEVICES nrf51)
set(TIDEPOOL_UART 0x40002000)
set(TIDEPOOL_BOARD_TESTS unit sweep)
set(TIDEPOOL_BOARD_POOLS qemu/game/pools_small.toml)
set(TIDEPOOL_BOARD_LOAD 20)
set(TIDEPOOL_BOARD_SOAK TP_SOAK_SMALL=1 TP_SANITIZE_RUNS=26)
