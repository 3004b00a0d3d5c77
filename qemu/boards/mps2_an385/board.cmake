# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m3 -mthumb)
set(TIDEPOOL_CLOCK_HZ 25000000)
