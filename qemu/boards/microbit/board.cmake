# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m0 -mthumb)
set(TIDEPOOL_CLOCK_HZ 16000000)
