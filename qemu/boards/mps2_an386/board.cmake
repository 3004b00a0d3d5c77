# SPDX-License-Identifier: MIT
set(TIDEPOOL_CPU -mcpu=cortex-m4 -mthumb)
