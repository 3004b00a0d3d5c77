set(TIDEPOOL_CPU -mcpu=cortex-m0 -mthumb)
