# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m33+nodsp -mfloat-abi=soft -mthumb)
set(TIDEPOOL_CLOCK_HZ 20000000)
