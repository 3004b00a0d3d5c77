# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m55+nomve -mfloat-abi=soft -mthumb)
set(TIDEPOOL_CLOCK_HZ 32000000)
