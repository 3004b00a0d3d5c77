set(TIDEPOOL_CPU -mcpu=cortex-m3 -mthumb)
