// SPDX-License-Identifier: MIT
// tidepool.h - the header applications include, in reading order.
#ifndef TIDEPOOL_H
#define TIDEPOOL_H

#include "core/tp_pool.h"
#include "core/tp_pin.h"
#include "policy/tp_policy.h"
#include "policy/tp_spill.h"
#include "policy/tp_chunks.h"
#include "policy/tp_reserve.h"
#include "policy/tp_watermark.h"
#include "policy/tp_steal_least.h"
#include "core/tp_handle.h"
#include "object/tp_object.h"
#include "object/tp_walk.h"
#include "object/tp_retain.h"
#include "object/tp_union.h"
#include "allocator/tp_dense.h"
#include "core/tp_stats.h"
#include "core/tp_totals.h"
#include "allocator/tp_blocks.h"
#include "allocator/tp_reloc.h"
#include "object/tp_build.h"
#include "object/tp_noinit.h"
#include "allocator/tp_stack.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "object/tp_scene.h"
#include "check/tp_level.h"
#include "check/tp_fault.h"
#include "core/tp_verify.h"

#endif
