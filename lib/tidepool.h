// SPDX-License-Identifier: MIT
// tidepool.h - the header applications include, in reading order.
#ifndef TIDEPOOL_H
#define TIDEPOOL_H

#include "pool/tp_pool.h"
#include "pool/tp_pin.h"
#include "policy/tp_policy.h"
#include "policy/tp_spill.h"
#include "policy/tp_chunks.h"
#include "policy/tp_reserve.h"
#include "policy/tp_water.h"
#include "policy/tp_steal_least.h"
#include "handle/tp_handle.h"
#include "object/tp_object.h"
#include "object/tp_walk.h"
#include "object/tp_retain.h"
#include "object/tp_union.h"
#include "dense/tp_dense.h"
#include "pool/tp_stats.h"
#include "pool/tp_census.h"
#include "block/tp_block.h"
#include "reloc/tp_reloc.h"
#include "pool/tp_build.h"
#include "pool/tp_retained.h"
#include "scratch/tp_stack.h"
#include "scratch/tp_ends.h"
#include "scratch/tp_frame.h"
#include "nest/tp_nest.h"
#include "scene/tp_scene.h"
#include "check/tp_level.h"
#include "check/tp_fault.h"
#include "check/tp_verify.h"

#endif
