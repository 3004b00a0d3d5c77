// SPDX-License-Identifier: MIT
// tp_mpu_arch.h - internal: the one of the two that is compiled for.
#ifndef TP_MPU_ARCH_H
#define TP_MPU_ARCH_H

#if __ARM_ARCH >= 8
#include "tp_mpu_v8.h"
#else
#include "tp_mpu_v7.h"
#endif

#endif
