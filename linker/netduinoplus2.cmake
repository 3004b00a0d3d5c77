# SPDX-License-Identifier: MIT
# netduinoplus2: STM32F405, Cortex-M4F. See linker/README.md.
set(TIDEPOOL_MACHINE netduinoplus2)
set(TIDEPOOL_CPU -mcpu=cortex-m4 -mthumb)
set(TIDEPOOL_CLOCK_HZ 168000000)
set(TIDEPOOL_DEVICES stm32)
set(TIDEPOOL_UART 0x40011000)
