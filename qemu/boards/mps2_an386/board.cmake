# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m4 -mthumb)
set(TIDEPOOL_CLOCK_HZ 25000000)
